/** The values in a text, each with its place. What a value says is read when somebody asks for it. */

export interface Span {
  readonly start: number;
  readonly end: number;
}

export type Node = ObjectNode | ArrayNode | ScalarNode;

/** A property of an object. The offsets are of the quote before its name, and after its name and its value. */
export interface Member extends Span {
  readonly name: string;
  readonly nameEnd: number;
  readonly value: Node;
}

/** The parts of a value, or how to read them from its place in a text. */
type Parts<T> = readonly T[] | ((text: string, start: number) => readonly T[]);

/** From its opening brace to after its closing one. */
export class ObjectNode implements Span {
  readonly type = 'object';
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** False where the text ends before the object does. */
  readonly isClosed: boolean;
  #members: Parts<Member>;

  constructor(text: string, start: number, end: number, members: Parts<Member>, isClosed = true) {
    this.text = text;
    this.start = start;
    this.end = end;
    this.isClosed = isClosed;
    this.#members = members;
  }

  get members(): readonly Member[] {
    if (typeof this.#members === 'function') this.#members = this.#members(this.text, this.start);
    return this.#members;
  }
}

export class ArrayNode implements Span {
  readonly type = 'array';
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly isClosed: boolean;
  #items: Parts<Node>;

  constructor(text: string, start: number, end: number, items: Parts<Node>, isClosed = true) {
    this.text = text;
    this.start = start;
    this.end = end;
    this.isClosed = isClosed;
    this.#items = items;
  }

  get items(): readonly Node[] {
    if (typeof this.#items === 'function') this.#items = this.#items(this.text, this.start);
    return this.#items;
  }
}

/** `missing` is a value that is not written yet, with the letters that may become it. */
type ScalarType = 'string' | 'number' | 'boolean' | 'null' | 'missing';

export class ScalarNode implements Span {
  readonly type: ScalarType;
  readonly text: string;
  readonly start: number;
  readonly end: number;

  constructor(type: ScalarType, text: string, start: number, end: number) {
    this.type = type;
    this.text = text;
    this.start = start;
    this.end = end;
  }
}

/** Where the name of a member is. */
export function nameSpan({ start, nameEnd }: Member): Span {
  return { start, end: nameEnd };
}

/** A value as it is written. */
export function rawOf({ text, start, end }: Node): string {
  return text.slice(start, end);
}

/** A member as it is written, from the quote before its name to the end of its value. */
export function memberText({ start, end, value }: Member): string {
  return value.text.slice(start, end);
}

/** What a string says; undefined for any other value. */
export function stringOf(node: Node | undefined): string | undefined {
  return node?.type === 'string' ? unquote(rawOf(node)) : undefined;
}

export function booleanOf(node: Node | undefined): boolean | undefined {
  return node?.type === 'boolean' ? rawOf(node) === 'true' : undefined;
}

export function objectOf(node: Node | undefined): ObjectNode | undefined {
  return node?.type === 'object' ? node : undefined;
}

/** The member that counts: readers take the last of a name. */
export function lastOf(object: ObjectNode | undefined, name: string): Member | undefined {
  return object?.members.findLast((member) => member.name === name);
}

/** The members that count, by their names. */
export function lastOfEach(object: ObjectNode | undefined): ReadonlyMap<string, Member> {
  return new Map(object?.members.map((member) => [member.name, member]));
}

/** What a string in JSON says. Of one that is not finished or has a wrong escape, what is written. */
export function unquote(literal: string): string {
  const written = literal.length > 1 && literal.endsWith('"') ? literal.slice(1, -1) : literal.slice(1);
  if (!written.includes('\\')) return written;
  try {
    return JSON.parse(literal) as string;
  } catch {
    return written;
  }
}
