/**
 * Values on lines of their own, below the name of a secret: blocks and lists of
 * YAML, and columns of tables.
 */
import { isOpen, isOpenValue, isSecretName } from './secretNames.ts';

/**
 * Masks a line below the name of a secret. `undefined` for a line that does not
 * belong to the name.
 */
type LineMasker = (line: string) => string | undefined;

/**
 * Masks the values line by line, and keeps every line in its place. Lines of a
 * diff begin with a sign.
 */
export function maskLines(text: string, cover: string): string {
  let maskBelow: LineMasker | undefined;
  let maskMember: LineMasker | undefined;
  const lines = text.split('\n').map((line) => {
    const masked = maskBelow?.(line);
    if (masked === undefined)
      maskBelow = yamlMasker(line, cover) ?? tableMasker(line, cover);
    const member = maskMember?.(line);
    if (member === undefined) maskMember = sectionMasker(line, cover);
    return masked === undefined || masked === line ? (member ?? line) : masked;
  });
  return lines.join('\n');
}

const secretSection = /(?:secrets|credentials|passwords|stringdata)(?:\..*)?$/i;
const sectionHead =
  /^([+-]?[ \t]*)(?:\[([\w.-]{1,80})\]|["']?([\w.-]{1,80})["']?:)[ \t]*(?:#.*)?\r?$/;
const sectionMember =
  /^[+-]?[ \t]*(?:- +)?["']?([\w.-]{1,80})["']?[ \t]*[:=][ \t]*([^\s#|>&*{[].*)?/;

/** Masks the members of `[secrets]` and of `secrets:`, whatever their names. */
function sectionMasker(line: string, cover: string): LineMasker | undefined {
  const [, indent = '', table, parent] = sectionHead.exec(line) ?? [];
  if (!secretSection.test(table ?? parent ?? '')) return undefined;
  return (below) => {
    const [start = ''] = /^[+-]?[ \t]*/.exec(below) ?? [];
    const content = below.slice(start.length).trim();
    if (content === '' || content.startsWith('#')) return below;
    const member = sectionMember.exec(below.trimEnd());
    if (table === undefined ? start.length <= indent.length : !member)
      return undefined;
    const [, name = '', value = ''] = member ?? [];
    if (value === '' || isOpen(name, value.replace(/^["']|["']$/g, '')))
      return below;
    return below.replace(value, () => cover);
  };
}

const yamlName =
  /^([+-]?[ \t]*(?:- +)?)["']?([\w.-]+)["']?:[ \t]*([|>][-+\d]{0,2}[ \t]*)?(?:#.*)?\r?$/;
const yamlItem =
  /^([+-]?[ \t]*)- +(?!["']?[\w.-]+["']?:)(["'][^]*["']|[^\s:]\S*)[ \t]*\r?$/;

function yamlMasker(line: string, cover: string): LineMasker | undefined {
  const match = yamlName.exec(line) as
    [string, string, string, string | undefined] | null;
  if (!match) return undefined;
  const [, indent, name, block] = match;
  if (!isSecretName(name)) return undefined;
  return block === undefined
    ? (below) => maskItem(below, indent.length, cover)
    : (below) => maskBlockLine(below, indent.length, cover);
}

function maskItem(
  line: string,
  indent: number,
  cover: string,
): string | undefined {
  const match = yamlItem.exec(line) as [string, string, string] | null;
  if (!match) return undefined;
  const [, before, item] = match;
  if (before.length < indent) return undefined;
  return isOpenValue(item) ? line : line.replace(item, () => cover);
}

function maskBlockLine(
  line: string,
  indent: number,
  cover: string,
): string | undefined {
  const content = line.replace(/^[+-]/, '').trimStart();
  if (content === '') return line;
  const start = line.slice(0, -content.length);
  return start.length > indent
    ? start + cover + (line.endsWith('\r') ? '\r' : '')
    : undefined;
}

function tableMasker(line: string, cover: string): LineMasker | undefined {
  const sign = ['|', '\t', ';', ','].find((separator) =>
    line.includes(separator),
  );
  if (sign === undefined || line.length > 2_000) return undefined;
  const names = line.replace(/^[+ -]|["'*`\r]/g, '').split(sign);
  if (!names.some(isSecretName)) return undefined;
  const maskRow = (row: string) => {
    const cells = cellsOf(row, sign);
    if (cells.length !== names.length) return undefined;
    return cells
      .map((cell, column) =>
        maskCell((names[column] ?? '').trim(), cell, cover),
      )
      .join(sign);
  };
  if (sign !== '|')
    return names.every((name) => /^[\w.-]{1,60}$/.test(name))
      ? maskRow
      : undefined;
  // The names of other tables are above a ruler.
  let isRuled = false;
  return (row) => {
    if (isRuled) return maskRow(row);
    isRuled = /^[\s|:+-]*$/.test(row) && row.includes('--');
    return isRuled ? row : undefined;
  };
}

function maskCell(name: string, cell: string, cover: string): string {
  const value = cell.replace(/^[+-]/, '').trim();
  if (
    value === '' ||
    !isSecretName(name) ||
    isOpen(name, value.replaceAll('"', ''))
  )
    return cell;
  return cell.replace(value, () => cover);
}

/**
 * The cells of a row. A sign between quotes belongs to its cell, except in a
 * table with a ruler.
 */
function cellsOf(row: string, sign: string): string[] {
  if (sign === '|') return row.split(sign);
  const cells: string[] = [];
  let isQuoted = false;
  for (const part of row.split(sign)) {
    cells.push(isQuoted ? [cells.pop(), part].join(sign) : part);
    if (part.split('"').length % 2 === 0) isQuoted = !isQuoted;
  }
  return cells;
}
