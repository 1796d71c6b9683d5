/** Running mocha files, with a count that the summary of `npm test` is made from. */
import { glob, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isatty } from 'node:tty';
import Mocha from 'mocha';

export interface Count {
  readonly passed: number;
  readonly failed: number;
}

/** The file that the count goes into, from whatever process mocha runs in. */
export const countFile = 'SWITCHBOARD_TEST_COUNT';

/** What chooses among the tests by title. */
export const chosen = 'SWITCHBOARD_TEST_GREP';

/** Runs the test files of a folder. */
export async function runTestFiles(
  folder: string,
  pattern: string,
  timeout: number,
  but: readonly string[] = [],
): Promise<Count> {
  const grep = process.env[chosen];
  const mocha = new Mocha({
    timeout,
    color: isatty(1),
    ...(grep === undefined ? {} : { grep }),
  });
  for (const file of (
    await Array.fromAsync(glob(pattern, { cwd: folder, exclude: (path) => but.includes(path) }))
  ).sort()) {
    mocha.addFile(join(folder, file));
  }
  await mocha.loadFilesAsync();
  const count = await new Promise<Count>((resolve) => {
    const runner = mocha.run((failed) => {
      // A pending test is a test that did not run, which is no success.
      resolve({ passed: runner.stats?.passes ?? 0, failed: failed + (runner.stats?.pending ?? 0) });
    });
  });
  const file = process.env[countFile];
  if (file !== undefined) await writeFile(file, JSON.stringify(count));
  return count;
}
