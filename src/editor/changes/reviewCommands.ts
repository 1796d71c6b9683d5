import { commands, ThemeIcon, window, workspace } from 'vscode';
import { systemClock, atMost } from '../../base/clock.ts';
import type { UserError } from '../../base/errors.ts';
import { plural, t, userError } from '../../base/l10n.ts';
import { plainText } from '../../base/plainText.ts';
import {
  type ConversationKey,
  type Conversation,
  keyOf,
} from '../../service/model/entities.ts';
import { isLeft } from '../../state/changes/fileReviews.ts';
import { sinceOf } from '../../state/changes/changesScope.ts';
import type { ReviewComment } from '../../state/changes/reviews.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import { readChangesUri } from './changesUri.ts';
import { captureShown, markShown } from './markReviewed.ts';
import { offerUndo, withProgress } from '../ui/messages.ts';
import { conversationOf } from '../ui/pickFromList.ts';
import { askMany } from '../ui/steps.ts';
import type { CommandHandlers, WrittenComment } from '../manifest.ts';
import { commentsWord } from '../words/conversations/changeWords.ts';
import { titleOf } from '../words/conversations/conversationWords.ts';
import {
  placeWords,
  reviewMessage,
  sendReviewWords,
} from '../words/conversations/reviewWords.ts';
import { inPick } from '../words/foreignText.ts';
import type { ConversationParts } from '../conversations/page/conversationPages.ts';
import type { ReviewComments } from './reviewComments.ts';
import { type SendingParts, sendToAgent } from './sendToAgent.ts';

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
    const onScreen = here && keys.has(here.key) ? here.key : undefined;
    const only = keys.size === 1 ? [...keys][0] : onScreen;
    const has = (conversation: Conversation) => keys.has(keyOf(conversation));
    return await conversationOf(
      { switchboard, activeConversation },
      id ?? only,
      placeholder,
      has,
    );
  };
  return {
    'switchboard.conversations.commentToAgent': async () => {
      const editor = window.activeTextEditor;
      if (!editor || !readChangesUri(editor.document.uri))
        throw userError(
          "Open an agent's changes with Show Changes, select lines, and choose Comment to the Agent again.",
        );
      await reviewComments();
      if (workspace.getConfiguration('comments').get('visible') === false)
        await commands
          .executeCommand('workbench.action.toggleCommentsVisibility')
          .then(undefined, () => undefined);
      await commands.executeCommand('workbench.action.addComment');
    },
    'switchboard.conversations.sendReview': async (id) => {
      const conversation = await withComments(
        id,
        t('Select the conversation whose review to send'),
      );
      if (conversation) await sendReview(parts, conversation);
    },
    'switchboard.conversations.discardReview': async (id) => {
      const conversation =
        id === undefined ? undefined : switchboard.conversation(id);
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
async function oneOf(
  switchboard: Switchboard,
): Promise<ConversationKey | undefined> {
  const { reviews } = switchboard;
  const keys = [...new Set(reviews.all.map(({ key }) => key))];
  if (keys.length === 0) throw nothingToSend();
  if (keys.length === 1) return keys[0];
  const items = keys.map((key) => {
    const conversation = switchboard.conversation(key);
    const label = conversation
      ? inPick(titleOf(conversation))
      : t('A conversation that is not in the list');
    return { label, description: commentsWord(reviews.of(key).length), key };
  });
  return (
    await window.showQuickPick(items, {
      placeHolder: t('Select the conversation whose review to discard'),
    })
  )?.key;
}

const outdatedCheckTimeoutMs = 10_000;

/** The user sees all comments first and may leave some out. */
async function sendReview(parts: SendingParts, conversation: Conversation) {
  const { switchboard } = parts;
  const { reviews } = switchboard;
  const key = keyOf(conversation);
  if (reviews.of(key).length === 0) throw nothingToSend();
  await markOutdated(switchboard, conversation);
  const items = reviews.of(key).map((comment) => ({
    label: inPick(plainText(comment.text, 300)),
    description: inPick(
      comment.outdated
        ? t('{0} · outdated', placeWords(comment))
        : placeWords(comment),
    ),
    id: comment.id,
  }));
  const discard = {
    iconPath: new ThemeIcon('trash'),
    tooltip: t('Discard Review'),
  };
  const chosen = await askMany({
    title: sendReviewWords(items.length),
    titleOf: ({ length }) => sendReviewWords(length),
    placeholder: t(
      'Enter sends the checked comments to “{0}” as one message',
      inPick(titleOf(conversation)),
    ),
    items,
    chosen: items,
    stays: true,
    button: discard,
  });
  if (chosen === discard)
    await discardComments(
      switchboard,
      reviews.of(key).map(({ id }) => id),
    );
  if (!Array.isArray(chosen)) return;
  const chosenIds = new Set(chosen.map(({ id }) => id));
  await sendComments(
    parts,
    conversation,
    reviews.of(key).filter(({ id }) => chosenIds.has(id)),
  );
}

/** Keeps the comments if sending fails. */
async function sendComments(
  parts: SendingParts,
  conversation: Conversation,
  comments: readonly ReviewComment[],
) {
  if (comments.length === 0) return;
  const { switchboard } = parts;
  // The files as they are now: later, the agent has begun to change them.
  const left = await captureShown(
    switchboard,
    conversation,
    switchboard.fileReviews(keyOf(conversation))?.filter(isLeft) ?? [],
  );
  const offer = {
    [t('Mark All as Reviewed')]: () =>
      markShown(switchboard, conversation, left),
  };
  const isSent = await sendToAgent(
    parts,
    conversation,
    reviewMessage(comments),
    left.length > 0 ? offer : {},
  );
  if (isSent) await switchboard.reviews.remove(comments.map(({ id }) => id));
}

function nothingToSend(): UserError {
  return userError(
    "There are no comments to send. Open an agent's changes with Show Changes, select lines, and choose Comment to the Agent.",
  );
}

async function discardComments(
  switchboard: Switchboard,
  ids: readonly string[],
) {
  const bringBack = await switchboard.reviews.remove(ids);
  offerUndo(
    plural(
      ids.length,
      'The comment was discarded.',
      '{0} comments were discarded.',
    ),
    bringBack,
  );
}

/**
 * Marks comments whose lines are gone. If the service does not answer, they are
 * sent as they are.
 */
async function markOutdated(
  switchboard: Switchboard,
  conversation: Conversation,
) {
  const { reviews, changes } = switchboard;
  const progress = await switchboard.progress();
  const check = async (signal: AbortSignal) => {
    const loaded = new Set<string>();
    for (const { id, since, path, side, lines } of reviews.of(
      keyOf(conversation),
    )) {
      const about = JSON.stringify(sinceOf(since));
      if (!loaded.has(about))
        await changes.load(conversation, sinceOf(since), { signal });
      loaded.add(about);
      const now = (
        await progress.readSides(conversation, since, path, { signal })
      )?.[side];
      if (!now || now.kind === 'none') await reviews.place(id, undefined);
      else if (now.kind === 'bytes' && lines && !now.bytes.includes(0))
        await reviews.place(id, Buffer.from(now.bytes).toString('utf8'));
    }
  };
  await withProgress(
    t('Checking whether the files have changed'),
    async (signal) => {
      const checked = check(signal).catch(() => undefined);
      await atMost(systemClock, outdatedCheckTimeoutMs, checked);
    },
  );
}
