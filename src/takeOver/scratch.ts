/** Git's objects and indexes beside a repository. */
import {
  copyFile,
  mkdir,
  mkdtemp,
  realpath,
  rm,
  stat,
  utimes,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { resultOr } from '../base/errors.ts';
import { isGitFailure, type LocalGit } from './localGit.ts';
import type { RawPath } from './rawPaths.ts';

export interface RawChange {
  /** The path after the change, or before a deletion. */
  readonly path: RawPath;
  readonly from: RawPath | undefined;
  /** Undefined for a missing side. */
  readonly before: TreeEntry | undefined;
  readonly after: TreeEntry | undefined;
}

export interface TreeEntry {
  readonly mode: string;
  readonly hash: string;
}

/**
 * A place beside the repository for objects and indexes, which sees the
 * repository and never changes it.
 */
export class Scratch {
  readonly git: LocalGit;
  readonly folder: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #signal: AbortSignal | undefined;

  private constructor(
    git: LocalGit,
    folder: string,
    objects: string,
    signal: AbortSignal | undefined,
  ) {
    this.git = git;
    this.folder = folder;
    this.#signal = signal;
    const isPlain = !objects.includes(delimiter) && !objects.startsWith('"');
    this.#env = {
      GIT_OBJECT_DIRECTORY: join(folder, 'objects'),
      GIT_ALTERNATE_OBJECT_DIRECTORIES: isPlain
        ? objects
        : `"${objects.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`,
    };
  }

  static async use<T>(
    git: LocalGit,
    signal: AbortSignal | undefined,
    work: (scratch: Scratch) => Promise<T>,
  ): Promise<T> {
    const folder = await realpath(
      await mkdtemp(join(tmpdir(), 'switchboard-take-over-')),
    );
    try {
      await mkdir(join(folder, 'objects'));
      const objects = await git.word(['rev-parse', '--git-path', 'objects']);
      return await work(
        new Scratch(git, folder, resolve(git.root, objects), signal),
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Runs Git, with a scratch index of this name. */
  run(
    args: readonly string[],
    index?: string,
    input?: Uint8Array | string,
  ): Promise<Buffer> {
    const env =
      index === undefined
        ? this.#env
        : { ...this.#env, GIT_INDEX_FILE: join(this.folder, index) };
    return this.git.run(args, {
      env,
      signal: this.#signal,
      input,
    });
  }

  /** A text of Git, with a character for each byte. */
  async text(args: readonly string[], index?: string): Promise<string> {
    return (await this.run(args, index)).toString('latin1');
  }

  blob(hash: string): Promise<string> {
    return this.text(['cat-file', 'blob', hash]);
  }

  /** Runs Git on these paths, which it reads from its input. */
  async runOn(
    paths: readonly RawPath[],
    args: readonly string[],
    index: string,
  ): Promise<void> {
    const input = paths.map((path) => `${path}\0`).join('');
    await this.run(
      [...args, '-z', '--stdin'],
      index,
      Buffer.from(input, 'latin1'),
    );
  }

  async word(
    args: readonly string[],
    index?: string,
    input?: Uint8Array | string,
  ): Promise<string> {
    return (await this.run(args, index, input)).toString('utf8').trim();
  }

  async has(what: string): Promise<boolean> {
    const exists = this.run(['cat-file', '-e', what]).then(() => true);
    return await resultOr(exists, isGitFailure, false);
  }

  async difference(
    fromTree: string,
    toTree: string,
    renames: '-M' | '--no-renames',
  ): Promise<RawChange[]> {
    const args = [
      'diff-tree',
      '-r',
      '-z',
      '--raw',
      '--full-index',
      '--no-ext-diff',
      renames,
      fromTree,
      toTree,
    ];
    return rawChanges(await this.text(args));
  }

  async entriesOf(tree: string): Promise<ReadonlyMap<RawPath, TreeEntry>> {
    const text = await this.text(['ls-tree', '-r', '-z', '--full-tree', tree]);
    return new Map(
      text.split('\0').flatMap((line) => {
        const [, mode, hash, path] =
          /^(\d+) \w+ ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
        return mode !== undefined && hash !== undefined && path !== undefined
          ? [[path, { mode, hash }]]
          : [];
      }),
    );
  }

  /**
   * Copies the index of the repository, which knows the unchanged files of the
   * working tree.
   */
  async copyIndex(index: string): Promise<void> {
    const own = resolve(
      this.git.root,
      await this.git.word(['rev-parse', '--git-path', 'index']),
    );
    try {
      const { mtimeMs } = await stat(own);
      const copy = join(this.folder, index);
      await copyFile(own, copy);
      // Git looks again at files that are not older than its index.
      const age = new Date(Math.floor(mtimeMs));
      await utimes(copy, age, age);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      await this.run(['read-tree', '--empty'], index);
    }
  }

  /**
   * Entries of an index whose files Git does not look at: assumed to be
   * unchanged, or skipped, as outside a sparse checkout.
   */
  async hiddenEntries(
    index: string,
  ): Promise<
    ReadonlyMap<RawPath, TreeEntry & { readonly isSkipped: boolean }>
  > {
    const text = await this.text(['ls-files', '-z', '-s', '-v'], index);
    return new Map(
      text.split('\0').flatMap((line) => {
        const [, tag = '', mode = '', hash = '', path] =
          /^([a-zS]) (\d+) ([0-9a-f]+) 0\t(.*)$/s.exec(line) ?? [];
        const isSkipped = tag.toUpperCase() === 'S';
        return path === undefined ? [] : [[path, { mode, hash, isSkipped }]];
      }),
    );
  }

  /** Sets entries of an index. Removes those without a mode. */
  async setEntries(
    index: string,
    entries: readonly {
      readonly path: RawPath;
      readonly mode?: string;
      readonly hash?: string;
    }[],
  ): Promise<void> {
    const lines = [...entries]
      .sort(
        (a, b) => Number(a.mode !== undefined) - Number(b.mode !== undefined),
      )
      .map(
        ({ path, mode, hash }) =>
          `${mode ?? '0'} ${hash ?? '0'.repeat(40)}\t${path}\0`,
      );
    await this.run(
      ['update-index', '-z', '--index-info'],
      index,
      Buffer.from(lines.join(''), 'latin1'),
    );
  }
}

/** Reads the output of `git diff-tree -r -z --raw`. */
function rawChanges(printed: string): RawChange[] {
  const parts = printed.split('\0');
  const changes: RawChange[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [
      modeBefore = '',
      mode = '',
      hashBefore = '',
      hash = '',
      status = '',
    ] = (parts[at] ?? '').slice(1).split(' ');
    const isMoved = status.startsWith('R');
    const first = parts[at + 1] ?? '';
    if (isMoved) at++;
    const side = (its: string, of: string) =>
      /^0+$/.test(its) ? undefined : { mode: its, hash: of };
    changes.push({
      path: isMoved ? (parts[at + 1] ?? '') : first,
      from: isMoved ? first : undefined,
      before: side(modeBefore, hashBefore),
      after: side(mode, hash),
    });
  }
  return changes;
}
