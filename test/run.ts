/**
 * npm test: every suite but the long one, or those that are named (`node test/run.ts unit ui`).
 * A line of summary a suite, and `N passed, N failed` at the end. A suite that cannot run has failed.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chosen, countFile, type Count } from './host/mocha.ts';
import { cache, root } from './host/paths.ts';
import { main } from './host/steps.ts';

/** The commands of each suite, one after the other; `counts` where mocha counts for itself. */
interface Suite {
  readonly counts: boolean;
  readonly commands: readonly (readonly string[])[];
}

const bin = (name: string) => join(root, 'node_modules', name);
const mocha = (folder: string, timeout: number, but = '', before: readonly string[] = []): Suite => ({
  counts: true,
  commands: [[...before, 'test/host/runMocha.ts', String(timeout), join(root, 'test', folder), but]],
});

/** What reads and changes a file with secrets in it is tested to its last branch. A choice of tests says nothing of that. */
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
  types: { counts: false, commands: [[bin('typescript/bin/tsc')]] },
  unit: mocha('unit', 10_000, 'mcp,files'),
  mcp: mocha('unit/mcp', 10_000, '', covered('mcp')),
  files: mocha('unit/files', 10_000, '', covered('files')),
  integration: { counts: true, commands: [['esbuild.mjs'], ['test/host/runInVSCode.ts']] },
  ui: { counts: true, commands: [['esbuild.mjs'], ...mocha('ui', 120_000).commands] },
  package: mocha('package', 120_000),
  soak: mocha('soak', 3_600_000),
};

async function runSuite({ counts, commands }: Suite): Promise<Count> {
  const scratch = await mkdtemp(join(tmpdir(), 'switchboard-count-'));
  const file = join(scratch, 'count.json');
  let passed = 0;
  let failed = 0;
  for (const command of commands) {
    // What is built is not tested when it could not be built.
    if (counts && failed > 0) break;
    if (await succeeds(command, { ...process.env, [countFile]: file })) passed++;
    else failed++;
  }
  const text = await readFile(file, 'utf8').catch(() => undefined);
  await rm(scratch, { recursive: true });
  if (!counts) return { passed, failed };
  if (text === undefined) return { passed: 0, failed: Math.max(failed, 1) };
  const count = JSON.parse(text) as Count;
  if (count.passed + count.failed === 0) return { passed: 0, failed: 1 };
  return { passed: count.passed, failed: Math.max(count.failed, failed) };
}

async function succeeds(command: readonly string[], env: NodeJS.ProcessEnv): Promise<boolean> {
  const child = spawn(process.execPath, command, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] });
  return await new Promise((resolve) => {
    child.once('close', (code) => {
      resolve(code === 0);
    });
    child.once('error', () => {
      resolve(false);
    });
  });
}

await main(async () => {
  const names =
    process.argv.length > 2 ? process.argv.slice(2) : Object.keys(suites).filter((name) => name !== 'soak');
  const lines: string[] = [];
  const total = { passed: 0, failed: 0 };
  for (const name of names) {
    const suite = suites[name];
    if (!suite) throw new Error(`There is no suite "${name}"; there are ${Object.keys(suites).join(', ')}.`);
    console.log(`\n— ${name}`);
    const begin = performance.now();
    const { passed, failed } = await runSuite(suite);
    const seconds = ((performance.now() - begin) / 1000).toFixed(1);
    lines.push(`${name.padEnd(12)} ${passed} passed, ${failed} failed, ${seconds} s`);
    total.passed += passed;
    total.failed += failed;
  }
  console.log(`\n${lines.join('\n')}\n${total.passed} passed, ${total.failed} failed`);
  return total.failed === 0 ? 0 : 1;
});
