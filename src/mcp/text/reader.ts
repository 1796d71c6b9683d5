/**
 * Reads the text of mcp.json: JSON, in which comments and trailing commas are noted. One pass checks all of it and
 * makes nodes down to a level. Deeper nodes are made on demand, because a change needs few.
 */
import { t } from '../../base/l10n.ts';
import { Refusal } from './refusal.ts';
import {
  ArrayNode,
  type Member,
  type Node,
  ObjectNode,
  type ScalarNode,
  type Span,
  unquoteJson,
} from './nodes.ts';

/** Real files have a few entries. The limits of depth and digits are those of the program that reads the file. */
export const treeLimits = { characters: 16_000_000, depth: 200, digits: 4300 } as const;

export interface Tree {
  readonly text: string;
  /** True for white space alone; the root is then an object without braces. */
  readonly blank: boolean;
  readonly root: ObjectNode;
  readonly comments: readonly Span[];
  readonly trailingCommas: readonly number[];
  /** Escapes of half a character, valid JSON but not valid text. */
  readonly loneSurrogates: readonly Span[];
}

/** Levels below the root whose nodes are made at once. */
type Levels = number;
const rootAndServers: Levels = 2;
export const allLevels: Levels = treeLimits.depth;

/** Throws a Refusal for text that is not JSON, too big, or not an object. */
export function readText(text: string, levels = rootAndServers): Tree {
  if (text.length > treeLimits.characters) {
    throw new Refusal('tooBig', t('The file is too big to be changed here.'));
  }
  const reader = new Reader(text);
  const root = reader.root(levels);
  if (root.type === 'object') return treeOf(reader, text, root);
  throw new Refusal('wrongType', t('the configuration is not a JSON object.'), text, root.start);
}

/** Reads as much as possible of a text being typed; a blank tree if that is nothing. */
export function readUnfinished(text: string): Tree {
  const reader = new Reader(text.length > treeLimits.characters ? '' : text, { unfinished: true });
  const root = reader.root(allLevels);
  return treeOf(reader, text, root.type === 'object' ? root : new ObjectNode(text, 0, 0, noMembers));
}

function treeOf({ comments, trailingCommas, loneSurrogates }: Reader, text: string, root: ObjectNode): Tree {
  return { text, blank: root.start === root.end, root, comments, trailingCommas, loneSurrogates };
}

/** The offset of the next character outside white space and comments. */
export function skipTrivia(text: string, offset: number): number {
  const reader = new Reader(text, { at: offset, unfinished: true });
  reader.trivia();
  return reader.at;
}

const quote = 0x22;
const comma = 0x2c;
const slash = 0x2f;
const colon = 0x3a;
const bracketOpen = 0x5b;
const backslash = 0x5c;
const bracketClose = 0x5d;
const braceOpen = 0x7b;
const braceClose = 0x7d;

const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const surrogate = /\\u[dD][89a-fA-F]/y;
const surrogates = /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}/y;
const literal = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const word = /[\w.+-]*/y;

const noMembers: Member[] = [];
const noItems: Node[] = [];
const notMade: ScalarNode = { type: 'missing', text: '', start: 0, end: 0 };

/** Reads a part that was checked before. */
function readMembers(text: string, start: number): readonly Member[] {
  return new Reader(text, { at: start }).members(0, allLevels);
}

function readItems(text: string, start: number): readonly Node[] {
  return new Reader(text, { at: start }).items(0, allLevels);
}

/** Each method starts at `at` and leaves it after the text it has read. */
class Reader {
  at: number;
  readonly comments: Span[] = [];
  readonly trailingCommas: number[] = [];
  readonly loneSurrogates: Span[] = [];
  readonly #text: string;
  /** True to skip errors instead of throwing. */
  readonly #unfinished: boolean;

  constructor(text: string, { at = 0, unfinished = false } = {}) {
    this.#text = text;
    this.at = at;
    this.#unfinished = unfinished;
  }

