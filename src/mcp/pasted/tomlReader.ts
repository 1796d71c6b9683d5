/** As much of TOML as configurations of servers have: no dates, no strings of several lines, no lists of tables. */
import { t } from '../../base/l10n.ts';
import { Refusal } from '../refusal.ts';
import type { Value } from '../values.ts';

type Table = Map<string, Value>;

const name = String.raw`(?:[\w-]+|"[^"\\\n]*(?:\\.[^"\\\n]*)*"|'[^'\n]*')`;
const path = String.raw`[ \t]*(${name}(?:[ \t]*\.[ \t]*${name})*)[ \t]*`;
const lineEnd = String.raw`[ \t]*(?:#[^\n]*)?(?:\n|$)`;
const names = new RegExp(name, 'g');
const header = new RegExp(`[ \\t]*\\[${path}\\]${lineEnd}`, 'y');
const key = new RegExp(`${path}=[ \\t]*`, 'y');
const behind = new RegExp(lineEnd, 'y');
const blanks = /(?:\s|#[^\n]*)*/y;
const literal = /"([^"\\\n]*(?:\\.[^"\\\n]*)*)"|'([^'\n]*)'|([\w.:+-]+)/y;

/** Deeper than anybody nests arguments. */
const deepest = 20;

export class TomlReader {
  at: number;
  readonly #text: string;

  constructor(text: string, at: number) {
    this.#text = text;
    this.at = at;
  }

  /** All tables up to what is none. Throws a Refusal for a value that cannot be read. */
  tables(): Table {
    const root: Table = new Map();
    let table = root;
    while (this.at < this.#text.length) {
      const way = this.#take(header)?.[1];
      if (way !== undefined) table = enter(root, namesIn(way));
      else if (!this.#take(behind)) {
        if (!this.#member(table, 0)) break;
        if (!this.#take(behind)) this.#fail(t('there is something behind this value.'));
      }
    }
    return root;
  }

  #member(table: Table, depth: number): boolean {
    const way = this.#take(key)?.[1];
    if (way === undefined) return false;
    const inner = namesIn(way);
    const last = inner.splice(-1).join('');
    enter(table, inner).set(last, this.#value(depth));
    return true;
  }

  #value(depth: number): Value {
    if (depth > deepest) this.#fail(t('the nesting is too deep.'));
    const from = this.at;
    const [, basic, raw, bare] = this.#take(literal) ?? [];
    if (basic !== undefined) return unescape(basic) ?? this.#fail(t('this string cannot be read.'), from);
    if (bare !== undefined) return bareValue(bare);
    if (raw !== undefined) return raw;
    const items: Value[] = [];
    if (this.#list('[', ']', () => items.push(this.#value(depth + 1)))) return items;
    const table: Table = new Map();
    const isTable = this.#list('{', '}', () => {
      if (!this.#member(table, depth + 1)) this.#fail(t('a name is missing.'));
    });
    return isTable ? table : this.#fail(t('a value is missing.'));
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

  /** Passes over a sign that is here. */
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

/** The table at this path, which comes into being where there is none. */
function enter(root: Table, way: readonly string[]): Table {
  let table = root;
  for (const each of way) {
    const there = table.get(each);
    const next: Table = there instanceof Map ? (there as Table) : new Map<string, Value>();
    table.set(each, next);
    table = next;
  }
  return table;
}

/** Undefined for what has an escape that there is not. */
function unescape(text: string): string | undefined {
  try {
    return JSON.parse(`"${text.replaceAll('\t', '\\t')}"`) as string;
  } catch {
    return undefined;
  }
}

function bareValue(text: string): Value {
  if (text === 'true' || text === 'false') return text === 'true';
  const number = Number(text.replaceAll('_', ''));
  return Number.isNaN(number) ? text : number;
}
