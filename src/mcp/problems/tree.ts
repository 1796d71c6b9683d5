/** The values of a text with their places. */
import { type Member, type ObjectText, skipTrivia, type Span, unquote } from '../reader.ts';

export type ValueType = 'string' | 'number' | 'boolean' | 'null' | 'array' | 'object';

/** A value in the text. */
export interface Item extends Span {
  readonly type: ValueType;
  /** The values in an array. */
  readonly items: readonly Item[];
  /** The members of an object. */
  readonly fields: Fields | undefined;
  /** The text that it stands in. */
  readonly text: string;
}

export interface Field extends Member {
  readonly value: Item;
}

export interface Fields extends ObjectText {
  readonly members: readonly Field[];
}

/** The object in a text in which there is nothing wrong but comments, trailing commas and a byte order mark. */
export function readTree(text: string): Fields {
  return new TreeReader(text).object(skipTrivia(text, text.startsWith('\uFEFF') ? 1 : 0));
}

const quote = 0x22;
const comma = 0x2c;
const bracketOpen = 0x5b;
const backslash = 0x5c;
const bracketClose = 0x5d;
const braceOpen = 0x7b;
const braceClose = 0x7d;
const slash = 0x2f;

const none: readonly Item[] = [];

/** Each method begins where it is told and leaves `#at` behind what it has read. */
class TreeReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  object(start: number): Fields {
    const members: Field[] = [];
    this.#at = start + 1;
    while (this.#next() !== braceClose) members.push(this.#field(this.#at));
    this.#at++;
    return { start, end: this.#at, members };
  }

  #field(start: number): Field {
    this.#string();
    const nameEnd = this.#at;
    this.#next();
    this.#at++;
    this.#next();
    const value = this.#value(this.#at);
    const name = unquote(this.#text.slice(start, nameEnd));
    return { name, start, nameEnd, valueStart: value.start, end: value.end, members: undefined, value };
  }

  #value(start: number): Item {
    const text = this.#text;
    const code = text.charCodeAt(start);
    if (code === braceOpen) {
      const fields = this.object(start);
      return { type: 'object', start, end: this.#at, items: none, fields, text };
    }
    if (code === bracketOpen) {
      const items: Item[] = [];
      this.#at++;
      while (this.#next() !== bracketClose) items.push(this.#value(this.#at));
      this.#at++;
      return { type: 'array', start, end: this.#at, items, fields: undefined, text };
    }
    const type = code === quote ? 'string' : (words.get(code) ?? 'number');
    if (code === quote) this.#string();
    else this.#word();
    return { type, start, end: this.#at, items: none, fields: undefined, text };
  }

  #string(): void {
    const text = this.#text;
    let at = this.#at + 1;
    for (let code = text.charCodeAt(at); code !== quote; code = text.charCodeAt(at)) {
      at += code === backslash ? 2 : 1;
    }
    this.#at = at + 1;
  }

  #word(): void {
    literal.lastIndex = this.#at;
    literal.test(this.#text);
    this.#at = literal.lastIndex;
  }

  /** Passes over what separates values; the code of what is then here. */
  #next(): number {
    const text = this.#text;
    let at = this.#at;
    let code = text.charCodeAt(at);
    while (code <= 0x20 || code === comma || code === slash) {
      at = code === slash ? skipTrivia(text, at) : at + 1;
      code = text.charCodeAt(at);
    }
    this.#at = at;
    return code;
  }
}

const words: ReadonlyMap<number, ValueType> = new Map([
  [0x74, 'boolean'],
  [0x66, 'boolean'],
  [0x6e, 'null'],
]);
const literal = /[\w.+-]+/y;

export function nameOf({ start, nameEnd }: Field): Span {
  return { start, end: nameEnd };
}

/** What is written there. */
export function rawOf({ text, start, end }: Item): string {
  return text.slice(start, end);
}

/** What a string says; undefined for what is none. */
export function stringOf(item: Item | undefined): string | undefined {
  return item?.type === 'string' ? unquote(rawOf(item)) : undefined;
}

export function booleanOf(item: Item | undefined): boolean | undefined {
  return item?.type === 'boolean' ? rawOf(item) === 'true' : undefined;
}
