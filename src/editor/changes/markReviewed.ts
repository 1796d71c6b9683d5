import { window } from 'vscode';
import { t, userError } from '../../base/l10n.ts';
import { joinParts } from '../../base/parts.ts';
import { type Conversation, keyOf } from '../../service/model/entities.ts';
import type { ChangedFile } from '../../service/abilities/fileChanges.ts';
import {
  type FileReview,
  isLeft,
  type ShownFile,
} from '../../state/changes/fileReviews.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import type { ChangesScope } from '../../state/changes/changesScope.ts';
import {
  confirm,
  offerUndo,
  showInformation,
  showWarning,
  unlessCancelled,
} from '../ui/messages.ts';
import {
  filesWord,
  noChanges,
  shownFilePath,
  toReviewWord,
} from '../words/conversations/changeWords.ts';
import { titleOf } from '../words/conversations/conversationWords.ts';
import { changesUri } from './changesUri.ts';
import type { ChangesAddress } from './diffDocument.ts';
import type { ChangeDocuments } from './documents.ts';
import { knownReviews } from './showChanges.ts';

const statusMessageMs = 5_000;

/** Toggles the marks if `isReviewed` is left out. */
export async function markFiles(
  switchboard: Switchboard,
  conversation: Conversation,
  paths: readonly string[],
  isReviewed?: boolean,
): Promise<void> {
  const key = keyOf(conversation);
  const allReviews = (await knownReviews(switchboard, conversation)) ?? [];
  const reviews = allReviews.filter(({ file }) => paths.includes(file.path));
  const [first] = reviews;
  if (!first) return;
  if (isReviewed ?? isLeft(first))
    await markShown(
      switchboard,
      conversation,
      await captureShown(switchboard, conversation, reviews),
    );
  else await (await switchboard.progress()).unmark(key, paths);
  const all = switchboard.fileReviews(key) ?? [];
  const subject =
    reviews.length === 1
      ? shownFilePath(first.file.path)
      : filesWord(reviews.length);
  window.setStatusBarMessage(
    [subject, toReviewWord(all.filter(isLeft).length, all.length)].join(' · '),
    statusMessageMs,
  );
}

/**
 * Marks the file of a document of a diff if the agent has it as it is on
 * screen, or removes the mark.
 */
export async function markDocument(
  switchboard: Switchboard,
  conversation: Conversation,
  address: ChangesAddress,
  documents: ChangeDocuments,
): Promise<void> {
  const { path } = address;
  const reviews = await knownReviews(switchboard, conversation);
  if (!reviews) return;
  const review = reviews.find(({ file }) => file.path === path);
  if (!review)
    throw userError(
      '{0} is no longer among the changed files.',
      shownFilePath(path),
    );
  const isMarking = isLeft(review);
  if (isMarking && !(await wantsWholeChange(address.since))) return;
  if (isMarking && !['changedBack', 'deleted'].includes(review.file.status)) {
    const sides = await unlessCancelled(
      t('Reading {0}', shownFilePath(path)),
      (signal) =>
        switchboard.changes.readSides(conversation, 'start', path, { signal }),
    );
    if (!sides) return;
    if (
      !documents.isShown(changesUri({ ...address, side: 'after' }), sides.after)
    ) {
      warnOf([review.file]);
      return;
    }
  }
  await markFiles(switchboard, conversation, [path], isMarking);
}

/**
 * Asks first if a diff shows only a part, because marks are for the whole
 * change.
 */
async function wantsWholeChange(
  since: ChangesScope | undefined,
): Promise<boolean> {
  if (since === undefined || since === 'start' || since === 'reviewed')
    return true;
  return await confirm(
    t('Mark the whole change?'),
    t(
      'This diff shows only part of the changes since the conversation began. Marking covers all of them.',
    ),
    t('Mark Whole Change'),
  );
}

/** `since`: the scope of the diff whose command marks all files. */
export async function markAllFiles(
  switchboard: Switchboard,
  conversation: Conversation,
  since: ChangesScope | undefined,
): Promise<void> {
  const left = (await knownReviews(switchboard, conversation))?.filter(isLeft);
  if (!left) return;
  const title = titleOf(conversation);
  if (left.length === 0) {
    void showInformation(noChanges(title, 'reviewed', true));
    return;
  }
  if (!(await wantsWholeChange(since))) return;
  const notMarked = await markShown(
    switchboard,
    conversation,
    await captureShown(switchboard, conversation, left),
  );
  const refused = new Set(notMarked.map(({ path }) => path));
  const marked = left
    .map(({ file }) => file.path)
    .filter((path) => !refused.has(path));
  if (marked.length === 0) return;
  offerUndo(
    t('Marked {0} of “{1}” as reviewed.', filesWord(marked.length), title),
    async () =>
      (await switchboard.progress()).undoMark(keyOf(conversation), marked),
  );
}

/** The files as shown last, whatever is shown later. */
export async function captureShown(
  switchboard: Switchboard,
  conversation: Conversation,
  reviews: readonly FileReview[],
): Promise<readonly ShownFile[]> {
  const progress = await switchboard.progress();
  const key = keyOf(conversation);
  return reviews.map(({ file }) => progress.asShown(key, file));
}

/** Returns the files that were not marked: all of them if canceled. */
export async function markShown(
  switchboard: Switchboard,
  conversation: Conversation,
  files: readonly ShownFile[],
): Promise<readonly ChangedFile[]> {
  const progress = await switchboard.progress();
  const notMarked = await unlessCancelled(
    t('Marking {0} as reviewed', filesWord(files.length)),
    (signal) => progress.mark(conversation, files, { signal }),
  );
  if (notMarked && notMarked.length > 0) warnOf(notMarked);
  return notMarked ?? files.map(({ file }) => file);
}

function warnOf(notMarked: readonly ChangedFile[]) {
  const names = notMarked.map(({ path }) => shownFilePath(path));
  void showWarning(
    t(
      'Not marked, because it has just changed, or because the service does not report its content: {0}. Look at it again.',
      joinParts(', ', ...names.slice(0, 5), names.length > 5 && '…'),
    ),
  );
}
