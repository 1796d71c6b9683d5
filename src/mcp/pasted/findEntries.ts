/** Where the servers are in the configuration of any program. */
import { type Container, containersIn, looksLikeServer } from '../dialects.ts';
import type { Fields } from '../server.ts';
import type { Value } from '../values.ts';
import type { PastedEntry } from './pastedServer.ts';

type Inputs = PastedEntry['inputs'];

/** The servers of a configuration; none where there are none. */
export function findEntries(root: Fields, inherited: Inputs = new Map()): PastedEntry[] {
  const inputs = new Map([...inherited, ...readInputs(root.get('inputs'))]);
  const members = [...root].map(([name, value]) => ({ name, value }));
  const found = containersIn(members).flatMap(([{ value }, container]) =>
    entriesIn(value, container, inputs),
  );
  if (found.length > 0) return found;
  // After those, because what describes a plugin can have a URL of its own beside its servers.
  if (looksLikeServer(root)) return [unnamed(root, inputs)];
  return members.flatMap(({ name, value }) => (looksLikeServer(value) ? [entryOf(name, value, inputs)] : []));
}

function entriesIn(value: Value, { holds, mayBeList }: Container, inputs: Inputs): PastedEntry[] {
  if (Array.isArray(value) && mayBeList) {
    return (value as readonly Value[]).map((item) => unnamed(mapOf(item), inputs));
  }
  if (!(value instanceof Map)) return [];
  const members = value as Fields;
  switch (holds) {
    case 'servers':
      return [...members].map(([name, entry]) => entryOf(name, entry, inputs));
    case 'configuration':
      return findEntries(members, inputs);
    case 'configurations':
      return [...members.values()].flatMap((each) => findEntries(mapOf(each), inputs));
  }
}

/** A server that says itself what it is called, if anything does. */
function unnamed(entry: Fields, inputs: Inputs): PastedEntry {
  const name = entry.get('name');
  return entryOf(typeof name === 'string' && name !== '' ? name : undefined, entry, inputs);
}

function entryOf(name: string | undefined, value: Value, inputs: Inputs): PastedEntry {
  return { name, fields: mapOf(value), inputs, notes: [] };
}

function readInputs(value: Value | undefined): Map<string, string> {
  const inputs = new Map<string, string>();
  for (const item of Array.isArray(value) ? (value as readonly Value[]) : []) {
    const [id, description] = [mapOf(item).get('id'), mapOf(item).get('description')];
    if (typeof id === 'string' && typeof description === 'string') inputs.set(id, description);
  }
  return inputs;
}

/** The value, or an empty map for anything else. */
export function mapOf(value: Value | undefined): Fields {
  return value instanceof Map ? (value as Fields) : new Map();
}
