import assert from 'node:assert/strict';
import {
  entriesIn,
  findServer,
  readEntries,
} from '../../../../src/mcp/format/document.ts';
import { outlineUnfinished } from '../../../../src/mcp/format/outline.ts';
import { findProblems } from '../../../../src/mcp/problems/findProblems.ts';
import { Refusal } from '../../../../src/mcp/text/refusal.ts';

const names = (text: string) => readEntries(text).map(({ name }) => name);
const problems = (text: string) =>
  findProblems(text).flatMap(({ code, start }) =>
    code.startsWith('duplicate') || code === 'serversAtRoot'
      ? [`${code} ${start}`]
      : [],
  );

function only(entry: object) {
  const [found] = readEntries(JSON.stringify({ mcpServers: { a: entry } }));
  assert(found);
  return found;
}

describe('the list of servers', () => {
  it('has no entries for a file that is empty, has no servers or has only other keys', () => {
    for (const text of [
      '',
      ' \n',
      '\uFEFF',
      '{}',
      '{"mcpServers":{}}',
      '{"theme":{"a":1},"list":[]}',
    ]) {
      assert.deepEqual(names(text), []);
    }
  });

  it('keeps all names in order, decoded and with their positions', () => {
    const text =
      '{ "mcpServers": { "2": {}, "1": {}, "__proto__": {}, "": {}, "\\u0061\\"": {}, "é😀": {} } }';
    const entries = readEntries(text);
    assert.deepEqual(
      entries.map(({ name }) => name),
      ['2', '1', '__proto__', '', 'a"', 'é😀'],
    );
    for (const { start, end, member } of entries) {
      assert.equal(text[start], '"');
      assert.equal(text.slice(member.value.start, end), '{}');
    }
  });

  it('keeps only the last of duplicate names or mcpServers, and reports each duplicate', () => {
    const text =
      '{"mcpServers":{"x":{}},"mcpServers":{"a":{"command":"1"},"b":{},"\\u0061":{"command":"2"},"b":{}}}';
    const entries = readEntries(text);
    assert.deepEqual(
      entries.map(({ name, fields }) => [name, fields?.get('command')]),
      [
        ['a', '2'],
        ['b', undefined],
      ],
    );
    assert.deepEqual(problems(text), [
      'duplicateServers 1',
      'duplicateServer 37',
      'duplicateServer 57',
    ]);
  });

  it('keeps each of 10,000 repeated names once, and reports the others', () => {
    const round = Array.from({ length: 10_000 }, (_, i) => `"${i}":{}`).join(
      ',',
    );
    const text = `{"mcpServers":{${round},${round},${round}}}`;
    assert.equal(names(text).length, 10_000);
    const found = problems(text);
    assert.equal(found.length, 20_000);
    assert.equal(
      found[10_000],
      `duplicateServer ${'{"mcpServers":{'.length + round.length + 1}`,
    );
  });

  it('reads servers from the root when there is no mcpServers, and reports it', () => {
    assert.deepEqual(names('{"a":{"command":"x"},"b":{"url":"y"}}'), [
      'a',
      'b',
    ]);
    assert.deepEqual(problems('{"a":{"command":"x"}}'), ['serversAtRoot 1']);
  });

  it('refuses an mcpServers that is not an object, with its position', () => {
    assert.throws(
      () => readEntries('{\n "mcpServers": []}'),
      (error: unknown) =>
        error instanceof Refusal &&
        error.kind === 'wrongType' &&
        error.message ===
          'Line 2, column 16: "mcpServers" is not a JSON object.',
    );
  });

  it('reads past a byte order mark, a comment and trailing commas', () => {
    assert.deepEqual(
      names('\uFEFF{ // x\n"mcpServers":{"a":{"command":"x"},},}'),
      ['a'],
    );
  });
});

