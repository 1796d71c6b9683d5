/**
 * The services in the status bar. Until the runtime is loaded, it names those
 * in the settings.
 */
import {
  type Disposable,
  StatusBarAlignment,
  type StatusBarItem,
  window,
} from 'vscode';
import { t } from '../../base/l10n.ts';
import type { CommandId } from '../manifest.ts';

const manageServices: CommandId = 'switchboard.manageServices';

export class ServiceItem implements Disposable {
  #item: StatusBarItem | undefined;
  #shown = '';

  /** Names services that have not been asked yet. */
  showConfigured(
    services: readonly { readonly name: string; readonly address: string }[],
  ): void {
    this.show(
      services.map(({ name }) => name),
      services.map(({ address }) => connectionLine(address, false)),
    );
  }

  /** Hides the item if there are no services. */
  show(
    names: readonly string[],
    lines: readonly string[],
    icon: 'plug' | 'warning' = 'plug',
  ): void {
    const [only = ''] = names;
    const text = `$(${icon}) ${names.length === 1 ? only : t('{0} services', names.length)}`;
    const content = names.length === 0 ? '' : [text, ...lines].join('\n');
    if (content === this.#shown) return;
    this.#shown = content;
    if (content === '') {
      this.#item?.hide();
      return;
    }
    this.#item ??= createItem();
    this.#item.text = text;
    this.#item.tooltip = [...lines, t('Select to manage the services.')].join(
      '\n',
    );
    this.#item.accessibilityInformation = {
      label: t('Agent Switchboard: {0}', lines.join(', ')),
    };
    this.#item.show();
  }

  dispose(): void {
    this.#item?.dispose();
  }
}

/** `hasAnswered`: the kind of the service is known. */
export function connectionLine(address: string, hasAnswered: boolean): string {
  return hasAnswered
    ? t('Connected to {0}', address)
    : t('Not connected to {0} yet', address);
}

function createItem(): StatusBarItem {
  const item = window.createStatusBarItem(
    'switchboard.connection',
    StatusBarAlignment.Left,
    -10,
  );
  item.name = 'Agent Switchboard';
  item.command = manageServices;
  return item;
}
