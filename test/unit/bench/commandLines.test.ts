import assert from 'node:assert/strict';
import { kept, ours, peers } from '../../bench/commandLines.ts';

describe('the count of stored servers', () => {
  const wanted = ['a-0', 'a-1', 'a-2'];
  const entry = { command: 'program', args: ['a-2'] };

  for (const commandLine of [
    ours,
    ...peers.filter(({ file }) => file.endsWith('.json')),
  ]) {
    it(`counts only the wanted servers in the JSON of ${commandLine.name}`, () => {
      const text = JSON.stringify({
        userID: 'a-1',
        mcpServers: { old: entry, 'a-0': entry, 'a-2': entry },
      });
      assert.equal(kept(commandLine, text, wanted), 2);
      assert.equal(kept(commandLine, '{}', wanted), 0);
    });
  }

  for (const commandLine of peers.filter(({ file }) =>
    file.endsWith('.toml'),
  )) {
    it(`counts only the wanted servers in the TOML of ${commandLine.name}`, () => {
      const text = `${commandLine.settings ?? ''}
[mcp_servers.old]
command = "program"
args = ["a-1"]

[mcp_servers.a-0]
command = "program"

[mcp_servers.a-0.env]
NAME = "value"

[mcp_servers.a-2]
command = "program"
`;
      assert.equal(kept(commandLine, text, wanted), 2);
    });
  }

  it('counts no servers in a broken file', () => {
    assert.equal(kept(ours, '{"mcpServers": {"a-0": {}', wanted), 0);
  });
});
