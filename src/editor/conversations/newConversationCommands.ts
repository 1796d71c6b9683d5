import { isFilled } from '../../state/newConversation/requestedConversations.ts';
import type { CommandHandlers } from '../manifest.ts';
import { findHere } from './new/newFromEditor.ts';
import type { ConversationParts } from './page/conversationPages.ts';

export function newConversationCommands({
  switchboard: { requested },
  conversationPages,
}: ConversationParts) {
  return {
    'switchboard.conversations.new': async (id) => {
      const { draftActions } = await conversationPages();
      const request =
        requested.find(id) ?? requested.all.find((draft) => !isFilled(draft));
      await (request ? draftActions.show(request) : draftActions.begin());
    },
    'switchboard.conversations.newFromEditor': async (
      point = { from: 'editor' },
    ) => {
      const { draftActions } = await conversationPages();
      await draftActions.begin(await findHere(point));
    },
    'switchboard.conversations.cancelNew': async (id) => {
      const request = requested.find(id);
      if (request) (await conversationPages()).draftActions.cancel(request);
    },
  } satisfies Partial<CommandHandlers>;
}
