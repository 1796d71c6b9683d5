/**
 * Where things stand in the text of mcp.json: JSON, where comments and trailing commas are passed over and noted.
 * One pass and no recursion into values, because the same text is read again to prove each change.
 */
import { t } from '../base/l10n.ts';
import { Refusal } from './refusal.ts';

/** Files of agents have a few entries. What is beyond these limits is something else. */
export const limits = { characters: 16_000_000, depth: 200 } as const;

/** A property of an object. The offsets are of the quote before its name, and behind its name and its value. */
export interface Member {
  readonly name: string;
  readonly start: number;
  readonly nameEnd: number;
  readonly valueStart: number;
  readonly end: number;
  /** The members of its value, where that is an object and this a property of the root. */
  readonly members: readonly Member[] | undefined;
}

/** An object in the text, from its opening brace to behind its closing one. */
export interface ObjectText {
  readonly start: number;
  readonly end: number;
  readonly members: readonly Member[];
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Reading {
  /** Whether there is nothing but white space; the root is then an object without braces. */
  readonly blank: boolean;
  readonly root: ObjectText;
  readonly comments: readonly Span[];
  readonly trailingCommas: readonly number[];
}

/** Throws a Refusal for what is not JSON, too much, or not an object. */
export function readText(text: string): Reading {
  if (text.length > limits.characters) {
    throw new Refusal('tooBig', t('The file is too big to be changed here.'));
  }
  const reader = new Reader(text);
  const root = reader.root();
  const { comments, trailingCommas } = reader;
  return { blank: root.start === root.end, root, comments, trailingCommas };
}

/** The offset of the first character that is neither white space nor comment. */
export function skipTrivia(text: string, offset: number): number {
  const reader = new Reader(text, offset);
  reader.trivia();
  return reader.at;
}

const quote = 0x22;
const comma = 0x2c;
const slash = 0x2f;
const colon = 0x3a;
const bracketOpen = 0x5b;
const backslash = 0x5c;
const braceOpen = 0x7b;
const braceClose = 0x7d;
/** In Unicode both kinds of brackets close two characters behind where they open. */
const closerOf = (opener: number) => opener + 2;

const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const literal = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

class Reader {
  at: number;
  readonly comments: Span[] = [];
  readonly trailingCommas: number[] = [];
  readonly #text: string;

  constructor(text: string, at = 0) {
    this.#text = text;
    this.at = at;
  }

  root(): ObjectText {
    if (this.#text.startsWith('\uFEFF')) this.at++;
    this.trivia();
    const start = this.at;
    if (start === this.#text.length && this.comments.length === 0) return { start, end: start, members: [] };
    const isObject = this.#code() === braceOpen;
    const members = isObject ? this.#object(1) : [];
    if (!isObject) this.#value(0);
    const end = this.at;
    this.trivia();
    if (this.at < this.#text.length) {
      this.#fail(t('there is something behind the end of the configuration.'));
    }
    if (!isObject) {
      throw new Refusal('wrongType', t('the configuration is not a JSON object.'), this.#text, start);
    }
    return { start, end, members };
  }

  /** Passes over white space and comments. */
  trivia(): void {
    const text = this.#text;
    let at = this.at;
    for (;;) {
      // Reading behind the end would make every later reading slower: it answers with what is no integer.
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
    const start = this.at;
    if (this.#text.startsWith('//', start)) {
      while (this.at < this.#text.length && this.#code() !== 0x0a && this.#code() !== 0x0d) this.at++;
    } else if (this.#text.startsWith('/*', start)) {
      const close = this.#text.indexOf('*/', start + 2);
      if (close < 0) this.#fail(t('this comment has no end.'));
      this.at = close + 2;
    } else this.#fail(t('"/" cannot stand here.'));
    this.comments.push({ start, end: this.at });
  }

  /** Reads an object whose `{` is here, and the objects in it for so many levels. */
  #object(levels: number): Member[] {
    const members: Member[] = [];
    this.at++;
    this.trivia();
    if (this.#code() === braceClose) {
      this.at++;
      return members;
    }
    do {
      const start = this.at;
      this.#string();
      const nameEnd = this.at;
      this.#colon();
      const valueStart = this.at;
      const inner = levels > 0 && this.#code() === braceOpen ? this.#object(levels - 1) : undefined;
      if (!inner) this.#value(2 - levels);
      members.push({
        name: unquote(this.#text.slice(start, nameEnd)),
        start,
        nameEnd,
        valueStart,
        end: this.at,
        members: inner,
      });
    } while (this.#another(braceClose));
    return members;
  }

  /** Passes over a value. It does not call itself, so that no nesting is too deep for the stack. */
  #value(depth: number): void {
    const closers: number[] = [];
    for (;;) {
      const code = this.#code();
      if (code === braceOpen || code === bracketOpen) {
        if (depth + closers.length >= limits.depth) {
          throw new Refusal('tooDeep', t('the nesting is too deep.'), this.#text, this.at);
        }
        this.at++;
        this.trivia();
        if (this.#code() !== closerOf(code)) {
          closers.push(closerOf(code));
          if (code === braceOpen) this.#name();
          continue;
        }
        this.at++;
      } else this.#scalar(code);
      let closer = closers.at(-1);
      while (closer !== undefined && !this.#another(closer)) {
        closers.pop();
        closer = closers.at(-1);
      }
      if (closer === undefined) return;
      if (closer === braceClose) this.#name();
    }
  }

  #name(): void {
    this.#string();
    this.#colon();
  }

  #colon(): void {
    this.trivia();
    if (this.#code() !== colon) this.#fail(t('a colon is missing.'));
    this.at++;
    this.trivia();
  }

  /** Passes over what separates two values, or over the end of their container, which it answers with false. */
  #another(closer: number): boolean {
    this.trivia();
    if (this.#code() === comma) {
      const at = this.at++;
      this.trivia();
      if (this.#code() !== closer) return true;
      this.trailingCommas.push(at);
    } else if (this.#code() !== closer) {
      this.#fail(t('a comma or "{0}" is missing.', String.fromCharCode(closer)));
    }
    this.at++;
    return false;
  }

  #scalar(code: number): void {
    if (code === quote) {
      this.#string();
      return;
    }
    literal.lastIndex = this.at;
    if (!literal.test(this.#text)) this.#fail(t('a value is missing.'));
    this.at = literal.lastIndex;
  }

  #string(): void {
    const text = this.#text;
    let at = this.at;
    if (this.#code() !== quote) this.#fail(t('a name in double quotes is missing.'));
    for (at++; ; at++) {
      const code = at < text.length ? text.charCodeAt(at) : -1;
      if (code === quote) break;
      if (code === backslash) {
        escape.lastIndex = at;
        if (!escape.test(text)) {
          this.at = at;
          this.#fail(t('JSON has no such escape in a string.'));
        }
        at = escape.lastIndex - 1;
      } else if (code < 0x20) {
        this.#fail(t('this string has no end on its line, or a control character in it.'));
      }
    }
    this.at = at + 1;
  }

  #code(): number {
    return this.at < this.#text.length ? this.#text.charCodeAt(this.at) : -1;
  }

  #fail(message: string): never {
    const ended = this.at >= this.#text.length;
    const what = ended ? t('the text ends here, and {0}', message) : message;
    throw new Refusal('syntax', what, this.#text, this.at);
  }
}

/** What a string in JSON says. */
export function unquote(literalText: string): string {
  return literalText.includes('\\') ? (JSON.parse(literalText) as string) : literalText.slice(1, -1);
}
