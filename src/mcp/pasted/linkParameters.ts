/** A server that a link has in parameters of its own, one for each thing: `cmd=npx&arg=-y&arg=weather`. */
import { ownName } from '../dialects.ts';
import { Refusal } from '../refusal.ts';
import type { Fields } from '../server.ts';
import type { Value } from '../values.ts';
import { readObject } from './json.ts';

/** Undefined where nothing says how a server is reached. */
export function serverIn(parameters: URLSearchParams): Fields | undefined {
  const fields = new Map<string, Value>();
  for (const key of new Set(parameters.keys())) {
    const all = parameters.getAll(key);
    const [value = ''] = all;
    const own = ownName(key.replace(/^(arg|header)$/, '$1s'));
    if (own === 'args') fields.set('args', all.length > 1 ? all : argumentsIn(value));
    else if (own === 'env' || own === 'headers') fields.set(own, new Map(all.flatMap(pairsIn)));
    else if (own === 'timeout') fields.set(own, Number(value));
    else fields.set(key, value);
  }
  const isServer = [...fields.keys()].some((key) => ['command', 'url'].includes(ownName(key)));
  return isServer ? fields : undefined;
}

function argumentsIn(text: string): Value {
  const list = readObject(`{"args":${text}}`);
  return list instanceof Refusal ? text : (list.get('args') ?? text);
}

function pairsIn(text: string): (readonly [string, Value])[] {
  const object = readObject(text);
  if (!(object instanceof Refusal)) return [...object];
  const [, name = text, value = ''] = /^([^=:]+?)\s*[=:]\s*(.*)$/s.exec(text) ?? [];
  return [[name, value]];
}
