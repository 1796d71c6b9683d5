import { applyEdits, format } from 'jsonc-parser';
import { indentAt, startsLine } from './lines.ts';
import { type Member, type ObjectNode, rawOf } from './nodes.ts';
import type { Value } from './values.ts';

interface Style {
  readonly lineBreak: string;
  /** True if each member of the object has its own line, with `indent`. */
  readonly isTall: boolean;
  readonly indent: string;
  /** True if inner objects are tall; each level adds `unit`. */
  readonly isTallInside: boolean;
  readonly unit: string;
  /** The blank after a comma or colon on one line, and inside braces. */
  readonly gap: string;
  readonly padding: string;
}

/**
 * The style for a new member of an object, like that of its members and of the
 * root.
 */
export function styleOf(
  text: string,
  object: ObjectNode,
  root: ObjectNode,
): Style {
  const last = object.members.at(-1);
  const model = object.members.findLast(
    ({ value }) => value.type === 'object' && value.members.length > 0,
  );
  const isTall = last
    ? startsLine(text, last.start)
    : root.members.length === 0 || hasLines(root);
  const outer = indentAt(text, object.start);
  const unit = unitOf(text, root, outer);
  return {
    lineBreak: /\r\n|\r|\n/.exec(text)?.[0] ?? '\n',
    isTall,
    indent: last && isTall ? indentAt(text, last.start) : outer + unit,
    isTallInside: model ? hasLines(model) : isTall,
    unit,
    gap: /":\s/.test(rawOf(model ?? root)) ? ' ' : '',
    padding: /:\s*\{[ \t]+"/.test(rawOf(model ?? root)) ? ' ' : '',
  };
}

function hasLines(part: ObjectNode | Member): boolean {
  return /[\r\n]/.test(rawOf(part));
}

/** The indentation of the first member beyond that of the root. */
function unitOf(text: string, root: ObjectNode, outer: string): string {
  const [first] = root.members;
  const isOnOwnLine = first && startsLine(text, first.start);
  const unit = isOnOwnLine
    ? indentAt(text, first.start).slice(indentAt(text, root.start).length)
    : '';
  if (unit !== '') return unit;
  return outer.startsWith('\t') ? '\t' : '  ';
}

export function writeMember(name: string, value: Value, style: Style): string {
  return layOut(
    `${JSON.stringify(name)}:${jsonOf(value)}`,
    style,
    style.indent,
  );
}

/** Writes a value for a line with this indentation. */
export function writeValue(value: Value, style: Style, indent: string): string {
  return layOut(jsonOf(value), style, indent);
}

function jsonOf(value: Value): string {
  return JSON.stringify(value, (_, part: Value) =>
    part instanceof Map ? (Object.fromEntries(part) as object) : part,
  );
}

function layOut(json: string, style: Style, indent: string): string {
  const { lineBreak, isTallInside, unit } = style;
  if (!isTallInside) return onOneLine(json, style);
  const options = {
    eol: lineBreak,
    insertSpaces: !unit.startsWith('\t'),
    tabSize: unit.length,
  };
  return applyEdits(json, format(json, undefined, options)).replaceAll(
    lineBreak,
    lineBreak + indent,
  );
}

function onOneLine(json: string, { gap, padding }: Style): string {
  return json.replace(/"(?:[^"\\]|\\.)*"|\{\}|[{}:,]/g, (token) => {
    if (token === '{') return token + padding;
    if (token === '}') return padding + token;
    return token === ':' || token === ',' ? token + gap : token;
  });
}
