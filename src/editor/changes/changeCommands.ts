/** Looking at what agents have changed. */
import { UserError } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import type { Conversation } from '../../service/entities.ts';
import { agentConversationOf } from '../ui/pickFromList.ts';
import { askForPullRequest } from './sendToAgent.ts';
import { type ChangesOnScreen, chooseSince, showChangedFile, showChanges } from './showChanges.ts';
import type { ConversationParts } from '../conversations/page/conversationPages.ts';
import type { CommandHandlers } from '../manifest.ts';
import type { ChangeDocuments } from './documents.ts';

export interface ChangeParts extends ConversationParts {
  readonly changeDocuments: () => Promise<ChangeDocuments>;
  /** Shows the changed files below the conversation's row, if it has one. */
  readonly revealFiles: (conversation: Conversation) => Promise<void>;
}

export function changeCommands(parts: ChangeParts) {
  const { switchboard, changeDocuments, conversationPages, revealFiles } = parts;
  const select = (id: string | undefined, placeholder: string) => agentConversationOf(parts, id, placeholder);
  const screen: ChangesOnScreen = { switchboard, shownNotices: new Set(), revealFiles };
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
  } satisfies Partial<CommandHandlers>;
}
