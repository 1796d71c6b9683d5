import assert from 'node:assert/strict';
import { Secret } from '../../../../src/base/secret.ts';
import { showServer } from '../../../../src/mcp/format/mask.ts';
import {
  fillPlaceholder,
  findPlaceholders,
} from '../../../../src/mcp/pasted/serverPlaceholders.ts';
import type { Server } from '../../../../src/mcp/format/server.ts';

const secrets = (values: Record<string, string>) =>
  new Map(
    Object.entries(values).map(([name, value]) => [name, new Secret(value)]),
  );

const local = (
  env: Record<string, string>,
  args: readonly string[] = [],
  command = 'npx',
): Server => ({
  transport: 'stdio',
  command,
  args,
  env: secrets(env),
});

const remote = (
  url: string,
  headers: Record<string, string> = {},
  auth?: string,
): Server => ({
  transport: 'http',
  url,
  headers: secrets(headers),
  ...(auth !== undefined && { auth: new Secret(auth) }),
});

/**
 * The placeholders in a server, and the server after the answer `ok` to each.
 */
function asked(server: Server) {
  const found = findPlaceholders(server, new Map());
  const filled = found.reduce(
    (before, placeholder) => fillPlaceholder(before, placeholder, 'ok'),
    server,
  );
  assert.deepEqual(findPlaceholders(filled, new Map()), []);
  return [found.map(({ text }) => text), showServer(filled, true)] as const;
}

describe('the search for placeholders in a server', () => {
  for (const [value, text, filled] of [
    ['YOUR_API_KEY', 'YOUR_API_KEY', 'ok'],
    ['Bearer <token>', '<token>', 'Bearer ok'],
    ['Bearer your token', 'your token', 'Bearer ok'],
    ['key: xxx', 'xxx', 'key: ok'],
    ['insert your key here', 'insert your key here', 'ok'],
    ['token here', 'token here', 'ok'],
    ['${input:x}-${input:y}-${input:x}', '${input:x} ${input:y}', 'ok-ok-ok'],
    ['Bearer $API_TOKEN', '$API_TOKEN', 'Bearer ok'],
    ['$HOME/x:/y', '$HOME', 'ok/x:/y'],
    ['Bearer $(gh auth token)', '$(gh auth token)', 'Bearer ok'],
    ['C:\\x=$env:KEY', '$env:KEY', 'C:\\x=ok'],
    ['/path/to/file', '/path/to/file', 'ok'],
    ['C:\\path\\to\\file.txt', 'C:\\path\\to\\file.txt', 'ok'],
    ['/absolute/path/to/x:/data', '/absolute/path/to/x', 'ok:/data'],
    [
      'https://<host>/your-tenant/x?key=xxx',
      '<host> your-tenant xxx',
      'https://ok/ok/x?key=ok',
    ],
    [
      '${{ secrets.KEY }}-${env:HOME}',
      '${{ secrets.KEY }} ${env:HOME}',
      'ok-ok',
    ],
    ['Bearer {env:KEY}', '{env:KEY}', 'Bearer ok'],
    ['${workspaceFolder}/x', '${workspaceFolder}', 'ok/x'],
    ['${CLAUDE_PLUGIN_ROOT}/x', '${CLAUDE_PLUGIN_ROOT}', 'ok/x'],
    ['${HOME}/x', '', '${HOME}/x'],
    ['${key:-sk-1}', '', '${key:-sk-1}'],
    ['https://${HOST}/your-tenant', 'your-tenant', 'https://${HOST}/ok'],
    ['sk-live-canary', '', 'sk-live-canary'],
    ['pa$$WORD $x', '', 'pa$$WORD $x'],
    ['/usr/bin/path/to', '', '/usr/bin/path/to'],
    ['', '', ''],
  ] as const) {
    it(`finds and fills only the placeholders in "${value}"`, () => {
      const [texts, server] = asked(local({ K: value }));
      assert.equal(texts.join(' '), text);
      assert.deepEqual(server, showServer(local({ K: filled }), true));
    });
  }

  it('leaves a script to its shell', () => {
    const script = 'cd $(dirname "$0") && K=$(cat k) exec $HOME/x';
    const [texts] = asked(local({}, ['-lc', script, '$(pwd)'], 'bash'));
    assert.deepEqual(texts, ['$(pwd)']);
  });

  it('finds and fills placeholders in every part of a local server', () => {
    const server = local(
      { A: '<a>', B: 'b' },
      ['-y', '--key=<key>', '<key>'],
      '/path/to/x',
    );
    const [texts, filled] = asked(server);
    assert.deepEqual(texts, ['/path/to/x', '<key>', '<key>', '<a>']);
    assert.deepEqual(
      filled,
      showServer(
        local({ A: 'ok', B: 'b' }, ['-y', '--key=ok', 'ok'], 'ok'),
        true,
      ),
    );
  });

  it('finds and fills placeholders in every part of a remote server', () => {
    const [texts, filled] = asked(
      remote('https://<h>/', { A: 'b', C: '<c>' }, 'YOUR_TOKEN'),
    );
    assert.deepEqual(texts, ['<h>', '<c>', 'YOUR_TOKEN']);
    assert.deepEqual(
      filled,
      showServer(remote('https://ok/', { A: 'b', C: 'ok' }, 'ok'), true),
    );
  });

  it('inserts an answer literally, even with "$&" in it', () => {
    const [placeholder] = findPlaceholders(
      local({ A: '${x}' }),
      new Map([['x', 'not this']]),
    );
    assert.equal(placeholder?.description, 'x');
    const filled = fillPlaceholder(
      local({ A: '${x}' }),
      placeholder,
      "$& $1 ${x} $'",
    );
    assert.deepEqual(
      showServer(filled, true),
      showServer(local({ A: "$& $1 ${x} $'" }), true),
    );
  });

  it('changes nothing if the server has no such place', () => {
    for (const place of [
      { in: 'url' },
      { in: 'auth' },
      { in: 'header', name: 'A' },
    ] as const) {
      const server = local({ A: '<a>' }, ['<a>'], '<a>');
      assert.deepEqual(
        fillPlaceholder(
          server,
          { place, text: '<a>', description: undefined },
          'x',
        ),
        server,
      );
    }
    for (const place of [
      { in: 'command' },
      { in: 'auth' },
      { in: 'env', name: 'A' },
      { in: 'argument', index: 0 },
    ] as const) {
      const server = remote('https://<a>', { A: '<a>' });
      assert.deepEqual(
        fillPlaceholder(
          server,
          { place, text: '<a>', description: undefined },
          'x',
        ),
        server,
      );
    }
  });
});
