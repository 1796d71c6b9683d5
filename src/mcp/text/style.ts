import { indentAt, lineBreakNear, startsLine } from './lines.ts';
import { type Member, type Node, type ObjectNode, objectOf } from './nodes.ts';
import type { Value } from './values.ts';

interface Style {
  readonly lineBreak: string;
  /** True if each member of the object has its own line, with `indent`. */
  readonly tall: boolean;
  readonly indent: string;
  /** True if inner objects are tall; each level adds `unit`. */
  readonly tallInside: boolean;
  readonly unit: string;
  readonly tallLists: boolean;
  readonly colon: string;
  /** The text after a comma, and inside braces on one line. */
  readonly gap: string;
  readonly padding: string;
}

const near = 20_000;

/** The style for a new member of an object. `root` provides more models. */
export function styleOf(text: string, object: ObjectNode, root: ObjectNode): Style {
  const { members } = object;
  const last = members.at(-1);
  const model = members.findLast((member) => /^\{\s*[^\s}]/.test(head(text, member)));
  const modelText = model ? text.slice(model.value.start, model.end) : '';
  const inside = objectOf(model?.value)?.members ?? [];
  const samples = [...pairs(text, members), ...pairs(text, inside), ...pairs(text, root.members)];

  const outer = indentAt(text, object.start);
  const tall = last ? startsLine(text, last.start) : isTall(text, root);
  const innerUnit =
    model && inside[0] && startsLine(text, inside[0].start)
      ? beyond(indentAt(text, inside[0].start), indentAt(text, model.start))
      : undefined;
  const first = root.members[0];
  const unit =
    innerUnit ??
    (last && tall ? beyond(indentAt(text, last.start), outer) : undefined) ??
    (first && startsLine(text, first.start)
      ? beyond(indentAt(text, first.start), indentAt(text, root.start))
      : undefined) ??
    (outer.startsWith('\t') ? '\t' : '  ');
  const colon = samples.find((sample) => sample.colon !== undefined)?.colon ?? ': ';
  const gap = samples.find((sample) => sample.gap !== undefined)?.gap ?? (/\s$/.test(colon) ? ' ' : '');
  const tallInside = model ? /[\r\n]/.test(modelText) : tall;
  return {
    lineBreak: lineBreakNear(text, object.end),
    tall,
    indent: last && tall ? indentAt(text, last.start) : outer + unit,
    tallInside,
    unit,
    tallLists: /\[[ \t]*[\r\n]/.test(text.slice(Math.max(root.start, object.end - near), object.end)),
    colon,
    gap,
    padding: (tallInside ? undefined : paddingOf(text, [model?.value, object, root])) ?? gap,
  };
}

/** The blanks between names and values, and between members. */
function* pairs(text: string, members: readonly Member[]): Generator<{ colon?: string; gap?: string }> {
  for (const [i, member] of members.slice(-3).entries()) {
    const [colon] = /^[ \t]*:[ \t]*$/.exec(text.slice(member.nameEnd, member.value.start)) ?? [];
    const before = members.slice(-3)[i - 1];
    const [, gap] = (before && /^[ \t]*,([ \t]*)$/.exec(text.slice(before.end, member.start))) ?? [];
    yield { ...(colon !== undefined && { colon }), ...(gap !== undefined && { gap }) };
  }
}

function paddingOf(text: string, models: readonly (Node | undefined)[]): string | undefined {
  const openings = models.map(
    (model) => model && /^\{([ \t]*)[^\s/}]/.exec(text.slice(model.start, model.start + near)),
  );
  return openings.find((opening) => opening)?.[1];
}

function isTall(text: string, root: ObjectNode): boolean {
  return root.members.length === 0 || /[\r\n]/.test(text.slice(root.start, root.end));
}

function head(text: string, { value: { start, end } }: Member): string {
  return text.slice(start, Math.min(end, start + near));
}

/** The excess of one indentation over another; `undefined` without any. */
function beyond(indent: string, outer: string): string | undefined {
  return indent.startsWith(outer) && indent !== outer ? indent.slice(outer.length) : undefined;
}

export function writeMember(name: string, value: Value, style: Style): string {
  return `${JSON.stringify(name)}${style.colon}${writeValue(value, style, style.indent)}`;
}

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
