/** A home of its own for a command line, with some servers in it, where it can be run. */
import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { start } from '../host/processes.ts';
import { type CommandLine, kept } from './commandLines.ts';
import type { Program } from './fetchPeer.ts';
import { makeHome } from './home.ts';

export interface Room {
  readonly commandLine: CommandLine;
  /** How long the whole process takes that adds a server to the file, or lists those in it. */
  add(): Promise<number>;
  list(): Promise<number>;
  /** How many of so many servers are in the file, after as many processes have added one each at once. */
  addAtOnce(count: number): Promise<number>;
}

const servers = 5;
/** One that takes longer waits for something that does not come. */
const limit = 60_000;

/** Throws when the command line cannot add a server. */
export async function enterRoom(commandLine: CommandLine, program: Program, home: string): Promise<Room> {
  const [command, ...first] = program;
  const file = join(home, commandLine.file);
  const options = await makeHome(home, commandLine);

  const time = (args: readonly string[]): number => {
    const begin = performance.now();
    const { status, error, stdout, stderr } = spawnSync(command, [...first, ...args], {
      ...options,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: limit,
    });
    const time = performance.now() - begin;
    if (status === 0) return time;
    throw (
      error ?? new Error(`${commandLine.name} ${args.join(' ')} failed:\n${String(stderr)}${String(stdout)}`)
    );
  };
  // Its own hand writes what all runs begin with, and what it does only once is done.
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
      const groups = names.map((name) => start(command, [...first, ...commandLine.add(name, file)], options));
      const force = setTimeout(() => void Promise.all(groups.map((group) => group.stop())), limit);
      await Promise.all(groups.map(({ ended }) => ended));
      clearTimeout(force);
      return kept(commandLine, await readFile(file, 'utf8'), names);
    },
  };
}
