/**
 * Checks what must be true of every change to a text, independently of the code that makes it: with jsonc-parser's
 * scanner, and by comparing everything except white space.
 */
import assert from 'node:assert/strict';
import { createScanner, type Edit, type Node, type ParseError, parseTree } from 'jsonc-parser';
import { Secret } from '../../src/base/secret.ts';
import type { Change } from '../../src/mcp/change.ts';
import { Refusal } from '../../src/mcp/refusal.ts';
import type { Server } from '../../src/mcp/server.ts';
import { drawName, type Tape } from './configTexts.ts';

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
  { transport: 'http', url: 'https://example.com', headers: new Map([['X-Key', new Secret('k')]]) },
  { transport: 'sse', url: 'https://example.com/sse', headers: new Map(), auth: new Secret('oauth') },
];

/** A random change to this text, usually to an existing server. */
export function drawChange(tape: Tape, text: string): Change {
  const [first, ...others] = container(look(text)).node?.children?.map(nameOf) ?? [];
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
  ] as const);
  if (what === 'rename') return { do: what, name, to: drawName(tape) };
  if (what === 'add' || what === 'replace')
    return { do: what, name, server: tape.pick(servers), enabled: !tape.once(2) };
  return what === 'wrap' ? { do: what } : { do: what, name };
}

