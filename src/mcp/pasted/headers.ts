import type { Fields } from '../server.ts';
import type { Value } from '../values.ts';

/**
 * The headers of a server: those that are given, those whose values are in variables, and a bearer token that is in
 * one. The program that reads our file looks no variable up, so that their references remain, to be asked for.
 */
export function readHeaders(
  given: Iterable<readonly [string, string]>,
  variables: Iterable<readonly [string, string]>,
  bearer: Value | undefined,
): Fields {
  const headers = new Map<string, Value>(given);
  for (const [name, variable] of variables) headers.set(name, `\${${variable}}`);
  const signIn = typeof bearer === 'string' ? { Authorization: `Bearer \${${bearer}}` } : {};
  return new Map([...headers, ...Object.entries(signIn)]);
}
