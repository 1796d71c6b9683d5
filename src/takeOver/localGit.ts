/**
 * Runs the Git of this machine in one repository. Never by a shell, and without
 * hooks.
 */
import { spawn } from 'node:child_process';
import { resultOr } from '../base/errors.ts';

export class GitFailed extends Error {
  readonly code: number | undefined;
  /** Standard output until the failure. */
  readonly output: Buffer;

  constructor(message: string, code: number | undefined, output: Buffer) {
    super(message);
    this.code = code;
    this.output = output;
  }
}

export function isGitFailure(error: unknown): error is GitFailed {
  return error instanceof GitFailed;
}

interface Options {
  readonly input?: Uint8Array | string | undefined;
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
  // Renormalizing would filter with the attributes of the agent.
  'merge.renormalize=false',
].flatMap((setting) => ['-c', setting]);

export class LocalGit {
  readonly program: string;
  readonly root: string;

  constructor(program: string, root: string) {
    this.program = program;
    this.root = root;
  }

  /**
   * Runs Git and resolves to its output. Rejects with GitFailed if Git fails.
   */
  run(
    args: readonly string[],
    { input, env, signal }: Options = {},
  ): Promise<Buffer> {
    return new Promise((done, fail) => {
      const child = spawn(this.program, [...settings, ...args], {
        cwd: this.root,
        env: { ...ownEnvironment(), ...env },
        signal,
        windowsHide: true,
      });
      const out: Buffer[] = [];
      const err: Buffer[] = [];
      child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
      child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
      child.on('error', fail);
      // Git may end before it has read everything: its exit code explains why.
      child.stdin.on('error', () => undefined);
      child.on('close', (code) => {
        const output = Buffer.concat(out);
        if (code === 0) done(output);
        else
          fail(
            new GitFailed(
              Buffer.concat(err).toString('utf8').trim(),
              code ?? undefined,
              output,
            ),
          );
      });
      child.stdin.end(input ?? '');
    });
  }

  /** Runs Git and returns its output, trimmed. */
  async word(args: readonly string[], options?: Options): Promise<string> {
    return (await this.run(args, options)).toString('utf8').trim();
  }

  /** The same, or undefined if Git fails. */
  async maybe(args: readonly string[]): Promise<string | undefined> {
    return await resultOr(this.word(args), isGitFailure, undefined);
  }
}

/** Leaves out variables of another repository. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !name.toUpperCase().startsWith('GIT_'),
  );
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
