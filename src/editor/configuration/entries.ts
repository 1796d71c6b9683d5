/** The servers in a text that is being written, found as far as that goes where there are errors in it. */
import { type Node, parseTree } from 'jsonc-parser';
import { limits, type Span } from '../../mcp/reader.ts';
import { readServer, type Server } from '../../mcp/server.ts';
import type { Value } from '../../mcp/values.ts';

export interface EntryText extends Part {
  readonly enabled: boolean;
  /** Undefined where the entry names neither a command nor a URL. */
  readonly server: Server | undefined;
  /** Whether this is the one of its name that counts: the last. */
  readonly counts: boolean;
}

/** A member of an object, from the quote before its name to behind its value, with the members of its value. */
export interface Part extends Span {
  readonly name: string;
  /** Behind the quote after the name. */
  readonly nameEnd: number;
  readonly value: Node;
  readonly parts: readonly Part[];
}

export function entriesIn(text: string): EntryText[] {
  const members = serversIn(membersOf(treeOf(text), text.length));
  const last = new Map(members.map((member) => [member.name, member]));
  return members.map((member) => {
    const fields = valueOf(member.value);
    const isObject = fields instanceof Map;
    return {
      ...member,
      enabled: !isObject || fields.get('enabled') !== false,
      server: isObject ? readServer(fields as ReadonlyMap<string, Value>) : undefined,
      counts: last.get(member.name) === member,
    };
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

function serversIn(members: readonly Part[]): readonly Part[] {
  const property = members.findLast(({ name }) => name === 'mcpServers');
  if (property) return property.parts;
  const isServer = ({ parts }: Part) => parts.some(({ name }) => name === 'command' || name === 'url');
  return members.some(isServer) ? members : [];
}

/** Those that have a value already. What is not closed yet reaches to the end of the text. */
function membersOf(node: Node | undefined, end: number): Part[] {
  return pairsOf(node).map(([key, value]) => ({
    name: key.value as string,
    start: key.offset,
    nameEnd: key.offset + key.length,
    end: value.length < 0 ? end : value.offset + value.length,
    value,
    parts: membersOf(value, end),
  }));
}

function pairsOf(node: Node | undefined): [Node, Node][] {
  if (node?.type !== 'object') return [];
  return (node.children ?? []).flatMap(({ children: [key, value] = [] }): [Node, Node][] =>
    key && value ? [[key, value]] : [],
  );
}

function valueOf(node: Node): Value {
  if (node.type === 'array') return (node.children ?? []).map(valueOf);
  if (node.type !== 'object') return node.value as Value;
  return new Map(pairsOf(node).map(([key, value]) => [key.value as string, valueOf(value)]));
}
