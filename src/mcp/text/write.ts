import type { Style } from './style.ts';
import type { Value } from './values.ts';

/** A member in this style, without what separates it from others. */
export function writeMember(name: string, value: Value, style: Style): string {
  return `${JSON.stringify(name)}${style.colon}${writeValue(value, style, style.indent)}`;
}

/** A value whose line begins with this indentation. */
export function writeValue(value: Value, style: Style, indent: string): string {
  const within = (item: Value) => writeValue(item, style, indent + style.unit);
  if (value instanceof Map) {
    const members = [...(value as ReadonlyMap<string, Value>)].map(
      ([name, item]) => `${JSON.stringify(name)}${style.colon}${within(item)}`,
    );
    if (style.tallInside) return tall('{', members, '}', style, indent);
    return members.length === 0 ? '{}' : `{${style.padding}${flat(members, style)}${style.padding}}`;
  }
  if (!Array.isArray(value)) return JSON.stringify(value);
  const items = (value as readonly Value[]).map(within);
  return style.tallInside && style.tallLists
    ? tall('[', items, ']', style, indent)
    : `[${flat(items, style)}]`;
}

function flat(parts: readonly string[], { gap }: Style): string {
  return parts.join(`,${gap}`);
}

function tall(open: string, parts: readonly string[], close: string, style: Style, indent: string): string {
  if (parts.length === 0) return open + close;
  const line = `${style.lineBreak}${indent}`;
  return `${open}${line}${style.unit}${parts.join(`,${line}${style.unit}`)}${line}${close}`;
}
