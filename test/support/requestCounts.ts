/** Counts the requests of an action at a demo service. */

interface Service {
  readonly requests: readonly {
    readonly method: string;
    readonly path: string;
  }[];
}

/**
 * The number of requests of each kind while the action runs, such as `GET
 * /api/conversations/*`.
 */
export async function requestCounts(
  { requests }: Service,
  action: () => Promise<unknown>,
): Promise<Record<string, number>> {
  const before = requests.length;
  await action();
  const counts: Record<string, number> = {};
  for (const { method, path } of requests.slice(before)) {
    const kind = `${method} ${withoutIds(path)}`;
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

/** The Agent Server of a sandbox is called `sandbox:`. */
function withoutIds(path: string): string {
  return path
    .replace(/^\/exposed\/[^/]+\/AGENT_SERVER/, 'sandbox:')
    .split('/')
    .map((part) => (/\d.*\d/.test(part) ? '*' : part))
    .join('/');
}
