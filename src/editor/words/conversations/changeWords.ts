import { plural, t, words } from '../../../base/l10n.ts';
import { plainText } from '../../../base/plainText.ts';
import {
  type ChangedFile,
  commitBefore,
  type FileSide,
} from '../../../service/abilities/fileChanges.ts';
import type { ChangesScope } from '../../../state/changes/changesScope.ts';
import { wordsOf } from '../stateWords.ts';

export const fileStatusWord = wordsOf(
  words({
    added: 'added',
    updated: 'changed',
    deleted: 'deleted',
    moved: 'moved',
    typeChanged: 'type changed',
    changedBack: 'changed back',
  }),
);

/**
 * A path without invisible characters and without parts that lead to another
 * folder.
 */
export function shownFilePath(path: string): string {
  return path
    .split('/')
    .map((part) => plainText(part, 120))
    .map((part) => (/^\.{0,2}$/.test(part) ? `(${part})` : part))
    .join('/');
}

export function filesWord(count: number): string {
  return plural(count, '1 file', '{0} files');
}

/**
 * The lines added and removed in all, as `+12 −3`; undefined if there are none,
 * or none are known.
 */
export function linesWord(
  files: readonly Pick<ChangedFile, 'lines'>[],
): string | undefined {
  const sum = (kind: 'added' | 'removed') =>
    files.reduce((total, { lines }) => total + (lines?.[kind] ?? 0), 0);
  const added = sum('added');
  const removed = sum('removed');
  return added + removed === 0 ? undefined : `+${added} −${removed}`;
}

export function commentsWord(count: number): string {
  return plural(count, '1 comment', '{0} comments');
}

/** A shared folder may have changes of others, and older uncommitted ones. */
export function changesTitle(
  title: string,
  since: ChangesScope,
  isOwnFolder: boolean,
): string {
  if (!isOwnFolder && since === 'start')
    return t('Changes in the folder of “{0}”', title);
  if (!isOwnFolder && since === 'lastCommit')
    return t('Uncommitted changes in the folder of “{0}”', title);
  if (since === 'start') return t('Changes in “{0}”', title);
  if (since === 'lastCommit') return t('Uncommitted changes in “{0}”', title);
  if (since === 'reviewed') return t('To review in “{0}”', title);
  if (since === 'message')
    return t('Changes in “{0}” since your last message', title);
  if (typeof since === 'string')
    return t('Changes in “{0}” since commit {1}', title, commitName(since));
  const commit = since.commit.slice(0, 8);
  return isOwnFolder
    ? t('Commit {0} of “{1}”', commit, title)
    : t('Commit {0} in the folder of “{1}”', commit, title);
}

export function noChanges(
  title: string,
  since: ChangesScope,
  isOwnFolder: boolean,
): string {
  if (!isOwnFolder && since === 'start')
    return t(
      'Nothing has changed in this folder since the last commit before “{0}”.',
      title,
    );
  if (!isOwnFolder && since === 'lastCommit')
    return t('There are no uncommitted changes in the folder of “{0}”.', title);
  if (since === 'reviewed')
    return t('Nothing is left to review in “{0}”.', title);
  if (since === 'message')
    return t('No changes in “{0}” since your last message.', title);
  if (since === 'lastCommit')
    return t('No changes in “{0}” since its last commit.', title);
  if (since === 'start' || typeof since === 'object')
    return t('No changes yet in “{0}”.', title);
  return t('No changes in “{0}” since commit {1}.', title, commitName(since));
}

function commitName(since: string): string {
  return plainText(commitBefore(since)?.slice(0, 8) ?? '');
}

export function toReviewWord(
  left: number,
  all: number,
  isStale = false,
): string {
  if (isStale)
    return left === 0
      ? t('new work since your review')
      : t('{0} of {1} to review, new work since', left, all);
  return left === 0 ? t('reviewed') : t('{0} of {1} to review', left, all);
}

export const reviewStateWords = words({
  new: 'to review',
  changedAgain: 'changed since you reviewed it',
  changedBack: 'changed since you reviewed it',
  reviewed: 'reviewed',
});

/**
 * Describes the limits of the service; `undefined` if it reports files exactly.
 */
export function leftOutInWords(
  isExact: boolean,
  hasModes: boolean,
): string | undefined {
  if (isExact)
    return hasModes
      ? undefined
      : t('The service does not report the modes of these files.');
  return hasModes
    ? t(
        'The service does not report how some of these files end: the last line break may be missing here.',
      )
    : t(
        'The service reports neither the modes of these files nor how some of them end: the last line break may be missing here.',
      );
}

/** The text shown instead of content that is missing or cannot be shown. */
export function sideInWords(
  side: Exclude<FileSide, { kind: 'bytes' }>,
): string {
  switch (side.kind) {
    case 'none':
      return '';
    case 'link':
      return t('Link to {0}', plainText(side.target, 1_000));
    case 'repository':
      return t(
        'Another repository, at commit {0}',
        plainText(side.commit, 100),
      );
    case 'tooLarge':
      return t('This file is too large to be shown.');
    case 'unknown':
      return t('The service does not report the content of this file.');
  }
}

/** Identical for identical content. */
export function binaryInWords(bytes: number, hash: string): string {
  return t('Binary file of {0} bytes, SHA-256 {1}', bytes, hash);
}

export function largeInWords(bytes: number, hash: string): string {
  return t(
    'Text of {0} bytes, SHA-256 {1}. Open this file alone to see all of it.',
    bytes,
    hash,
  );
}
