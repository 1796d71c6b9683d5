import type { ServerKind } from '../dialects/ownKeys.ts';
import { toolName, toolsOf } from './entryTools.ts';
import { readServer, type Server } from './server.ts';
import { type EntryVerdict, readKeys } from './verdict.ts';
import {
  lastOfEach,
  type Member,
  nameSpan,
  type Node,
  type ObjectNode,
  objectOf,
  rawOf,
  type Span,
  stringOf,
} from '../text/nodes.ts';
import { type Fields, valueOf } from '../text/values.ts';

/** An entry that is an object, as it should be. */
export type ObjectEntry = Entry & { readonly object: ObjectNode };

export function isObjectEntry(entry: Entry): entry is ObjectEntry {
  return entry.object !== undefined;
}

/** The entry of one server in mcp.json. What its keys say is read when somebody asks for it. */
export class Entry implements Span {
  readonly name: string;
  readonly member: Member;
  /** Undefined where the entry is not an object. */
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

  /** Where the name is. */
  get nameSpan(): Span {
    return nameSpan(this.member);
  }

  /** The keys that count, by their names: if a name appears twice, the last one. */
  get keys(): ReadonlyMap<string, Member> {
    return (this.#keys ??= lastOfEach(this.object));
  }

  /** Whether agents get it. A value that is not a boolean counts as it does in Python. */
  get enabled(): boolean {
    return isTruthy(this.keys.get('enabled')?.value);
  }

  /** What the program that reads the file makes of the keys. */
  get reading(): EntryVerdict {
    return (this.#reading ??= readKeys(this.keys));
  }

  /** The tools that the entry names, and whether agents get each. They get all others. */
  get tools(): ReadonlyMap<string, boolean> {
    return toolsOf(this.keys);
  }

  /** What the entry makes of the name of a tool: mostly the same. */
  toolName(tool: string): string {
    return toolName(this.keys, tool);
  }

  /** The values of the keys, secrets included; undefined where the entry is not an object. */
  get fields(): Fields | undefined {
    return (this.#fields ??= this.object && (valueOf(this.object) as Fields));
  }

  /** Undefined where the entry names neither a command nor a URL. */
  get server(): Server | undefined {
    return (this.#server ??= this.fields && readServer(this.fields, this.kind));
  }

  /** The value of a key, where that is a string. */
  string(key: string): string | undefined {
    return stringOf(this.keys.get(key)?.value);
  }

  /** The value of a key, where that is an object. */
  record(key: string): ObjectNode | undefined {
    return objectOf(this.keys.get(key)?.value);
  }

  /** Whether no other key of the same name would count if this one were removed. */
  isSingle({ name }: Member): boolean {
    return this.object?.members.filter((member) => member.name === name).length === 1;
  }

  /** What the entry is, as far as its keys say. */
  get kind(): ServerKind | undefined {
    return this.reading.kind;
  }
}

function isTruthy(value: Node | undefined): boolean {
  switch (value?.type) {
    case 'object':
      return value.members.length > 0;
    case 'array':
      return value.items.length > 0;
    case 'number':
      return Number(rawOf(value)) !== 0;
    case 'string':
      return stringOf(value) !== '';
    case 'boolean':
      return rawOf(value) === 'true';
    case 'null':
      return false;
    case 'missing':
    case undefined:
      return true;
  }
}

/**
 * Where the first of these places is that the entry has: a key (`command`), what is below one (`headers.X-Key`, in any
 * case), or a reference to a variable (`${NAME}`). The beginning of the entry, if it has none of them.
 */
export function placeIn(entry: Entry, text: string, places: readonly string[]): number {
  for (const place of places) {
    const found = offsetOf(entry, text, place);
    if (found !== undefined) return found;
  }
  return entry.start;
}

function offsetOf(entry: Entry, text: string, place: string): number | undefined {
  if (place.startsWith('${')) {
    const found = text.slice(entry.start, entry.end).indexOf(place);
    return found < 0 ? undefined : entry.start + found;
  }
  const dot = place.indexOf('.');
  if (dot < 0) return entry.keys.get(place)?.start;
  const below = place.slice(dot + 1).toLowerCase();
  const members = entry.record(place.slice(0, dot))?.members;
  return members?.findLast(({ name }) => name.toLowerCase() === below)?.start;
}
