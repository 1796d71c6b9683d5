/**
 * A separate home folder with some servers, in which a command line can run.
 */
import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { start } from '../host/processes.ts';
import { type CommandLine, kept } from './commandLines.ts';
import type { Program } from './fetchPeer.ts';
import { makeHome } from './home.ts';

export interface Room {
  readonly commandLine: CommandLine;
  /** The time that the whole process takes to add a server. */
  add(): Promise<number>;
  list(): Promise<number>;
  /**
   * Starts `count` processes at once, each adding a server. Returns how many of
   * the servers are in the file.
   */
  addAtOnce(count: number): Promise<number>;
}

const servers = 5;
/** A process that takes longer is waiting for something that never comes. */
const limit = 60_000;

/** Throws if the command line cannot add a server. */
export async function enterRoom(
  commandLine: CommandLine,
  program: Program,
  home: string,
): Promise<Room> {
  const [command, ...first] = program;
  const file = join(home, commandLine.file);
  const options = await makeHome(home, commandLine);

  const time = (args: readonly string[]): number => {
    const begin = performance.now();
    const { status, error, stdout, stderr } = spawnSync(
      command,
      [...first, ...args],
      {
        ...options,
        stdio: ['ignore', 'pipe', 'pipe'],
        timeout: limit,
      },
    );
    const time = performance.now() - begin;
    if (status === 0) return time;
    throw (
      error ??
      new Error(
        `${commandLine.name} ${args.join(' ')} failed:\n${String(stderr)}${String(stdout)}`,
      )
    );
  };
  // The command line adds the initial servers itself, which also gets its
  // one-time work done.
  for (let i = 0; i < servers; i++) time(commandLine.add(`server-${i}`, file));
  const text = await readFile(file, 'utf8');
  const begin = () => writeFile(file, text);

  return {
    commandLine,
    add: async () => {
      await begin();
      return time(commandLine.add('new', file));
    },
    list: async () => {
      await begin();
      return time(commandLine.list(file));
    },
    addAtOnce: async (count) => {
      await begin();
      const names = Array.from({ length: count }, (_, i) => `at-once-${i}`);
      const groups = names.map((name) =>
        start(command, [...first, ...commandLine.add(name, file)], options),
      );
      const force = setTimeout(
        () => void Promise.all(groups.map((group) => group.stop())),
        limit,
      );
      await Promise.all(groups.map(({ ended }) => ended));
      clearTimeout(force);
      return kept(commandLine, await readFile(file, 'utf8'), names);
    },
  };
}
