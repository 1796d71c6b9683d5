/**
 * Runs parts of the tests side by side, and says how long each lane worked and
 * how busy the cores were.
 */
import { availableParallelism, cpus } from 'node:os';

export interface LaneReport {
  /** Seconds in which each lane ran something. */
  readonly lanes: readonly number[];
  /** The share of all cores that was busy, from 0 to 1. */
  readonly busy: number;
}

/** Takes the parts in order, in as many lanes as there are cores. */
export async function inLanes<T>(
  parts: readonly T[],
  run: (part: T) => Promise<void>,
  count = availableParallelism(),
): Promise<LaneReport> {
  const left = [...parts];
  const before = cpuTimes();
  const lanes = await Promise.all(
    Array.from({ length: Math.min(count, parts.length) }, async () => {
      const begin = performance.now();
      for (let part = left.shift(); part !== undefined; part = left.shift())
        await run(part);
      return (performance.now() - begin) / 1000;
    }),
  );
  const { idle, all } = cpuTimes();
  return {
    lanes,
    busy: 1 - (idle - before.idle) / Math.max(1, all - before.all),
  };
}

function cpuTimes(): { readonly idle: number; readonly all: number } {
  const times = cpus().map((cpu) => cpu.times);
  const sum = (values: readonly number[]) =>
    values.reduce((total, value) => total + value, 0);
  return {
    idle: sum(times.map(({ idle }) => idle)),
    all: sum(times.flatMap((each) => Object.values(each))),
  };
}
