/** The services of the settings in the status bar, until the rest of the extension is loaded and says more. */
import {
  Disposable,
  MarkdownString,
  StatusBarAlignment,
  type StatusBarItem,
  window,
  workspace,
} from 'vscode';
import { t } from '../../base/l10n.ts';
import { type ServiceSetting, views } from '../manifest.ts';
import { setting } from '../settings.ts';

export function showConfiguredService(): Disposable {
  let item: StatusBarItem | undefined;
  const update = () => {
    item?.dispose();
    const names = namesOf(setting('services'), process.env.SWITCHBOARD_SERVICE_URL);
    item = names.length === 0 ? undefined : createItem(names);
  };
  update();
  const changes = workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration('switchboard.services')) update();
  });
  return new Disposable(() => {
    changes.dispose();
    item?.dispose();
  });
}

export function hasConfiguredService(): boolean {
  return namesOf(setting('services'), process.env.SWITCHBOARD_SERVICE_URL).length > 0;
}

/** Without those whose address cannot be used. The views say why. */
function namesOf(services: readonly unknown[], environment: string | undefined): readonly string[] {
  const entries = [
    ...services,
    ...(environment ? [{ url: environment }] : []),
  ] as readonly (Partial<ServiceSetting> | null)[];
  const names = entries.flatMap((entry) => {
    const { name, url, enabled } = entry ?? {};
    const host = typeof url === 'string' ? hostOf(url.trim()) : undefined;
    if (host === undefined || enabled === false) return [];
    return [typeof name === 'string' && name.trim() !== '' ? name.trim() : host];
  });
  return [...new Set(names)];
}

function hostOf(text: string): string | undefined {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`);
  return url && /^https?:$/.test(url.protocol) && url.username === '' ? url.host : undefined;
}

function createItem(names: readonly string[]): StatusBarItem {
  const item = window.createStatusBarItem('switchboard.connection', StatusBarAlignment.Left, -10);
  item.name = 'Agent Switchboard';
  item.command = `${views.conversations}.focus`;
  item.text = ['$(plug)', names.length === 1 ? names[0] : t('{0} services', names.length)].join(' ');
  const words = names.map((name) => t('Connected to {0}', name)).join('\n');
  item.tooltip = new MarkdownString().appendText(words);
  item.accessibilityInformation = { label: t('Agent Switchboard: {0}', words) };
  item.show();
  return item;
}
