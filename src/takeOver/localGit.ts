/** Runs the Git of this machine in one repository. Never by a shell, and without hooks. */
import { spawn } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, realpath, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';

export class GitFailed extends Error {
  readonly code: number | undefined;
  /** What it printed until then. */
  readonly output: Buffer;

  constructor(message: string, code: number | undefined, output: Buffer) {
    super(message);
    this.code = code;
    this.output = output;
  }
}

interface Options {
  readonly input?: Uint8Array | string;
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

const settings = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.protectHFS=true',
  'core.protectNTFS=true',
  'gc.auto=0',
  'merge.directoryRenames=false',
  'merge.renames=true',
].flatMap((each) => ['-c', each]);

export class LocalGit {
  readonly program: string;
  readonly root: string;

  constructor(program: string, root: string) {
    this.program = program;
    this.root = root;
  }

  /** What it prints. Rejects with GitFailed where it says that it failed. */
  run(args: readonly string[], { input, env, signal }: Options = {}): Promise<Buffer> {
    return new Promise((done, fail) => {
      const child = spawn(this.program, [...settings, ...args], {
        cwd: this.root,
        env: { ...ownEnvironment(), ...env },
        ...(signal ? { signal } : {}),
        windowsHide: true,
      });
      const [out, err]: [Buffer[], Buffer[]] = [[], []];
      child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
      child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
      child.on('error', fail);
      // It may end before it has read everything: its code tells why.
      child.stdin.on('error', () => undefined);
      child.on('close', (code) => {
        const output = Buffer.concat(out);
        if (code === 0) done(output);
        else fail(new GitFailed(Buffer.concat(err).toString('utf8').trim(), code ?? undefined, output));
      });
      child.stdin.end(input ?? '');
    });
  }

  /** The one word that it prints. */
  async word(args: readonly string[], options?: Options): Promise<string> {
    return (await this.run(args, options)).toString('utf8').trim();
  }

  /** Undefined where it fails. */
  async maybe(args: readonly string[], options?: Options): Promise<string | undefined> {
    try {
      return await this.word(args, options);
    } catch (error) {
      if (error instanceof GitFailed) return undefined;
      throw error;
    }
  }
}

/** What belongs to another repository is left out. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.toUpperCase().startsWith('GIT_'));
  return {
    ...Object.fromEntries(own),
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_LITERAL_PATHSPECS: '1',
    ...Object.fromEntries(
      ['AUTHOR', 'COMMITTER'].flatMap((who) => [
        [`GIT_${who}_NAME`, 'Agent Switchboard'],
        [`GIT_${who}_EMAIL`, 'switchboard@localhost'],
      ]),
    ),
  };
}

/** A place beside the repository for objects and indexes, which sees the repository and never changes it. */
export class Scratch {
  readonly git: LocalGit;
  readonly folder: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #signal: AbortSignal | undefined;

  private constructor(git: LocalGit, folder: string, objects: string, signal: AbortSignal | undefined) {
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
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'switchboard-take-over-')));
    try {
      await mkdir(join(folder, 'objects'));
      const objects = await git.word(['rev-parse', '--git-path', 'objects']);
      return await work(new Scratch(git, folder, resolve(git.root, objects), signal));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** With an index of this name, which is no index of the repository. */
  run(args: readonly string[], index?: string, input?: Uint8Array | string): Promise<Buffer> {
    const env = index === undefined ? this.#env : { ...this.#env, GIT_INDEX_FILE: join(this.folder, index) };
    return this.git.run(args, { env, signal: this.#signal, ...(input === undefined ? {} : { input }) });
  }

  async word(args: readonly string[], index?: string, input?: Uint8Array | string): Promise<string> {
    return (await this.run(args, index, input)).toString('utf8').trim();
  }

  /** Begins with the index of the repository, which knows what of the working tree is unchanged. */
  async copyIndex(index: string): Promise<void> {
    const own = resolve(this.git.root, await this.git.word(['rev-parse', '--git-path', 'index']));
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

  /** Sets, or without a mode removes, what an index says of paths. */
  async setEntries(
    index: string,
    entries: readonly { readonly path: RawPath; readonly mode?: string; readonly hash?: string }[],
  ): Promise<void> {
    const lines = [...entries]
      .sort((a, b) => Number(a.mode !== undefined) - Number(b.mode !== undefined))
      .map(({ path, mode, hash }) => `${mode ?? '0'} ${hash ?? '0'.repeat(40)}\t${path}\0`);
    await this.run(['update-index', '-z', '--index-info'], index, Buffer.from(lines.join(''), 'latin1'));
  }
}

/** A path as Git has it, below the root and with `/`: one character for each byte. Not to be shown. */
export type RawPath = string;

export interface RawChange {
  /** Where it is after, or was where it is deleted. */
  readonly path: RawPath;
  /** Where it was before it was moved. */
  readonly from: RawPath | undefined;
  /** Undefined where there is none. */
  readonly before: Entry | undefined;
  readonly after: Entry | undefined;
}

export interface Entry {
  readonly mode: string;
  readonly hash: string;
}

/** What `git diff-tree -r -z --raw` printed. */
export function rawChanges(printed: Buffer): RawChange[] {
  const parts = printed.toString('latin1').split('\0');
  const found: RawChange[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [modeBefore = '', mode = '', hashBefore = '', hash = '', status = ''] = (parts[at] ?? '')
      .slice(1)
      .split(' ');
    const isMoved = status.startsWith('R');
    const first = parts[at + 1] ?? '';
    if (isMoved) at++;
    const side = (its: string, of: string) => (/^0+$/.test(its) ? undefined : { mode: its, hash: of });
    found.push({
      path: isMoved ? (parts[at + 1] ?? '') : first,
      from: isMoved ? first : undefined,
      before: side(modeBefore, hashBefore),
      after: side(mode, hash),
    });
  }
  return found;
}
