/** Values of a text with their places. Their contents are read on demand. */

export interface Span {
  readonly start: number;
  readonly end: number;
}

export type Node = ObjectNode | ArrayNode | ScalarNode;

/** Offsets: `start` of the opening quote of the name, `nameEnd` after its closing quote, `end` after the value. */
export interface Member extends Span {
  readonly name: string;
  readonly nameEnd: number;
  readonly value: Node;
}

/** The parts of a value, or a function that reads them. */
type Parts<T> = readonly T[] | ((text: string, start: number) => readonly T[]);

abstract class Container<T> implements Span {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  #parts: Parts<T>;

  constructor(text: string, start: number, end: number, parts: Parts<T>) {
    this.text = text;
    this.start = start;
    this.end = end;
    this.#parts = parts;
  }

  protected get parts(): readonly T[] {
    if (typeof this.#parts === 'function') this.#parts = this.#parts(this.text, this.start);
    return this.#parts;
  }
}

export class ObjectNode extends Container<Member> {
  readonly type = 'object';

  get members(): readonly Member[] {
    return this.parts;
  }
}

export class ArrayNode extends Container<Node> {
  readonly type = 'array';

  get items(): readonly Node[] {
    return this.parts;
  }
}

/** `missing`: a value not written yet, with the letters that may become it. */
type ScalarType = 'string' | 'number' | 'boolean' | 'null' | 'missing';

export interface ScalarNode extends Span {
  readonly type: ScalarType;
  readonly text: string;
}

export function nameSpan({ start, nameEnd }: Member): Span {
  return { start, end: nameEnd };
}

export function rawOf({ text, start, end }: Node): string {
  return text.slice(start, end);
}

export function memberText({ start, end, value }: Member): string {
  return value.text.slice(start, end);
}

/** The content of a string; `undefined` for any other value. */
export function stringOf(node: Node | undefined): string | undefined {
  return node?.type === 'string' ? unquoteJson(rawOf(node)) : undefined;
}

export function booleanOf(node: Node | undefined): boolean | undefined {
  return node?.type === 'boolean' ? rawOf(node) === 'true' : undefined;
}

export function objectOf(node: Node | undefined): ObjectNode | undefined {
  return node?.type === 'object' ? node : undefined;
}

/** Readers take the last member of a name. */
export function lastOf(object: ObjectNode | undefined, name: string): Member | undefined {
  return object?.members.findLast((member) => member.name === name);
}

export function lastOfEach(object: ObjectNode | undefined): ReadonlyMap<string, Member> {
  return new Map(object?.members.map((member) => [member.name, member]));
}

/** The content of a JSON string; the source text if it is unfinished or has an invalid escape. */
export function unquoteJson(literal: string): string {
  const written = literal.length > 1 && literal.endsWith('"') ? literal.slice(1, -1) : literal.slice(1);
  if (!written.includes('\\')) return written;
  try {
    return JSON.parse(literal) as string;
  } catch {
    return written;
  }
}
