/** A server that a link has in parameters of its own, one for each thing: `cmd=npx&arg=-y&arg=weather`. */
import { ownName } from '../dialects/dialects.ts';
import type { Fields } from '../format/server.ts';
import type { Value } from '../text/values.ts';
import { argumentsIn, pairsIn } from './lists.ts';

/** Undefined where nothing says how a server is reached. */
export function serverIn(parameters: URLSearchParams): Fields | undefined {
  const fields = new Map<string, Value>();
  for (const key of new Set(parameters.keys())) {
    const all = parameters.getAll(key);
    const own = ownName(key.replace(/^(arg|header)$/, '$1s'));
    if (own === 'args') fields.set(own, argumentsIn(all));
    else if (own === 'env' || own === 'headers') fields.set(own, pairsIn(own, all));
    else fields.set(key, all.join(' '));
  }
  const isServer = [...fields.keys()].some((key) => ['command', 'url'].includes(ownName(key)));
  return isServer ? fields : undefined;
}
