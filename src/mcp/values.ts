/** JSON values with objects as maps, because an object of JavaScript cannot have every name (`__proto__`). */
import { type Node, parseTree } from 'jsonc-parser';

export type Value = string | number | boolean | null | readonly Value[] | ReadonlyMap<string, Value>;

/** What a text that is known to be a value says. Of a name that is there twice the last counts. */
export function parseValue(text: string): Value {
  return valueOf(parseTree(text, undefined, { allowTrailingComma: true }));
}

function valueOf(node: Node | undefined): Value {
  const { type, value, children = [] } = node ?? {};
  if (type === 'array') return children.map(valueOf);
  if (type !== 'object') return value as Value;
  return new Map(
    children.map(({ children: pair = [] }): [string, Value] => [valueOf(pair[0]) as string, valueOf(pair[1])]),
  );
}

export function sameValue(one: Value | undefined, other: Value | undefined): boolean {
  if (one instanceof Map) {
    if (!(other instanceof Map) || one.size !== other.size) return false;
    return [...(one as ReadonlyMap<string, Value>)].every(
      ([name, value]) => other.has(name) && sameValue(value, other.get(name) as Value),
    );
  }
  if (Array.isArray(one)) {
    if (!Array.isArray(other) || one.length !== other.length) return false;
    return one.every((item, i) => sameValue(item as Value, other[i] as Value));
  }
  return one === other;
}
