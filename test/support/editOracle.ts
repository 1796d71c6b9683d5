/**
 * Checks what must be true of every change to a text, independently of the code
 * that makes it: with jsonc-parser's scanner, and by comparing everything
 * except white space.
 */
import assert from 'node:assert/strict';
import type { Edit, Node } from 'jsonc-parser';
import { Secret } from '../../src/base/secret.ts';
import type { Change, SwitchTools } from '../../src/mcp/edit/wantedChange.ts';
import { Refusal } from '../../src/mcp/text/refusal.ts';
import type { Server } from '../../src/mcp/format/server.ts';
import { drawName, type Tape } from './configTexts.ts';
import {
  container,
  endOf,
  type ScannedText,
  scanText,
  nameOf,
  occurrences,
  valueOf,
  words,
} from './look.ts';
import { checkTools, refusesTools, toolNames } from './toolOracle.ts';

type SimpleChange = Exclude<Change, SwitchTools>;

export type Editor = (
  text: string,
  change: Change,
) => { readonly text: string; readonly edits: readonly Edit[] };

export const servers: readonly [Server, ...Server[]] = [
  {
    transport: 'stdio',
    command: 'npx',
    args: ['-y', 'x "y"'],
    env: new Map([['__proto__', new Secret('é')]]),
  },
  { transport: 'stdio', command: '', args: [], env: new Map() },
  {
    transport: 'http',
    url: 'https://example.com',
    headers: new Map([['X-Key', new Secret('k')]]),
  },
  {
    transport: 'sse',
    url: 'https://example.com/sse',
    headers: new Map(),
    auth: new Secret('oauth'),
  },
];

/** A random change to this text, usually to an existing server. */
export function drawChange(tape: Tape, text: string): Change {
  const found = scanText(text);
  const [first, ...others] = container(found).node?.children?.map(nameOf) ?? [];
  const there = first !== undefined && tape.below(4) > 0;
  const name = there ? tape.pick([first, ...others]) : drawName(tape);
  const what = tape.pick([
    'disable',
    'enable',
    'remove',
    'add',
    'disable',
    'add',
    'wrap',
    'rename',
    'replace',
    'tools',
    'tools',
    'url',
  ] as const);
  if (what === 'url')
    return {
      do: what,
      name,
      url: tape.pick(['https://h.example/mcp', 'é "x"', '']),
    };
  if (what === 'tools') {
    const all = [...toolNames(found, name), drawName(tape)] as const;
    const some = () => all.filter(() => tape.once(2));
    return { do: what, name, on: some(), off: some() };
  }
  if (what === 'rename') return { do: what, name, to: drawName(tape) };
  if (what === 'add' || what === 'replace')
    return {
      do: what,
      name,
      server: tape.pick(servers),
      enabled: !tape.once(2),
    };
  return what === 'wrap' ? { do: what } : { do: what, name };
}

/**
 * Makes the change and checks it. Returns the new text, or the same text if the
 * change was refused.
 */
export function changed(edit: Editor, before: string, change: Change): string {
  let after: string;
  let edits: readonly Edit[];
  try {
    ({ text: after, edits } = edit(before, change));
  } catch (error) {
    assert(error instanceof Refusal, `${String(error)} is not a refusal`);
    assert.equal(error.kind, expectedRefusal(before, change), error.message);
    return before;
  }
  assert.equal(
    expectedRefusal(before, change),
    undefined,
    'should have been refused',
  );
  const [old, now] = [scanText(before), scanText(after)];
  assert.deepEqual(now.errors, [], 'the text can be read');
  // A file in which nothing else is gets none, because it would be refused.
  const mark =
    (before === after || old.root !== undefined) && before.startsWith('\uFEFF');
  assert.equal(
    after.startsWith('\uFEFF'),
    mark,
    'the byte order mark is unchanged',
  );
  const tail = (text: string) => /[ \t\r\n]*$/.exec(text)?.[0];
  assert.equal(
    tail(after),
    old.root || before === after ? tail(before) : '\n',
    'the end of the text is unchanged',
  );
  if (isStrict(before)) assert(isStrict(after), 'strict JSON stays strict');
  assert(
    now.trailingCommas <= old.trailingCommas,
    'no trailing comma is added',
  );
  for (const lineBreak of lineBreaks(after)) {
    assert(
      !old.root ||
        lineBreaks(before).size === 0 ||
        lineBreaks(before).has(lineBreak),
      'no other kind of line break is added',
    );
  }
  if (change.do === 'tools') {
    checkTools(old, now, change, edits);
    return after;
  }
  assert.deepEqual(
    now.tokens,
    expectedTokens(old, now, change),
    'everything except white space is unchanged',
  );
  checkMeaning(old, now, change);
  checkSize(old, edits, change);
  return after;
}

