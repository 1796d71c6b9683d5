import type { ChangedFile } from '../../service/abilities/fileChanges.ts';
import type { Baseline } from './baselines.ts';

/** `changedBack`: reviewed, and no longer among the changed files since. */
export type ReviewState = 'new' | 'changedAgain' | 'changedBack' | 'reviewed';

export interface FileReview {
  readonly file: ChangedFile;
  readonly state: ReviewState;
  /** The file when it was reviewed last; of a moved file, perhaps under its former path. */
  readonly baseline: Baseline | undefined;
}

export function isLeft({ state }: FileReview): boolean {
  return state !== 'reviewed';
}

/** The number of files that are left to review, and of all; undefined if none was ever reviewed. */
export function progressOf(
  reviews: readonly FileReview[] | undefined,
): { readonly left: number; readonly all: number } | undefined {
  if (!reviews?.some(({ baseline }) => baseline)) return undefined;
  return { left: reviews.filter(isLeft).length, all: reviews.length };
}
