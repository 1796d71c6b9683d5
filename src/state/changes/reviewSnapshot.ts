import {
  type ChangedFile,
  type ChangedFiles,
  type FileSides,
  isOfVersion,
} from '../../service/abilities/fileChanges.ts';
import {
  type Baseline,
  contentsOf,
  type KeptBaselines,
  versionOf,
} from './baselines.ts';
import type { FileReview, ShownFile } from './fileReviews.ts';

/** The known review of a conversation. A new object means a difference. */
export interface ReviewSnapshot {
  /** The marks and the last message; `undefined` until read from disk. */
  readonly kept: KeptBaselines | undefined;
  /** Hashes of both sides of the listed files, by path, once read. */
  readonly contents: ReadonlyMap<string, string | undefined>;
  /** Files as their contents were shown last, by path. */
  readonly shown: ReadonlyMap<string, ShownFile>;
  /** Marks that this window made, by path. */
  readonly ownMarks: ReadonlyMap<string, OwnMark>;
  /** The files since each was reviewed. */
  readonly reviewed: readonly FileReview[];
  /** The files since the user's last message. */
  readonly message: readonly FileReview[];
}

interface OwnMark {
  /** Undefined for a file that is no longer changed. */
  readonly hash: string | undefined;
  /** The previous mark, restored when the file is unmarked. */
  readonly replaced: Baseline | undefined;
}

export const emptyReview: ReviewSnapshot = {
  kept: undefined,
  contents: new Map(),
  shown: new Map(),
  ownMarks: new Map(),
  reviewed: [],
  message: [],
};

/** Derives the reviews of the listed files; none without a list or marks. */
export function withReviews(
  snapshot: ReviewSnapshot,
  files: ChangedFiles | undefined,
): ReviewSnapshot {
  const { kept, contents } = snapshot;
  if (!files || !kept) return { ...snapshot, reviewed: [], message: [] };
  const sent = new Map(
    kept.message?.files.map((file) => [file.path, file] as const),
  );
  return {
    ...snapshot,
    reviewed: reviewsOf(files, kept.reviewed, contents),
    message: reviewsOf(files, sent, contents),
  };
}

/** The paths and states of the marked files, which rows show. */
export function markStates({ reviewed }: ReviewSnapshot): readonly unknown[] {
  return reviewed.flatMap(({ file, state, baseline }) =>
    baseline ? [[file.path, state]] : [],
  );
}

/**
 * The file that these contents show. `before` is the file as listed before they
 * were read; contents of another version have none and cannot be marked.
 */
export function shownFile(
  file: ChangedFile,
  sides: FileSides,
  before: ChangedFile | undefined,
): ShownFile {
  const isThisVersion =
    isOfVersion(file, sides) && (!before || before.version === file.version);
  return {
    file: isThisVersion ? file : { ...file, version: undefined },
    contents:
      file.version === undefined ? (contentsOf(file, sides) ?? '') : undefined,
  };
}

/** A file without proof counts as not reviewed. */
function reviewsOf(
  files: ChangedFiles,
  baselines: ReadonlyMap<string, Baseline>,
  contents: ReadonlyMap<string, string | undefined>,
): readonly FileReview[] {
  const explained = new Set(
    files.files.flatMap(({ path, from }) => [path, from]),
  );
  const changed = files.files.map((file): FileReview => {
    const { path, from } = file;
    const baseline = baselines.get(path) ?? baselines.get(from ?? path);
    if (!baseline) return { file, state: 'new', baseline };
    // Moving a file changes both hashes.
    const isSame =
      (baseline.version !== undefined &&
        baseline.version === versionOf(files, file)) ||
      (baseline.contents !== undefined &&
        baseline.contents === contents.get(path));
    return { file, state: isSame ? 'reviewed' : 'changedAgain', baseline };
  });
  const back = [...baselines.values()]
    .filter(({ path }) => !explained.has(path))
    .map((baseline): FileReview => ({
      file: unlisted(baseline),
      state: 'changedBack',
      baseline,
    }));
  return [...changed, ...back];
}

function unlisted({ path }: Baseline): ChangedFile {
  return {
    path,
    status: 'changedBack',
    from: undefined,
    version: undefined,
    binary: false,
    modes: { before: undefined, after: undefined },
  };
}
