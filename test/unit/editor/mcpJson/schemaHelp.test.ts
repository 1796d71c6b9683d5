import assert from 'node:assert/strict';
import {
  completeAt,
  explainAt,
  type JsonSchema,
} from '../../../../src/editor/mcpJson/schemaHelp.ts';
import { jsonSchema } from '../../../../src/mcp/format/jsonSchema.ts';

const schema = jsonSchema() as JsonSchema;

/** A text with its cursor, which is `|`. */
function at(marked: string): [text: string, offset: number] {
  const offset = marked.indexOf('|');
  return [marked.slice(0, offset) + marked.slice(offset + 1), offset];
}

const explained = (marked: string) => explainAt(schema, ...at(marked));
const offered = (marked: string, onlyServers = false) =>
  completeAt(schema, ...at(marked), onlyServers);
const labels = (marked: string) => offered(marked).map(({ label }) => label);

/** The text after the choice of a label, with what a snippet has to fill in. */
function chosen(marked: string, wanted: string): string {
  const [text] = at(marked);
  const found = offered(marked).find(({ label }) => label === wanted);
  assert.ok(found, labels(marked).join(', '));
  return (
    text.slice(0, found.span.start) + found.insert + text.slice(found.span.end)
  );
}

const local = '"command": "npx"';
const remote = '"url": "https://example.com"';
const entry = (inside: string) => `{"mcpServers": {"files": {${inside}}}}`;

describe('a hover in mcp.json', () => {
  it('explains a key, and marks its range', () => {
    assert.match(
      explained('{"mcp|Servers": {}}')?.text ?? '',
      /^The MCP servers by name/,
    );
    const found = explained(entry(`${local}, "ar|gs": []`));
    assert.match(found?.text ?? '', /^The arguments of the program/);
    const [text] = at(entry(`${local}, "ar|gs": []`));
    assert.equal(text.slice(found?.start, found?.end), '"args"');
  });

  it('shows the kind of server at its name', () => {
    assert.match(
      explained(entry(local).replace('files', 'fi|les'))?.text ?? '',
      /^\*\*Local MCP server\*\*/,
    );
    assert.match(
      explained(entry(remote).replace('files', 'fi|les'))?.text ?? '',
      /^\*\*Remote MCP server\*\*/,
    );
  });

  it('explains a value, and lists all possible values at its key', () => {
    const value =
      explained(entry(`${remote}, "transport": "s|se"`))?.text ?? '';
    assert.match(value, /Server-sent events/);
    assert.doesNotMatch(value, /Streamable/);
    const key = explained(entry(`${remote}, "tr|ansport": "sse"`))?.text ?? '';
    assert.match(
      key,
      /- `"http"`: Streamable HTTP.*\n- `"streamable-http"`: Another name for `http`/,
    );
  });

  it('shows the default value', () => {
    assert.match(
      explained(entry(`${local}, "enab|led": false`))?.text ?? '',
      /Default: `true`/,
    );
  });

  it('shows nothing at unknown keys, values of variables and places outside the object', () => {
    assert.equal(explained(entry(`${local}, "oth|er": 1`)), undefined);
    assert.equal(
      explained(entry(`${local}, "env": {"TOKEN": "sec|ret"}`)),
      undefined,
    );
    assert.equal(explained('| {"mcpServers": {}}'), undefined);
    assert.equal(explained('|'), undefined);
  });

  it('explains a key even when the rest of the text is broken', () => {
    assert.match(
      explained('{"mcpServers": {"a": {"command": "npx", "ar|gs": [ "b": } }')
        ?.text ?? '',
      /argum/,
    );
  });
});

