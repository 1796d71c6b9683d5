/** Finds servers in a configuration of any program. */
import {
  type ServerContainer,
  containersIn,
  looksLikeServer,
} from '../dialects/dialects.ts';
import type { Fields, Value } from '../text/values.ts';
import { isOtherThing } from './otherThings.ts';
import type { PastedEntry } from './pastedServer.ts';

type Inputs = NonNullable<PastedEntry['inputs']>;

const deepest = 8;

/**
 * The context of a configuration: a text about anything or about servers, or a
 * name that says it holds servers.
 */
type Context = 'any' | 'servers' | 'named';

export function findEntries(
  root: Fields,
  context: Context = 'any',
): PastedEntry[] {
  const entries = inConfiguration(root, new Map(), context);
  return entries.length > 0
    ? entries
    : buried(root, new Map(), context, deepest);
}

function inConfiguration(
  root: Fields,
  inherited: Inputs,
  context: Context,
): PastedEntry[] {
  const inputs = inputsIn(root, inherited);
  const listed = containersIn(root).flatMap(([value, container]) =>
    entriesIn(value, container, inputs, context),
  );
  if (listed.length > 0) return listed;
  // A list rules this out: a description of a plugin can have its own URL
  // beside its servers.
  const isServer = ({ name, fields }: PastedEntry) =>
    context === 'servers' || !isOtherThing(name, fields, context === 'named');
  const own = unnamed(root, inputs);
  // Reads the objects one level deeper as servers by name.
  if (looksLikeServer(own.name === undefined ? root : own.fields)) {
    return isServer({ ...own, name: undefined }) ? [own] : [];
  }
  return [...root]
    .map(([name, value]) => entryOf(name, value, inputs))
    .filter(({ fields }) => looksLikeServer(fields))
    .filter(isServer);
}

/** Servers deeper in a configuration, in lists with an unambiguous name. */
function buried(
  root: Fields,
  inherited: Inputs,
  context: Context,
  levels: number,
): PastedEntry[] {
  if (levels === 0) return [];
  const inputs = inputsIn(root, inherited);
  return [...root.values()].flatMap((value) => {
    const inner = mapOf(value);
    const listed = containersIn(inner)
      .filter(([, { isVague }]) => !isVague)
      .flatMap(([list, container]) =>
        entriesIn(list, container, inputsIn(inner, inputs), context),
      );
    return listed.length > 0
      ? listed
      : buried(inner, inputs, context, levels - 1);
  });
}

function entriesIn(
  value: Value,
  container: ServerContainer,
  inputs: Inputs,
  context: Context,
): PastedEntry[] {
  const entries = entriesOf(value, container, inputs, context);
  return container.isMixed
    ? entries.filter(({ fields }) => looksLikeServer(fields))
    : entries;
}

function entriesOf(
  value: Value,
  { holds, mayBeList }: ServerContainer,
  inputs: Inputs,
  context: Context,
): PastedEntry[] {
  if (Array.isArray(value) && mayBeList) {
    return (value as readonly Value[]).flatMap((item) =>
      listItem(item, inputs),
    );
  }
  const members = mapOf(value);
  const inner = context === 'any' ? 'named' : context;
  switch (holds) {
    case 'servers':
      return [...members].map(([name, entry]) => entryOf(name, entry, inputs));
    case 'configuration':
      return inConfiguration(members, inputs, inner);
    case 'configurations':
      return [...members.values()].flatMap((configuration) =>
        inConfiguration(mapOf(configuration), inputs, inner),
      );
  }
}

/**
 * An item is a server with its name, or as in Claude Code: a map of one server,
 * or a name alone.
 */
function listItem(item: Value, inputs: Inputs): PastedEntry[] {
  if (typeof item === 'string') return [];
  if (!(item instanceof Map)) return [entryOf(undefined, item, inputs)];
  const own = unnamed(mapOf(item), inputs);
  if (looksLikeServer(own.fields)) return [own];
  const named = [...mapOf(item)].map(([name, value]) =>
    entryOf(name, value, inputs),
  );
  const servers = named.filter(({ fields }) => looksLikeServer(fields));
  return servers.length > 0 ? servers : [own];
}

/** A server that may contain its own name. */
function unnamed(entry: Fields, inputs: Inputs): PastedEntry {
  const name = entry.get('name') ?? entry.get('server_label');
  return entryOf(
    typeof name === 'string' && name !== '' ? name : undefined,
    entry,
    inputs,
  );
}

function entryOf(
  name: string | undefined,
  value: Value,
  inputs: Inputs,
): PastedEntry {
  return { name, fields: unwrapped(mapOf(value)), inputs };
}

/** Some programs put the target one level deeper. */
function unwrapped(entry: Fields): Fields {
  if (looksLikeServer(entry)) return entry;
  const wrapper = ['config', 'transport'].find((key) =>
    looksLikeServer(mapOf(entry.get(key))),
  );
  if (wrapper === undefined) return entry;
  return new Map([
    ...[...entry].filter(([key]) => key !== wrapper),
    ...mapOf(entry.get(wrapper)),
  ]);
}

function inputsIn(root: Fields, inherited: Inputs): Inputs {
  const inputs = new Map(inherited);
  const list = root.get('inputs');
  for (const item of Array.isArray(list) ? (list as readonly Value[]) : []) {
    const id = mapOf(item).get('id');
    const description = mapOf(item).get('description');
    if (typeof id === 'string' && typeof description === 'string')
      inputs.set(id, description);
  }
  return inputs;
}

export function mapOf(value: Value | undefined): Fields {
  return value instanceof Map ? (value as Fields) : new Map();
}
