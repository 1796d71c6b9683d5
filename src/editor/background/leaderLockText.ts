/**
 * The text of the file that says which window leads. Loaded in every window, so
 * it imports nothing at run time.
 */
import type { SharedText } from '../../files/sharedFile.ts';

interface LockHolder {
  readonly pid: number;
  /** The namespace in which `pid` is unique. */
  readonly space: string;
  readonly token: string;
  /** True if the user sees the window of the holder. */
  readonly isSeen: boolean;
}

export const leaderRenewalMs = 10_000;
/** Interval in which the other windows look at the file. */
export const leaderCheckMs = 15_000;
/**
 * Spans several renewals, and lets another window take over within a minute.
 */
const staleAfterMs = 35_000;

export function lockText({ pid, space, token, isSeen }: LockHolder): string {
  return `${pid} ${space} ${token} ${isSeen ? 'seen' : 'unseen'}\n`;
}

export function lockHolderIn({
  text,
}: Pick<SharedText, 'text'>): LockHolder | undefined {
  const [all, pid = '', space = '', token = '', seen] =
    /^(\d{1,10}) (\S{1,100}) ([0-9a-f]{16}) (seen|unseen)\n$/.exec(text) ?? [];
  return all === undefined
    ? undefined
    : { pid: Number(pid), space, token, isSeen: seen === 'seen' };
}

/** True if a window may take the lock. `isSeen`: the user sees that window. */
export function isLockFree(
  current: SharedText,
  now: number,
  isSeen: boolean,
): boolean {
  const holder = lockHolderIn(current);
  // The clock may have been set back.
  return (
    !holder ||
    Math.abs(now - current.touched) > staleAfterMs ||
    (isSeen && !holder.isSeen)
  );
}
