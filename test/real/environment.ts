/**
 * Python environments in which the real programs run, brought up from the
 * Python package index.
 */
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cache } from '../host/paths.ts';
import { step } from '../host/steps.ts';
import { lockFile, type LockName, nameWithLock } from './locks.ts';
import { findPython, intoPlace, makeLock, uv } from './python.ts';

/**
 * Set where the newest versions are to be run, instead of those that are
 * pinned.
 */
export const newestVariable = 'SWITCHBOARD_TEST_NEWEST';

export type EnvironmentName = Exclude<LockName, 'uv'>;

interface Wanted {
  /** The versions of Python that it runs on, the best one first. */
  readonly pythons: readonly [string, ...string[]];
  /** The size of the download. */
  readonly size: string;
  /**
   * The packages whose newest versions are run instead of the pinned ones,
   * unless it is there because it is old.
   */
  readonly newest?: readonly string[];
}

const wanted: Readonly<Record<EnvironmentName, Wanted>> = {
  program: { pythons: ['3.12', '3.13'], size: '200 MB', newest: ['openhands'] },
  reader: { pythons: ['3.12', '3.13'], size: '60 MB', newest: ['fastmcp'] },
  agentServer: {
    pythons: ['3.12', '3.13'],
    size: '70 MB',
    newest: [
      'openhands-agent-server',
      'openhands-sdk',
      'openhands-tools',
      'openhands-workspace',
    ],
  },
  olderAgentServer: { pythons: ['3.12', '3.13'], size: '70 MB' },
  automations: {
    pythons: ['3.12', '3.13'],
    size: '120 MB',
    newest: ['openhands-automation'],
  },
  appServer: {
    pythons: ['3.12', '3.13'],
    size: '300 MB',
    newest: ['openhands-ai'],
  },
  serviceWithV0: { pythons: ['3.12'], size: '400 MB' },
};

export const environmentNames = Object.keys(
  wanted,
) as readonly EnvironmentName[];

/**
 * Installs the environment if it is missing, and resolves to its folder of
 * programs.
 */
export async function ensureEnvironment(
  name: EnvironmentName,
): Promise<string> {
  const { pythons, size, newest } = wanted[name];
  const isNewest =
    newest !== undefined && (process.env[newestVariable] ?? '') !== '';
  const home = isNewest
    ? newestHome(name)
    : join(cache, 'real', nameWithLock(name));
  // This is a link to the Python that it was made with, which may have gone.
  if (!existsSync(join(home, 'bin', 'python'))) {
    await rm(home, { recursive: true, force: true });
    const python = await findPython(pythons);
    await step(
      `Installing the ${isNewest ? 'newest' : 'pinned'} ${name} (${size})`,
      () =>
        intoPlace(home, (work) =>
          install(
            work,
            python,
            isNewest ? { newest } : { lock: lockFile(name) },
          ),
        ),
    );
  }
  return join(home, 'bin');
}

/**
 * The newest version at the time of the installation: to look for a newer one,
 * remove it first.
 */
export async function removeNewest(name: EnvironmentName): Promise<void> {
  await rm(newestHome(name), { recursive: true, force: true });
}

function newestHome(name: EnvironmentName): string {
  return join(cache, 'real', `${name}-newest`);
}

async function install(
  folder: string,
  python: string,
  what: { readonly lock: string } | { readonly newest: readonly string[] },
): Promise<void> {
  await uv(python, [
    'venv',
    '--quiet',
    '--relocatable',
    '--allow-existing',
    '--python',
    python,
    folder,
  ]);
  const lock = 'lock' in what ? what.lock : join(folder, 'newest.txt');
  if ('newest' in what) {
    const names = join(folder, 'newest.in');
    await writeFile(names, what.newest.join('\n'));
    await makeLock(python, names, lock);
  }
  await uv(python, [
    'pip',
    'sync',
    '--quiet',
    '--require-hashes',
    '--python',
    join(folder, 'bin', 'python'),
    lock,
  ]);
}
