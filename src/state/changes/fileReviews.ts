import type { ChangedFile } from '../../service/abilities/fileChanges.ts';
import type { Baseline } from './baselines.ts';

interface NewFile {
  readonly file: ChangedFile;
  readonly state: 'new';
  readonly baseline: undefined;
}

interface MarkedFile {
  readonly file: ChangedFile;
  /** `changedBack`: no longer among the changed files. */
  readonly state: 'changedAgain' | 'changedBack' | 'reviewed';
  /** The file as last reviewed; a moved file may have its former path. */
  readonly baseline: Baseline;
}

export type FileReview = NewFile | MarkedFile;

export type ReviewState = FileReview['state'];

export interface ShownFile {
  readonly file: ChangedFile;
  /**
   * Hash of the contents that were shown, for a file without a version; '' if
   * they cannot be compared, `undefined` if none were shown.
   */
  readonly contents: string | undefined;
}

/** The file as a list has it, before its contents are shown. */
export function asListed(file: ChangedFile): ShownFile {
  return { file, contents: undefined };
}

export function isLeft({ state }: FileReview): boolean {
  return state !== 'reviewed';
}

/**
 * The number of files left to review, and of all files; `undefined` if none was
 * ever reviewed.
 */
export function progressOf(
  reviews: readonly FileReview[] | undefined,
): { readonly left: number; readonly all: number } | undefined {
  if (!reviews?.some(({ baseline }) => baseline)) return undefined;
  return { left: reviews.filter(isLeft).length, all: reviews.length };
}
