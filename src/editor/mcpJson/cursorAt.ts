/** Where an offset is in a text that is being written. Imports no editor. */
import { readUnfinished, type Tree } from '../../mcp/text/reader.ts';
import { type ArrayNode, nameSpan, type Node, type ObjectNode, type Span } from '../../mcp/text/nodes.ts';

interface Cursor {
  /** The path from the root to the key or the value that is or goes here. */
  readonly steps: readonly CursorStep[];
  /** Where a key is or goes, the object that it is in. */
  readonly object: ObjectNode | undefined;
  /** What is written here: a name, a string, a number or a word. */
  readonly at: Span | undefined;
}

export interface CursorStep {
  /** The root has none. */
  readonly key: string | number | undefined;
  readonly value: Node | undefined;
}

/** Undefined outside the root, and in comments. */
export function cursorAt(text: string, offset: number): Cursor | undefined {
  const tree = readUnfinished(text);
  const { root } = tree;
  if (isInComment(tree, offset)) return undefined;
  if (tree.blank) return { steps: [{ key: undefined, value: undefined }], object: undefined, at: undefined };
  if (!isInside(root, offset)) return undefined;
  return inValue([{ key: undefined, value: root }], root, offset);
}

function inValue(steps: readonly CursorStep[], value: Node, offset: number): Cursor {
  if (value.type === 'object' && isInside(value, offset)) return inObject(steps, value, offset);
  if (value.type === 'array' && isInside(value, offset)) return inArray(steps, value, offset);
  const { type, start, end } = value;
  const isHere = type !== 'object' && type !== 'array' && start < end && start <= offset && offset <= end;
  return { steps, object: undefined, at: isHere ? { start, end } : undefined };
}

function inObject(steps: readonly CursorStep[], object: ObjectNode, offset: number): Cursor {
  const member = object.members.findLast(({ start }) => start <= offset);
  if (!member || hasComma(member.value, offset)) {
    return { steps: [...steps, { key: '', value: undefined }], object, at: undefined };
  }
  const { name, nameEnd, value } = member;
  const all = [...steps, { key: name, value }];
  if (offset <= nameEnd) return { steps: all, object, at: nameSpan(member) };
  const isBeforeColon = !withoutComments(object.text.slice(nameEnd, offset)).includes(':');
  return isBeforeColon ? { steps: all, object, at: undefined } : inValue(all, value, offset);
}

function inArray(steps: readonly CursorStep[], array: ArrayNode, offset: number): Cursor {
  const i = array.items.findLastIndex(({ start }) => start <= offset);
  const item = array.items[i];
  if (!item || hasComma(item, offset)) {
    return { steps: [...steps, { key: i + 1, value: undefined }], object: undefined, at: undefined };
  }
  return inValue([...steps, { key: i, value: item }], item, offset);
}

/** Whether there is a comma between a value and a place after it. */
function hasComma({ text, end }: Node, offset: number): boolean {
  return withoutComments(text.slice(end, offset)).includes(',');
}

function withoutComments(text: string): string {
  return text.replace(/\/\/.*|\/\*[^]*?\*\//g, '');
}

/** Between the braces or brackets. */
function isInside({ start, end, isClosed }: ObjectNode | ArrayNode, offset: number): boolean {
  return start < offset && (offset < end || !isClosed);
}

function isInComment({ text, comments }: Tree, offset: number): boolean {
  return comments.some(({ start, end }) => {
    const isClosed = text.startsWith('/*', start) && text.slice(start + 2, end).endsWith('*/');
    return start < offset && (isClosed ? offset < end : offset <= end);
  });
}
