import assert from 'node:assert/strict';
import {
  findServer,
  readEntries,
} from '../../../../src/mcp/format/document.ts';
import { toolNameForAgents } from '../../../../src/mcp/format/verdict.ts';

const entry = (fields: string) =>
  findServer(
    readEntries(`{"mcpServers":{"s":{"command":"x",${fields}}}}`),
    's',
  );
const tools = (fields: string) => [...entry(fields).tools];

describe('the list of tools in an entry', () => {
  it('counts a tool as on unless the program reads its "enabled" as off', () => {
    for (const off of [
      'false',
      '0',
      '0.0',
      '-0',
      '"false"',
      '"off"',
      '"No"',
      '"0"',
    ]) {
      assert.deepEqual(
        tools(`"tools":{"a":{"enabled":${off}}}`),
        [['a', false]],
        off,
      );
    }
    for (const on of [
      'true',
      '1',
      '"yes"',
      '"ON"',
      '"t"',
      'null',
      '"maybe"',
      '2',
      '[]',
      '""',
    ]) {
      assert.deepEqual(
        tools(`"tools":{"a":{"enabled":${on}}}`),
        [['a', true]],
        on,
      );
    }
    for (const tool of ['{}', '{"name":"b"}', 'false', 'null', '[]']) {
      assert.deepEqual(tools(`"tools":{"a":${tool}}`), [['a', true]], tool);
    }
  });

  it('keeps the last of two "tools" keys, and of two tools with the same name', () => {
    assert.deepEqual(
      tools(
        '"tools":{"x":{}},"tools":{"a":{"enabled":false},"b":{"enabled":true,"enabled":false},"a":{}}',
      ),
      [
        ['a', true],
        ['b', false],
      ],
    );
  });

  it('counts no tool as off when the program ignores "tools"', () => {
    const off = '"tools":{"a":{"enabled":false}}';
    for (const tags of ['"t"', '[1]', '{}', 'false']) {
      assert.deepEqual(
        tools(`${off},"include_tags":${tags}`),
        [['a', true]],
        tags,
      );
      assert.deepEqual(
        tools(`"exclude_tags":${tags},${off}`),
        [['a', true]],
        tags,
      );
    }
    for (const tags of ['null', '[]', '["t"]']) {
      assert.deepEqual(
        tools(`${off},"include_tags":${tags},"exclude_tags":${tags}`),
        [['a', false]],
        tags,
      );
    }
    for (const none of ['"tools":["a"]', '"tools":null', '"tool":{}'])
      assert.deepEqual(tools(none), []);
    assert.deepEqual(
      [...findServer(readEntries('{"mcpServers":{"s":1}}'), 's').tools],
      [],
    );
  });
});

describe('the keys of an entry', () => {
  it('lists the tools that are off, and the keys that are not part of the server', () => {
    const found = entry(
      '"tools":{"a":{"enabled":false},"b":{}},"cwd":"/x","icon":null,"env":{},"enabled":true',
    );
    assert.deepEqual(found.toolsOff, ['a']);
    assert.deepEqual(found.otherFields, ['tools', 'cwd']);
  });
});

describe('the name that agents know a tool by', () => {
  it('has the server name as a prefix when two or more servers are enabled', () => {
    assert.equal(toolNameForAgents('git hub', 'search', 0), 'search');
    assert.equal(toolNameForAgents('git hub', 'search', 1), 'search');
    assert.equal(toolNameForAgents('git hub', 'search', 2), 'git hub_search');
    assert.equal(toolNameForAgents('a_b', '_x', 9), 'a_b__x');
  });

  it('follows the name in the entry unless the program ignores it', () => {
    const renaming = entry(
      '"tools":{"a":{"name":"b"},"c":{"name":""},"d":{"name":null},"e":{"name":1},"f":[]}',
    );
    assert.deepEqual(
      ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((tool) =>
        renaming.toolName(tool),
      ),
      ['b', 'b', 'c', 'd', 'e', 'f', 'g'],
    );
    assert.equal(
      entry('"tools":{"a":{"name":"b"}},"include_tags":"t"').toolName('a'),
      'a',
    );
    assert.equal(entry('"tools":["a"]').toolName('a'), 'a');
  });
});
