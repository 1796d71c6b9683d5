/**
 * Reads servers in TOML: of Codex, and of our CLI before 1.0.0. Reads tolerantly: an unreadable value costs no other
 * table.
 */
import { t } from '../../base/l10n.ts';
import { containerOf, formerLists } from '../dialects/dialects.ts';
import { findEntries, mapOf } from './findEntries.ts';
import type { PastedEntry, PasteFindings } from './pastedServer.ts';
import { readParts } from './sentences.ts';
import { Refusal } from '../text/refusal.ts';
import type { Fields, Value } from '../text/values.ts';

/** A table of servers, or a list of our former CLI. */
const start =
  /^[ \t]*(?:\[\[?[ \t]*(?:mcp(?:[_-]?servers)?|context_servers)[ \t]*[.\]]|(?:sse|shttp|stdio)_servers[ \t]*=)/gim;

/** Returns the text with blanks in place of the tables. */
export function readTomlIn(text: string, { entries, problems }: PasteFindings): string {
  return readParts(text, start, problems, ({ 0: opener, index }, left) => {
    const reader = new TomlReader(text, index);
    const failures = reader.read(left);
    for (const { table, message } of failures) if (isOurs(table)) problems.push(message);
    for (const entry of entriesIn(reader)) entries.push(entry);
    // Failures count as parts, because finding their positions takes long.
    return [Math.max(reader.at, index + opener.length), 1 + failures.length];
  });
}

function isOurs(table: string): boolean {
  return formerLists.has(table) || (containerOf(table) !== undefined && /mcp|context/i.test(table));
}

/** Leaves out partly unreadable servers: half a server would be a different one. */
function entriesIn({ root, broken }: TomlReader): PastedEntry[] {
  const ours: Fields = new Map([...root].filter(([table]) => isOurs(table) && !formerLists.has(table)));
  const entries = findEntries(ours).filter(({ fields }) => !broken.has(fields));
  return [...entries, ...formerEntries(root, broken), ...formerEntries(mapOf(root.get('mcp')), broken)];
}

function formerEntries(mcp: Fields, broken: ReadonlySet<Value>): PastedEntry[] {
  return [...formerLists].flatMap(([key, transport]) => {
    const list = mcp.get(key);
    const items = (Array.isArray(list) ? (list as readonly Value[]) : []).filter((item) => !broken.has(item));
    return items.map((item): PastedEntry => {
      const own: Fields = typeof item === 'string' ? new Map([['url', item]]) : mapOf(item);
      const name = own.get('name');
      const [timeout, notes] = inMilliseconds(own.get('timeout'));
      const fields = new Map([...own, ...timeout, ['transport', transport] as const]);
      return { name: typeof name === 'string' ? name : undefined, fields, inputs: new Map(), notes };
    });
  });
}

/** Our former CLI allowed at most an hour, in seconds. */
function inMilliseconds(seconds: Value | undefined): [fields: Fields, notes: string[]] {
  if (typeof seconds !== 'number' || seconds < 1 || seconds > 3600) return [new Map(), []];
  const note = t('The timeout was in seconds, and is converted to milliseconds.');
  return [new Map([['timeout', seconds * 1000]]), [note]];
}

type TomlTable = Map<string, Value>;

const name = String.raw`(?:[\w-]+|"[^"\\\n]*(?:\\.[^"\\\n]*)*"|'[^'\n]*')`;
const path = String.raw`[ \t]*(${name}(?:[ \t]*\.[ \t]*${name})*)[ \t]*`;
const lineEnd = String.raw`[ \t]*(?:#[^\n]*)?(?:\n|$)`;
const names = new RegExp(name, 'g');
const headerLine = String.raw`[ \t]*(?:\[${path}\]|\[\[${path}\]\])${lineEnd}`;
const header = new RegExp(headerLine, 'y');
/** Reading goes on here after a failure. `other`: text for other readers. */
const next = new RegExp(`^${headerLine}|(?<other>\`\`\`|"[^"\\n]*"\\s*:)`, 'gm');
const key = new RegExp(`${path}=[ \\t]*`, 'y');
/** Braces may also contain JSON, with colons. */
const keyInBraces = new RegExp(`${path}[=:][ \\t]*`, 'y');
const restOfLine = new RegExp(lineEnd, 'y');
const blanks = /(?:\s|#[^\n]*)*/y;
/** One or two quotes right before the closing three belong to the text. */
const longBasic = /"""\n?([^"\\]*(?:(?:\\[^]|"(?!""(?!")))[^"\\]*)*)"""/y;
const longRaw = /'''\n?([^]*?)'''(?!')/y;
const basic = /"(?!"")([^"\\\n]*(?:\\.[^"\\\n]*)*)"/y;
const raw = /'(?!'')([^'\n]*)'/y;
/** A word, a number, or a date with an optional blank. */
const bare = /(?:\d{4}-\d\d-\d\d (?=\d\d:))?[\w.:+-]+/y;

const deepest = 20;

class TomlReader {
  at: number;
  readonly root: TomlTable = new Map();
  readonly broken = new Set<Value>();
  readonly #text: string;

  constructor(text: string, at: number) {
    this.#text = text;
    this.at = at;
  }

  /** Reads tables until other text or `most` failures. `table`: the first name of the path to a failure. */
  read(most: number) {
    const failures: { readonly table: string; readonly message: string }[] = [];
    let way: readonly string[] = [];
    let table = this.root;
    while (this.at < this.#text.length) {
      const [found, one, many = ''] = this.#take(header) ?? [];
      if (found !== undefined) {
        way = namesIn(one ?? many);
        table = one === undefined ? enterNew(this.root, way) : enter(this.root, way);
        continue;
      }
      if (this.#take(restOfLine)) continue;
      const start = this.at;
      const own = this.#key();
      if (!own) break;
      try {
        this.#set(table, own, 0);
        if (!this.#take(restOfLine)) this.#fail(t('there is something after this value.'));
      } catch (error) {
        const [first = '', ...others] = [...way, ...own];
        failures.push({ table: first, message: (error as Refusal).message });
        enter(this.root, [first, ...others.slice(0, -1)], this.broken);
        if (failures.length === most || !this.#skip(start)) break;
      }
    }
    return failures;
  }

  /**
   * Skips to the next table after the line at `start`, because an unclosed bracket has passed it. Returns false
   * without one, or after text for other readers.
   */
  #skip(start: number): boolean {
    next.lastIndex = start;
    const match = next.exec(this.#text);
    if (!match || match.groups?.other !== undefined) return false;
    this.at = match.index;
    return true;
  }

  #key(pattern = key): string[] | undefined {
    const way = this.#take(pattern)?.[1];
    return way === undefined ? undefined : namesIn(way);
  }

  #set(table: TomlTable, way: readonly string[], depth: number): void {
    enter(table, way.slice(0, -1)).set(way.slice(-1).join(''), this.#value(depth));
  }

  #value(depth: number): Value {
    if (depth > deepest) this.#fail(t('the nesting is too deep.'));
    const from = this.at;
    const escaped = (this.#take(longBasic) ?? this.#take(basic))?.[1];
    if (escaped !== undefined) return unescape(escaped) ?? this.#fail(t('this string cannot be read.'), from);
    const text = (this.#take(longRaw) ?? this.#take(raw))?.[1];
    if (text !== undefined) return text;
    const word = this.#take(bare)?.[0];
    if (word !== undefined) return bareValue(word);
    const items: Value[] = [];
    if (this.#list('[', ']', () => items.push(this.#value(depth + 1)))) return items;
    const table: TomlTable = new Map();
    const isTable = this.#list('{', '}', () => {
      this.#set(table, this.#key(keyInBraces) ?? this.#fail(t('a name is missing.')), depth + 1);
    });
    if (isTable) return table;
    const isQuote = /["']/.test(this.#text.charAt(this.at));
    return this.#fail(isQuote ? t('the quote that opens here has no end.') : t('a value is missing.'));
  }

  #list(open: string, close: string, item: () => void): boolean {
    if (!this.#sign(open)) return false;
    this.#take(blanks);
    while (!this.#sign(close)) {
      item();
      this.#take(blanks);
      const goesOn = this.#sign(',');
      this.#take(blanks);
      if (!goesOn && this.#text[this.at] !== close) this.#fail(t('a comma or "{0}" is missing.', close));
    }
    return true;
  }

  #sign(sign: string): boolean {
    if (this.#text[this.at] !== sign) return false;
    this.at++;
    return true;
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.#text);
    if (match) this.at = pattern.lastIndex;
    return match;
  }

  #fail(message: string, at = this.at): never {
    throw new Refusal('syntax', message, this.#text, at);
  }
}

function namesIn(text: string): string[] {
  return Array.from(text.matchAll(names), ([each]) => {
    if (each.startsWith("'")) return each.slice(1, -1);
    return each.startsWith('"') ? (unescape(each.slice(1, -1)) ?? each) : each;
  });
}

/** The table at a path, made if needed; the last one of a list. Adds the tables on the way to `passed`. */
function enter(root: TomlTable, way: readonly string[], passed?: Set<Value>): TomlTable {
  let table = root;
  for (const each of way) {
    const there = table.get(each);
    const last = Array.isArray(there) ? (there as readonly Value[]).at(-1) : there;
    const inner: TomlTable = last instanceof Map ? (last as TomlTable) : new Map<string, Value>();
    if (inner !== last) table.set(each, inner);
    passed?.add(inner);
    table = inner;
  }
  return table;
}

function enterNew(root: TomlTable, way: readonly string[]): TomlTable {
  const parent = enter(root, way.slice(0, -1));
  const last = way.slice(-1).join('');
  const there = parent.get(last);
  const list = Array.isArray(there) ? (there as Value[]) : [];
  const table: TomlTable = new Map();
  list.push(table);
  parent.set(last, list);
  return table;
}

/** `undefined` for an invalid escape. A backslash at the end of a line takes the blanks up to the next text with it. */
function unescape(text: string): string | undefined {
  const quote = (sign: string) => JSON.stringify(sign).slice(1, -1);
  try {
    const json = text.replace(
      /\\[ \t]*\n\s*|\\U([\da-fA-F]{8})|\\[^]|["\t\n]/g,
      (all: string, code: string | undefined) => {
        if (code !== undefined) return quote(String.fromCodePoint(parseInt(code, 16)));
        if (!all.startsWith('\\')) return quote(all);
        return all.includes('\n') ? '' : all;
      },
    );
    return JSON.parse(`"${json}"`) as string;
  } catch {
    return undefined;
  }
}

function bareValue(text: string): Value {
  if (text === 'true' || text === 'false') return text === 'true';
  const number = Number(text.replaceAll('_', ''));
  return Number.isNaN(number) ? text : number;
}
