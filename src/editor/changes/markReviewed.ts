/** Marks changed files as reviewed, and takes that back. */
import { type Uri, window } from 'vscode';
import { t } from '../../base/l10n.ts';
import { type Conversation, keyOf } from '../../service/entities.ts';
import type { ChangedFile } from '../../service/fileChanges.ts';
import { type FileReview, isLeft, progressOf } from '../../state/changes/fileReviews.ts';
import type { NotMarked } from '../../state/changes/reviewProgress.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import { offerUndo, showInformation, showWarning, unlessCancelled } from '../ui/messages.ts';
import { filesWord, shownFilePath, toReviewWord } from '../words/conversations/changeWords.ts';
import { titleOf } from '../words/conversations/conversationWords.ts';
import { changesUri, readChangesUri } from './changesAddress.ts';
import type { ChangeDocuments } from './documents.ts';
import { readChanges } from './showChanges.ts';

const statusMessageMs = 5_000;

/** Marks the files of rows; toggles without `isReviewed`. */
export async function markFiles(
  switchboard: Switchboard,
  conversation: Conversation,
  paths: readonly string[],
  isReviewed?: boolean,
): Promise<void> {
  const key = keyOf(conversation);
  const wanted = new Set(paths);
  const reviews = (await knownReviews(switchboard, conversation))?.filter(({ file }) =>
    wanted.has(file.path),
  );
  const [first] = reviews ?? [];
  if (!reviews || !first) return;
  if (isReviewed ?? isLeft(first)) await markShown(switchboard, conversation, reviews);
  else await (await switchboard.progress()).unmark(key, paths);
  const count = progressOf(switchboard.fileReviews(key));
  const { filesLeft, said } = {
    filesLeft: count && toReviewWord(count.left, count.all),
    said: reviews.length === 1 ? shownFilePath(first.file.path) : filesWord(reviews.length),
  };
  window.setStatusBarMessage([said, filesLeft ?? t('to review')].join(' · '), statusMessageMs);
}

/** Marks the file of a document of a diff as it is on screen; or takes that back. */
export async function markDocument(
  switchboard: Switchboard,
  conversation: Conversation,
  uri: Uri,
  documents: ChangeDocuments,
): Promise<void> {
  const address = readChangesUri(uri);
  const reviews = await knownReviews(switchboard, conversation);
  const review = reviews?.find(({ file }) => file.path === address?.path);
  if (!address || !reviews) return;
  const name = shownFilePath(address.path);
  if (!review) {
    void showInformation(t('{0} is no longer among the changed files.', name));
    return;
  }
  if (isLeft(review) && review.state !== 'changedBack' && review.file.status !== 'deleted') {
    const sides = await unlessCancelled(t('Reading {0}', name), (signal) =>
      switchboard.changes.sides(conversation, 'start', address.path, { signal }),
    );
    if (!sides) return;
    if (!documents.isShown(changesUri({ ...address, side: 'after' }), sides.after)) {
      warnOf([{ file: review.file, why: 'changed' }]);
      return;
    }
  }
  await markFiles(switchboard, conversation, [address.path], isLeft(review));
}

/** Offers to take it back. */
export async function markAllFiles(switchboard: Switchboard, conversation: Conversation): Promise<void> {
  const left = (await knownReviews(switchboard, conversation))?.filter(isLeft);
  if (!left) return;
  const title = titleOf(conversation);
  if (left.length === 0) {
    void showInformation(t('Nothing is left to review in “{0}”.', title));
    return;
  }
  const notMarked = await markShown(switchboard, conversation, left);
  const marked = left.filter(({ file }) => !notMarked?.some((each) => each.file.path === file.path));
  if (!notMarked || marked.length === 0) return;
  offerUndo(t('Marked {0} of “{1}” as reviewed.', filesWord(marked.length), title), async () =>
    (await switchboard.progress()).unmark(
      keyOf(conversation),
      marked.map(({ file }) => file.path),
    ),
  );
}

/** The reviews that the list shows, or else those of now. Undefined if canceled. */
async function knownReviews(
  switchboard: Switchboard,
  conversation: Conversation,
): Promise<readonly FileReview[] | undefined> {
  const known = switchboard.fileReviews(keyOf(conversation));
  if (known) return known;
  const progress = await switchboard.progress();
  return await readChanges(switchboard, conversation, (signal) => progress.look(conversation, { signal }));
}

/** Returns the files that were not marked; undefined if canceled. */
export async function markShown(
  switchboard: Switchboard,
  conversation: Conversation,
  reviews: readonly FileReview[],
): Promise<readonly NotMarked[] | undefined> {
  const progress = await switchboard.progress();
  const files: readonly ChangedFile[] = reviews.map(({ file }) => file);
  const notMarked = await unlessCancelled(t('Marking {0} as reviewed', filesWord(files.length)), (signal) =>
    progress.mark(conversation, files, { signal }),
  );
  if (notMarked) warnOf(notMarked);
  return notMarked;
}

function warnOf(notMarked: readonly NotMarked[]): void {
  const named = (why: NotMarked['why']) => {
    const names = notMarked.flatMap((each) => (each.why === why ? shownFilePath(each.file.path) : []));
    return [...names.slice(0, 5), ...(names.length > 5 ? ['…'] : [])].join(', ');
  };
  const [changed, unknown] = [named('changed'), named('unknown')];
  if (changed !== '')
    void showWarning(
      t('Not marked, because it has just changed: {0}. Look at it again, and mark it then.', changed),
    );
  if (unknown !== '')
    void showWarning(
      t(
        'Not marked, because the service does not report the content, and later changes would be missed: {0}',
        unknown,
      ),
    );
}
