/**
 * Lists the random files on which we and the real program disagree, grouped by
 * reason.
 *   node test/real/differences.ts [--count 2000] [--seed 1] [FILE...]
 * With files, it lists only what the program and we say of each of them.
 */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { main } from '../host/steps.ts';
import { stopAll } from '../host/processes.ts';
import { Program } from './program.ts';
import { randomFiles } from './randomFiles.ts';
import { compareVerdicts, listDifferences, ourErrors } from './verdicts.ts';

await main(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      count: { type: 'string', default: '2000' },
      seed: { type: 'string', default: '1' },
    },
  });
  const program = await Program.open();
  try {
    for (const file of positionals) {
      const text = await readFile(file, 'utf8');
      console.log(
        JSON.stringify(
          { file, program: await program.reads(text), us: ourErrors(text) },
          null,
          2,
        ),
      );
    }
    if (positionals.length === 0) {
      const texts = randomFiles(Number(values.count), Number(values.seed));
      console.log(listDifferences(await compareVerdicts(program, texts)));
    }
  } finally {
    await program.close();
    await stopAll();
  }
  return 0;
});
