/** JSON within other text, with or without its outer braces. */
import { t } from '../../base/l10n.ts';
import { ownName } from '../dialects/dialects.ts';
import { type Node, rawOf } from '../text/nodes.ts';
import { readText } from '../text/reader.ts';
import { type Position, Refusal } from '../text/refusal.ts';
import type { Fields, Value } from '../text/values.ts';
import { findEntries } from './findEntries.ts';
import type { PasteFindings } from './pastedServer.ts';
import { readParts } from './sentences.ts';

/** An object, or the first member of one without braces. */
const opening =
  /\{(?=\s*(?:"|\/[/*]))|^[ \t]*"[^"\\\n]*(?:\\.[^"\\\n]*)*"[ \t]*:(?=\s*[{["])/gm;

const token =
  /"[^"\\\n]*(?:\\.[^"\\\n]*)*"?|\/\/.*|\/\*[^]*?(?:\*\/|$)|[{}[\]]|[,:\s]+|(?:true|false|null|-?\d[\d.eE+-]*)\b|[^]/g;

export function readJsonIn(
  text: string,
  { entries, problems }: PasteFindings,
): void {
  readParts(text, opening, problems, ({ 0: opener, index }) => {
    const isObject = opener === '{';
    const end = blockEnd(text, index, isObject);
    const block = text.slice(index, end);
    const whole = isObject ? block : `{${block}}`;
    const root = readObject(whole);
    if (!(root instanceof Refusal)) {
      for (const entry of findEntries(root)) entries.push(entry);
      return [end, 1];
    }
    const repaired = readObject(repair(whole));
    const repairedEntries =
      repaired instanceof Refusal ? [] : findEntries(repaired);
    const notes = [
      t(
        'This is not valid JSON, and was repaired. Check that nothing is missing.',
      ),
    ];
    for (const entry of repairedEntries) entries.push({ ...entry, notes });
    if (repairedEntries.length === 0) {
      problems.push(
        inPlace(root as PlacedRefusal, text, index - (isObject ? 0 : 1)),
      );
    }
    return [end, 1];
  });
}

/** `isText`: the values of all members become texts. */
export function readObject(text: string, isText = false): Fields | Refusal {
  try {
    const { blank, root } = readText(text);
    return blank
      ? new Refusal('syntax', t('it is empty.'), text, 0)
      : (valueIn(root, isText) as Fields);
  } catch (error) {
    return error as Refusal;
  }
}

/** Fields whose values become texts. */
const textFields: ReadonlySet<string> = new Set([
  'command',
  'args',
  'env',
  'headers',
]);

/** Keeps all digits of a number that becomes a text, such as an id. */
function valueIn(node: Node, isText: boolean): Value {
  if (node.type === 'object')
    return new Map(
      node.members.map(({ name, value }) => [
        name,
        valueIn(value, isText || textFields.has(ownName(name))),
      ]),
    );
  if (node.type === 'array')
    return node.items.map((item) => valueIn(item, isText));
  const raw = rawOf(node);
  return isText && node.type === 'number' && String(node.content) !== raw
    ? raw
    : node.content;
}

/** The end of an object, or of the text that can belong to its members. */
function blockEnd(text: string, start: number, isObject: boolean): number {
  let depth = 0;
  let end = start;
  token.lastIndex = start;
  for (let match = token.exec(text); match; match = token.exec(text)) {
    const [all] = match;
    // The end of a code block ends everything.
    if (all === '`') return end;
    if (/^[{[]/.test(all)) depth++;
    else if (/^[}\]]/.test(all)) depth--;
    else if (depth === 0 && !/^(?:["\s,:/-]|true|false|null|\d)/.test(all))
      return end;
    if (depth < 0) return end;
    end = token.lastIndex;
    if (isObject && depth === 0) return end;
  }
  return text.length;
}

/**
 * Adds missing commas between lines, drops lines that stand for others, and
 * closes brackets after a whole member.
 */
function repair(block: string): string {
  const parts: string[] = [];
  const open: string[] = [];
  let last = '';
  for (const [all] of block
    .replace(/^[ \t]*(?:\.{3}|…).*$/gm, '')
    .matchAll(new RegExp(token, 'g'))) {
    const isBlank = /^(?:\s+$|\/[/*])/.test(all);
    if (
      /^["{[]/.test(all) &&
      /^["}\]tfn\d]/.test(last) &&
      String(parts.at(-1)).includes('\n')
    )
      parts.push(',');
    if (/^[{[]/.test(all)) open.push(all === '{' ? '}' : ']');
    else if (/^[}\]]/.test(all)) open.pop();
    parts.push(all);
    if (!isBlank) last = all;
  }
  const end = /^(?:[}\]]|,\s*$)/.test(last)
    ? `\n${open.reverse().join('')}`
    : '';
  return parts.join('') + end;
}

/** Refusals other than for the length have a position. */
export type PlacedRefusal = Refusal & { readonly position: Position };

/** The message with its position in the whole text. */
export function inPlace(
  { kind, what, position }: PlacedRefusal,
  text: string,
  shift: number,
): string {
  return new Refusal(kind, what, text, Math.max(0, position.offset + shift))
    .message;
}
