import { readServer, type Fields, type Server } from './server.ts';
import {
  booleanOf,
  lastOfEach,
  type Member,
  nameSpan,
  objectOf,
  type ObjectNode,
  type Span,
  stringOf,
} from './nodes.ts';
import { valueOf } from './values.ts';

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

  get enabled(): boolean {
    return booleanOf(this.keys.get('enabled')?.value) !== false;
  }

  /** The values of the keys, secrets included; undefined where the entry is not an object. */
  get fields(): Fields | undefined {
    return (this.#fields ??= this.object && (valueOf(this.object) as Fields));
  }

  /** Undefined where the entry names neither a command nor a URL. */
  get server(): Server | undefined {
    return (this.#server ??= this.fields && readServer(this.fields));
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

  /** The key, unless its value is null. */
  target(key: 'url' | 'command'): Member | undefined {
    const member = this.keys.get(key);
    return member?.value.type === 'null' ? undefined : member;
  }

  /** What the entry is, as far as its keys say. Where there is a URL, a command does not count. */
  get kind(): 'local' | 'remote' | undefined {
    return this.target('url') ? 'remote' : this.target('command') ? 'local' : undefined;
  }
}
