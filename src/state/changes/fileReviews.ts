import type { ChangedFile } from '../../service/abilities/fileChanges.ts';
import type { Baseline } from './baselines.ts';

/**
 * `changedBack`: reviewed, and since then no longer among the changed files.
 */
export type ReviewState = 'new' | 'changedAgain' | 'changedBack' | 'reviewed';

export interface FileReview {
  readonly file: ChangedFile;
  readonly state: ReviewState;
  /** The file as last reviewed; a moved file may have its former path. */
  readonly baseline: Baseline | undefined;
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
