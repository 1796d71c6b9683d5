/**
 * Skips time in the extension hosts of windows, for what the extension waits
 * for in seconds and minutes.
 */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

const manifest = {
  name: 'skip-time',
  publisher: 'tests',
  version: '0.0.0',
  engines: { vscode: '^1.101.0' },
  activationEvents: ['*'],
  main: './extension.cjs',
};

const folderIn = (extensions: string) =>
  join(extensions, 'tests.skip-time-0.0.0');

/** Installs the extension that skips time. */
export async function installSkipTime(extensions: string): Promise<void> {
  const folder = folderIn(extensions);
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await build({
    entryPoints: [join(import.meta.dirname, 'skipTimeExtension.ts')],
    outfile: join(folder, 'extension.cjs'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    logLevel: 'error',
  });
}

/**
 * Skips time in all open windows. Requests that wait for an answer come to
 * their deadline after 30 s.
 */
export async function skipTime(
  extensions: string,
  seconds: number,
): Promise<void> {
  const ports = await readdir(join(folderIn(extensions), 'ports'));
  const answers = await Promise.all(
    ports.map(async (port) => {
      // The extension host of a closed window is gone.
      const answer = await fetch(
        `http://127.0.0.1:${port}/${seconds * 1_000}`,
      ).catch(() => undefined);
      return answer?.ok === true;
    }),
  );
  if (!answers.includes(true)) throw new Error('No window skipped time.');
}