/** Makes the change and checks it. Returns the new text, or the same text if the change was refused. */
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
  assert.equal(expectedRefusal(before, change), undefined, 'should have been refused');
  const [old, now] = [look(before), look(after)];
  assert.deepEqual(now.errors, [], 'the text can be read');
  // A file in which nothing else is gets none, because it would be refused.
  const mark = (before === after || old.root !== undefined) && before.startsWith('\uFEFF');
  assert.equal(after.startsWith('\uFEFF'), mark, 'the byte order mark is unchanged');
  const tail = (text: string) => /[ \t\r\n]*$/.exec(text)?.[0];
  assert.equal(
    tail(after),
    old.root || before === after ? tail(before) : '\n',
    'the end of the text is unchanged',
  );
  if (isStrict(before)) assert(isStrict(after), 'strict JSON stays strict');
  assert(now.trailingCommas <= old.trailingCommas, 'no trailing comma is added');
  for (const lineBreak of lineBreaks(after)) {
    assert(
      !old.root || lineBreaks(before).size === 0 || lineBreaks(before).has(lineBreak),
      'no other kind of line break is added',
    );
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

interface Look {
  readonly text: string;
  readonly root: Node | undefined;
  readonly errors: readonly ParseError[];
  /** Everything except white space and commas, with its place. */
  readonly tokens: readonly string[];
  readonly places: readonly number[];
  readonly trailingCommas: number;
}

function look(text: string): Look {
  const errors: ParseError[] = [];
  // A space is as wide as the byte order mark, so all offsets stay the same.
  const bare = text.replace(/^\uFEFF/, ' ');
  const root = parseTree(bare, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const tokens: string[] = [];
  const places: number[] = [];
  let trailingCommas = 0;
  let comma = false;
  const scanner = createScanner(bare);
  for (let kind = scanner.scan() as number; kind !== 17; kind = scanner.scan()) {
    const token = bare.slice(scanner.getTokenOffset(), scanner.getTokenOffset() + scanner.getTokenLength());
    if (kind === 14 || kind === 15) continue;
    if (kind === 5) comma = true;
    else {
      if (kind !== 12 && kind !== 13) {
        if (comma && (kind === 2 || kind === 4)) trailingCommas++;
        comma = false;
      }
      tokens.push(token);
      places.push(scanner.getTokenOffset());
    }
  }
  return { text, root, errors, tokens, places, trailingCommas };
}

const nameOf = (property: Node) => property.children?.[0]?.value as string;
const valueOf = (property: Node | undefined) => property?.children?.[1];

function container({ root }: Look): { node: Node | undefined; atRoot: boolean } {
  const property = root?.children?.findLast((each) => nameOf(each) === 'mcpServers');
  if (property) return { node: valueOf(property), atRoot: false };
  const isServer = (each: Node) =>
    valueOf(each)?.type === 'object' &&
    valueOf(each)?.children?.some((member) => ['command', 'url'].includes(nameOf(member)));
  return root?.children?.some(isServer) ? { node: root, atRoot: true } : { node: undefined, atRoot: false };
}

function occurrences(found: Look, name: string): Node[] {
  return container(found).node?.children?.filter((each) => nameOf(each) === name) ?? [];
}

function enabledOf(found: Look, name: string): Node | undefined {
  const entry = valueOf(occurrences(found, name).at(-1));
  return entry?.children?.findLast((each) => nameOf(each) === 'enabled');
}

const end = (node: Node | undefined) => (node?.offset ?? 0) + (node?.length ?? 0);

function expectedRefusal(text: string, change: Change): string | undefined {
  const found = look(text);
  const { node, atRoot } = container(found);
  if (node && node.type !== 'object') return 'wrongType';
  if (change.do === 'wrap') {
    return atRoot && node?.children?.some((each) => valueOf(each)?.type !== 'object')
      ? 'wrongType'
      : undefined;
  }
  const there = occurrences(found, change.name);
  if (change.do === 'add') return there.length > 0 ? 'nameTaken' : atRoot ? 'serversAtRoot' : undefined;
  if (there.length === 0) return 'noSuchServer';
  if (change.do === 'replace') return undefined;
  if (change.do === 'rename') {
    if (change.to === change.name) return undefined;
    if (occurrences(found, change.to).length > 0) return 'nameTaken';
    return atRoot && change.to === 'mcpServers' ? 'serversAtRoot' : undefined;
  }
  const touched = change.do === 'remove' ? there : there.slice(-1);
  return touched.some((each) => valueOf(each)?.type !== 'object') ? 'wrongType' : undefined;
}

/** The tokens that must be there now: the old ones, with exactly this change. */
function expectedTokens(old: Look, now: Look, change: Change): string[] {
  const inside = (place: number, node: Node) => place >= node.offset && place < end(node);
  const tokens = [...old.tokens];
  switch (change.do) {
    case 'remove': {
      const gone = occurrences(old, change.name);
      return tokens.filter((_, i) => !gone.some((node) => inside(old.places[i] ?? 0, node)));
    }
    case 'enable':
    case 'disable': {
      const value = valueOf(enabledOf(old, change.name));
      if (value) {
        const first = old.places.indexOf(value.offset);
        const count = old.places.filter((place) => inside(place, value)).length;
        return tokens.toSpliced(first, count, String(change.do === 'enable'));
      }
      if (change.do === 'enable') return tokens;
      return inserted(tokens, now, ['"enabled"', ':', 'false']);
    }
    case 'add': {
      const added = occurrences(now, change.name)[0];
      assert(added, 'the server is there');
      const of = (node: Node) => now.tokens.filter((_, i) => inside(now.places[i] ?? 0, node));
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
      const [was, is] = [occurrences(old, change.name)[i], occurrences(now, change.name)[i]].map(valueOf);
      assert(was && is, 'the server is there');
      const first = old.places.findIndex((place) => inside(place, was));
      const count = old.places.filter((place) => inside(place, was)).length;
      const written = now.tokens.filter((_, at) => inside(now.places[at] ?? 0, is));
      return tokens.toSpliced(first, count, ...written);
    }
    case 'wrap': {
      if (!container(old).atRoot) return tokens;
      const first = tokens.indexOf('{', old.places.indexOf(old.root?.offset ?? 0));
      const last = tokens.lastIndexOf('}', old.places.indexOf(end(old.root) - 1));
      return tokens.toSpliced(last, 0, '}').toSpliced(first + 1, 0, '"mcpServers"', ':', '{');
    }
  }
}

/** The tokens with `added` inserted where it is now. */
function inserted(tokens: readonly string[], now: Look, added: readonly string[]): string[] {
  const place = now.tokens.findIndex(
    (_, i) =>
      added.every((token, k) => now.tokens[i + k] === token) &&
      now.tokens.slice(0, i).every((token, k) => token === tokens[k]) &&
      now.tokens.slice(i + added.length).every((token, k) => token === tokens[i + k]),
  );
  assert(place >= 0, `only ${added.join(' ')} was inserted`);
  return tokens.toSpliced(place, 0, ...added);
}

/** Checks that the edits do not remove and rewrite unchanged text. */
function checkSize(old: Look, edits: readonly Edit[], change: Change): void {
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
  const gone = edits.map(({ offset, length }) => before.slice(offset, offset + length)).join('');
  const value = valueOf(change.do === 'wrap' ? undefined : enabledOf(old, change.name));
  const allowed = what === 'add' || what === 'wrap' ? '' : before.slice(value?.offset, end(value));
  assert(['', allowed].includes(gone.trim()), 'nothing else is removed');
  const inside = edits.map(({ content }) => content.replace(/\s+/g, '')).join('');
  if (what === 'enable' || what === 'disable') {
    assert(inside.length < 25, `only a key and its value are inserted: ${inside}`);
  }
}

/** Checks what a reader sees, which uses the last of duplicate names. */
function checkMeaning(old: Look, now: Look, change: Change): void {
  if (change.do === 'wrap') return;
  // The rest of the root must be unchanged, even if no server is left in it.
  const { atRoot } = container(old);
  const [before, after] = [meaning(old, atRoot), meaning(now, atRoot)];
  const entry = after.get(change.name);
  if (change.do === 'remove') assert.equal(entry, undefined, 'the server is gone');
  else if (change.do === 'rename') {
    assert.deepEqual(after.get(change.to), before.get(change.name), 'the server has the new name');
    if (change.to !== change.name) assert.equal(entry, undefined, 'the old name is gone');
    after.delete(change.to);
  } else {
    assert(entry, 'the server is there');
    const isWritten = change.do === 'add' || change.do === 'replace';
    const enabled = isWritten ? (change.enabled ?? true) : change.do === 'enable';
    assert.equal(entry.get('enabled') ?? 'true', String(enabled), 'the server is enabled or disabled');
    const others = new Map([...(before.get(change.name) ?? new Map<string, string>()), ['enabled', '']]);
    if (isWritten) assert.deepEqual(new Map([...entry, ['enabled', '']]), written(change.server));
    else assert.deepEqual(new Map([...entry, ['enabled', '']]), others, 'its other fields are unchanged');
  }
  before.delete(change.name);
  after.delete(change.name);
  assert.deepEqual([...after], [...before], 'the other servers are unchanged');
}

function meaning(found: Look, atRoot: boolean): Map<string, Map<string, string>> {
  const fields = (node: Node | undefined) =>
    new Map(
      node?.type === 'object'
        ? node.children?.map((each): [string, string] => [nameOf(each), words(found.text, valueOf(each))])
        : [['', words(found.text, node)]],
    );
  const node = atRoot ? found.root : container(found).node;
  return new Map(node?.children?.map((each) => [nameOf(each), fields(valueOf(each))]));
}

/** The source text of a value without white space and comments. */
function words(text: string, node: Node | undefined): string {
  return look(text.slice(node?.offset, end(node))).tokens.join(' ');
}

function written(server: Server): Map<string, string> {
  const quoted = (texts: readonly string[]) => texts.map((text) => JSON.stringify(text));
  const map = (values: ReadonlyMap<string, Secret>) =>
    [
      '{',
      ...[...values].flatMap(([key, value]) => [...quoted([key]), ':', ...quoted([value.reveal()])]),
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
