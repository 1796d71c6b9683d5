import type { OpenEnum, Time } from '../model/entities.ts';
import type { CallOptions } from '../http/transport.ts';

/** Reads changed files. Every function rejects with a ServiceError. */
export interface FileChanges {
  list(
    id: string,
    since: ChangesSince,
    call?: CallOptions,
  ): Promise<ChangedFiles>;
  /**
   * Reads the current sides, verified by hashes if possible. `files` is the
   * last result of `list`.
   */
  contents(
    id: string,
    files: ChangedFiles,
    file: ChangedFile,
    call?: CallOptions,
  ): Promise<FileSides>;
  /** Newest first. Absent if the service cannot list them. */
  readonly commits?: (id: string, call?: CallOptions) => Promise<CommitList>;
}

/**
 * `start`: since the conversation began. Otherwise since the last or a named
 * commit, or the changes of a commit.
 */
export type ChangesSince =
  'start' | 'lastCommit' | `after:${string}` | { readonly commit: string };

export function commitBefore(since: unknown): string | undefined {
  return typeof since === 'string'
    ? /^after:([0-9a-f]{40,64})$/.exec(since)?.[1]
    : undefined;
}

/**
 * The commit to compare with, as Git names it; undefined since the start, and
 * for one commit.
 */
export function refBefore(since: ChangesSince): string | undefined {
  return since === 'lastCommit' ? 'HEAD' : commitBefore(since);
}

export interface ChangedFiles {
  readonly since: ChangesSince;
  readonly files: readonly ChangedFile[];
  /**
   * The folder of the repository, on the machine of the service; as it is spelt
   * there.
   */
  readonly root: string;
  /**
   * A patch of Git with modes and binary files, for `git apply`. Undefined if
   * the service has none.
   */
  readonly patch: Patch | undefined;
}

export interface Patch {
  readonly bytes: Uint8Array;
  /** The base commit; undefined in a repository without commits. */
  readonly base: string | undefined;
  readonly head: string | undefined;
  readonly branch: string | undefined;
}

export interface ChangedFile {
  /**
   * Below the root, with `/`, exactly as it is there: not safe to show, nor to
   * follow.
   */
  readonly path: string;
  readonly status: OpenEnum<
    'added' | 'updated' | 'deleted' | 'moved' | 'typeChanged'
  >;
  readonly from: string | undefined;
  /** Changes with the contents, if known. */
  readonly version: string | undefined;
  /**
   * Git modes, such as `100755`; undefined if unknown, and for a missing side.
   */
  readonly modes: {
    readonly before: string | undefined;
    readonly after: string | undefined;
  };
  readonly binary: boolean;
  /** Numbers of lines; undefined if unknown. */
  readonly lines?:
    { readonly added: number; readonly removed: number } | undefined;
}

export interface FileSides {
  readonly before: FileSide;
  readonly after: FileSide;
}

export type FileSide =
  | { readonly kind: 'none' }
  /**
   * `exact` is false if a final line break or binary contents may be lost, or
   * the list has another version.
   */
  | {
      readonly kind: 'bytes';
      readonly bytes: Uint8Array;
      readonly exact: boolean;
    }
  /** A link of the file system, which is never followed. */
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'tooLarge' }
  /** Another repository, at this commit. */
  | { readonly kind: 'repository'; readonly commit: string }
  | { readonly kind: 'unknown' };

export function isExact(side: FileSide): boolean {
  return side.kind !== 'bytes' || side.exact;
}

export interface CommitList {
  readonly commits: readonly Commit[];
  /** True if there are older commits. */
  readonly more: boolean;
}

/**
 * True if these are the contents that the list is about. A file may change, and
 * change back, while it is read.
 */
export function isOfVersion(
  { version }: ChangedFile,
  { after }: FileSides,
): boolean {
  return version === undefined || (after.kind !== 'unknown' && isExact(after));
}

export interface Commit {
  readonly sha: string;
  /** Safe to show. */
  readonly subject: string;
  readonly author: string | undefined;
  readonly at: Time | undefined;
}
