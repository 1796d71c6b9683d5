/** npm run bench: a table of what is measured here, its reference in the same run, their ratio, and the goal. */
import { printTable, type Row } from './table.ts';
import { activation } from './activation.ts';
import { edits } from './edits.ts';
import { problems } from './problems.ts';
import { rows } from './rows.ts';
import { service } from './service.ts';
import { size } from './size.ts';
import { terminal } from './terminal.ts';
import { main } from '../host/steps.ts';

await main(async () => {
  const table: Row[] = [];
  for (const measure of [size, activation, rows, service, edits, problems, terminal])
    table.push(...(await measure()));
  printTable(table);
  return 0;
});
