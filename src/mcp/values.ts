/** JSON values with objects as maps, because an object of JavaScript cannot have every name (`__proto__`). */
import { type Node, parseTree } from 'jsonc-parser';

export type Value = string | number | boolean | null | readonly Value[] | ReadonlyMap<string, Value>;

/** What a text says that is known to be a value. Of a name that is there twice the last counts. */
export function parseValue(text: string): Value {
  const root = parseTree(text, undefined, { allowTrailingComma: true });
  return root ? valueOf(root) : null;
}

function valueOf({ type, value, children = [] }: Node): Value {
  if (type === 'array') return children.map(valueOf);
  if (type !== 'object') return value as Value;
  return new Map(
    children.map(({ children: pair }): [string, Value] => {
      const [name, item] = pair as [Node, Node];
      return [valueOf(name) as string, valueOf(item)];
    }),
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