  root(levels: Levels): Node {
    if (this.#text.startsWith('\uFEFF')) this.at++;
    this.trivia();
    const start = this.at;
    if (start === this.#text.length && this.comments.length === 0) {
      return new ObjectNode(this.#text, start, start, noMembers);
    }
    const root = this.#value(0, levels);
    this.trivia();
    if (this.at < this.#text.length) {
      this.#fail(t('there is something after the end of the configuration.'));
    }
    return root;
  }

  trivia(): void {
    const text = this.#text;
    let at = this.at;
    for (;;) {
      // Reading past the end returns NaN, which makes every later read slower.
      const code = at < text.length ? text.charCodeAt(at) : -1;
      if (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) at++;
      else {
        this.at = at;
        if (code !== slash) return;
        this.#comment();
        at = this.at;
      }
    }
  }

  #comment(): void {
    const text = this.#text;
    const start = this.at;
    if (text.startsWith('//', start)) {
      while (this.at < text.length && this.#code() !== 0x0a && this.#code() !== 0x0d) this.at++;
    } else if (text.startsWith('/*', start)) {
      const close = text.indexOf('*/', start + 2);
      if (close < 0) this.#fail(t('this comment has no end.'));
      this.at = close < 0 ? text.length : close + 2;
    } else {
      this.#fail(t('"/" is not allowed here.'));
      this.at++;
      return;
    }
    this.comments.push({ start, end: this.at });
  }

  /** Makes no node without a level left. */
  #value(depth: number, levels: Levels): Node {
    const start = this.at;
    const code = this.#code();
    if (depth > treeLimits.depth) return this.#tooDeep();
    if (code === braceOpen) return this.#object(depth, levels);
    if (code === bracketOpen) return this.#array(depth, levels);
    const type = this.#scalar(code);
    return levels < 0 ? notMade : { type, text: this.#text, start, end: this.at };
  }

  #object(depth: number, levels: Levels): Node {
    const start = this.at;
    const members = this.members(depth + 1, levels - 1);
    if (levels < 0) return notMade;
    return new ObjectNode(this.#text, start, this.at, levels === 0 ? readMembers : members);
  }

  #array(depth: number, levels: Levels): Node {
    const start = this.at;
    const items = this.items(depth + 1, levels - 1);
    if (levels < 0) return notMade;
    return new ArrayNode(this.#text, start, this.at, levels === 0 ? readItems : items);
  }

  members(depth: number, levels: Levels): Member[] {
    const members = levels < 0 ? noMembers : [];
    if (!this.#opens(braceClose)) return members;
    do {
      const start = this.at;
      if (!this.#string()) {
        this.#skipTo(braceClose);
        continue;
      }
      const nameEnd = this.at;
      const value = this.#colon() ? this.#value(depth, levels) : this.#nothing();
      if (levels < 0) continue;
      const name = unquoteJson(this.#text.slice(start, nameEnd));
      members.push({ name, start, nameEnd, end: value.end, value });
    } while (this.#another(braceClose));
    return members;
  }

  items(depth: number, levels: Levels): Node[] {
    const items = levels < 0 ? noItems : [];
    if (!this.#opens(bracketClose)) return items;
    do {
      const item = this.#value(depth, levels);
      if (levels < 0) continue;
      items.push(item);
      if (item.type === 'missing') this.#skipTo(bracketClose);
    } while (this.#another(bracketClose));
    return items;
  }

  /** Reads the opening sign of a container. Returns false for an empty one, after its closing sign. */
  #opens(closer: number): boolean {
    this.at++;
    this.trivia();
    if (this.#code() !== closer) return true;
    this.at++;
    return false;
  }

  #colon(): boolean {
    this.trivia();
    if (this.#code() !== colon) {
      this.#fail(t('a colon is missing.'));
      return false;
    }
    this.at++;
    this.trivia();
    return true;
  }

  /** Reads a comma. Returns false at the end of the container, after its closing sign. */
  #another(closer: number): boolean {
    this.trivia();
    if (this.#code() === comma) {
      const at = this.at++;
      this.trivia();
      if (this.#code() !== closer) return true;
      this.trailingCommas.push(at);
    } else if (this.#code() !== closer) {
      this.#fail(t('a comma or "{0}" is missing.', String.fromCharCode(closer)));
      return this.at < this.#text.length;
    }
    this.at++;
    return false;
  }

  #scalar(code: number): ScalarNode['type'] {
    if (code === quote) {
      this.#string();
      return 'string';
    }
    literal.lastIndex = this.at;
    if (literal.test(this.#text)) {
      const start = this.at;
      this.at = literal.lastIndex;
      if (this.at - start > treeLimits.digits) this.#checkDigits(start);
      return scalarTypes.get(code) ?? 'number';
    }
    this.#fail(t('a value is missing.'));
    word.lastIndex = this.at;
    word.test(this.#text);
    this.at = word.lastIndex;
    return 'missing';
  }

  #checkDigits(start: number): void {
    const digits = this.#text.slice(start, this.at).replace('-', '');
    if (digits.length <= treeLimits.digits || !/^\d+$/.test(digits)) return;
    const end = this.at;
    this.at = start;
    this.#fail(t('this number has too many digits.'));
    this.at = end;
  }

  #tooDeep(): Node {
    if (!this.#unfinished) {
      throw new Refusal('tooDeep', t('the nesting is too deep.'), this.#text, this.at);
    }
    this.at = this.#text.length;
    return this.#nothing();
  }

  #nothing(): ScalarNode {
    return { type: 'missing', text: this.#text, start: this.at, end: this.at };
  }

  #string(): boolean {
    const text = this.#text;
    let at = this.at;
    if (this.#code() !== quote) {
      this.#fail(t('a name in double quotes is missing.'));
      return false;
    }
    for (at++; ; at++) {
      const code = at < text.length ? text.charCodeAt(at) : -1;
      if (code === quote) break;
      if (code === backslash) {
        escape.lastIndex = at;
        if (escape.test(text)) at = this.#afterEscape(at, escape.lastIndex) - 1;
        else {
          const start = this.at;
          this.at = at;
          this.#fail(t('this is not a valid escape sequence in JSON.'));
          this.at = start;
        }
      } else if (code < 0x20) {
        this.#fail(t('this string does not end on its line, or contains a control character.'));
        if (code === 0x09) continue;
        this.at = at;
        return true;
      }
    }
    this.at = at + 1;
    return true;
  }

  /** The end of an escape, including the other half of its character. */
  #afterEscape(start: number, end: number): number {
    surrogate.lastIndex = start;
    if (!surrogate.test(this.#text)) return end;
    surrogates.lastIndex = start;
    if (surrogates.test(this.#text)) return surrogates.lastIndex;
    this.loneSurrogates.push({ start, end });
    return end;
  }

  /** Skips to the next possible member, item or end of the container. */
  #skipTo(closer: number): void {
    for (;;) {
      this.trivia();
      const code = this.#code();
      if (code === comma || code === quote || code === closer || code < 0) return;
      this.at++;
    }
  }

  #code(): number {
    return this.at < this.#text.length ? this.#text.charCodeAt(this.at) : -1;
  }

  #fail(message: string): void {
    if (this.#unfinished) return;
    const ended = this.at >= this.#text.length;
    const what = ended ? t('the text ends here, and {0}', message) : message;
    // An editor can underline the last visible character.
    const at = ended ? Math.max(0, this.#text.trimEnd().length - 1) : this.at;
    throw new Refusal('syntax', what, this.#text, at);
  }
}

const scalarTypes: ReadonlyMap<number, ScalarNode['type']> = new Map([
  [0x74, 'boolean'],
  [0x66, 'boolean'],
  [0x6e, 'null'],
]);
