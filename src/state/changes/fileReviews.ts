import type { ChangedFile, ChangedFiles } from '../../service/fileChanges.ts';
import { type Baseline, versionOf } from './baselines.ts';

/** `changedBack`: reviewed, and no longer among the changed files since. */
export type ReviewState = 'new' | 'changedAgain' | 'changedBack' | 'reviewed';

export interface FileReview {
  readonly file: ChangedFile;
  readonly state: ReviewState;
  /** The file when it was reviewed last; of a moved file, perhaps under its former path. */
  readonly baseline: Baseline | undefined;
}

/** `contents` returns the hash of both sides of a file, if they were read. A file is reviewed only if that is proven. */
export function reviewsOf(
  files: ChangedFiles,
  baselines: ReadonlyMap<string, Baseline>,
  contents: (path: string) => string | undefined,
): readonly FileReview[] {
  const explained = new Set(
    files.files.flatMap(({ path, from }) => [path, ...(from === undefined ? [] : [from])]),
  );
  const changed = files.files.map((file): FileReview => {
    const { path, from } = file;
    const baseline = baselines.get(path) ?? (from === undefined ? undefined : baselines.get(from));
    if (!baseline) return { file, state: 'new', baseline };
    const isSame =
      baseline.path === path &&
      (isKnownEqual(baseline.version, versionOf(files, file)) ||
        isKnownEqual(baseline.contents, contents(path)));
    return { file, state: isSame ? 'reviewed' : 'changedAgain', baseline };
  });
  const back = [...baselines.values()]
    .filter(({ path }) => !explained.has(path))
    .map((baseline): FileReview => ({ file: unlisted(baseline), state: 'changedBack', baseline }));
  return [...changed, ...back];
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

function isKnownEqual(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && one === other;
}

function unlisted({ path }: Baseline): ChangedFile {
  return {
    ...{ path, status: 'changedBack', from: undefined, version: undefined, binary: false },
    modes: { before: undefined, after: undefined },
  };
}
