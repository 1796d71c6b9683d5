/** The part of all numbers that a run does, from 0 to 1: less than all of them tries out the soak itself. */
export const shareVariable = 'SWITCHBOARD_SOAK_SHARE';

/** How often something is done of so many times. */
export function times(all: number): number {
  return Math.max(10, Math.round(all * Number(process.env[shareVariable] ?? 1)));
}

export function inWords(count: number): string {
  return count.toLocaleString('en');
}
