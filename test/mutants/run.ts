/**
 * npm run test:mutants: plants faults by rule into the code that secrets, the configuration file, approvals and reviews
 * depend on, one at a time, and counts those that the unit tests find. Fails if
 * an area is below the goal, and if a fault that survives has no reason in
 * survivors.json.
 *   npm run test:mutants -- [--only AREA]... [--write]
 */
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { cache, root } from '../host/paths.ts';
import { main, StepError } from '../host/steps.ts';
import { aboutThis, heading } from '../support/heading.ts';
import { formatted, table } from '../support/results.ts';
import { type ChosenTests, mochaRunner } from './mochaRunner.ts';
import reasons from './survivors.json' with { type: 'json' };

/** Percentage to be killed in each area. */
const goal = 90;

interface Area {
  readonly what: string;
  readonly code: readonly string[];
  /**
   * The test files that say what this code does, the slowest last. Those that
   * start processes test no planted fault.
   */
  readonly tests: readonly string[];
  /**
   * A pattern of the titles of tests that take too long to run for each fault.
   */
  readonly without?: string;
}

const areas: Readonly<Record<string, Area>> = {
  transport: {
    what: 'Requests to a service',
    code: [
      'src/service/http/{transport,body,network,serviceAddress,requests}.ts',
    ],
    tests: [
      'test/unit/service/http/{serviceAddress,body,complaints,limits,localhost,network,redirects,requests,transport,keptConnections}.test.ts',
      'test/unit/service/{agentServerChanges,agentServerSteering,anyAnswer,editing,faults,fileChanges,sandboxKeys,toolServers}.test.ts',
      'test/unit/service/records/events.test.ts',
      'test/unit/service/client.test.ts',
    ],
  },
  errors: {
    what: 'What is said about failures',
    code: ['src/service/http/serviceError.ts'],
    tests: ['test/unit/service/http/serviceError.test.ts'],
  },
  masks: {
    what: 'Masks',
    code: [
      'src/mcp/format/mask.ts',
      'src/base/masks/*.ts',
      'src/base/{secret,plainText}.ts',
    ],
    tests: [
      'test/unit/base/masks/{codeVariables,literalsAfter,mask!(Corpus|Work),passwordOptions,redact,secret*}.test.ts',
      'test/unit/base/{secret,plainText}.test.ts',
      'test/unit/mcp/format/mask.test.ts',
      'test/unit/base/masks/keyFormats.test.ts',
    ],
  },
  proof: {
    what: 'Proof of edits',
    code: ['src/mcp/edit/proof.ts'],
    tests: ['test/unit/mcp/edit/{proof,toolProof,editText,toolEdits}.test.ts'],
  },
  files: {
    what: 'Files and their lock',
    code: ['src/files/*.ts'],
    tests: [
      'test/unit/files/!(beside|faults|killing|permissions|together).test.ts',
    ],
  },
  steering: {
    what: 'Acting on agents',
    code: ['src/state/steering/*.ts', 'src/state/conversation/approval*.ts'],
    tests: [
      'test/unit/state/steering/!(goingBack).test.ts',
      'test/unit/state/steering/goingBack.test.ts',
    ],
    without:
      'never runs an action that was not shown|runs an action unseen only if|task list as it changes',
  },
  changes: {
    what: 'Changes and their reviews',
    code: ['src/state/changes/*.ts'],
    tests: [
      'test/unit/state/changes/!(changedFiles*).test.ts',
      'test/unit/state/changes/changedFiles*.test.ts',
    ],
    without: '980 random sequences',
  },
};

type Mutant = Awaited<ReturnType<Stryker['runMutationTest']>>[number];

const results = join(import.meta.dirname, 'RESULTS.md');

const usage = `npm run test:mutants -- [--only AREA]... [--write]

  --only AREA  plants faults only here: ${Object.keys(areas).join(', ')}
  --write      also writes the table to test/mutants/RESULTS.md`;