describe('an entry', () => {
  it('becomes a local server with its command, arguments and hidden variables', () => {
    const { server, enabled } = only({
      command: 'npx',
      args: ['-y', 5, 'x'],
      env: { A: 'secret', B: 1 },
    });
    assert(server?.transport === 'stdio' && enabled);
    assert.deepEqual(
      [server.command, server.args, [...server.env.keys()]],
      ['npx', ['-y', 'x'], ['A']],
    );
    assert.equal(server.env.get('A')?.reveal(), 'secret');
    assert.doesNotMatch(JSON.stringify([...server.env]), /secret/);
  });

  it('becomes the same local server when args and env are missing or invalid', () => {
    assert.deepEqual(
      only({ command: 'npx' }).server,
      only({ command: 'npx', args: 1, env: [] }).server,
    );
  });

  it('takes the transport of a remote server from its key, or else from its URL', () => {
    const transport = (entry: object) => only(entry).server?.transport;
    assert.equal(transport({ url: 'https://x/mcp' }), 'http');
    assert.equal(transport({ url: 'https://x/sse' }), 'sse');
    assert.equal(transport({ url: 'https://x/sse/?a' }), 'sse');
    assert.equal(transport({ url: 'https://x/mcp?/sse' }), 'http');
    assert.equal(transport({ url: 'https://x/assets' }), 'http');
    assert.equal(
      transport({ url: 'https://x/sse', transport: 'http' }),
      'http',
    );
    assert.equal(
      transport({ url: 'https://x/sse', transport: 'streamable-http' }),
      'http',
    );
    assert.equal(transport({ url: 'https://x/mcp', transport: 'sse' }), 'sse');
    assert.equal(transport({ url: 'https://x/mcp', transport: 'odd' }), 'http');
    assert.equal(transport({ url: 'https://x/sse&a' }), 'sse');
    assert.equal(transport({ url: 'https://x/sse;a=b' }), 'sse');
    assert.equal(transport({ url: 'https://x/sse;a/b' }), 'http');
    assert.equal(transport({ url: 'https://sse/mcp' }), 'http');
    assert.equal(transport({ url: 'https://sse' }), 'http');
  });

  it('hides headers and a bearer token in JSON and strings', () => {
    const { server } = only({
      url: 'https://x',
      headers: { A: 'canary' },
      auth: 'canary',
    });
    assert(server?.transport === 'http');
    assert.equal(server.auth?.reveal(), 'canary');
    assert.doesNotMatch(
      `${JSON.stringify([...server.headers])}${String(server.auth)}`,
      /canary/,
    );
  });

  it('counts as enabled unless "enabled" is a falsy value in Python', () => {
    assert.equal(only({}).enabled, true);
    for (const enabled of [true, 'false', '0', ' ', 1, -1, 0.5, [0], { a: 1 }])
      assert.equal(only({ enabled }).enabled, true, JSON.stringify(enabled));
    for (const enabled of [false, null, 0, -0, '', [], {}])
      assert.equal(only({ enabled }).enabled, false, JSON.stringify(enabled));
    const [zero] = readEntries('{"mcpServers":{"a":{"enabled":0.0e3}}}');
    assert.equal(zero?.enabled, false);
    const [unfinished] = entriesIn(
      outlineUnfinished('{"mcpServers":{"a":{"enabled":'),
    );
    assert.equal(unfinished?.enabled, true);
  });

  it('takes the kind that most of its keys belong to when it has a command and a URL', () => {
    const kind = (entry: object) =>
      only({ command: 'x', url: 'https://x', ...entry }).kind;
    assert.equal(kind({}), 'local');
    assert.equal(kind({ headers: {} }), 'remote');
    assert.equal(kind({ headers: {}, args: [] }), 'local');
    assert.equal(kind({ headers: {}, args: [1] }), 'remote');
    assert.equal(kind({ headers: 1, args: [1] }), 'local');
    assert.equal(kind({ headers: 1, args: [1], env: [] }), 'remote');
    assert.equal(kind({ command: 1 }), 'remote');
    assert.equal(kind({ url: null }), 'local');
  });

  it('has no server without a command or a URL, or when it is not an object', () => {
    assert.equal(only({ type: 'x' }).server, undefined);
    const [entry] = readEntries('{"mcpServers":{"a":[1]}}');
    assert.deepEqual(
      [entry?.server, entry?.fields, entry?.enabled],
      [undefined, undefined, true],
    );
  });

  it('keeps fields with any name, and the last of two with the same name', () => {
    const [entry] = readEntries(
      '{"mcpServers":{"a":{"__proto__":1,"b":1,"b":{"__proto__":[null]}}}}',
    );
    assert.deepEqual(
      entry?.fields,
      new Map<string, unknown>([
        ['__proto__', 1],
        ['b', new Map([['__proto__', [null]]])],
      ]),
    );
  });
});

describe('the search for a server by name', () => {
  const entries = readEntries('{"mcpServers":{"files":{},"github":{}}}');

  it('finds a server by its name', () => {
    assert.equal(findServer(entries, 'files').name, 'files');
  });

  it('refuses a missing name, with a suggestion', () => {
    const message = (name: string, text?: string) => {
      try {
        findServer(text === undefined ? entries : readEntries(text), name);
      } catch (error) {
        return error instanceof Refusal && error.kind === 'noSuchServer'
          ? error.message
          : '';
      }
      return 'found';
    };
    assert.equal(
      message('fiels'),
      'There is no server "fiels". Did you mean "files"?',
    );
    assert.equal(
      message('xyz'),
      'There is no server "xyz". List the servers to see their names.',
    );
    assert.equal(
      message('files', '{}'),
      'There is no server "files". There are no servers yet.',
    );
    assert.equal(
      message('a\u202Eb\n'),
      'There is no server "a b". List the servers to see their names.',
    );
  });
});
