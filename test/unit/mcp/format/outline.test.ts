import assert from 'node:assert/strict';
import { entriesIn } from '../../../../src/mcp/format/document.ts';
import { outlineUnfinished } from '../../../../src/mcp/format/outline.ts';
import { objectOf } from '../../../../src/mcp/text/nodes.ts';

const entries = (text: string) => entriesIn(outlineUnfinished(text));
const names = (text: string) => entries(text).map(({ name }) => name);

describe('the outline of an unfinished text', () => {
  it('finds servers with their positions, kind and keys', () => {
    const text =
      '{"mcpServers": {"a": {"command": "npx", "env": {"X": "1"}, "args": [], "enabled": false}}}';
    const [entry] = entries(text);
    assert.equal(text.slice(entry?.nameSpan.start, entry?.nameSpan.end), '"a"');
    assert.equal(text.slice(entry?.start, entry?.end), text.slice(16, -2));
    assert.equal(entry?.server?.transport, 'stdio');
    assert.equal(entry.enabled, false);
    const parts = entry.object?.members.map(({ name, value }) => [
      name,
      value.type,
    ]);
    assert.deepEqual(parts, [
      ['command', 'string'],
      ['env', 'object'],
      ['args', 'array'],
      ['enabled', 'boolean'],
    ]);
    assert.deepEqual(
      objectOf(entry.object?.members[1]?.value)?.members.map(
        ({ name }) => name,
      ),
      ['X'],
    );
  });

  it('finds servers despite errors before, in and after them', () => {
    assert.deepEqual(
      names(
        '{"x": , "mcpServers": {"a": {"command": }, "b": {"url": "x"}, "c": ',
      ),
      ['a', 'b'],
    );
    assert.deepEqual(
      names('{"mcpServers": {"a": {"command": "npx"} "b": {"url": "x"}}}'),
      ['a', 'b'],
    );
    assert.deepEqual(names('{"mcpServers": {"a": {"command": "npx"'), ['a']);
    const open = '{"mcpServers": {"a": {"command": "npx"';
    assert.equal(entries(open)[0]?.end, open.length);
    assert.equal(entries(open)[0]?.server?.transport, 'stdio');
  });

  it('finds servers at the root, and in the last of two "mcpServers"', () => {
    assert.deepEqual(names('{"a": {"url": "x"}, "b": {}}'), ['a', 'b']);
    assert.deepEqual(
      names('{"mcpServers": {"a": {}}, "mcpServers": {"b": {}}}'),
      ['b'],
    );
    assert.deepEqual(names('{"other": {}}'), []);
    assert.deepEqual(names('{"mcpServers": []}'), []);
  });

  it('keeps only the last of two servers with the same name', () => {
    const text = '{"mcpServers": {"a": {}, "b": 1, "a": {}}}';
    assert.deepEqual(
      entries(text).map(({ name, start }) => [name, start]),
      [
        ['b', text.indexOf('"b"')],
        ['a', text.lastIndexOf('"a"')],
      ],
    );
  });

  it('finds no servers in a text that is empty, too long, too deep or not an object', () => {
    for (const text of ['', '[]', 'null', '"', ' '.repeat(16_000_001)])
      assert.deepEqual(names(text), []);
    assert.deepEqual(names(`{"mcpServers": ${'['.repeat(200_000)}`), []);
  });
});
