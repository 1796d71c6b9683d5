/** The services of the settings, for what is there before the rest of the extension is loaded. */
import {
  type Disposable,
  MarkdownString,
  StatusBarAlignment,
  type StatusBarItem,
  window,
  workspace,
} from 'vscode';
import { t } from '../../base/l10n.ts';
import { type ServiceSetting, views } from '../manifest.ts';
import { setting } from '../settings.ts';

/** Calls back with the names of the services: at once, and whenever they may have changed. */
export function onConfiguredServices(listener: (names: readonly string[]) => void): Disposable {
  listener(configuredServices());
  return workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration('switchboard.services')) listener(configuredServices());
  });
}

/** Whether the palette offers what needs a service: its condition sees only that the setting is not empty. */
export function isAnyServiceWritten(): boolean {
  const services = workspace.getConfiguration('switchboard').get<unknown>('services');
  return !Array.isArray(services) || services.length > 0 || Boolean(process.env.SWITCHBOARD_SERVICE_URL);
}

export function hasConfiguredService(): boolean {
  return configuredServices().length > 0;
}

/** Names the services in the status bar, until the rest of the extension is loaded and says more. */
export class ServiceItem implements Disposable {
  #item: StatusBarItem | undefined;

  show(names: readonly string[]): void {
    this.dispose();
    if (names.length > 0) this.#item = createItem(names);
  }

  dispose(): void {
    this.#item?.dispose();
    this.#item = undefined;
  }
}

/** Without those whose address cannot be used. The views say why. */
function configuredServices(): readonly string[] {
  const environment = process.env.SWITCHBOARD_SERVICE_URL;
  const entries = [
    ...setting('services'),
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
