/** node updater.ts FILE NAME TIMES: counts up in the file, one change each time. */
import { updateConfig } from '../../../src/files/update.ts';
import { counting } from './scratch.ts';

const [file = '', name = '', times = ''] = process.argv.slice(2);
for (let i = 0; i < Number(times); i++) await updateConfig(file, counting(name));
