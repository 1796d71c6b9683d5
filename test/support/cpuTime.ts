/**
 * Processor time, which other programs on a busy machine do not lengthen as
 * they do real time.
 */

/** The milliseconds that this thread computes while something runs. */
export function cpuMsOf(run: () => unknown): number {
  const before = process.threadCpuUsage();
  run();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
