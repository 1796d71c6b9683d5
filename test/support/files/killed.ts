/**
 * node killed.ts FILE: waits for a line, then counts up in the file, one change
 * each time, until it is killed.
 */
import { once } from 'node:events';
import { updateConfig } from '../../../src/files/update.ts';
import { nextText } from './killing.ts';

const [file = ''] = process.argv.slice(2);
process.stdout.write('ready\n');
await once(process.stdin, 'data');
process.stdout.write('go\n');
for (;;) await updateConfig(file, nextText);
