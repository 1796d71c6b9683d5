/**
 * npm test: runs all suites except "soak" and "real", or only those named (`node test/run.ts unit ui`). Options go to
 * these two.
 * Prints the output of each part when it is done, then what failed, a summary line for each suite, and
 * `N passed, N failed` at the end. A suite that cannot run counts as failed. Where only a few tests failed in windows
 * that ran side by side, their files run once more with more time for each, and what passes then is named as such.
 */
import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { chosen, type Count } from './host/mocha.ts';
import { cache, root } from './host/paths.ts';
import { main } from './host/steps.ts';
import { runSuite, type Suite } from './host/suite.ts';
import { newestVariable } from './real/environment.ts';

const words = process.argv.slice(2);
const names = words.slice(
  0,
  [...words, '-'].findIndex((word) => word.startsWith('-')),
);
const options = words.slice(names.length);

const bin = (name: string) => join(root, 'node_modules', name);
const mocha = (folder: string, timeout: number, but = '', before: readonly string[] = []): Suite => ({
  counts: true,
  commands: [[...before, 'test/host/runMocha.ts', String(timeout), join(root, 'test', folder), but]],
});

/** Requires full coverage of the code that reads and changes a file with secrets, unless only some tests were chosen. */
const covered = (room: string): readonly string[] =>
  process.env[chosen]
    ? []
    : [
        ...[bin('c8/bin/c8.js'), '--check-coverage', '--branches=100', '--lines=100', '--functions=100'],
        ...['--all', `--include=src/${room}/**`, '--reporter=text', '--skip-full'],
        ...[`--temp-directory=${join(cache, 'coverage', room)}`, process.execPath],
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
    commands: [[bin('typescript/bin/tsc')], [bin('typescript/bin/tsc'), '-p', join(root, 'src/webview')]],
  },
  unit: mocha('unit', 180_000, 'mcp,files'),
  mcp: mocha('unit/mcp', 180_000, '', covered('mcp')),
  files: mocha('unit/files', 180_000, '', covered('files')),
  integration: { counts: true, commands: [['test/host/runInVSCode.ts']] },
  ui: mocha('ui', 120_000),
  package: mocha('package', 120_000),
  soak: { counts: true, commands: [['esbuild.mjs'], ['test/soak/run.ts', ...options]] },
  real: {
    ...mocha('real', 600_000),
    env: options.includes('--newest') ? { [newestVariable]: '1' } : {},
  },
};

/** These take long, need more of the machine, and take options. */
const apart = ['soak', 'real'];

/** These open no window. */
const windowless = ['lint', 'types', 'unit', 'mcp', 'files'];

/** These open windows. What they share is made before. */
const windowed: Readonly<Record<string, readonly string[]>> = {
  integration: ['build'],
  package: ['package', 'server'],
  ui: ['build', 'server'],
  real: ['build', 'server'],
};

/** Most tests wait for something most of the time, so there are more parts at once than a small machine has cores. */
const lanes = 4;

/** So many at once leave a small machine time for each. */
const calmLanes = 2;

/** The files of these know nothing of each other, so they run in several parts. */
const divided: Readonly<Record<string, number>> = { unit: 2, integration: 2, ui: Infinity, real: Infinity };

/** These share real services, which take long to start. */
const sharing = ['demoAndReal.test.ts', 'ourClient.test.ts'];

/** In these, a busy machine can be too slow for what a person does in a window. */
const repeatable = ['integration', 'ui', 'real'];

/** When more tests than this have failed, it was no accident. */
const accidents = 8;

/** The windows of these do nothing but wait for minutes, so they run beside all others. */
const patient = ['lookout.test.ts'];

interface Part {
  readonly suite: string;
  readonly title: string;
  readonly run: Suite;
  /** Only these files of it. */
  readonly only?: (files: readonly string[]) => Suite;
  readonly isPatient?: boolean;
}

/** What runs at once of a suite: the longest first. */
function partsOf(name: string): Part[] {
  const suite = suites[name];
  if (!suite) return [];
  const parts = divided[name];
  // Of the tests with a chosen title, most files have none.
  if (parts === undefined || process.env[chosen]) return [{ suite: name, title: name, run: suite }];
  const folder = join(root, 'test', name);
  const files = globSync('**/*.test.ts', { cwd: folder, exclude: (path) => windowless.includes(path) });
  const only = (files: readonly string[]) => ({
    ...suite,
    commands: suite.commands.map((command) => [...command, oneOf(files)]),
  });
  const together = files.filter((file) => sharing.includes(file));
  const apart = files.filter((file) => !sharing.includes(file)).map((file) => [file]);
  return evenly([together, ...apart].filter(({ length }) => length > 0).map(sized), parts).map((files) => ({
    suite: name,
    title: files.length > 2 ? name : `${name}: ${files.join(', ')}`,
    isPatient: files.every((file) => patient.includes(file)),
    run: only(files),
    only,
  }));
  function sized(files: readonly string[]): Sized {
    return { files, size: files.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0) };
  }
}

interface Sized {
  readonly files: readonly string[];
  readonly size: number;
}

/** Makes at most so many parts of these files, about as large as each other, the largest first. */
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

/** What keeps the machine busy, and what often waits, go well together. */
function inTurns<T>(some: readonly T[], others: readonly T[]): T[] {
  return Array.from({ length: Math.max(some.length, others.length) }, (_, index) => [
    ...some.slice(index, index + 1),
    ...others.slice(index, index + 1),
  ]).flat();
}

/** A pattern that is one of these files. */
function oneOf(files: readonly string[]): string {
  return files.length === 1 ? (files[0] ?? '') : `{${files.join(',')}}`;
}

