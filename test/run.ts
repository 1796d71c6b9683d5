/**
 * npm test: runs all suites except "soak" and "real", or only those named (`node test/run.ts unit ui`). Options go to
 * these two.
 * Prints a summary line for each suite, and `N passed, N failed` at the end. A suite that cannot run counts as failed.
 */
import { join } from 'node:path';
import { chosen } from './host/mocha.ts';
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
  unit: mocha('unit', 60_000, 'mcp,files'),
  mcp: mocha('unit/mcp', 60_000, '', covered('mcp')),
  files: mocha('unit/files', 60_000, '', covered('files')),
  integration: { counts: true, commands: [['esbuild.mjs'], ['test/host/runInVSCode.ts']] },
  ui: { counts: true, commands: [['esbuild.mjs'], ...mocha('ui', 120_000).commands] },
  package: mocha('package', 120_000),
  soak: { counts: true, commands: [['esbuild.mjs'], ['test/soak/run.ts', ...options]] },
  real: {
    counts: true,
    commands: [['test/real/install.ts', ...options], ['esbuild.mjs'], ...mocha('real', 600_000).commands],
    env: options.includes('--newest') ? { [newestVariable]: '1' } : {},
  },
};

/** These take long, need more of the machine, and take options. */
const apart = ['soak', 'real'];

/** These open no window, so two of them can run side by side without slowing one down. */
const windowless = ['lint', 'types', 'unit', 'mcp', 'files'];

await main(async () => {
  if (options.length > 0 && !names.some((name) => apart.includes(name))) {
    throw new Error(`Only these suites take options: ${apart.join(', ')}.`);
  }
  if (names.length === 0) names.push(...Object.keys(suites).filter((name) => !apart.includes(name)));
  const unknown = names.find((name) => !suites[name]);
  if (unknown !== undefined) {
    throw new Error(`There is no suite "${unknown}". Choose from: ${Object.keys(suites).join(', ')}.`);
  }
  const summary = new Map<string, string>();
  const total = { passed: 0, failed: 0 };
  const run = async (name: string, print?: (text: string) => void) => {
    const suite = suites[name];
    if (!suite) return;
    const begin = performance.now();
    const { passed, failed } = await runSuite(suite, print);
    const seconds = ((performance.now() - begin) / 1000).toFixed(1);
    summary.set(name, `${name.padEnd(12)} ${passed} passed, ${failed} failed, ${seconds} s`);
    total.passed += passed;
    total.failed += failed;
  };
  const first = names.filter((name) => windowless.includes(name));
  const sideBySide = async () => {
    for (let name = first.shift(); name !== undefined; name = first.shift()) {
      let output = `\n— ${name}\n`;
      await run(name, (text) => (output += text));
      process.stdout.write(output);
    }
  };
  if (first.length > 1) await Promise.all([sideBySide(), sideBySide()]);
  for (const name of names.filter((name) => !summary.has(name))) {
    console.log(`\n— ${name}`);
    await run(name);
  }
  const lines = names.map((name) => summary.get(name));
  console.log(`\n${lines.join('\n')}\n${total.passed} passed, ${total.failed} failed`);
  return total.failed === 0 ? 0 : 1;
});
