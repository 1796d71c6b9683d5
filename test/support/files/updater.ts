/**
 * node updater.ts FILE NAME TIMES [PLACE]: counts up in the file, one change
 * each time. With the number of a place, it is in a container of its own there:
 * its clock is wrong, and it knows no process but itself.
 */
import { systemClock } from '../../../src/base/clock.ts';
import type { Machine } from '../../../src/files/machine.ts';
import { updateConfig } from '../../../src/files/update.ts';
import { counting } from './scratch.ts';

const [file = '', name = '', times = '', place] = process.argv.slice(2);
const elsewhere: Partial<Machine> = {
  clock: { ...systemClock, now: () => Date.now() + 40_000 * Number(place) },
  pidSpace: () => `container-${place}`,
  runs: (pid) => pid === process.pid,
};
const options = place === undefined ? {} : elsewhere;
for (let i = 0; i < Number(times); i++)
  await updateConfig(file, counting(name), options);
