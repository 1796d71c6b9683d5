/**
 * npm test: runs all suites except "soak" and "real", or only those named (`node test/run.ts unit ui`). Options go to
 * these two. Prints the output of each part when it is done, then the failed
 * tests, the slowest ones, a line for each suite and lane, and `N passed, N
 * failed` at the end. A suite that cannot run counts as failed. Nothing runs
 * twice.
 */
import { globSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { runLane, runLanes } from './host/lanes.ts';
import { chosen } from './host/mocha.ts';
import { cache, root } from './host/paths.ts';
import { main } from './host/steps.ts';
import { runSuite, type Suite } from './host/suite.ts';
import { type SuiteCount, summary, total } from './host/summary.ts';
import { newestVariable } from './real/environment.ts';

const words = process.argv.slice(2);
const names = words.slice(
  0,
  [...words, '-'].findIndex((word) => word.startsWith('-')),
);
const options = words.slice(names.length);

const bin = (name: string) => join(root, 'node_modules', name);

/**
 * Keeps the code that Node compiles, for the many processes that load the same
 * files. Coverage would be less exact.
 */
const compiled = { NODE_COMPILE_CACHE: join(cache, 'compiled') };

const mocha = (
  folder: string,
  timeout: number,
  but = '',
  before: readonly string[] = [],
): Suite => ({
  counts: true,
  env: before.length === 0 ? compiled : {},
  commands: [
    [
      ...before,
      'test/host/runMocha.ts',
      String(timeout),
      join(root, 'test', folder),
      but,
    ],
  ],
});

/**
 * Requires full coverage of the code that reads and changes a file with
 * secrets, unless only some tests were chosen.
 */
const covered = (room: string): readonly string[] =>
  process.env[chosen]
    ? []
    : [
        ...[
          bin('c8/bin/c8.js'),
          '--check-coverage',
          '--branches=100',
          '--lines=100',
          '--functions=100',
        ],
        ...[
          '--all',
          `--include=src/${room}/**`,
          '--reporter=text',
          '--skip-full',
        ],
        ...[
          `--temp-directory=${join(cache, 'coverage', room)}`,
          process.execPath,
        ],
      ];

const suites: Readonly<Record<string, Suite>> = {
  lint: {
    counts: false,
    commands: [
      [bin('eslint/bin/eslint.js'), '.'],
      [bin('prettier/bin/prettier.cjs'), '--check', '--log-level=warn', '.'],
    ],
  },
  types: {
    counts: false,
    commands: [
      [bin('typescript/bin/tsc')],
      [bin('typescript/bin/tsc'), '-p', join(root, 'src/webview')],
    ],
  },
  unit: mocha('unit', 180_000, 'mcp,files'),
  mcp: mocha('unit/mcp', 180_000, '', covered('mcp')),
  files: mocha('unit/files', 180_000, '', covered('files')),
  // The longest part that cannot be divided.
  bench: { counts: false, commands: [['test/bench/run.ts', '--short']] },
  integration: {
    counts: true,
    commands: [['test/host/runInVSCode.ts']],
    env: compiled,
  },
  ui: mocha('ui', 120_000),
  package: mocha('package', 120_000),
  soak: {
    counts: true,
    commands: [['esbuild.mjs'], ['test/soak/run.ts', ...options]],
  },
  real: {
    ...mocha('real', 600_000),
    env: {
      ...compiled,
      ...(options.includes('--newest') ? { [newestVariable]: '1' } : {}),
    },
  },
};

/** Suites that take long, need more of the machine, and take options. */
const apart = ['soak', 'real'];

/** Suites that open windows, with the shared files that are made before. */
const windowed: Readonly<Record<string, readonly string[]>> = {
  integration: ['build'],
  package: ['package', 'server'],
  bench: ['package', 'build', 'server'],
  ui: ['build', 'server'],
  real: ['build', 'server'],
};

/**
 * Suites whose files are independent, with the number of parts to run them in.
 */
const divided: Readonly<Record<string, number>> = {
  unit: 4,
  integration: 2,
  ui: Infinity,
  real: Infinity,
};

/** Files that share real services, which take long to start. */
const sharing = ['demoAndReal.test.ts', 'ourClient.test.ts'];

/** Tested by suites of their own. */
const rooms = ['mcp', 'files'];

interface Part {
  readonly suite: string;
  readonly title: string;
  readonly run: Suite;
}

interface Sized {
  readonly files: readonly string[];
  readonly size: number;
}

/** The parts of a suite that may run at once, the longest first. */
function partsOf(name: string): Part[] {
  const suite = suites[name];
  if (!suite) return [];
  const parts = divided[name];
  // Most files have no test with a chosen title.
  if (parts === undefined || process.env[chosen])
    return [{ suite: name, title: name, run: suite }];
  const folder = join(root, 'test', name);
  const files = globSync('**/*.test.ts', {
    cwd: folder,
    exclude: (path) => rooms.includes(path),
  });
  const together = files.filter((file) => sharing.includes(file));
  const alone = files
    .filter((file) => !sharing.includes(file))
    .map((file) => [file]);
  const sized = [together, ...alone]
    .filter(({ length }) => length > 0)
    .map((files) => ({
      files,
      size: files.reduce(
        (sum, file) => sum + statSync(join(folder, file)).size,
        0,
      ),
    }));
  return evenly(sized, parts).map((files) => ({
    suite: name,
    title: files.length > 2 ? name : `${name}: ${files.join(', ')}`,
    run: {
      ...suite,
      commands: suite.commands.map((command) => [...command, oneOf(files)]),
    },
  }));
}

/** Makes at most this many parts of about the same size, the largest first. */
function evenly(files: readonly Sized[], parts: number): (readonly string[])[] {
  const made: Sized[] = [];
  for (const next of files.toSorted((a, b) => b.size - a.size)) {
    const smallest = made.toSorted((a, b) => a.size - b.size)[0];
    if (!smallest || made.length < parts) made.push(next);
    else {
      made[made.indexOf(smallest)] = {
        files: [...smallest.files, ...next.files],
        size: smallest.size + next.size,
      };
    }
  }
  return made.map(({ files }) => files);
}

/** A pattern that matches one of these files. */
function oneOf(files: readonly string[]): string {
  return files.length === 1 ? (files[0] ?? '') : `{${files.join(',')}}`;
}

await main(async () => {
  if (options.length > 0 && !names.some((name) => apart.includes(name))) {
    throw new Error(`Only these suites take options: ${apart.join(', ')}.`);
  }
  if (names.length === 0)
    names.push(...Object.keys(suites).filter((name) => !apart.includes(name)));
  const unknown = names.find((name) => !suites[name]);
  if (unknown !== undefined) {
    throw new Error(
      `There is no suite "${unknown}". Choose from: ${Object.keys(suites).join(', ')}.`,
    );
  }
  const begin = performance.now();
  const counts: SuiteCount[] = [];
  const run = async (
    { suite, title, run }: Part,
    print?: (text: string) => void,
  ) => {
    if (!print) console.log(`\n— ${title}`);
    const started = performance.now();
    const count = await runSuite(run, print);
    counts.push({
      ...count,
      suite,
      seconds: (performance.now() - started) / 1000,
    });
    return count.failed === 0;
  };
  const runQuietly = async (part: Part) => {
    let output = `\n— ${part.title}\n`;
    await run(part, (text) => (output += text));
    process.stdout.write(output);
  };
  const inWindows = names.filter((name) => name in windowed);
  const prepare = async (): Promise<Part[]> => {
    if (inWindows.length === 0) return [];
    const needed = new Set(inWindows.flatMap((name) => windowed[name] ?? []));
    const commands = [
      ['test/host/prepare.ts', ...needed],
      ...(names.includes('real') ? [['test/real/install.ts', ...options]] : []),
    ];
    const isBuilt = await run({
      suite: 'build',
      title: 'build',
      run: { counts: false, commands },
    });
    if (isBuilt) return inWindows.flatMap(partsOf);
    counts.push(
      ...inWindows.map((suite) => ({
        suite,
        passed: 0,
        failed: 1,
        seconds: 0,
      })),
    );
    return [];
  };
  const windowless = names
    .filter((name) => !(name in windowed) && name !== 'soak')
    .flatMap(partsOf);
  const isAlone = windowless.length + inWindows.flatMap(partsOf).length < 2;
  const runPart = async (part: Part) => {
    await (isAlone ? run(part) : runQuietly(part));
  };
  // Windows wait often, which leaves time for a part without one.
  const windows = prepare();
  const report = await runLanes([
    runLane([windowless], runPart),
    ...Array.from({ length: availableParallelism() }, async () =>
      runLane([await windows, windowless], runPart),
    ),
  ]);
  if (names.includes('soak'))
    for (const part of partsOf('soak')) await run(part);
  console.log(
    `\n${summary(counts, report, (performance.now() - begin) / 1000)}`,
  );
  return total(counts).failed === 0 ? 0 : 1;
});