await main(async () => {
  if (options.length > 0 && !names.some((name) => apart.includes(name))) {
    throw new Error(`Only these suites take options: ${apart.join(', ')}.`);
  }
  if (names.length === 0) names.push(...Object.keys(suites).filter((name) => !apart.includes(name)));
  const unknown = names.find((name) => !suites[name]);
  if (unknown !== undefined) {
    throw new Error(`There is no suite "${unknown}". Choose from: ${Object.keys(suites).join(', ')}.`);
  }
  const counts = new Map<string, Count & { readonly seconds: number }>();
  const failures: string[] = [];
  const count = (name: string, { passed, failed, titles = [] }: Count, seconds = 0) => {
    failures.push(...titles.map((title) => `${name}: ${title}`));
    const before = counts.get(name) ?? { passed: 0, failed: 0, seconds: 0 };
    counts.set(name, {
      passed: before.passed + passed,
      failed: before.failed + failed,
      seconds: before.seconds + seconds,
    });
  };
  /** To be run once more. */
  const again: { readonly part: Part; readonly result: Count }[] = [];
  const timed = async (suite: Suite, print?: (text: string) => void) => {
    const begin = performance.now();
    const result = await runSuite(suite, print);
    return { result, seconds: (performance.now() - begin) / 1000 };
  };
  const run = async (part: Part, print?: (text: string) => void) => {
    const { result, seconds } = await timed(part.run, print);
    if (print && result.failed > 0 && repeatable.includes(part.suite)) {
      again.push({ part, result });
      count(part.suite, { passed: 0, failed: 0 }, seconds);
    } else count(part.suite, result, seconds);
    return result.failed === 0;
  };
  const accidental: string[] = [];
  const runAgain = async () => {
    const all = again.reduce((sum, { result }) => sum + result.failed, 0);
    const next = async () => {
      for (let failing = again.shift(); failing; failing = again.shift()) {
        const { part, result } = failing;
        const { passed, failed, titles = [], files = [] } = result;
        if (all > accidents || !part.only || files.length === 0) {
          count(part.suite, result);
          continue;
        }
        let output = `\n— ${part.suite}: ${files.join(', ')}, once more\n`;
        const { result: second, seconds } = await timed(part.only(files), (text) => (output += text));
        process.stdout.write(output);
        const stillFailed = Math.min(second.failed, failed);
        const passedNow = titles.filter((title) => !second.titles?.includes(title));
        count(part.suite, { ...second, passed: passed + failed - stillFailed, failed: stillFailed }, seconds);
        if (second.failed === 0) accidental.push(...passedNow.map((title) => `${part.suite}: ${title}`));
      }
    };
    await Promise.all(Array.from({ length: calmLanes }, next));
  };
  const sideBySide = async (parts: readonly Part[]) => {
    if (parts.length < 2) {
      await oneByOne(parts);
      return;
    }
    const left = parts.filter(({ isPatient }) => !isPatient);
    const runQuietly = async (part: Part) => {
      let output = `\n— ${part.title}\n`;
      await run(part, (text) => (output += text));
      process.stdout.write(output);
    };
    const lane = async () => {
      for (let part = left.shift(); part; part = left.shift()) await runQuietly(part);
    };
    await Promise.all([
      ...Array.from({ length: lanes }, lane),
      ...parts.filter(({ isPatient }) => isPatient).map(runQuietly),
    ]);
  };
  const oneByOne = async (parts: readonly Part[]) => {
    for (const part of parts) {
      console.log(`\n— ${part.title}`);
      await run(part);
    }
  };
  const begin = performance.now();
  const chosenOf = (from: readonly string[]) => from.filter((name) => names.includes(name));
  const inWindows = chosenOf(Object.keys(windowed));
  let isBuilt = inWindows.length > 0;
  if (isBuilt) {
    console.log('\n— build');
    const needed = new Set(inWindows.flatMap((name) => windowed[name] ?? []));
    const commands = [
      ['test/host/prepare.ts', ...needed],
      ...(names.includes('real') ? [['test/real/install.ts', ...options]] : []),
    ];
    const build: Suite = { counts: false, commands };
    isBuilt = await run({ suite: 'build', title: 'build', run: build });
    if (!isBuilt) for (const name of inWindows) count(name, { passed: 0, failed: 1 });
  }
  const withWindows = isBuilt ? inWindows.flatMap(partsOf) : [];
  await sideBySide(inTurns(withWindows, chosenOf(windowless).flatMap(partsOf)));
  await runAgain();
  if (names.includes('soak')) await oneByOne(partsOf('soak'));
  const order = [...windowless, 'build', ...Object.keys(windowed), 'soak'];
  const lines = [...counts]
    .sort(([a], [b]) => order.indexOf(a) - order.indexOf(b))
    .map(
      ([name, { passed, failed, seconds }]) =>
        `${name.padEnd(12)} ${passed} passed, ${failed} failed, ${seconds.toFixed(1)} s`,
    );
  const total = (what: 'passed' | 'failed') =>
    [...counts.values()].reduce((sum, count) => sum + count[what], 0);
  if (accidental.length > 0) lines.unshift('Passed only when run once more:', ...accidental, '');
  if (failures.length > 0) lines.unshift('Failed:', ...failures, '');
  lines.push(`${'all'.padEnd(12)} ${((performance.now() - begin) / 1000).toFixed(1)} s`);
  console.log(`\n${lines.join('\n')}\n${total('passed')} passed, ${total('failed')} failed`);
  return total('failed') === 0 ? 0 : 1;
});
