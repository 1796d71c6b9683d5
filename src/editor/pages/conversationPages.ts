/** The page of one conversation: everything that is known about it. */
import type { Disposable } from 'vscode';
import { t } from '../../base/l10n.ts';
import { type Conversation, keyOf, type Time } from '../../service/entities.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import type { CommandId } from '../manifest.ts';
import { type Action, OpenPages, type Page } from './page.ts';
import { factsOf, factsEnd, titleOf } from '../words/conversationWords.ts';
import { serviceName } from '../words/serviceWords.ts';

const allowed: readonly CommandId[] = [
  'switchboard.conversations.open',
  'switchboard.conversations.openPullRequest',
  'switchboard.conversations.copyId',
];

export class ConversationPages implements Disposable {
  readonly #pages: OpenPages<string>;
  readonly #stops: readonly (() => void)[];

  constructor(switchboard: Switchboard) {
    const { conversations } = switchboard;
    this.#pages = new OpenPages('switchboard.details', allowed, (key, now) => {
      const conversation = conversations.rows.get(key);
      return conversation && pageOf(conversation, now, serviceName(switchboard, conversation.service));
    });
    this.#stops = [
      conversations.onChange(({ structure, rows }) => {
        this.#pages.redraw((key) => structure || rows.has(key));
      }),
      // Which say the name of the service, while there are several.
      switchboard.onServices(() => {
        this.#pages.redraw(() => true);
      }),
    ];
  }

  show(conversation: Conversation): void {
    this.#pages.show(keyOf(conversation));
  }

  dispose(): void {
    for (const stop of this.#stops) stop();
    this.#pages.dispose();
  }
}

function pageOf(conversation: Conversation, now: Time, service: string | undefined): Page {
  const { link, pullRequests } = conversation;
  const args = [keyOf(conversation)];
  const action = (command: CommandId, label: string): Action => ({ command, label, args });
  return {
    title: titleOf(conversation),
    actions: [
      ...(link ? [action('switchboard.conversations.open', t('Open in the browser'))] : []),
      ...(pullRequests.length > 0
        ? [action('switchboard.conversations.openPullRequest', t('Open the pull request'))]
        : []),
      action('switchboard.conversations.copyId', t('Copy the ID')),
    ],
    sections: [{ facts: factsOf(conversation, now, service) }],
    until: factsEnd(conversation, now),
  };
}
