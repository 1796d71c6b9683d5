import { Session } from 'node:inspector/promises';

/**
 * Counts the calls of functions with these names while something runs, as the
 * engine does.
 */
export async function callCounts(
  names: readonly string[],
  action: () => Promise<unknown>,
): Promise<Record<string, number>> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', {
      callCount: true,
      detailed: false,
    });
    await action();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const functions = result
      .filter(({ url }) => url.includes('/src/'))
      .flatMap(({ functions }) => functions);
    const count = (name: string) =>
      functions
        .filter(({ functionName }) => functionName === name)
        .reduce((sum, { ranges: [whole] }) => sum + (whole?.count ?? 0), 0);
    return Object.fromEntries(names.map((name) => [name, count(name)]));
  } finally {
    session.disconnect();
  }
}