describe('a completion in mcp.json', () => {
  it('offers the unused keys of the kind of server', () => {
    const keys = labels(entry(`${local}, "|"`));
    assert.ok(
      keys.includes('args') && keys.includes('env') && keys.includes('enabled'),
      keys.join(),
    );
    assert.ok(
      !keys.includes('command') && !keys.includes('headers'),
      keys.join(),
    );
    const others = labels(entry(`${remote}, |`));
    assert.ok(
      others.includes('headers') &&
        !others.includes('env') &&
        !others.includes('url'),
      others.join(),
    );
    assert.deepEqual(labels(entry('|')), ['command', 'url']);
    assert.deepEqual(labels('{|}'), ['mcpServers']);
  });

  it('inserts a key with a value to fill in, and a comma before another key', () => {
    assert.equal(
      chosen(entry(`${local}, "ar|"`), 'args'),
      entry(`${local}, "args": ["$1"]`),
    );
    assert.equal(chosen(entry('|'), 'command'), entry('"command": "${1:npx}"'));
    assert.equal(
      chosen(entry(`${local}, |`), 'enabled'),
      entry(`${local}, "enabled": \${1|true,false|}`),
    );
    assert.equal(
      chosen(entry(`${local}, |`), 'timeout'),
      entry(`${local}, "timeout": \${1:30000}`),
    );
    assert.equal(
      chosen(entry(`${local}, |`), 'env'),
      entry(`${local}, "env": {$1}`),
    );
    assert.equal(
      chosen(entry(`${local}, |`), 'cwd'),
      entry(`${local}, "cwd": "$1"`),
    );
    assert.equal(
      chosen(entry(`${local}, |`), 'transport'),
      entry(`${local}, "transport": "stdio"`),
    );
    assert.equal(
      chosen(entry(`${remote}, |`), 'transport'),
      entry(`${remote}, "transport": \${1|"http","streamable-http","sse"|}`),
    );
    assert.equal(
      chosen(entry(`cw| ${local}`), 'cwd'),
      entry(`"cwd": "$1", ${local}`),
    );
  });

  it('inserts only the key before an existing value', () => {
    assert.equal(
      chosen(entry(`${local}, "ar|": []`), 'args'),
      entry(`${local}, "args": []`),
    );
  });

  it('offers the possible values of a key', () => {
    assert.deepEqual(labels(entry(`${remote}, "transport": |`)), [
      '"http"',
      '"streamable-http"',
      '"sse"',
    ]);
    assert.equal(
      chosen(entry(`${remote}, "transport": "h|"`), '"sse"'),
      entry(`${remote}, "transport": "sse"`),
    );
    assert.deepEqual(labels(entry(`${local}, "enabled": |`)), [
      'true',
      'false',
    ]);
    assert.deepEqual(labels(entry(`${local}, "transport": |`)), ['"stdio"']);
    assert.deepEqual(labels(entry(`"command": "|"`)), [
      '"npx"',
      '"uvx"',
      '"docker"',
    ]);
    assert.deepEqual(labels(entry(`${remote}, "auth": |`)), ['"oauth"']);
  });

  it('offers a whole server of each kind, with or without its name', () => {
    const all = labels('{"mcpServers": {|}}');
    assert.ok(
      all.length >= 6 &&
        all.includes('Local server') &&
        all.includes('Remote server with OAuth'),
    );
    assert.deepEqual(labels('{"mcpServers": {"a": |}}'), all);
    assert.deepEqual(
      offered('{"mcpServers": {|}}', true).map(({ label }) => label),
      all,
    );
    assert.deepEqual(offered(entry('|'), true), []);
    assert.deepEqual(offered('{"mcpServers": {"a": |}}', true), []);
    const text = chosen(
      '{"mcpServers": {"|" "b": {}}}',
      'Remote server with a header',
    );
    assert.equal(
      text.replace(/\s/g, ''),
      '{"mcpServers":{"${1:name}":{"url":"${2:https://example.com/mcp}","transport":"http","headers":{"${3:Authorization}":"${4:Bearer}$5"}},"b":{}}}',
    );
    assert.deepEqual(labels('{"mcpServers": {"|": {}}}'), []);
  });

  it('matches the typed text, including its quote', () => {
    assert.ok(
      offered(entry(`${local}, "a|"`)).every(({ filter }) =>
        filter.startsWith('"'),
      ),
    );
    assert.ok(
      offered(entry(`${local}, a|`)).every(
        ({ filter }) => !filter.startsWith('"'),
      ),
    );
  });

  it('offers a skeleton for an empty file', () => {
    assert.deepEqual(labels('|'), ['No servers yet']);
    assert.deepEqual(labels('{} |'), []);
  });

  it('offers nothing within a comment, and continues after it', () => {
    for (const comment of [
      '// |',
      '//|',
      '/* "a|" */',
      '/* |',
      '/*|/',
      '/*/|',
    ]) {
      assert.deepEqual(
        labels(`{"mcpServers": {"files": {${comment}`),
        [],
        comment,
      );
    }
    assert.ok(labels(entry('/* a */|')).includes('command'));
    assert.ok(labels(entry('// a\n|')).includes('command'));
    assert.ok(labels(entry('|// a\n')).includes('command'));
    // A comment inside a string is none.
    assert.ok(labels(entry('"url": "https://example.com/|"')).length > 0);
    assert.ok(
      labels(entry('"url": "https://example.com", |')).includes('transport'),
    );
  });

  it('offers the same in a text that ends at the cursor', () => {
    assert.deepEqual(labels('{|'), ['mcpServers']);
    assert.deepEqual(
      labels('{"mcpServers": {|'),
      labels('{"mcpServers": {|}}'),
    );
    assert.deepEqual(
      labels('{"mcpServers": {"a": {"url": "x", |'),
      labels(entry(`${remote}, |`)),
    );
    const transports = ['"http"', '"streamable-http"', '"sse"'];
    assert.deepEqual(
      labels('{"mcpServers": {"a": {"url": "x", "transport": "h|'),
      transports,
    );
    assert.deepEqual(
      labels('{"mcpServers": {"a": {"url": "x", "transport": |'),
      transports,
    );
  });

  it('offers nothing in lists and under unknown keys', () => {
    for (const list of ['[|]', '["-y"|]', '["-y", |]', '["-y", {"a": |}]']) {
      assert.deepEqual(labels(entry(`${local}, "args": ${list}`)), [], list);
    }
    assert.deepEqual(labels('{"theme": {"a": |}}'), []);
  });

  it('treats names that every JavaScript object has as ordinary names', () => {
    assert.deepEqual(
      labels('{"mcpServers": {"constructor": {"url": "x", "toString": "|"}}}'),
      [],
    );
    assert.ok(
      labels('{"mcpServers": {"__proto__": {"url": "x", "|"}}}').includes(
        'headers',
      ),
    );
  });
});
