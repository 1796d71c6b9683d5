import assert from 'node:assert/strict';
import {
  refusalReason,
  serverDescription,
  serverFacts,
  serverLabel,
  serverName,
  serverTooltip,
} from '../../../../../src/editor/words/mcpServers/serverWords.ts';
import { readEntries } from '../../../../../src/mcp/format/document.ts';

function entryOf(fields: unknown, name = 'files') {
  const [entry] = readEntries(
    JSON.stringify({ mcpServers: { [name]: fields } }),
  );
  assert(entry);
  return entry;
}

const local = entryOf({
  command: 'npx',
  args: ['-y', '--token', 'canary-1'],
  env: { KEY: 'canary-2' },
  cwd: '/',
});
const remote = entryOf({
  url: 'https://user:canary-3@example.com/mcp?key=canary-4',
  headers: { Authorization: 'Bearer canary-5' },
  auth: 'canary-6',
  enabled: false,
});

describe('the row of an MCP server', () => {
  it('shows its transport and target without secrets', () => {
    assert.equal(serverDescription(local), 'stdio · npx -y --token ••••••');
    assert.equal(
      serverDescription(remote),
      'http · https://••••••@example.com/mcp?key=••••••',
    );
    assert.equal(serverDescription(entryOf({ type: 'x' })), 'not a server');
  });

  it('reads its name, state and target to a screen reader', () => {
    assert.equal(
      serverLabel(local),
      'MCP server files, enabled, local program, npx -y --token ••••••',
    );
    assert.match(
      serverLabel(remote),
      /^MCP server files, disabled, HTTP, https:/,
    );
    assert.match(
      serverLabel(entryOf(5), 'It is not a server.'),
      /not a server, problem: It is not a server\.$/,
    );
  });

  it('never shows a secret', () => {
    for (const entry of [local, remote]) {
      const all = [
        serverDescription(entry),
        serverLabel(entry),
        serverFacts(entry),
        serverTooltip(entry),
      ];
      assert.doesNotMatch(JSON.stringify(all), /canary/);
    }
  });

  it('has a tooltip of a few lines', () => {
    const tooltip = serverTooltip(local, 'It does not start.', {
      message: 'Why.',
    });
    assert.deepEqual(tooltip.split('\n'), [
      'files',
      'Refused: This file is invalid, so agents load none of its servers. Why.',
      'State: Enabled',
      'Problem: It does not start.',
      'Command: npx -y --token ••••••',
    ]);
    assert.match(serverTooltip(remote), /^URL: https:\/\/••••••@example/m);
  });

  it('lists everything that is known on its page', () => {
    assert.deepEqual(serverFacts(local), [
      ['State', 'Enabled'],
      ['Transport', 'Local program (stdio)'],
      ['Command', 'npx'],
      ['Arguments', '-y'],
      ['', '--token'],
      ['', '••••••'],
      ['Variables', 'KEY=••••••'],
      ['Other fields', 'cwd'],
    ]);
    assert.deepEqual(serverFacts(remote), [
      ['State', 'Disabled'],
      ['Transport', 'HTTP'],
      ['URL', 'https://••••••@example.com/mcp?key=••••••'],
      ['Headers', 'Authorization: ••••••'],
      ['Authentication', '••••••'],
    ]);
    assert.deepEqual(serverFacts(entryOf(5), 'It is not a server.'), [
      ['State', 'Enabled'],
      ['Problem', 'It is not a server.'],
    ]);
  });

  it('says first that the file is refused', () => {
    const position = { line: 3, column: 5, offset: 40 };
    assert.deepEqual(
      serverFacts(local, undefined, { message: 'Why.', position })[0],
      [
        'Refused',
        'This file is invalid, so agents load none of its servers. Line 3, column 5: Why.',
      ],
    );
    assert.equal(refusalReason({ message: 'Why.' }), 'Why.');
  });

  it('omits fields that are null', () => {
    assert.deepEqual(
      serverFacts(entryOf({ command: 'x', cwd: null, type: null })),
      [
        ['State', 'Enabled'],
        ['Transport', 'Local program (stdio)'],
        ['Command', 'x'],
      ],
    );
  });

  it('shows its name with visible characters only', () => {
    assert.equal(serverName(entryOf({}, '')), '(no name)');
    assert.equal(serverName(entryOf({}, 'a\u202Eb\n$(x)')), 'a b $(x)');
  });
});
