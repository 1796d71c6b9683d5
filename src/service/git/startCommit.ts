import type { Commit } from '../abilities/fileChanges.ts';

/** The clocks of machines differ. A clock that is years ahead is ignored. */
const maxClockDifferenceMs = 24 * 60 * 60_000;

/**
 * Finds the commit at which a conversation began: the one below its oldest own
 * commit. An agent can pick or amend older commits, which keep their times.
 * Undefined if all listed commits are its own, or have no time.
 */
export function startCommit(
  newestFirst: readonly Commit[],
  createdAt: number,
  now: number,
): Commit | undefined {
  const oldestOwn = newestFirst.findLastIndex(
    ({ at }) =>
      at !== undefined && at > createdAt && at < now + maxClockDifferenceMs,
  );
  return newestFirst.slice(oldestOwn + 1).find(({ at }) => at !== undefined);
}
