/** node claiming.ts FILE [SEEN]: is a window that wants to look for all, until it is killed. Prints when that changes. */
import { systemClock } from '../../../../src/base/clock.ts';
import { noLog } from '../../../../src/base/log.ts';
import { Claim } from '../../../../src/editor/lookout/claim.ts';
import { Lookout } from '../../../../src/editor/lookout/lookout.ts';

const [file = ''] = process.argv.slice(2);
/** Everything happens so many times as fast. */
const hurry = 100;
const claim = new Claim(file);
const lookout = new Lookout({
  claim: () => Promise.resolve(claim),
  clock: { ...systemClock, after: (pause, callback) => systemClock.after(pause / hurry, callback) },
  log: noLog,
  isWanted: () => true,
  isSeen: () => false,
  isThere: () => Promise.resolve(true),
});
lookout.onChange(() => {
  process.stdout.write(lookout.isLooking ? 'looks\n' : 'rests\n');
});
process.stdout.write('ready\n');
setInterval(() => {
  if (!lookout.isLooking) void lookout.decide();
}, 15_000 / hurry);
