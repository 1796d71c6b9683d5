/** The commands for comments on changes of agents. */
import { commands, window, workspace } from 'vscode';
import { UserError } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import { type Conversation, keyOf } from '../../service/entities.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import { readChangesUri } from './changesAddress.ts';
import { conversationOf } from '../ui/pickFromList.ts';
import type { CommandHandlers, WrittenComment } from '../manifest.ts';
import { commentsWord } from '../words/conversations/changeWords.ts';
import { titleOf } from '../words/conversations/conversationWords.ts';
import { inPick } from '../words/foreignText.ts';
import type { ConversationParts } from '../conversations/page/conversationPages.ts';
import type { ReviewComments } from './reviewComments.ts';
import { nothingToSend, sendReview, discardComments, sendComments } from './sendReview.ts';

export interface ReviewParts extends ConversationParts {
  readonly reviewComments: () => Promise<ReviewComments>;
}

export function reviewCommands({
  switchboard,
  activeConversation,
  conversationPages,
  reviewComments,
}: ReviewParts) {
  const parts = { switchboard, conversationPages };
  const { reviews } = switchboard;
  const add = async (written: WrittenComment | undefined) =>
    written && (await (await reviewComments()).add(written));
  const withComments = async (id: string | undefined, placeholder: string) => {
    const keys = new Set(reviews.all.map(({ key }) => key));
    if (id === undefined && keys.size === 0) throw nothingToSend();
    const here = readChangesUri(window.activeTextEditor?.document.uri);
    const only = keys.size === 1 ? [...keys][0] : here && keys.has(here.key) ? here.key : undefined;
    const has = (conversation: Conversation) => keys.has(keyOf(conversation));
    return await conversationOf({ switchboard, activeConversation }, id ?? only, placeholder, has);
  };
  return {
    'switchboard.conversations.commentToAgent': async () => {
      const editor = window.activeTextEditor;
      if (!editor || !readChangesUri(editor.document.uri))
        throw new UserError(
          t(
            'Open what an agent has changed with Show Changes, select the lines, and choose Comment to the Agent again.',
          ),
        );
      await reviewComments();
      if (workspace.getConfiguration('comments').get('visible') === false)
        await commands
          .executeCommand('workbench.action.toggleCommentsVisibility')
          .then(undefined, () => undefined);
      await commands.executeCommand('workbench.action.addComment');
    },
    'switchboard.conversations.sendReview': async (id) => {
      const conversation = await withComments(id, t('Select the conversation whose review to send'));
      if (!conversation) return;
      await sendReview(parts, conversation);
    },
    'switchboard.conversations.discardReview': async (id) => {
      const conversation = id === undefined ? undefined : switchboard.conversation(id);
      const key = conversation ? keyOf(conversation) : await oneOf(switchboard);
      if (key === undefined) return;
      const ids = reviews.of(key).map((comment) => comment.id);
      if (ids.length === 0) throw nothingToSend();
      await discardComments(switchboard, ids);
    },
    'switchboard.review.addComment': async (written) => {
      await add(written);
    },
    'switchboard.review.sendComment': async (written) => {
      const added = await add(written);
      const conversation = added && switchboard.conversation(added.key);
      if (!conversation) return;
      await sendComments(parts, conversation, [added]);
    },
    'switchboard.review.editComment': async (id = '') => {
      (await reviewComments()).edit(id);
    },
    'switchboard.review.saveComment': async (id = '') => {
      await (await reviewComments()).save(id);
    },
    'switchboard.review.cancelEditing': async (id = '') => {
      (await reviewComments()).cancel(id);
    },
    'switchboard.review.discardComment': async (id = '') => {
      if (reviews.get(id)) await discardComments(switchboard, [id]);
    },
  } satisfies Partial<CommandHandlers>;
}

/** The key of a conversation with comments, which may no longer be listed. */
async function oneOf(switchboard: Switchboard): Promise<string | undefined> {
  const { reviews } = switchboard;
  const keys = [...new Set(reviews.all.map(({ key }) => key))];
  if (keys.length < 2) return keys[0] ?? '';
  const items = keys.map((key) => {
    const found = switchboard.conversation(key);
    const label = found ? inPick(titleOf(found)) : t('A conversation that is not in the list');
    return { label, description: commentsWord(reviews.of(key).length), key };
  });
  const placeHolder = t('Select the conversation whose review to discard');
  return (await window.showQuickPick(items, { placeHolder }))?.key;
}
