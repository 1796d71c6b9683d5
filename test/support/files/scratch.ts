/**
 * Shared by the tests of src/files: a temporary folder, and ways to look at its
 * files.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import {
  chmod,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
} from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { thisMachine } from '../../../src/files/machine.ts';
import { Refusal } from '../../../src/mcp/text/refusal.ts';

/** Creates a folder before each test of the suite and deletes it afterwards. */
export function scratchFolder(): {
  readonly path: (...names: string[]) => string;
} {
  let folder = '';
  beforeEach(async () => {
    folder = await freshFolder();
  });
  afterEach(async () => {
    await chmod(folder, 0o700);
    await rm(folder, { recursive: true });
  });
  return { path: (...names) => join(folder, ...names) };
}

export async function freshFolder(): Promise<string> {
  return await realpath(await mkdtemp(join(tmpdir(), 'switchboard-files-')));
}

export const contentOf = (path: string) => readFile(path, 'utf8');
export const modeOf = async (path: string) => (await stat(path)).mode & 0o7777;
export const namesIn = async (folder: string) => (await readdir(folder)).sort();

/** A named pipe, which nobody writes to. */
export async function makePipe(path: string): Promise<void> {
  await promisify(execFile)('mkfifo', [path]);
}

/** The environment of a process whose coverage is not recorded. */
export const childEnvironment: NodeJS.ProcessEnv = {
  ...process.env,
  NODE_V8_COVERAGE: undefined,
};

/** The id of a process that has ended. */
export async function deadProcess(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await ended(child);
  return Number(child.pid);
}

/**
 * The content of a lock that a process has taken: one of this machine, or of
 * another machine or container.
 */
export function lockText(
  pid: number,
  token: string,
  place = `${hostname()} ${thisMachine.pidSpace()}`,
): string {
  return `${pid} ${place} ${token}\n`;
}

/** Resolves to the exit code, or to null if the process was killed. */
export function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null)
    return Promise.resolve(child.exitCode);
  return new Promise((resolve) => {
    child.once('close', resolve);
  });
}

export type Counts = Readonly<Record<string, unknown>>;

/**
 * A change that counts up. Like the real changes, it refuses a text that is not
 * JSON.
 */
export function counting(name: string): (text: string) => string {
  return (text) => {
    const counts = text === '' ? {} : parsed(text);
    return JSON.stringify({ ...counts, [name]: Number(counts[name] ?? 0) + 1 });
  };
}

export function parsed(text: string): Counts {
  try {
    return JSON.parse(text) as Counts;
  } catch {
    throw new Refusal('syntax', 'The text is not JSON.', text, 0);
  }
}