function keyOf(
  found: ScannedText,
  name: string,
  key: string,
): Node | undefined {
  const entry = valueOf(occurrences(found, name).at(-1));
  return entry?.children?.findLast((each) => nameOf(each) === key);
}

function expectedRefusal(text: string, change: Change): string | undefined {
  const found = scanText(text);
  const { node, atRoot } = container(found);
  if (node && node.type !== 'object') return 'wrongType';
  if (change.do === 'wrap') {
    return atRoot &&
      node?.children?.some((each) => valueOf(each)?.type !== 'object')
      ? 'wrongType'
      : undefined;
  }
  const there = occurrences(found, change.name);
  if (change.do === 'add')
    return there.length > 0
      ? 'nameTaken'
      : atRoot
        ? 'serversAtRoot'
        : undefined;
  if (there.length === 0) return 'noSuchServer';
  if (change.do === 'replace') return undefined;
  if (change.do === 'rename') {
    if (change.to === change.name) return undefined;
    if (occurrences(found, change.to).length > 0) return 'nameTaken';
    return atRoot && change.to === 'mcpServers' ? 'serversAtRoot' : undefined;
  }
  const touched = change.do === 'remove' ? there : there.slice(-1);
  if (touched.some((each) => valueOf(each)?.type !== 'object'))
    return 'wrongType';
  return change.do === 'tools' && refusesTools(found, change)
    ? 'wrongType'
    : undefined;
}

/**
 * The tokens that must be there now: the old ones, with exactly this change.
 */
function expectedTokens(
  old: ScannedText,
  now: ScannedText,
  change: SimpleChange,
): string[] {
  const inside = (place: number, node: Node) =>
    place >= node.offset && place < endOf(node);
  const tokens = [...old.tokens];
  switch (change.do) {
    case 'remove': {
      const gone = occurrences(old, change.name);
      return tokens.filter(
        (_, i) => !gone.some((node) => inside(old.places[i] ?? 0, node)),
      );
    }
    case 'enable':
    case 'disable':
    case 'url': {
      const key = change.do === 'url' ? 'url' : 'enabled';
      const content = JSON.stringify(
        change.do === 'url' ? change.url : change.do === 'enable',
      );
      const value = valueOf(keyOf(old, change.name, key));
      if (value) {
        const first = old.places.indexOf(value.offset);
        const count = old.places.filter((place) => inside(place, value)).length;
        return tokens.toSpliced(first, count, content);
      }
      if (change.do === 'enable') return tokens;
      return inserted(tokens, now, [JSON.stringify(key), ':', content]);
    }
    case 'add': {
      const added = occurrences(now, change.name)[0];
      assert(added, 'the server is there');
      const of = (node: Node) =>
        now.tokens.filter((_, i) => inside(now.places[i] ?? 0, node));
      if (container(old).node) return inserted(tokens, now, of(added));
      const wrapped = ['"mcpServers"', ':', '{', ...of(added), '}'];
      return old.root ? inserted(tokens, now, wrapped) : ['{', ...wrapped, '}'];
    }
    case 'rename': {
      const names = occurrences(old, change.name).map((each) => each.offset);
      if (change.to === change.name) return tokens;
      return tokens.map((token, i) =>
        names.includes(old.places[i] ?? -1) ? JSON.stringify(change.to) : token,
      );
    }
    case 'replace': {
      const i = occurrences(old, change.name).length - 1;
      const [was, is] = [
        occurrences(old, change.name)[i],
        occurrences(now, change.name)[i],
      ].map(valueOf);
      assert(was && is, 'the server is there');
      const first = old.places.findIndex((place) => inside(place, was));
      const count = old.places.filter((place) => inside(place, was)).length;
      const written = now.tokens.filter((_, at) =>
        inside(now.places[at] ?? 0, is),
      );
      return tokens.toSpliced(first, count, ...written);
    }
    case 'wrap': {
      if (!container(old).atRoot) return tokens;
      const first = tokens.indexOf(
        '{',
        old.places.indexOf(old.root?.offset ?? 0),
      );
      const last = tokens.lastIndexOf(
        '}',
        old.places.indexOf(endOf(old.root) - 1),
      );
      return tokens
        .toSpliced(last, 0, '}')
        .toSpliced(first + 1, 0, '"mcpServers"', ':', '{');
    }
  }
}

/** The tokens with `added` inserted where it is now. */
function inserted(
  tokens: readonly string[],
  now: ScannedText,
  added: readonly string[],
): string[] {
  const place = now.tokens.findIndex(
    (_, i) =>
      added.every((token, k) => now.tokens[i + k] === token) &&
      now.tokens.slice(0, i).every((token, k) => token === tokens[k]) &&
      now.tokens
        .slice(i + added.length)
        .every((token, k) => token === tokens[i + k]),
  );
  assert(place >= 0, `only ${added.join(' ')} was inserted`);
  return tokens.toSpliced(place, 0, ...added);
}

