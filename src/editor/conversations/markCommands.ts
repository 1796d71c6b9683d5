import { t } from '../../base/l10n.ts';
import {
  type Conversation,
  keyOf,
  type MarkChange,
  markChanges,
} from '../../service/model/entities.ts';
import { offerUndo, withProgress } from '../ui/messages.ts';
import { conversationOf } from '../ui/pickFromList.ts';
import { titleOf } from '../words/conversations/conversationWords.ts';
import { inMessage } from '../words/foreignText.ts';
import type { CommandHandlers } from '../manifest.ts';
import {
  canRemoveWorktree,
  removeArchivedWorktree,
  restoreWorktree,
} from './archivedWorktree.ts';
import { cleanUpWorktrees } from './cleanUpWorktrees.ts';
import type { ConversationParts } from './page/conversationPages.ts';

export interface MarkParts extends ConversationParts {
  readonly notifications: () => Promise<{
    mark(
      conversations: readonly Conversation[],
      isUnread: boolean,
    ): Promise<void>;
    sendTest(): Promise<void>;
  }>;
}

export function markCommands(parts: MarkParts) {
  const { switchboard, notifications } = parts;
  /**
   * The conversations with these ids, or the one of the active page or of a
   * pick.
   */
  const select = async (
    [firstId, ...restIds]: readonly string[],
    placeholder: string,
    fits: (conversation: Conversation) => boolean,
  ) => {
    const one = await conversationOf(parts, firstId, placeholder, fits);
    return one
      ? [
          one,
          ...restIds
            .flatMap((id) => switchboard.conversation(id) ?? [])
            .filter(fits),
        ]
      : [];
  };
  /**
   * Changes every conversation that can be changed, passes those to `tell`, and
   * then throws the first failure.
   */
  const change = async (
    ids: readonly string[],
    kind: MarkChange,
    placeholder: string,
    tell: (changed: readonly Conversation[]) => void = () => undefined,
  ) => {
    const { mark, isWanted } = markChanges[kind];
    const fits = (conversation: Conversation) => {
      const service = switchboard.service(conversation.service);
      return (
        service?.client.service?.editing?.mark !== undefined &&
        ((conversation[mark] ?? false) !== isWanted ||
          (kind === 'unarchive' &&
            switchboard.whyNoFolder(conversation) !== undefined))
      );
    };
    const chosen = await select(ids, placeholder, fits);
    // Made again first: the service fills the place of a missing worktree.
    // One after another, because a fork shares the worktree of its original.
    const restorations: PromiseSettledResult<void>[] = [];
    for (const conversation of kind === 'unarchive' ? chosen : [])
      restorations.push(
        ...(await Promise.allSettled([
          restoreWorktree(switchboard, conversation),
        ])),
      );
    const results = await Promise.allSettled(
      chosen.map((conversation) =>
        withProgress(
          t('Changing the tags of “{0}”', titleOf(conversation)),
          async (signal) =>
            switchboard
              .service(conversation.service)
              ?.conversations.mark(conversation, kind, signal),
        ),
      ),
    );
    const changed = chosen.filter(
      (_, index) => results[index]?.status === 'fulfilled',
    );
    if (changed.length > 0) tell(changed);
    const failure = [...results, ...restorations].find(
      (result) => result.status === 'rejected',
    );
    if (failure) throw failure.reason;
  };
  const read = async (
    ids: readonly string[],
    isUnread: boolean,
    placeholder: string,
  ) => {
    const chosen = await select(
      ids,
      placeholder,
      (conversation) =>
        switchboard.unread.has(keyOf(conversation)) !== isUnread,
    );
    await (await notifications()).mark(chosen, isUnread);
  };
  return {
    'switchboard.conversations.pin': (...ids) =>
      change(ids, 'pin', t('Select the conversation to pin')),
    'switchboard.conversations.unpin': (...ids) =>
      change(ids, 'unpin', t('Select the conversation to unpin')),
    'switchboard.conversations.archive': (...ids) =>
      change(
        ids,
        'archive',
        t('Select the conversation to archive'),
        (archived) => {
          const [first, second] = archived;
          if (!first) return;
          const message = second
            ? t('{0} conversations were archived.', archived.length)
            : t('“{0}” was archived.', inMessage(titleOf(first)));
          const unarchive = () => change(archived.map(keyOf), 'unarchive', '');
          const moreActions =
            !second && canRemoveWorktree(switchboard, first)
              ? {
                  [t('Remove Its Worktree…')]: () =>
                    removeArchivedWorktree(switchboard, first, unarchive),
                }
              : {};
          offerUndo(message, unarchive, undefined, moreActions);
        },
      ),
    'switchboard.conversations.unarchive': (...ids) =>
      change(ids, 'unarchive', t('Select the conversation to unarchive')),
    'switchboard.cleanUpWorktrees': (address) =>
      cleanUpWorktrees(switchboard, address),
    'switchboard.sendTestNotification': async () =>
      (await notifications()).sendTest(),
    'switchboard.conversations.markRead': (...ids) =>
      read(ids, false, t('Select the conversation to mark as read')),
    'switchboard.conversations.markUnread': (...ids) =>
      read(ids, true, t('Select the conversation to mark as unread')),
  } satisfies Partial<CommandHandlers>;
}
