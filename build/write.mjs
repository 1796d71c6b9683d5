// How what is built comes to the disk.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Writes what has changed, so that an open window finds each file whole, and the same one if there is nothing new. For a
 * build with `write: false`.
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
