/** The servers in a text that is being written, found as far as that goes where there are errors in it. */
import { type Node, parseTree } from 'jsonc-parser';
import { type Entry, readEntry } from '../../mcp/document.ts';
import { limits, type Span } from '../../mcp/reader.ts';

export interface EntryText extends Entry {
  /** Behind the quote after the name. */
  readonly nameEnd: number;
  /** Whether this is the one of its name that counts: the last. */
  readonly counts: boolean;
  readonly parts: readonly Part[];
}

/** A member of an object, with those of its value. */
export interface Part extends Span {
  readonly name: string;
  readonly nameEnd: number;
  readonly isObject: boolean;
  readonly isArray: boolean;
  readonly parts: readonly Part[];
}

export function entriesIn(text: string): EntryText[] {
  const members = serversIn(treeOf(text));
  const last = new Map(members.map((member) => [member.name, member]));
  return members.map((member) => {
    const { name, start, end, nameEnd, valueStart, parts } = member;
    const entry = readEntry(text, { name, start, nameEnd, valueStart, end, members: undefined });
    return { ...entry, nameEnd, counts: last.get(name) === member, parts };
  });
}

function treeOf(text: string): Node | undefined {
  if (text.length > limits.characters) return undefined;
  try {
    return parseTree(text, [], { allowTrailingComma: true });
  } catch (error) {
    // Nested too deeply.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

interface Found extends Part {
  readonly valueStart: number;
}

function serversIn(root: Node | undefined): Found[] {
  const members = membersOf(root);
  const property = members.findLast(({ name }) => name === 'mcpServers');
  if (property) return property.parts as Found[];
  const isServer = ({ parts }: Found) => parts.some(({ name }) => name === 'command' || name === 'url');
  return members.some(isServer) ? members : [];
}

function membersOf(node: Node | undefined): Found[] {
  if (node?.type !== 'object') return [];
  return (node.children ?? []).flatMap(({ children: pair }) => {
    const [key, value] = pair ?? [];
    if (!key || !value) return [];
    return {
      name: key.value as string,
      start: key.offset,
      nameEnd: key.offset + key.length,
      valueStart: value.offset,
      end: value.offset + value.length,
      isObject: value.type === 'object',
      isArray: value.type === 'array',
      parts: membersOf(value),
    };
  });
}
