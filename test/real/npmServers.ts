/**
 * MCP servers from the npm registry. locks/servers pins them with all that they
 * pull in, and with hashes.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { registryAdvice } from '../host/fetchPackage.ts';
import { cache } from '../host/paths.ts';
import { npm } from '../host/processes.ts';
import { step } from '../host/steps.ts';
import { intoPlace } from './python.ts';

const locks = join(import.meta.dirname, 'locks', 'servers');

/**
 * Installs them if they are missing, and resolves to their folder of programs.
 * None of their scripts run.
 */
export async function ensureNpmServers(): Promise<string> {
  const lock = await readFile(join(locks, 'package-lock.json'));
  const hash = createHash('sha256').update(lock).digest('hex').slice(0, 12);
  const home = join(cache, 'real', `servers-${hash}`);
  if (!existsSync(home)) {
    await step('Installing the pinned MCP servers (10 MB)', () =>
      intoPlace(home, async (work) => {
        await cp(locks, work, { recursive: true });
        // npm takes a folder that it comes to by a link for a package of its own.
        await npm(
          ['ci', '--ignore-scripts'],
          await realpath(work),
          registryAdvice,
        );
      }),
    );
  }
  return join(home, 'node_modules', '.bin');
}
