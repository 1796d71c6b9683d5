/** What the file of the claim says. Loaded in every window, so it needs nothing. */
import type { SharedText } from '../../files/sharedFile.ts';

export interface Holder {
  readonly pid: number;
  /** In which `pid` is unique. */
  readonly space: string;
  readonly token: string;
  /** Whether people look at that window. */
  readonly isSeen: boolean;
}

/** How often the window that has it touches it, and how often the others look, in milliseconds. */
export const renewal = 10_000;
export const lookInterval = 15_000;
/** Several times its renewal. With the time until the others look, less than a minute. */
const staleAfter = 35_000;

export function textOf({ pid, space, token, isSeen }: Holder): string {
  return `${pid} ${space} ${token} ${isSeen ? 'seen' : 'unseen'}\n`;
}

export function holderIn({ text }: Pick<SharedText, 'text'>): Holder | undefined {
  const [all, pid = '', space = '', token = '', seen] =
    /^(\d{1,10}) (\S{1,100}) ([0-9a-f]{16}) (seen|unseen)\n$/.exec(text) ?? [];
  return all === undefined ? undefined : { pid: Number(pid), space, token, isSeen: seen === 'seen' };
}

/** Whether it can be taken by a window that people look at, or do not. */
export function isFree(now: SharedText, time: number, isSeen: boolean): boolean {
  const holder = holderIn(now);
  // The clock may have been set back since.
  return !holder || Math.abs(time - now.touched) > staleAfter || (isSeen && !holder.isSeen);
}
