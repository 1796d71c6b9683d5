/**
 * The share of each number that a run does, from 0 to 1. A small share tries
 * out the soak itself.
 */
export const shareVariable = 'SWITCHBOARD_SOAK_SHARE';

/** The number of repetitions in this run, out of `all`. */
export function times(all: number): number {
  return Math.max(
    10,
    Math.round(all * Number(process.env[shareVariable] ?? 1)),
  );
}

export function inWords(count: number): string {
  return count.toLocaleString('en');
}
