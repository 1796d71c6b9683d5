/**
 * Runs mocha files and counts and times the results for the summary of `npm
 * test`.
 */
import { glob, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { isatty } from 'node:tty';
import { pathToFileURL } from 'node:url';
import Mocha from 'mocha';
import { allDone } from '../support/done.ts';
import { takeUnmetConditions } from '../support/eventually.ts';

export interface Timed {
  readonly name: string;
  readonly seconds: number;
}

export interface Count {
  readonly passed: number;
  readonly failed: number;
  /** The counts that the tests report with `done`. */
  readonly done?: readonly string[];
  /**
   * The titles of the tests that failed, each with what is known of the failure
   * in indented lines.
   */
  readonly titles?: readonly string[];
  readonly tests?: readonly Timed[];
  /** Includes the hooks of each file. */
  readonly files?: readonly Timed[];
}

/** Names the file to write the count to, in whichever process mocha runs. */
export const countFile = 'SWITCHBOARD_TEST_COUNT';

/** A pattern that selects files of the tests that run inside an editor. */
export const filesVariable = 'SWITCHBOARD_TEST_FILES';

/** A pattern that selects tests by title. */
export const chosen = 'SWITCHBOARD_TEST_GREP';

const longestError = 2_000;

const titles: string[] = [];

/**
 * CI shows the end of the output, so the summary repeats this below the title
 * of the test that failed last.
 */
export function addToFailure(text: string): void {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (titles.length > 0)
    titles.push(
      [titles.pop(), ...lines.map((line) => `    ${line}`)].join('\n'),
    );
}

/** Runs the test files in a folder. */
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
  const files = await Array.fromAsync(
    glob(pattern, { cwd: folder, exclude: (path) => but.includes(path) }),
  );
  for (const file of files.sort()) await load(mocha, join(folder, file));
  const count = await new Promise<Count>((resolve) => {
    const times = new Times(folder);
    const runner = mocha.run((failed) => {
      resolve({
        passed: runner.stats?.passes ?? 0,
        // A pending test did not run, so it counts as failed.
        failed: failed + (runner.stats?.pending ?? 0),
        titles,
        tests: times.tests,
        files: times.files,
      });
    });
    const fail = (test: Mocha.Runnable) => void titles.push(test.fullTitle());
    runner.on('fail', (test, error: unknown) => {
      fail(test);
      const what =
        error instanceof Error ? (error.stack ?? error.message) : String(error);
      addToFailure(what.slice(0, longestError));
      for (const condition of takeUnmetConditions()) {
        console.log(`Waited in vain: ${condition}`);
        addToFailure(`Waited in vain: ${condition}`);
      }
    });
    runner.on('pending', fail);
    runner.on('test end', (test) => {
      times.endTest(test);
    });
    runner.on('suite', (suite) => {
      times.beginSuite(suite);
    });
    runner.on('suite end', (suite) => {
      times.endSuite(suite);
    });
  });
  const file = process.env[countFile];
  if (file !== undefined)
    await writeFile(file, JSON.stringify({ ...count, done: allDone() }));
  return count;
}

class Times {
  readonly tests: Timed[] = [];
  readonly files: Timed[] = [];
  readonly #folder: string;
  #begin = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  endTest(test: Mocha.Test): void {
    this.tests.push({
      name: test.fullTitle(),
      seconds: (test.duration ?? 0) / 1000,
    });
  }

  beginSuite({ parent }: Mocha.Suite): void {
    if (parent?.root === true) this.#begin = performance.now();
  }

  endSuite({ parent, file }: Mocha.Suite): void {
    if (parent?.root !== true || file === undefined) return;
    // Tests that run inside an editor were built.
    const name = relative(this.#folder, file).replace(/\.js$/, '.ts');
    this.files.push({
      name,
      seconds: (performance.now() - this.#begin) / 1000,
    });
  }
}

/**
 * Loads a file with `import`, as the editor loads extensions. Mocha would
 * `require` it, which hangs in VS Code 1.103: it blocks the thread that has to
 * resolve `vscode`.
 */
export async function load(mocha: Mocha, file: string): Promise<void> {
  const {
    EVENT_FILE_PRE_REQUIRE,
    EVENT_FILE_REQUIRE,
    EVENT_FILE_POST_REQUIRE,
  } = Mocha.Suite.constants;
  mocha.suite.emit(EVENT_FILE_PRE_REQUIRE, globalThis, file, mocha);
  const loaded: unknown = await import(pathToFileURL(file).href);
  mocha.suite.emit(EVENT_FILE_REQUIRE, loaded, file, mocha);
  mocha.suite.emit(EVENT_FILE_POST_REQUIRE, globalThis, file, mocha);
}
