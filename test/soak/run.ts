/**
 * npm run test:soak: repeats the tests of robustness in large numbers, and prints a table of the results.
 *   npm run test:soak -- [--only PART]... [--share SHARE] [--write]
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { aboutThis, heading } from '../support/heading.ts';
import { formatted, table } from '../support/results.ts';
import { oldest, versionVariable } from '../host/fetchServer.ts';
import { type Count, countFile } from '../host/mocha.ts';
import { root } from '../host/paths.ts';
import { main, StepError } from '../host/steps.ts';
import { runSuite, type Suite } from '../host/suite.ts';
import { shareVariable } from './times.ts';

interface Part extends Suite {
  /** The claim that it tests. */
  readonly what: string;
}

const files = (what: string, pattern: string): Part => ({
  what,
  counts: true,
  commands: [
    ['test/host/runMocha.ts', '3600000', join(root, 'test'), '', pattern],
  ],
});

const parts: Readonly<Record<string, Part>> = {
  edits: files(
    'Random changes to unusual texts lose no byte',
    'soak/editSequences.test.ts',
  ),
  killing: files(
    'A killed writer leaves either the old text or the new one',
    'soak/files/killing.test.ts',
  ),
  together: files(
    'Our own writers lose no update to each other',
    '{unit,soak}/files/together.test.ts',
  ),
  beside: files(
    'A writer that does not use the lock loses nothing to us',
    'soak/files/beside.test.ts',
  ),
  disk: files(
    'A failed system call leaves the old file intact',
    'unit/files/faults.test.ts',
  ),
  service: files(
    'A failing service is reported as an error, and the key goes nowhere else',
    'unit/service/faults.test.ts',
  ),
  following: files(
    'Every event is shown once, in order, however its connection breaks',
    'soak/following.test.ts',
  ),
  races: files(
    'Nothing runs that was not shown and accepted',
    'soak/races.test.ts',
  ),
  realRaces: files(
    'Nothing runs that was not shown and accepted, at a real Agent Server',
    'soak/realRaces.test.ts',
  ),
  checks: files(
    'A check of a hostile MCP server leaves no process and no file',
    'soak/checks.test.ts',
  ),
  takeOver: files(
    'Taking over joins files as Git does, or touches nothing, and is undone to the byte',
    'soak/takeOver.test.ts',
  ),
  oldest: {
    what: 'The extension works in the oldest VS Code available from npm',
    counts: true,
    commands: [['test/host/runInVSCode.ts']],
    env: { [versionVariable]: oldest },
  },
};

const results = join(import.meta.dirname, 'RESULTS.md');

const usage = `npm run test:soak -- [--only PART]... [--share SHARE] [--write]

  --only PART    runs only this part: ${Object.keys(parts).join(', ')}
  --share SHARE  runs only this share of each number, such as 0.01
  --write        also writes the table to test/soak/RESULTS.md`;

await main(async () => {
  const { only, share, write } = options();
  process.env[shareVariable] = share;
  const rows = [['What', 'How much', 'Result', 'Time']];
  let passed = 0;
  let failed = 0;
  for (const [name, part] of Object.entries(parts)) {
    if (only?.includes(name) === false) continue;
    console.log(`\n— soak: ${name}`);
    const begin = performance.now();
    const count = await runSuite(part);
    rows.push([
      part.what,
      (count.done ?? []).join('; '),
      resultOf(count),
      timeSince(begin),
    ]);
    passed += count.passed;
    failed += count.failed;
  }
  const part = share === '1' ? [] : [`With ${share} of each number.`];
  const text = [heading(aboutThis()), ...part, table(rows)].join('\n\n');
  console.log(`\n${text}`);
  if (write)
    await writeFile(
      results,
      await formatted(`# Results of \`npm run test:soak\`\n\n${text}\n`),
    );
  const file = process.env[countFile];
  if (file !== undefined)
    await writeFile(file, JSON.stringify({ passed, failed } satisfies Count));
  return failed === 0 ? 0 : 1;
});

function resultOf({ passed, failed }: Count): string {
  return failed === 0
    ? `${passed} ${passed === 1 ? 'test' : 'tests'} passed`
    : `**${failed} failed**`;
}

function timeSince(begin: number): string {
  const seconds = Math.round((performance.now() - begin) / 1_000);
  return seconds < 60
    ? `${seconds} s`
    : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

function options() {
  try {
    const { values } = parseArgs({
      options: {
        only: { type: 'string', multiple: true },
        share: { type: 'string', default: '1' },
        write: { type: 'boolean' },
      },
    });
    const unknown = values.only?.find((name) => !(name in parts));
    if (unknown !== undefined)
      throw new Error(`There is no part "${unknown}".`);
    if (!(Number(values.share) > 0 && Number(values.share) <= 1)) {
      throw new Error('The share must be a number above 0 and at most 1.');
    }
    return values;
  } catch (error) {
    throw new StepError((error as Error).message, usage);
  }
}
