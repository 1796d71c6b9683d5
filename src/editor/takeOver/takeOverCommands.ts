import { t } from '../../base/l10n.ts';
import type { ConversationParts } from '../conversations/page/conversationPages.ts';
import type { CommandHandlers } from '../manifest.ts';
import type { BuiltInDemo } from '../services/builtInDemo.ts';
import { agentConversationOf } from '../ui/pickFromList.ts';
import type { TakenOver } from './takenOverMemory.ts';
import { openRepositories } from './repositories.ts';
import { takeOverChanges } from './takeOverChanges.ts';
import { undoTakeOver } from './applyChanges.ts';

export interface TakeOverParts extends ConversationParts {
  readonly connector: { readonly demo: BuiltInDemo };
  readonly takenOver: TakenOver;
}

export function takeOverCommands(parts: TakeOverParts) {
  const {
    switchboard,
    connector: { demo },
    takenOver,
  } = parts;
  return {
    'switchboard.conversations.takeOver': async (id) => {
      // The demo offers to make a repository.
      const repositories = await openRepositories({ orNone: demo.isRunning });
      const placeholder = t('Select the conversation whose changes to take over');
      const conversation = await agentConversationOf(parts, id, placeholder);
      if (conversation) await takeOverChanges({ switchboard, takenOver, repositories, demo }, conversation);
    },
    'switchboard.conversations.undoTakeOver': async () => {
      await undoTakeOver(takenOver);
    },
  } satisfies Partial<CommandHandlers>;
}
