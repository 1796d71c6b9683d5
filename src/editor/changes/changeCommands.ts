/** Looking at what agents have changed. */
import { UserError } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import type { Conversation } from '../../service/entities.ts';
import { conversationOf } from '../ui/pickFromList.ts';
import { askForPullRequest } from './sendToAgent.ts';
import { type ChangesOnScreen, chooseSince, showChangedFile, showChanges } from './showChanges.ts';
import { openRepositories } from '../takeOver/repositories.ts';
import { takeOverChanges } from '../takeOver/takeOverChanges.ts';
import { undoTakeOver } from '../takeOver/applyChanges.ts';
import type { CommandParts, Handlers } from '../start/handlers.ts';

export function changeCommands(parts: CommandParts) {
  const {
    switchboard,
    connector: { demo },
    views,
    changeDocuments,
    conversationPages,
    takenOver,
  } = parts;
  const select = (id: string | undefined, placeholder: string) =>
    conversationOf(
      parts,
      id,
      placeholder,
      ({ service }) => switchboard.service(service)?.client.service?.steering !== undefined,
    );
  const screen: ChangesOnScreen = {
    switchboard,
    shownNotices: new Set(),
    revealFiles: async (conversation: Conversation) => {
      const row = views.trees.conversations.rowOf(conversation);
      if (!row) return;
      // The row may be filtered away, or the view closed.
      await views.conversations
        .reveal(row, { select: true, focus: false, expand: true })
        .then(undefined, () => undefined);
    },
  };
  return {
    'switchboard.conversations.showChanges': async (id) => {
      const conversation = await select(id, t('Select the conversation whose changes to show'));
      if (!conversation) return;
      await changeDocuments();
      await showChanges(screen, conversation, 'start');
    },
    'switchboard.conversations.showChangesSince': async (id) => {
      const conversation = await select(id, t('Select the conversation whose changes to show'));
      if (!conversation) return;
      await changeDocuments();
      const since = await chooseSince(screen, conversation);
      if (since !== undefined) await showChanges(screen, conversation, since);
    },
    'switchboard.conversations.takeOver': async (id) => {
      // Without a repository, the demo offers to make one.
      const repositories = await openRepositories({ orNone: demo.isRunning });
      const conversation = await select(id, t('Select the conversation whose changes to take over'));
      if (conversation) await takeOverChanges({ switchboard, takenOver, repositories, demo }, conversation);
    },
    'switchboard.conversations.undoTakeOver': async () => {
      await undoTakeOver(takenOver);
    },
    'switchboard.conversations.askForPullRequest': async (id) => {
      const conversation = await select(id, t('Select the conversation to ask for a pull request'));
      if (!conversation) return;
      await askForPullRequest({ switchboard, conversationPages }, conversation);
    },
    'switchboard.conversations.openChangedFile': async (rowId = '') => {
      // Addresses and ids have no spaces; paths may.
      const [, key = '', path = ''] = /^(\S+ \S+) (.*)$/s.exec(rowId) ?? [];
      const conversation = switchboard.conversation(key);
      if (!conversation)
        throw new UserError(t('This conversation is no longer in the list. Refresh the list and try again.'));
      await changeDocuments();
      await showChangedFile(screen, conversation, path);
    },
  } satisfies Partial<Handlers>;
}
