/** Finds a time at which exactly a few of very many conversations change. */
import { World } from '../../src/demo/world/world.ts';
import { SteppedClock } from './steppedClock.ts';

/** So long ago that displayed ages do not change during a test. */
export const longAgo = Date.UTC(2021, 0, 15);

/**
 * The time from `longAgo` until `wanted` conversations of a demo service
 * differ.
 */
export function timeUntilChanged(
  wanted: number,
  options: { seed: number; conversations: number },
): number {
  const clock = new SteppedClock(longAgo);
  const world = new World({ ...options, clock });
  const all = Array.from({ length: options.conversations }, (_, position) =>
    world.first.at(position),
  );
  const states = () =>
    all.map((conversation) => JSON.stringify(world.condition(conversation)));
  const before = states();
  for (let time = 100; time < 3_600_000; time += 100) {
    clock.advance(100);
    const changed = states().filter(
      (state, index) => state !== before[index],
    ).length;
    if (changed === wanted) return time;
  }
  throw new Error(`At no time do exactly ${wanted} conversations differ.`);
}
