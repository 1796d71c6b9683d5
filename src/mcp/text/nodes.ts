/** Values of a text with their places. */

export interface Span {
  readonly start: number;
  readonly end: number;
}

interface Part extends Span {
  /** The whole text. */
  readonly text: string;
}

export type Node = ObjectNode | ArrayNode | ScalarNode;

export interface ObjectNode extends Part {
  readonly type: 'object';
  readonly members: readonly Member[];
}

export interface ArrayNode extends Part {
  readonly type: 'array';
  readonly items: readonly Node[];
}

interface Scalar<Type extends string, Content> extends Part {
  readonly type: Type;
  readonly content: Content;
}

/** `missing`: a value not written yet. */
export type ScalarNode =
  | Scalar<'string', string>
  | Scalar<'number', number>
  | Scalar<'boolean', boolean>
  | Scalar<'null' | 'missing', null>;

/**
 * Offsets: `start` of the opening quote of the name, `nameEnd` after its
 * closing quote, `end` after the value.
 */
export interface Member extends Part {
  readonly name: string;
  readonly nameEnd: number;
  readonly value: Node;
}

export function nameSpan({ start, nameEnd }: Member): Span {
  return { start, end: nameEnd };
}

/** The source text of a value or member. */
export function rawOf({ text, start, end }: Part): string {
  return text.slice(start, end);
}

/** The content of a string; `undefined` for any other value. */
export function stringOf(node: Node | undefined): string | undefined {
  return node?.type === 'string' ? node.content : undefined;
}

export function booleanOf(node: Node | undefined): boolean | undefined {
  return node?.type === 'boolean' ? node.content : undefined;
}

export function objectOf(node: Node | undefined): ObjectNode | undefined {
  return node?.type === 'object' ? node : undefined;
}

/** Readers take the last member of a name. */
export function lastOf(
  object: ObjectNode | undefined,
  name: string,
): Member | undefined {
  return object?.members.findLast((member) => member.name === name);
}

export function lastOfEach(
  object: ObjectNode | undefined,
): ReadonlyMap<string, Member> {
  return new Map(object?.members.map((member) => [member.name, member]));
}
