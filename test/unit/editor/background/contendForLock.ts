/**
 * node contendForLock.ts FILE: a window that tries to lead until it is killed.
 * Prints `leads` and `rests`.
 */
import { noLog } from '../../../../src/base/log.ts';
import { LeaderLock } from '../../../../src/editor/background/leaderLock.ts';
import { leaderCheckMs } from '../../../../src/editor/background/leaderLockText.ts';
import { Leadership } from '../../../../src/editor/background/leadership.ts';
import { HurriedClock } from '../../../support/hurriedClock.ts';

const [file = ''] = process.argv.slice(2);
const clock = new HurriedClock(100);
const lock = new LeaderLock(file);
const leadership = new Leadership({
  lock: () => Promise.resolve(lock),
  clock,
  log: noLog,
  isWanted: () => true,
  isSeen: () => false,
  isThere: () => Promise.resolve(true),
});
leadership.onChange(() => {
  process.stdout.write(leadership.isLeader ? 'leads\n' : 'rests\n');
});
process.stdout.write('ready\n');
function check(): void {
  clock.after(leaderCheckMs, check);
  if (!leadership.isLeader) void leadership.update();
}
clock.after(leaderCheckMs, check);
