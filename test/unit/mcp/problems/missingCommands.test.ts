import assert from 'node:assert/strict';
import {
  commandsToFind,
  missingCommandProblem,
} from '../../../../src/mcp/problems/missingOnMachine.ts';
import { file } from './cases.ts';

const found = (text: string) =>
  commandsToFind(text).map(({ command, serverName, start, end }) => [
    serverName,
    command,
    text.slice(start, end),
  ]);

describe('the search for commands', () => {
  it('lists the commands of the servers that count, with their positions', () => {
    assert.deepEqual(
      found(
        '{"mcpServers": {"a": {"command": "x"}, "b": {"command": "\\u0079"}, "a": {"command": "z"}}}',
      ),
      [
        ['b', 'y', '"\\u0079"'],
        ['a', 'z', '"z"'],
      ],
    );
    assert.deepEqual(found('{"a": {"command": "x"}}'), [['a', 'x', '"x"']]);
  });

  it('skips servers that start no program, or cannot start one yet', () => {
    for (const entry of [
      '1',
      '{}',
      '{"url": "https://x.y", "headers": {}, "command": "x"}',
      '{"command": 1}',
      '{"command": " "}',
      '{"command": "<path>"}',
      '{"command": "${HOME}/x"}',
      '{"command": "x", "enabled": false}',
    ]) {
      assert.deepEqual(found(file(entry)), [], entry);
    }
    assert.equal(found(file('{"command": "x", "enabled": true}')).length, 1);
  });

  it('lists no commands in a text that has no servers or cannot be read', () => {
    for (const text of [
      '',
      '{}',
      '{"mcpServers": {}}',
      '{"mcpServers": []}',
      '{',
    ]) {
      assert.deepEqual(commandsToFind(text), []);
    }
    assert.throws(() => commandsToFind(null as unknown as string), TypeError);
  });
});

describe('a command that is not found', () => {
  it('gets a hint at its position that names the server', () => {
    const [command] = commandsToFind(file('{"command": "canary"}'));
    assert(command);
    const { code, severity, message, start, end, fixes } =
      missingCommandProblem(command);
    assert.deepEqual(
      [code, severity, start, end, fixes()],
      ['commandNotFound', 'hint', command.start, command.end, []],
    );
    assert.equal(
      message,
      'The command of "s" was not found on this machine. Install it, or enter its full path.',
    );
  });
});