/** Checks that the edits do not remove and rewrite unchanged text. */
function checkSize(
  old: ScannedText,
  edits: readonly Edit[],
  change: SimpleChange,
): void {
  const { text: before } = old;
  const what = change.do;
  if (what === 'rename' || what === 'replace') return;
  if (what === 'remove') {
    assert(
      edits.every(({ content }) => content === '') || edits.length === 1,
      'a removal writes nothing, except for duplicate names',
    );
    return;
  }
  const gone = edits
    .map(({ offset, length }) => before.slice(offset, offset + length))
    .join('');
  const key = change.do === 'url' ? 'url' : 'enabled';
  const value = valueOf(
    change.do === 'wrap' ? undefined : keyOf(old, change.name, key),
  );
  const allowed =
    what === 'add' || what === 'wrap'
      ? ''
      : before.slice(value?.offset, endOf(value));
  assert(['', allowed].includes(gone.trim()), 'nothing else is removed');
  const inside = edits
    .map(({ content }) => content.replace(/\s+/g, ''))
    .join('');
  if (what === 'enable' || what === 'disable') {
    assert(
      inside.length < 25,
      `only a key and its value are inserted: ${inside}`,
    );
  }
}

/** Checks what a reader sees, which uses the last of duplicate names. */
function checkMeaning(
  old: ScannedText,
  now: ScannedText,
  change: SimpleChange,
): void {
  if (change.do === 'wrap') return;
  // The rest of the root must be unchanged, even if no server is left in it.
  const { atRoot } = container(old);
  const [before, after] = [meaning(old, atRoot), meaning(now, atRoot)];
  const entry = after.get(change.name);
  if (change.do === 'remove')
    assert.equal(entry, undefined, 'the server is gone');
  else if (change.do === 'rename') {
    assert.deepEqual(
      after.get(change.to),
      before.get(change.name),
      'the server has the new name',
    );
    if (change.to !== change.name)
      assert.equal(entry, undefined, 'the old name is gone');
    after.delete(change.to);
  } else if (change.do === 'url') {
    const others = before.get(change.name) ?? new Map<string, string>();
    assert.deepEqual(
      entry,
      new Map([...others, ['url', JSON.stringify(change.url)]]),
    );
  } else {
    assert(entry, 'the server is there');
    const isWritten = change.do === 'add' || change.do === 'replace';
    const enabled = isWritten
      ? (change.enabled ?? true)
      : change.do === 'enable';
    assert.equal(
      entry.get('enabled') ?? 'true',
      String(enabled),
      'the server is enabled or disabled',
    );
    const others = new Map([
      ...(before.get(change.name) ?? new Map<string, string>()),
      ['enabled', ''],
    ]);
    if (isWritten)
      assert.deepEqual(
        new Map([...entry, ['enabled', '']]),
        written(change.server),
      );
    else
      assert.deepEqual(
        new Map([...entry, ['enabled', '']]),
        others,
        'its other fields are unchanged',
      );
  }
  before.delete(change.name);
  after.delete(change.name);
  assert.deepEqual([...after], [...before], 'the other servers are unchanged');
}

function meaning(
  found: ScannedText,
  atRoot: boolean,
): Map<string, Map<string, string>> {
  const fields = (node: Node | undefined) =>
    new Map(
      node?.type === 'object'
        ? node.children?.map((each): [string, string] => [
            nameOf(each),
            words(found.text, valueOf(each)),
          ])
        : [['', words(found.text, node)]],
    );
  const node = atRoot ? found.root : container(found).node;
  return new Map(
    node?.children?.map((each) => [nameOf(each), fields(valueOf(each))]),
  );
}

function written(server: Server): Map<string, string> {
  const quoted = (texts: readonly string[]) =>
    texts.map((text) => JSON.stringify(text));
  const map = (values: ReadonlyMap<string, Secret>) =>
    [
      '{',
      ...[...values].flatMap(([key, value]) => [
        ...quoted([key]),
        ':',
        ...quoted([value.reveal()]),
      ]),
      '}',
    ].join(' ');
  const fields =
    server.transport === 'stdio'
      ? {
          command: JSON.stringify(server.command),
          args: ['[', ...quoted(server.args), ']'].join(' '),
          env: map(server.env),
        }
      : {
          url: JSON.stringify(server.url),
          transport: JSON.stringify(server.transport),
          ...(server.headers.size > 0 && { headers: map(server.headers) }),
          ...(server.auth && { auth: JSON.stringify(server.auth.reveal()) }),
        };
  return new Map([...Object.entries(fields), ['enabled', '']]);
}

function isStrict(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function lineBreaks(text: string): Set<string> {
  return new Set(text.match(/\r\n|\r|\n/g));
}
