import type { ServerKind } from '../dialects/ownKeys.ts';
import { readServer, type Server } from './server.ts';
import {
  type EntryVerdict,
  ignoredTags,
  isToolOn,
  readKeys,
} from './verdict.ts';
import {
  lastOf,
  lastOfEach,
  type Member,
  nameSpan,
  type Node,
  type ObjectNode,
  objectOf,
  type Span,
  stringOf,
} from '../text/nodes.ts';
import { type Fields, valueOf } from '../text/values.ts';

/** The entry of one server in mcp.json. Its contents are read on demand. */
export class Entry implements Span {
  readonly name: string;
  readonly member: Member;
  /** `undefined` for an entry that is not an object. */
  readonly object: ObjectNode | undefined;
  #keys: ReadonlyMap<string, Member> | undefined;
  #fields: Fields | undefined;
  #server: Server | undefined;
  #reading: EntryVerdict | undefined;

  constructor(member: Member) {
    this.name = member.name;
    this.member = member;
    this.object = objectOf(member.value);
  }

  get start(): number {
    return this.member.start;
  }

  get end(): number {
    return this.member.end;
  }

  get nameSpan(): Span {
    return nameSpan(this.member);
  }

  /** The last key of each name. */
  get keys(): ReadonlyMap<string, Member> {
    return (this.#keys ??= lastOfEach(this.object));
  }

  /** True if agents get the server. Other values count as they do in Python. */
  get enabled(): boolean {
    return isTruthy(this.keys.get('enabled')?.value);
  }

  get reading(): EntryVerdict {
    return (this.#reading ??= readKeys(this.keys));
  }

  /**
   * The tools in the entry, true if agents get them. Agents also get tools that
   * the entry does not name.
   */
  get tools(): ReadonlyMap<string, boolean> {
    const obeyed = this.#obeyedTools;
    const tools = lastOfEach(this.record('tools'));
    return new Map(
      [...tools].map(([name, { value }]) => [name, !obeyed || isToolOn(value)]),
    );
  }

  get toolsOff(): string[] {
    return [...this.tools].flatMap(([tool, isOn]) => (isOn ? [] : [tool]));
  }

  /**
   * The name of a tool after the changes in the entry. An empty new name counts
   * as none.
   */
  toolName(tool: string): string {
    const name =
      stringOf(
        lastOf(objectOf(lastOf(this.#obeyedTools, tool)?.value), 'name')?.value,
      ) ?? '';
    return name === '' ? tool : name;
  }

  /** `undefined` if the program ignores `tools`. */
  get #obeyedTools(): ObjectNode | undefined {
    return ignoredTags(this.keys).length === 0
      ? this.record('tools')
      : undefined;
  }

  /**
   * The values of the keys, secrets included; `undefined` for an entry that is
   * not an object.
   */
  get fields(): Fields | undefined {
    return (this.#fields ??= this.object && (valueOf(this.object) as Fields));
  }

  /**
   * Keys with a value that are not part of the server. Programs write null for
   * unset ones.
   */
  get otherFields(): string[] {
    const serverKeys = [
      'command',
      'args',
      'env',
      'url',
      'transport',
      'headers',
      'auth',
      'enabled',
    ];
    return [...this.keys].flatMap(([key, { value }]) =>
      serverKeys.includes(key) || value.type === 'null' ? [] : [key],
    );
  }

  /** `undefined` without a command and a URL. */
  get server(): Server | undefined {
    return (this.#server ??= this.fields && readServer(this.fields, this.kind));
  }

  string(key: string): string | undefined {
    return stringOf(this.keys.get(key)?.value);
  }

  record(key: string): ObjectNode | undefined {
    return objectOf(this.keys.get(key)?.value);
  }

  /** True if the key appears once, so no other one counts after its removal. */
  isSingle({ name }: Member): boolean {
    return (
      this.object?.members.filter((member) => member.name === name).length === 1
    );
  }

  get kind(): ServerKind | undefined {
    return this.reading.kind;
  }
}

function isTruthy(value: Node | undefined): boolean {
  if (!value || value.type === 'missing') return true;
  const content = valueOf(value);
  if (content instanceof Map) return content.size > 0;
  return Array.isArray(content) ? content.length > 0 : Boolean(content);
}

/**
 * The offset of the first of these places in the entry: a key (`command`), a
 * member of one (`headers.X-Key`, in any case), or a reference (`${NAME}`). The
 * start of the entry without any of them.
 */
export function placeIn(
  entry: Entry,
  text: string,
  places: readonly string[],
): number {
  for (const place of places) {
    const offset = offsetOf(entry, text, place);
    if (offset !== undefined) return offset;
  }
  return entry.start;
}

function offsetOf(
  entry: Entry,
  text: string,
  place: string,
): number | undefined {
  if (place.startsWith('${')) {
    const index = text.slice(entry.start, entry.end).indexOf(place);
    return index < 0 ? undefined : entry.start + index;
  }
  const dot = place.indexOf('.');
  if (dot < 0) return entry.keys.get(place)?.start;
  const below = place.slice(dot + 1).toLowerCase();
  const members = entry.record(place.slice(0, dot))?.members;
  return members?.findLast(({ name }) => name.toLowerCase() === below)?.start;
}
