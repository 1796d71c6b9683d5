import assert from 'node:assert/strict';
import { findServer, readDocument } from '../../../src/mcp/document.ts';
import { toolNameForAgents } from '../../../src/mcp/toolNames.ts';

const entry = (fields: string) =>
  findServer(readDocument(`{"mcpServers":{"s":{"command":"x",${fields}}}}`), 's');
const tools = (fields: string) => [...entry(fields).tools];

describe('the tools that an entry names', () => {
  it('are on unless it says that they are off, as the program understands it', () => {
    for (const off of ['false', '0', '0.0', '-0', '"false"', '"off"', '"No"', '"0"']) {
      assert.deepEqual(tools(`"tools":{"a":{"enabled":${off}}}`), [['a', false]], off);
    }
    for (const on of ['true', '1', '"yes"', '"ON"', '"t"', 'null', '"maybe"', '2', '[]', '""']) {
      assert.deepEqual(tools(`"tools":{"a":{"enabled":${on}}}`), [['a', true]], on);
    }
    for (const tool of ['{}', '{"name":"b"}', 'false', 'null', '[]']) {
      assert.deepEqual(tools(`"tools":{"a":${tool}}`), [['a', true]], tool);
    }
  });

  it('are those of the last of two "tools", and the last of two tools counts', () => {
    assert.deepEqual(
      tools('"tools":{"x":{}},"tools":{"a":{"enabled":false},"b":{"enabled":true,"enabled":false},"a":{}}'),
      [
        ['a', true],
        ['b', false],
      ],
    );
  });

  it('are all on where the program ignores what is said about them', () => {
    const off = '"tools":{"a":{"enabled":false}}';
    for (const tags of ['"t"', '[1]', '{}', 'false']) {
      assert.deepEqual(tools(`${off},"include_tags":${tags}`), [['a', true]], tags);
      assert.deepEqual(tools(`"exclude_tags":${tags},${off}`), [['a', true]], tags);
    }
    for (const tags of ['null', '[]', '["t"]']) {
      assert.deepEqual(tools(`${off},"include_tags":${tags},"exclude_tags":${tags}`), [['a', false]], tags);
    }
    for (const none of ['"tools":["a"]', '"tools":null', '"tool":{}']) assert.deepEqual(tools(none), []);
    assert.deepEqual([...findServer(readDocument('{"mcpServers":{"s":1}}'), 's').tools], []);
  });
});

describe('the name that agents know a tool by', () => {
  it('has the name of the server before it when two are enabled', () => {
    assert.equal(toolNameForAgents('git hub', 'search', 0), 'search');
    assert.equal(toolNameForAgents('git hub', 'search', 1), 'search');
    assert.equal(toolNameForAgents('git hub', 'search', 2), 'git hub_search');
    assert.equal(toolNameForAgents('a_b', '_x', 9), 'a_b__x');
  });

  it('is the one that the entry gives it', () => {
    const renaming = entry(
      '"tools":{"a":{"name":"b"},"c":{"name":""},"d":{"name":null},"e":{"name":1},"f":[]}',
    );
    assert.deepEqual(
      ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((tool) => renaming.toolName(tool)),
      ['b', 'b', 'c', 'd', 'e', 'f', 'g'],
    );
    assert.equal(entry('"tools":{"a":{"name":"b"}},"include_tags":"t"').toolName('a'), 'a');
    assert.equal(entry('"tools":["a"]').toolName('a'), 'a');
  });
});
