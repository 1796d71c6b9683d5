/**
 * npm run bench: prints a table of measurements, each with a reference from the same run, their ratio, and the goal.
 *   npm run bench -- [--peers] [--real] [--only PART]... [--short] [--write]
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { main, StepError } from '../host/steps.ts';
import { activation } from './activation.ts';
import { changedFiles } from './changedFiles.ts';
import { check } from './check.ts';
import { conversation } from './conversation.ts';
import { edits } from './edits.ts';
import { aboutThis, heading } from '../support/heading.ts';
import { masks } from './masks.ts';
import { peers } from './peers.ts';
import { problems } from './problems.ts';
import { realConversation } from './realConversation.ts';
import { rows } from './rows.ts';
import { service } from './service.ts';
import { size } from './size.ts';
import { type Row, tableOf } from './table.ts';
import { terminal } from './terminal.ts';

const parts = {
  size,
  activation,
  rows,
  service,
  conversation,
  changedFiles,
  edits,
  problems,
  masks,
  terminal,
  check,
  peers,
  realConversation,
};

/** Benches that download much, and so run only on request. */
const onRequest: Readonly<Record<string, 'peers' | 'real'>> = {
  peers: 'peers',
  realConversation: 'real',
};
const results = join(import.meta.dirname, 'RESULTS.md');

const usage = `npm run bench -- [--peers] [--real] [--only PART]... [--short] [--write]

  --peers      also downloads and measures codex, claude and gemini (1 GB)
  --real       also downloads a real Agent Server (600 MB) and measures with it
  --only PART  measures only this part, as last built: ${Object.keys(parts).join(', ')}
  --short      measures one round, to see that every part works
  --write      also writes the table to test/bench/RESULTS.md`;

await main(async () => {
  const { only, write, help, ...wanted } = options();
  if (help) {
    console.log(usage);
    return 0;
  }
  const table: Row[] = [];
  for (const [name, measure] of Object.entries(parts)) {
    const request = onRequest[name];
    const isAsked = request !== undefined && wanted[request];
    if (isAsked || (only?.includes(name) ?? request === undefined))
      table.push(...(await measure()));
  }
  const text = `${heading(aboutThis())}\n\n${tableOf(table)}`;
  console.log(text);
  if (write)
    await writeFile(results, `# Results of \`npm run bench\`\n\n${text}\n`);
  return 0;
});

function options() {
  try {
    const { values } = parseArgs({
      options: {
        peers: { type: 'boolean' },
        real: { type: 'boolean' },
        only: { type: 'string', multiple: true },
        short: { type: 'boolean' },
        write: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    const unknown = values.only?.find((name) => !(name in parts));
    if (unknown !== undefined)
      throw new Error(`There is no part "${unknown}".`);
    return values;
  } catch (error) {
    throw new StepError((error as Error).message, usage);
  }
}
