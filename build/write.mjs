// Writes built files to the disk.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Writes only changed files, and each in one step, so that an open window never reads half a file. For a build with
 * `write: false`.
 * @type {import('esbuild').Plugin}
 */
export const writeChanged = {
  name: 'write-changed',
  setup(build) {
    build.onEnd(async ({ outputFiles = [], errors }) => {
      if (errors.length > 0) return;
      await Promise.all(outputFiles.map(({ path, contents }) => write(path, contents)));
    });
  },
};

/**
 * @param {string} path
 * @param {string | Uint8Array} contents
 */
export async function write(path, contents) {
  const before = await readFile(path).catch(() => undefined);
  if (before?.equals(Buffer.from(contents))) return;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}.new`, contents);
  await rename(`${path}.new`, path);
}
