/** Values on lines of their own, below the name of a secret: blocks and lists of YAML, and columns of tables. */
import { isOpen, isOpenValue, isSecretName, mayNameSecret } from './secretNames.ts';

/** Masks the values line by line, and keeps every line in its place. Lines of a diff begin with a sign. */
export function maskLines(text: string, cover: string): string {
  if (!text.includes('\n') || !mayNameSecret(text)) return text;
  const lines = text.split('\n');
  for (let at = 0; at < lines.length - 1;) {
    const line = lines[at] ?? '';
    const masked = mayNameSecret(line)
      ? (maskYaml(line, lines, at + 1, cover) ?? maskTable(line, lines, at, cover))
      : undefined;
    at = masked ?? at + 1;
  }
  return lines.join('\n');
}

/** The number of the line after what belongs to this one, if anything does. */
type NextLine = number | undefined;

const yamlName = /^([+-]?[ \t]*(?:- +)?)["']?([\w.-]+)["']?:[ \t]*([|>][-+\d]{0,2}[ \t]*)?(?:#.*)?\r?$/;
const yamlItem = /^([+-]?[ \t]*)- +(["'][^]*["']|[^\s:]\S*)[ \t]*\r?$/;

function maskYaml(line: string, lines: string[], from: number, cover: string): NextLine {
  if (line.length > 300) return undefined;
  const [, indent = '', name = '', block] = yamlName.exec(line) ?? [];
  if (!isSecretName(name)) return undefined;
  let at = from;
  for (; at < lines.length; at++) {
    const below = lines[at] ?? '';
    if (block === undefined) {
      const [, before = '', item = ''] = yamlItem.exec(below) ?? [];
      if (item === '' || /^["']?[\w.-]+["']?:/.test(item) || before.length < indent.trimEnd().length) break;
      if (!isOpenValue(item)) lines[at] = below.replace(item, () => cover);
    } else {
      const [start = ''] = /^[+-]?\s*/.exec(below) ?? [];
      if (start.length === below.length) continue;
      if (start.length <= indent.length) break;
      lines[at] = start + cover + (below.endsWith('\r') ? '\r' : '');
    }
  }
  return at === from ? undefined : at;
}

/** Names only, without a blank after what separates them. */
const plainHead = /^[+ -]?["']?[\w.-]+["']?[\t;,][\w.\-"'\t;,]+\r?$/;
const ruler = /^[+-]?[\s|:+-]*-{2}[\s|:+-]*$/;

function maskTable(line: string, lines: string[], at: number, cover: string): NextLine {
  if (line.length > 2_000) return undefined;
  const isRuled = line.includes('|') && ruler.test(lines[at + 1] ?? '');
  if (!isRuled && !plainHead.test(line)) return undefined;
  for (const sign of isRuled ? ['|'] : ['\t', ';', ',']) {
    const names = cellsOf(line, sign).map((cell) => cell.replace(/^[+-]|["'*`]/g, '').trim());
    const isHead = isRuled || names.every((name) => /^[\w.-]{1,60}$/.test(name));
    if (names.length < 2 || !isHead || !names.some(isSecretName)) continue;
    const first = isRuled ? at + 2 : at + 1;
    let next = first;
    for (; next < lines.length; next++) {
      const cells = cellsOf(lines[next] ?? '', sign);
      if (cells.length !== names.length) break;
      lines[next] = cells.map((cell, column) => maskCell(names[column] ?? '', cell, cover)).join(sign);
    }
    if (next > first) return next;
  }
  return undefined;
}

function maskCell(name: string, cell: string, cover: string): string {
  const value = cell.trim();
  if (value === '' || !isSecretName(name) || isOpen(name, value.replace(/^"|"$/g, ''))) return cell;
  return cell.replace(value, () => cover);
}

/** A sign between quotes is one of the cell. */
function cellsOf(line: string, sign: string): string[] {
  if (sign === '|' || !line.includes('"')) return line.split(sign);
  const cells: string[] = [];
  let cell: string | undefined;
  for (const part of line.split(sign)) {
    cell = cell === undefined ? part : cell + sign + part;
    if (cell.split('"').length % 2 === 0) continue;
    cells.push(cell);
    cell = undefined;
  }
  return cell === undefined ? cells : [...cells, cell];
}
