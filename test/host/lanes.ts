/**
 * Runs parts of the tests side by side, and measures how long each lane worked
 * and how busy the cores were.
 */
import { cpus } from 'node:os';

export interface LaneReport {
  /** Seconds in which each lane ran something. */
  readonly lanes: readonly number[];
  /** The share of all cores that was busy, from 0 to 1. */
  readonly busy: number;
}

/**
 * Takes the parts out of the queues one by one, the first queue first, and
 * returns the seconds that they took. Lanes can share a queue.
 */
export async function runLane<T>(
  queues: readonly T[][],
  run: (part: T) => Promise<void>,
): Promise<number> {
  const begin = performance.now();
  const next = () => queues.find(({ length }) => length > 0)?.shift();
  for (let part = next(); part !== undefined; part = next()) await run(part);
  return (performance.now() - begin) / 1000;
}

/** Runs the lanes and measures the share of all cores that is busy meanwhile. */
export async function runLanes(
  lanes: readonly Promise<number>[],
): Promise<LaneReport> {
  const before = cpuTimes();
  const seconds = await Promise.all(lanes);
  const { idle, all } = cpuTimes();
  return {
    lanes: seconds,
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
