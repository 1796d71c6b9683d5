import { setTimeout } from 'node:timers/promises';

/**
 * Resolves after 0 to `withinMs` milliseconds, as `random` draws: the moment at
 * which one side of a race acts. It is an input of the race, never a wait for a
 * condition.
 */
export async function randomMoment(
  withinMs: number,
  random: (sides: number) => number,
): Promise<void> {
  await setTimeout(random(withinMs));
}
