/**
 * JSON values with objects as maps, because a JavaScript object cannot have
 * every name (`__proto__`).
 */
import type { Node } from './nodes.ts';

export type Value =
  string | number | boolean | null | readonly Value[] | Fields;

/**
 * The members of an object by name, secrets included. The last member of a name
 * counts.
 */
export type Fields = ReadonlyMap<string, Value>;

/** Returns null for a missing value. */
export function valueOf(node: Node): Value {
  if (node.type === 'object')
    return new Map(
      node.members.map(({ name, value }) => [name, valueOf(value)]),
    );
  return node.type === 'array' ? node.items.map(valueOf) : node.content;
}

export function sameValue(
  one: Value | undefined,
  other: Value | undefined,
): boolean {
  if (one instanceof Map) {
    if (!(other instanceof Map) || one.size !== other.size) return false;
    return [...(one as ReadonlyMap<string, Value>)].every(
      ([name, value]) =>
        other.has(name) && sameValue(value, other.get(name) as Value),
    );
  }
  if (Array.isArray(one)) {
    if (!Array.isArray(other) || one.length !== other.length) return false;
    return one.every((item, i) => sameValue(item as Value, other[i] as Value));
  }
  return one === other;
}

export function sameList(
  one: readonly string[],
  other: readonly string[],
): boolean {
  return (
    one.length === other.length && one.every((item, i) => item === other[i])
  );
}
