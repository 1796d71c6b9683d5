import assert from 'node:assert/strict';
import { readEntries } from '../../../../../src/mcp/format/document.ts';
import {
  readServiceServers,
  type ServiceServer,
} from '../../../../../src/service/records/serviceServer.ts';
import { translateForService } from '../../../../../src/state/mcpServers/serverForService.ts';
import {
  sentLines,
  serviceCheckMessage,
  serviceServerDescription,
  serviceServerFacts,
  serviceServerLabel,
  wholeTarget,
} from '../../../../../src/editor/words/mcpServers/serviceServerWords.ts';

function there(record: unknown, tellsSecrets = true): ServiceServer {
  return readServiceServers({ a: record }, tellsSecrets)[0] ?? assert.fail();
}

describe('an MCP server of a service', () => {
  const facts = (
    record: unknown,
    tells = true,
    differences: readonly string[] = [],
  ) =>
    serviceServerFacts(there(record, tells), differences).map(
      ([name, value]) => `${name}: ${value}`,
    );

  it('shows the names of its secrets, and never their values', () => {
    const local = {
      ...{
        command: 'npx',
        args: ['--key=sk-ant-canarycanarycanarycanary', '--token', 'canary'],
      },
      ...{
        env: { TOKEN: '**********' },
        cwd: '/srv',
        description: 'Notes\u202e',
      },
    };
    const remote = {
      ...{
        url: 'https://joe:canary@h.example/mcp?api_key=canary',
        headers: { 'X-Key': '**********' },
      },
      auth: { strategy: 'bearer', value: '**********' },
    };
    assert.deepEqual(facts(local, true, ['arguments']), [
      'State: Enabled',
      'Differs from the file: arguments',
      'Transport: Local program (stdio)',
      'Command: npx --key=•••••• --token ••••••',
      'Variables: TOKEN=••••••',
      'Folder: /srv',
      'Description: Notes',
    ]);
    const shown = facts(remote);
    assert.deepEqual(shown.slice(3), [
      'Headers: X-Key: ••••••',
      'Authentication: token',
    ]);
    for (const record of [local, remote]) {
      const server = there(record);
      const all = [
        ...facts(record),
        serviceServerDescription(server, []),
        serviceServerLabel('a', 'Local', server, []),
        wholeTarget(server),
      ];
      assert.doesNotMatch(all.join('\n'), /canary/);
    }
  });

  it('says what the service does not reveal, and marks an entry that is not a server', () => {
    assert.ok(
      facts({ command: 'x' }, false).includes(
        'Variables: not reported by the service',
      ),
    );
    assert.ok(
      facts({ url: 'https://h' }, false).includes(
        'Headers: not reported by the service',
      ),
    );
    assert.ok(
      facts({ url: 'https://h', auth: { strategy: 'new' } }).includes(
        'Authentication: new',
      ),
    );
    assert.deepEqual(facts({ enabled: false }), ['State: Disabled']);
    assert.equal(serviceServerDescription(there({}), []), 'not a server');
    assert.equal(
      serviceServerLabel('a', 'Local', there({ command: 'x' }), ['arguments']),
      'MCP server a of Local, enabled, differs from the file: arguments · stdio · x',
    );
  });

  it('rejects a target that is too long to show whole', () => {
    assert.throws(
      () => wholeTarget(there({ command: 'x', args: ['y '.repeat(1_000)] })),
      /longer than can be/,
    );
    assert.throws(
      () => wholeTarget(there({ url: `https://h/${'y'.repeat(1_000)}` })),
      /longer than can be/,
    );
  });

  it('rejects a target with a masked part that could run something', () => {
    assert.throws(
      () =>
        wholeTarget(
          there({ command: 'bash', args: ['-c', 'TOKEN=$(echo x; evil) npx'] }),
        ),
      /masked part of its command could run something/,
    );
    assert.equal(wholeTarget(there({})), 'not a server');
  });

  it('shows the variables that change what runs before they are sent', () => {
    const lines = (value: string) => {
      const fields = { command: 'npx', env: { NODE_OPTIONS: value } };
      const [entry] = readEntries(
        JSON.stringify({ mcpServers: { a: fields } }),
      );
      const translated = translateForService(entry ?? assert.fail());
      return sentLines(translated, translated.server ?? assert.fail());
    };
    assert.deepEqual(lines('-r ./a.js').slice(0, 3), [
      'npx',
      'With these variables, which can change what runs:',
      "NODE_OPTIONS='-r ./a.js'",
    ]);
    assert.throws(() => lines('-r '.repeat(400)), /longer than can be/);
    assert.throws(() => lines('TOKEN=$(echo x; evil)'), /could run something/);
  });

  it('lists what leaves this machine by name, and shows no values', () => {
    const lines = (fields: unknown) => {
      const [entry] = readEntries(
        JSON.stringify({ mcpServers: { a: fields } }),
      );
      const translated = translateForService(entry ?? assert.fail());
      return sentLines(translated, translated.server ?? assert.fail());
    };
    assert.deepEqual(
      lines({
        command: 'npx',
        args: ['x'],
        env: { A: 'canary', B: 'canary' },
        disabled: true,
      }),
      [
        'npx x',
        'With these secrets: the variable A, the variable B',
        '"disabled" is left out, because the service does not accept it.',
      ],
    );
    assert.deepEqual(
      lines({ url: 'https://h/mcp', headers: { K: 'canary' }, auth: 'canary' }),
      ['https://h/mcp', 'With these secrets: the header K, its token'],
    );
  });

  it('reports what its service found', () => {
    assert.equal(
      serviceCheckMessage('a', 'Local', {
        works: true,
        tools: ['x', 'y'],
        milliseconds: 1,
      }),
      '“a” works at Local: 2 tools.',
    );
    const fails = {
      works: false,
      reason: 'unknown',
      why: 'Connection closed',
      milliseconds: 1,
    } as const;
    assert.equal(
      serviceCheckMessage('a', 'Local', fails),
      '“a” does not work at Local: Connection closed',
    );
  });
});
