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
import { configuredServices } from '../connection/configuredServices.ts';
import { views } from '../manifest.ts';
import { setting } from '../settings.ts';

export function showConfiguredService(): Disposable {
  let item: StatusBarItem | undefined;
  const update = () => {
    item?.dispose();
    const { services } = configuredServices(setting('services'), process.env);
    const names = services.filter(({ enabled }) => enabled).map(({ name }) => name);
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
