/** Python environments in which the real programs run, brought up from the Python package index. */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cache } from '../host/paths.ts';
import { step } from '../host/steps.ts';
import { lockFile, type LockName, nameWithLock } from './locks.ts';
import { findPython, intoPlace, uv } from './python.ts';

/** Set where the newest versions are to be run, instead of those that are pinned. */
export const newestVariable = 'SWITCHBOARD_TEST_NEWEST';

export type EnvironmentName = Exclude<LockName, 'uv'>;

interface Wanted {
  /** The versions of Python that it runs on, the best one first. */
  readonly pythons: readonly [string, ...string[]];
  /** How much is downloaded. */
  readonly size: string;
  /** The packages whose newest versions are run instead of the pinned ones. */
  readonly newest: readonly string[];
}

const wanted: Readonly<Record<EnvironmentName, Wanted>> = {
  program: { pythons: ['3.12', '3.13'], size: '200 MB', newest: ['openhands'] },
};

/** Installs the environment if it is missing, and resolves to its folder of programs. */
export async function ensureEnvironment(name: EnvironmentName): Promise<string> {
  return (process.env[newestVariable] ?? '') === '' ? await ensurePinned(name) : await ensureNewest(name);
}

async function ensurePinned(name: EnvironmentName): Promise<string> {
  const home = join(cache, 'real', nameWithLock(name));
  const { pythons, size } = wanted[name];
  await install(home, pythons, `Installing the pinned ${name} (${size})`, [
    'sync',
    '--require-hashes',
    lockFile(name),
  ]);
  return join(home, 'bin');
}

/** What was the newest when it was installed: `removeNewest` looks for a newer one. */
async function ensureNewest(name: EnvironmentName): Promise<string> {
  const home = newestHome(name);
  const { pythons, size, newest } = wanted[name];
  await install(home, pythons, `Installing the newest ${name} (${size})`, ['install', ...newest]);
  return join(home, 'bin');
}

export async function removeNewest(name: EnvironmentName): Promise<void> {
  await rm(newestHome(name), { recursive: true, force: true });
}

function newestHome(name: EnvironmentName): string {
  return join(cache, 'real', `${name}-newest`);
}

async function install(
  home: string,
  pythons: readonly string[],
  label: string,
  pip: readonly string[],
): Promise<void> {
  // A link to the Python that it was made with, which may have gone.
  if (existsSync(join(home, 'bin', 'python'))) return;
  await rm(home, { recursive: true, force: true });
  const python = await findPython(pythons);
  await step(label, async () => {
    await intoPlace(home, async (work) => {
      await uv(python, ['venv', '--quiet', '--relocatable', '--allow-existing', '--python', python, work]);
      const [command = '', ...args] = pip;
      await uv(python, ['pip', command, '--quiet', '--python', join(work, 'bin', 'python'), ...args]);
    });
  });
}
