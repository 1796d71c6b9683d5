import assert from 'node:assert/strict';
import { entriesIn } from '../../../../src/editor/configuration/entries.ts';

const names = (text: string) => entriesIn(text).map(({ name }) => name);

describe('the servers in a text that is being written', () => {
  it('have their places, what they are, and the parts that they have', () => {
    const text = '{"mcpServers": {"a": {"command": "npx", "env": {"X": "1"}, "args": [], "enabled": false}}}';
    const [entry] = entriesIn(text);
    assert.equal(text.slice(entry?.start, entry?.nameEnd), '"a"');
    assert.equal(text.slice(entry?.start, entry?.end), text.slice(16, -2));
    assert.equal(entry?.server?.transport, 'stdio');
    assert.equal(entry.enabled, false);
    const parts = entry.parts.map(({ name, value }) => [name, value.type]);
    assert.deepEqual(parts, [
      ['command', 'string'],
      ['env', 'object'],
      ['args', 'array'],
      ['enabled', 'boolean'],
    ]);
    assert.deepEqual(
      entry.parts[1]?.parts.map(({ name }) => name),
      ['X'],
    );
  });

  it('are found with errors before, in and behind them', () => {
    assert.deepEqual(names('{"x": , "mcpServers": {"a": {"command": }, "b": {"url": "x"}, "c": '), [
      'a',
      'b',
    ]);
    assert.deepEqual(names('{"mcpServers": {"a": {"command": "npx"} "b": {"url": "x"}}}'), ['a', 'b']);
    assert.deepEqual(names('{"mcpServers": {"a": {"command": "npx"'), ['a']);
    const open = '{"mcpServers": {"a": {"command": "npx"';
    assert.equal(entriesIn(open)[0]?.end, open.length);
    assert.equal(entriesIn(open)[0]?.server?.transport, 'stdio');
  });

  it('are found at the root and in the last of two objects', () => {
    assert.deepEqual(names('{"a": {"url": "x"}, "b": {}}'), ['a', 'b']);
    assert.deepEqual(names('{"mcpServers": {"a": {}}, "mcpServers": {"b": {}}}'), ['b']);
    assert.deepEqual(names('{"other": {}}'), []);
    assert.deepEqual(names('{"mcpServers": []}'), []);
  });

  it('are told apart where two have one name', () => {
    const text = '{"mcpServers": {"a": {}, "b": 1, "a": {}}}';
    assert.deepEqual(
      entriesIn(text).map(({ counts }) => counts),
      [false, true, true],
    );
  });

  it('are none where there is nothing, too much or no object', () => {
    for (const text of ['', '[]', 'null', '"', ' '.repeat(16_000_001)]) assert.deepEqual(names(text), []);
    assert.deepEqual(names(`{"mcpServers": ${'['.repeat(200_000)}`), []);
  });
});
