/** Sends the comments on an agent's changes as one message. */
import { ThemeIcon } from 'vscode';
import { systemClock, atMost } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import { plainText } from '../../base/plainText.ts';
import { type Conversation, keyOf } from '../../service/entities.ts';
import type { ReviewComment } from '../../state/changes/reviews.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import { offerUndo, withProgress } from '../ui/messages.ts';
import { askMany } from '../ui/steps.ts';
import { titleOf } from '../words/conversations/conversationWords.ts';
import { inPick } from '../words/foreignText.ts';
import { commentsWord } from '../words/conversations/changeWords.ts';
import { placeWords, reviewMessage, sendReviewWords } from '../words/conversations/reviewWords.ts';
import { type SendingParts, sendToAgent } from './sendToAgent.ts';

const outdatedCheckTimeoutMs = 10_000;

/** The user sees all comments first and may leave some out. */
export async function sendReview(parts: SendingParts, conversation: Conversation): Promise<void> {
  const { switchboard } = parts;
  const { reviews } = switchboard;
  const key = keyOf(conversation);
  if (reviews.of(key).length === 0) throw nothingToSend();
  await markOutdated(switchboard, conversation);
  const items = reviews.of(key).map((comment) => ({
    label: inPick(plainText(comment.text, 300)),
    description: inPick(comment.outdated ? t('{0} · outdated', placeWords(comment)) : placeWords(comment)),
    id: comment.id,
  }));
  const discard = { iconPath: new ThemeIcon('trash'), tooltip: t('Discard Review') };
  const title = inPick(titleOf(conversation));
  const chosen = await askMany({
    title: sendReviewWords(items.length),
    titleOf: ({ length }) => sendReviewWords(length),
    placeholder: t('Enter sends the checked comments to “{0}” as one message', title),
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
  const wanted = new Set((chosen as typeof items).map(({ id }) => id));
  await sendComments(
    parts,
    conversation,
    reviews.of(key).filter(({ id }) => wanted.has(id)),
  );
}

/** Keeps the comments if sending fails. */
export async function sendComments(
  parts: SendingParts,
  conversation: Conversation,
  comments: readonly ReviewComment[],
): Promise<void> {
  if (comments.length === 0) return;
  if (await sendToAgent(parts, conversation, reviewMessage(comments)))
    await parts.switchboard.reviews.remove(comments.map(({ id }) => id));
}

export function nothingToSend(): UserError {
  return new UserError(
    t(
      'There are no comments to send. Open what an agent has changed with Show Changes, select lines, and choose Comment to the Agent.',
    ),
  );
}

/** Offers Undo. */
export async function discardComments(switchboard: Switchboard, ids: readonly string[]): Promise<void> {
  const bringBack = await switchboard.reviews.remove(ids);
  const said =
    ids.length === 1 ? t('The comment was discarded.') : t('{0} were discarded.', commentsWord(ids.length));
  offerUndo(said, bringBack);
}

/** Marks comments whose lines are gone. If the service does not answer, they are sent as they are. */
async function markOutdated(switchboard: Switchboard, conversation: Conversation): Promise<void> {
  const { reviews, changes } = switchboard;
  const check = async (signal: AbortSignal) => {
    const loaded = new Set<string>();
    for (const { id, since, path, side, lines } of reviews.of(keyOf(conversation))) {
      const about = JSON.stringify(since);
      if (!loaded.has(about)) await changes.load(conversation, since, { signal });
      loaded.add(about);
      const now = (await changes.sides(conversation, since, path, { signal }))?.[side];
      if (!now || now.kind === 'none') await reviews.place(id, undefined);
      else if (now.kind === 'bytes' && lines && !now.bytes.includes(0))
        await reviews.place(id, Buffer.from(now.bytes).toString('utf8'));
    }
  };
  await withProgress(t('Checking whether the files have changed'), async (signal) => {
    const checked = check(signal).catch(() => undefined);
    await atMost(systemClock, outdatedCheckTimeoutMs, checked);
  });
}
