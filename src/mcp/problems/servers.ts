/** The servers in a text, and what their keys have. */
import { isAtRoot, type Outline } from '../outline.ts';
import type { Span } from '../reader.ts';
import { type Field, type Fields, nameOf, stringOf } from './tree.ts';

/** Where the servers stand; undefined where there are none yet. */
export function serversIn(found: Outline, root: Fields): Fields | undefined {
  if (isAtRoot(found)) return root;
  return root.members.findLast(({ name }) => name === 'mcpServers')?.value.fields;
}

/** A server that counts: the last of its name. */
export class Entry {
  readonly name: string;
  /** Where its name stands. */
  readonly at: Span;
  readonly fields: Fields;
  readonly #counting = new Map<string, Field>();

  constructor(field: Field, fields: Fields) {
    this.name = field.name;
    this.at = nameOf(field);
    this.fields = fields;
    for (const member of fields.members) this.#counting.set(member.name, member);
  }

  /** Of a key that is there twice the last, which is the one that counts. */
  get(name: string): Field | undefined {
    return this.#counting.get(name);
  }

  /** Whether nothing of the same name would come to count if this were gone. */
  isSingle({ name }: Field): boolean {
    return this.fields.members.filter((member) => member.name === name).length === 1;
  }

  get counting(): Iterable<Field> {
    return this.#counting.values();
  }

  /** What a key has, where that is a string. */
  string(name: string): string | undefined {
    return stringOf(this.get(name)?.value);
  }

  /** What stands in the object that a key has. */
  record(name: string): Fields | undefined {
    return this.get(name)?.value.fields;
  }

  /** What the key has; nothing where that is null. */
  target(name: 'url' | 'command'): Field | undefined {
    const field = this.get(name);
    return field?.value.type === 'null' ? undefined : field;
  }

  /** What the entry is, as far as its keys say. Where there is a URL, a command does not count. */
  get kind(): 'local' | 'remote' | undefined {
    return this.target('url') ? 'remote' : this.target('command') ? 'local' : undefined;
  }
}
