import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cache } from '../host/paths.ts';
import { npm, run } from '../host/processes.ts';
import { step } from '../host/steps.ts';
import type { Peer } from './commandLines.ts';
import { makeHome } from './home.ts';

/** A program and its first arguments. */
export type Program = readonly [command: string, ...args: string[]];

const advice =
  'Check that this machine can reach its npm registry ("npm ping"), then run the command again.';

/**
 * Downloads the program of a peer if it is missing. Throws if it is not
 * available or does not run.
 */
export async function fetchPeer(peer: Peer): Promise<Program> {
  const home = join(cache, `${peer.name}-${peer.version}`);
  if (existsSync(home)) return await programIn(home, peer);
  await mkdir(cache, { recursive: true });
  const work = await mkdtemp(join(cache, 'fetch-'));
  try {
    await step(`Fetching ${peer.name} ${peer.version}`, async () => {
      await npm(
        ['install', '--ignore-scripts', `${peer.package}@${peer.version}`],
        work,
        advice,
      );
      if (peer.postInstall !== undefined) {
        await run(
          process.execPath,
          [join(work, 'node_modules', peer.package, peer.postInstall)],
          advice,
        );
      }
      // The program for a platform is an optional package, so npm succeeds even
      // without it.
      const [command, ...args] = await programIn(work, peer);
      const itsHome = join(work, 'home');
      await run(
        command,
        [...args, '--version'],
        advice,
        await makeHome(itsHome, peer),
      );
      await rm(itsHome, { recursive: true });
    });
    // If another process was faster, its folder is there and complete.
    await rename(work, home).catch((error: unknown) => {
      if (!existsSync(home)) throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return await programIn(home, peer);
}

async function programIn(home: string, peer: Peer): Promise<Program> {
  const folder = join(home, 'node_modules', peer.package);
  const { bin } = JSON.parse(
    await readFile(join(folder, 'package.json'), 'utf8'),
  ) as {
    bin: Readonly<Record<string, string>>;
  };
  const path = join(folder, bin[peer.name] ?? '');
  return path.endsWith('.js') ? [process.execPath, path] : [path];
}