await main(async () => {
  const { only, write } = options();
  const chosen = Object.entries(areas).filter(
    ([name]) => only?.includes(name) ?? true,
  );
  const rows = [['What', 'Mutants', 'Killed', 'Score']];
  const survivors: string[] = [];
  const unexplained: string[] = [];
  let killed = 0;
  let planted = 0;
  const below: string[] = [];
  for (const [name, area] of chosen) {
    const mutants = await plant(name, area);
    const alive = mutants.filter(
      ({ status }) => status === 'Survived' || status === 'NoCoverage',
    );
    rows.push([area.what, ...score(mutants.length, alive.length)]);
    killed += mutants.length - alive.length;
    planted += mutants.length;
    if (100 * alive.length > (100 - goal) * mutants.length) below.push(name);
    for (const description of alive.map(describe)) {
      const reason = (reasons as Readonly<Record<string, string>>)[description];
      survivors.push(`- \`${description}\`: ${reason ?? '**not explained**'}`);
      if (reason === undefined) unexplained.push(description);
    }
  }
  rows.push(['All', ...score(planted, planted - killed)]);
  const text = [
    heading(aboutThis()),
    table(rows),
    '## What was not found',
    survivors.join('\n'),
  ].join('\n\n');
  console.log(`\n${text}`);
  if (write)
    await writeFile(
      results,
      await formatted(`# Results of \`npm run test:mutants\`\n\n${text}\n`),
    );
  if (unexplained.length > 0)
    console.error(
      `\n${unexplained.length} survivors have no reason in survivors.json.`,
    );
  if (below.length > 0)
    console.error(`\nLess than ${goal} % are found in: ${below.join(', ')}.`);
  return below.length === 0 && unexplained.length === 0 ? 0 : 1;
});

/** All faults that can be planted in this code, and what became of them. */
async function plant(
  name: string,
  { code, tests, without }: Area,
): Promise<Mutant[]> {
  const stryker = new Stryker({
    mutate: [...code],
    testRunner: mochaRunner,
    [mochaRunner]: { patterns: tests, without } satisfies ChosenTests,
    plugins: [join(import.meta.dirname, 'mochaRunner.ts')],
    warnings: false,
    coverageAnalysis: 'perTest',
    reporters: ['progress-append-only'],
    concurrency: 2,
    tempDirName: join(cache, 'mutants', name),
    ignorePatterns: ['dist', 'media', '.vscode-test'],
    allowEmpty: true,
  });
  const mutants = await stryker.runMutationTest();
  return mutants.filter(
    ({ status }) => status !== 'Ignored' && status !== 'CompileError',
  );
}

/**
 * The same for the same fault, wherever in its file it moves: the file, what
 * was there, and what was planted.
 */
function describe({
  fileName,
  location: { start, end },
  replacement,
}: Mutant): string {
  const text = readFileSync(fileName, 'utf8');
  const lines = text.split('\n');
  // Lines and columns count from 1.
  const before = [
    ...lines.slice(0, start.line - 1),
    lines[start.line - 1]?.slice(0, start.column - 1),
  ];
  const behind = [
    lines[end.line - 1]?.slice(end.column - 1),
    ...lines.slice(end.line),
  ];
  const planted = `${before.join('\n')}${replacement}${behind.join('\n')}`;
  const [was, is] = [text, planted].map((code) =>
    code.replace(/\s+/g, ' ').replaceAll('`', "'"),
  ) as [string, string];
  const length = Math.min(was.length, is.length);
  let same = 0;
  while (same < length && was[same] === is[same]) same++;
  let sameBehind = 0;
  while (
    sameBehind < length - same &&
    was.at(-1 - sameBehind) === is.at(-1 - sameBehind)
  )
    sameBehind++;
  // The difference, with some of the code around it.
  const short = (code: string) => {
    const to = code.length - sameBehind;
    const different = code.slice(same, to);
    const begin =
      different.length > 80 ? `${different.slice(0, 80)}…` : different;
    return `…${code.slice(Math.max(0, same - 40), same)}${begin}${code.slice(to, to + 30)}…`;
  };
  return `${relative(root, fileName).replaceAll('\\', '/')}: ${short(was)} → ${short(is)}`;
}

function score(mutants: number, alive: number): string[] {
  const killed = mutants - alive;
  return [
    String(mutants),
    String(killed),
    `${((100 * killed) / mutants).toFixed(1)} %`,
  ];
}

function options() {
  try {
    const { values } = parseArgs({
      options: {
        only: { type: 'string', multiple: true },
        write: { type: 'boolean' },
      },
    });
    const unknown = values.only?.find((name) => !(name in areas));
    if (unknown !== undefined)
      throw new Error(`There is no area "${unknown}".`);
    return values;
  } catch (error) {
    throw new StepError((error as Error).message, usage);
  }
}
