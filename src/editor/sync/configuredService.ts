/** The service of the settings in the status bar, until the rest of the extension is loaded and says more. */
import {
  Disposable,
  MarkdownString,
  StatusBarAlignment,
  type StatusBarItem,
  window,
  workspace,
} from 'vscode';
import { t } from '../../base/l10n.ts';
import { views } from '../manifest.ts';
import { setting } from '../settings.ts';

export function showConfiguredService(): Disposable {
  let item: StatusBarItem | undefined;
  const update = () => {
    item?.dispose();
    const host = hostOf(setting('service.url').trim());
    item = host === undefined ? undefined : createItem(host);
  };
  update();
  const changes = workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration('switchboard.service.url')) update();
  });
  return new Disposable(() => {
    changes.dispose();
    item?.dispose();
  });
}

/** Undefined for an address that cannot be used. The views say why. */
function hostOf(text: string): string | undefined {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`);
  return url && /^https?:$/.test(url.protocol) && url.username === '' ? url.host : undefined;
}

function createItem(host: string): StatusBarItem {
  const item = window.createStatusBarItem('switchboard.connection', StatusBarAlignment.Left, -10);
  item.name = 'Agent Switchboard';
  item.command = `${views.conversations}.focus`;
  item.text = ['$(plug)', host].join(' ');
  const words = t('Connected to {0}', host);
  item.tooltip = new MarkdownString().appendText(words);
  item.accessibilityInformation = { label: t('Agent Switchboard: {0}', words) };
  item.show();
  return item;
}
