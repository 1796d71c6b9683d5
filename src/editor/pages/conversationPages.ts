/** The page of one conversation: everything that is known. */
import type { Disposable, WebviewPanel } from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { t } from '../../base/l10n.ts';
import { type Conversation, idKey } from '../../service/entities.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import type { CommandId } from '../manifest.ts';
import { type Action, createPage, drawPage, type Page } from './page.ts';
import { factsOf, titleOf } from '../words/conversationWords.ts';

export class Details implements Disposable {
  readonly #switchboard: Switchboard;
  readonly #panels = new Map<string, WebviewPanel>();
  readonly #stop: () => void;

  constructor(switchboard: Switchboard) {
    this.#switchboard = switchboard;
    this.#stop = switchboard.conversations.onChange(({ structure, rows }) => {
      for (const key of structure ? this.#panels.keys() : rows) this.#draw(key);
    });
  }

  show({ id }: Conversation): void {
    const key = idKey(id);
    const open = this.#panels.get(key);
    if (open) {
      open.reveal();
      return;
    }
    const allowed: CommandId[] = [
      'switchboard.conversations.open',
      'switchboard.conversations.openPullRequest',
      'switchboard.conversations.copyId',
    ];
    const panel = createPage('switchboard.details', allowed);
    this.#panels.set(key, panel);
    panel.onDidDispose(() => this.#panels.delete(key));
    this.#draw(key);
  }

  dispose(): void {
    this.#stop();
    for (const panel of [...this.#panels.values()]) panel.dispose();
  }

  #draw(key: string): void {
    const panel = this.#panels.get(key);
    const conversation = this.#switchboard.conversations.rows.get(key);
    // One that is no longer listed keeps what was last known of it.
    if (!panel || !conversation) return;
    drawPage(panel, pageOf(conversation));
  }
}

function pageOf(conversation: Conversation): Page {
  const { id, link, pullRequests } = conversation;
  const action = (command: CommandId, label: string): Action => ({ command, label, args: [id] });
  return {
    title: titleOf(conversation),
    actions: [
      ...(link ? [action('switchboard.conversations.open', t('Open in the browser'))] : []),
      ...(pullRequests.length > 0
        ? [action('switchboard.conversations.openPullRequest', t('Open the pull request'))]
        : []),
      action('switchboard.conversations.copyId', t('Copy the ID')),
    ],
    sections: [{ facts: factsOf(conversation, systemClock.now()) }],
  };
}
