/** node claiming.ts FILE [SEEN]: is a window that wants to look for all, until it is killed. Prints when that changes. */
import { noLog } from '../../../../src/base/log.ts';
import { Claim } from '../../../../src/editor/background/claim.ts';
import { lookInterval } from '../../../../src/editor/background/claimText.ts';
import { Lookout } from '../../../../src/editor/background/lookout.ts';
import { HurriedClock } from '../../../support/hurriedClock.ts';

const [file = ''] = process.argv.slice(2);
const clock = new HurriedClock(100);
const claim = new Claim(file);
const lookout = new Lookout({
  claim: () => Promise.resolve(claim),
  clock,
  log: noLog,
  isWanted: () => true,
  isSeen: () => false,
  isThere: () => Promise.resolve(true),
});
lookout.onChange(() => {
  process.stdout.write(lookout.isLooking ? 'looks\n' : 'rests\n');
});
process.stdout.write('ready\n');
function lookAround(): void {
  clock.after(lookInterval, lookAround);
  if (!lookout.isLooking) void lookout.decide();
}
clock.after(lookInterval, lookAround);
