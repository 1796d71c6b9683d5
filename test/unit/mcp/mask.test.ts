import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { maskText } from '../../../src/base/maskText.ts';
import { maskUrl } from '../../../src/base/maskUrl.ts';
import { mask, Secret } from '../../../src/base/secret.ts';
import {
  exactText,
  maskArguments,
  maskValue,
  shellWord,
  showServer,
  targetText,
} from '../../../src/mcp/mask.ts';
import type { Server } from '../../../src/mcp/server.ts';
import { itOnPosix } from '../../support/posix.ts';

const secrets = (values: Record<string, string>) =>
  new Map(Object.entries(values).map(([name, value]) => [name, new Secret(value)]));

const local: Server = {
  transport: 'stdio',
  command: 'npx',
  args: ['-y', 'a server', '--token', 'canary'],
  env: secrets({ API_TOKEN: 'canary', EMPTY: '' }),
};

const remote: Server = {
  transport: 'sse',
  url: 'https://canary:canary@example.com/sse?key=canary',
  headers: secrets({ Authorization: 'Bearer canary' }),
  auth: new Secret('canary'),
};

describe('masked URLs', () => {
  for (const [url, shown] of [
    ['https://example.com/mcp', 'https://example.com/mcp'],
    ['https://example.com:8443/a/b.c/sse/', 'https://example.com:8443/a/b.c/sse/'],
    ['https://canary@example.com/', 'https://••••••@example.com/'],
    ['https://user:canary@example.com', 'https://••••••@example.com'],
    ['https://us@er:can@ary@example.com/x', 'https://••••••@example.com/x'],
    ['HTTPS:/user:canary@example.com/', 'HTTPS:/••••••@example.com/'],
    ['https:\\\\user:canary@example.com\\x', 'https:\\\\••••••@example.com\\x'],
    ['ht\ntps://user:canary@example.com', 'ht\ntps://••••••@example.com'],
    ['//user:canary@example.com', '//••••••@example.com'],
    ['canary:@example.com', '••••••@example.com'],
    ['https://h/?a=canary&b=canary;c=can?ary', 'https://h/?a=••••••&b=••••••;c=••••••'],
    ['https://h/?a=&b', 'https://h/?a=&••••••'],
    ['https://h/?canary', 'https://h/?••••••'],
    ['https://h/?=canary&&', 'https://h/?=••••••&&'],
    ['https://h/?', 'https://h/?'],
    ['https://h/#canary?x', 'https://h/#••••••'],
    ['https://h/?a=b#', 'https://h/?a=••••••#'],
    ['https://h/s/Zm9vYmFy0TEx9QdX7bN2aa/mcp', 'https://h/s/••••••/mcp'],
    ['https://h/s/123e4567-e89b-12d3-a456-426614174000/mcp', 'https://h/s/••••••/mcp'],
    ['https://h/T024BE7LD/sk-proj-canary1', 'https://h/T024BE7LD/••••••'],
    ['postgres://u:p/canary@h/db', 'postgres://••••••@h/db'],
    ['postgres://u:p#canary@h', 'postgres://••••••@h'],
    ['postgres://u:p?can/ary@can@h/db?a=b@c', 'postgres://••••••@h/db?a=••••••'],
    ['https://h:8080/@scope/x@1', 'https://h:8080/@scope/x@1'],
    ['https://[::1]:80/@scope/x', 'https://[::1]:80/@scope/x'],
    ['https://h/x;token=canary/mcp', 'https://h/x;token=••••••/mcp'],
    ['https://h/x;a=b;api_key=canary;c=d/mcp', 'https://h/x;a=b;api_key=••••••;c=d/mcp'],
    ['https://h/mcp/key=canary/sse', 'https://h/mcp/key=••••••/sse'],
    ['https://auth:8080/region=eu/token/mcp', 'https://auth:8080/region=eu/token/mcp'],
    ['', ''],
  ] as const) {
    it(`show ${JSON.stringify(url)} as ${shown}`, () => {
      assert.equal(maskUrl(url), shown);
    });
  }
});

describe('masked text', () => {
  for (const text of [
    'npx',
    '-y',
    '@modelcontextprotocol/server-filesystem@2024.11.25',
    '/srv/user/My Documents/projects-2024/a_rather_long_folder_name_v2',
    'ModelContextProtocolServer2.Program',
    'my-mcp-server-v2-for-node20-linux-x64',
    'ghcr.io/github/github-mcp-server:v0.1',
    '--port=8080',
    'task-force-one-of-the-best',
    'asia-southeast1-docker.example.com',
    'an_identifier_without_any_digit_in_it',
    'https://example.com/mcp',
    'Server=my host;Database=my db;Timeout=5',
    'cd /srv; A=1 npx server',
    'MONKEYS_1_2=x',
    '',
  ]) {
    it(`shows ${JSON.stringify(text)} as it is`, () => {
      assert.equal(maskText(text), text);
    });
  }

  for (const [text, shown] of [
    ['API_KEY=canary', 'API_KEY=••••••'],
    ['API_KEY_1=canary', 'API_KEY_1=••••••'],
    ['token2: canary', 'token2: ••••••'],
    ['Server=h;Password=can ary;Db=my db', 'Server=h;Password=••••••;Db=my db'],
    ['--db=Password=can ary; User Id=me;', '--db=Password=••••••; User Id=me;'],
    ['jdbc:sqlserver://h:1433;user=x;password=can ary', 'jdbc:sqlserver://h:1433;user=x;password=••••••'],
    ['Server=h;Password="can;ary"', 'Server=h;Password=••••••'],
    ['Server=h;Password=', 'Server=h;Password='],
    ['cd /srv; TOKEN=canary npx server', 'cd /srv; TOKEN=•••••• npx server'],
    ['accessToken: canary', 'accessToken: ••••••'],
    ['{"apiKey": "can \\" ary", "port": 1}', '{"apiKey": ••••••, "port": 1}'],
    ["PASSWORD='can ary' npx", 'PASSWORD=•••••• npx'],
    ['PASSWORD="canary', 'PASSWORD=••••••'],
    ['Authorization: Digest a="b", response="canary"', 'Authorization: ••••••'],
    ['curl -H x-auth:Bearer\tcanary y', 'curl -H x-auth:•••••• y'],
    ['send Bearer canary now', 'send Bearer •••••• now'],
    ['postgresql://user:canary@localhost/db', 'postgresql://••••••@localhost/db'],
    ['--url=https://h/?a=canary', '--url=https://h/?a=••••••'],
    ['ghp_canarycanary', '••••••'],
    ['x xoxb-1234-canary y', 'x •••••• y'],
    ['AKIAIOSFODNN7EXAMPLE', '••••••'],
    ['eyJhbGciOi.eyJzdWIi.c2ln', '••••••'],
    ['d41d8cd98f00b204e9800998ecf8427e', '••••••'],
    ['12345678901234567890', '••••••'],
    ['JBSWY3DPEHPK3PXPJBSW', '••••••'],
    ['-----BEGIN KEY-----\ncanary\n-----END KEY----- x', '•••••• x'],
    ['-----BEGIN KEY-----\ncanary', '••••••'],
  ] as const) {
    it(`shows ${JSON.stringify(text)} as ${shown}`, () => {
      assert.equal(maskText(text), shown);
    });
  }

  it('stays as it is when it is masked again', () => {
    const once = maskText('Bearer canary1 token=canary2 https://u:p@h/?k=v sk-canary3canary3');
    assert.equal(maskText(once), once);
    assert.ok(!once.includes('canary'));
  });
});

describe('a text that is very long', () => {
  it('is masked as a whole', () => {
    assert.equal(maskText('a-'.repeat(10_000)), '••••••');
  });
});

describe('masked arguments', () => {
  for (const [args, shown] of [
    [[], ''],
    [['--token', 'canary', 'next'], '--token •••••• next'],
    [['--api-key=canary'], '--api-key=••••••'],
    [['--apiKey', 'canary'], '--apiKey ••••••'],
    [['--password', ''], '--password '],
    [['--password='], '--password='],
    [['--password', '-canary'], '--password ••••••'],
    [['--auth', '--verbose'], '--auth --verbose'],
    [['--auth', '-v', 'x'], '--auth -v x'],
    [['--secret', '--api-key=canary'], '--secret --api-key=••••••'],
    [['--max-tokens', '100', '--maxTokens=7'], '--max-tokens 100 --maxTokens=7'],
    [['-e', 'A=canary', '-e', 'HOME'], '-e A=•••••• -e HOME'],
    [['-e', 'A=', '--env=B=canary', '--env', '-x'], '-e A= --env=B=•••••• --env -x'],
    [['-eA=canary', '-eB='], '-eA=•••••• -eB='],
    [['-endpoint=here'], '-endpoint=here'],
    [['-=a', '--a b=c'], '-=a --a b=c'],
    [['--header', 'X-Thing: canary'], '--header X-Thing: ••••••'],
    [['-H', 'X-Thing:canary', '--header=X: canary'], '-H X-Thing:•••••• --header=X: ••••••'],
    [['--user', 'bob:canary', '-u', 'bob:can:ary'], '--user bob:•••••• -u bob:••••••'],
    [['--user=bob:canary', '--proxy-user', 'bob:canary'], '--user=bob:•••••• --proxy-user bob:••••••'],
    [['-u', 'bob', '-u', '-v', '-u', 'bob:'], '-u bob -u -v -u bob:'],
    [
      ['-u', '1000:1000', '--user', 'node:node', '--user=0:staff'],
      '-u 1000:1000 --user node:node --user=0:staff',
    ],
    [
      ['-u', 'https://h:1/x', '-u', 'localhost:80', '-u', 'C:\\x'],
      '-u https://h:1/x -u localhost:80 -u C:\\x',
    ],
    [['-u', '${UID}:${GID}'], '-u ${UID}:${GID}'],
    [['--api-key-2', 'canary'], '--api-key-2 ••••••'],
    [['sk-canarycanary', '/tmp/x'], '•••••• /tmp/x'],
  ] as const) {
    it(`show ${JSON.stringify(args)} as ${JSON.stringify(shown)}`, () => {
      assert.equal(maskArguments(args).join(' '), shown);
    });
  }
});

describe('a server as it is shown', () => {
  it('has its secrets masked, whatever their length', () => {
    assert.deepEqual(showServer(local), {
      transport: 'stdio',
      command: 'npx',
      args: ['-y', 'a server', '--token', mask],
      env: { API_TOKEN: mask, EMPTY: '' },
    });
    assert.deepEqual(showServer(remote), {
      transport: 'sse',
      url: `https://${mask}@example.com/sse?key=${mask}`,
      headers: { Authorization: mask },
      auth: mask,
    });
    assert.equal(maskValue(new Secret('x'.repeat(1000))), mask);
  });

  it('shows them when asked to', () => {
    assert.deepEqual(showServer(local, true), {
      transport: 'stdio',
      command: 'npx',
      args: local.args,
      env: { API_TOKEN: 'canary', EMPTY: '' },
    });
    assert.deepEqual(showServer(remote, true), {
      transport: 'sse',
      url: 'https://canary:canary@example.com/sse?key=canary',
      headers: { Authorization: 'Bearer canary' },
      auth: 'canary',
    });
  });

  it('shows the way of signing in, which is not a secret', () => {
    const shown = (auth?: string) =>
      showServer({
        transport: 'http',
        url: 'https://h',
        headers: new Map(),
        ...(auth !== undefined && { auth: new Secret(auth) }),
      });
    assert.deepEqual(shown(), { transport: 'http', url: 'https://h', headers: {}, auth: null });
    assert.equal('auth' in shown('oauth') && JSON.stringify(shown('oauth')).includes('oauth'), true);
  });

  it('keeps names that every JavaScript object has', () => {
    const env = new Map([['__proto__', new Secret('x')]]);
    const shown = showServer({ transport: 'stdio', command: 'x', args: [], env });
    assert.equal(
      JSON.stringify(shown),
      `{"transport":"stdio","command":"x","args":[],"env":{"__proto__":"${mask}"}}`,
    );
  });

  it('is one line', () => {
    assert.equal(targetText(local), `npx -y 'a server' --token ${mask}`);
    assert.equal(targetText(local, true), "npx -y 'a server' --token canary");
    assert.equal(targetText(remote), `https://${mask}@example.com/sse?key=${mask}`);
  });
});

describe('an exact text', () => {
  it('is unchanged, with every blank', () => {
    for (const text of [' a  b ', "it's $HOME", 'C:\\x', 'Grüße 👍', '']) assert.equal(exactText(text), text);
  });

  it('spells out what a terminal acts upon and what cannot be seen', () => {
    assert.equal(exactText("a  b\r\n\tit's\\\u001b\u202E"), "$'a  b\\r\\n\\tit\\'s\\\\\\033\\342\\200\\256'");
  });
});

describe('a word of a shell', () => {
  const words = [
    'plain',
    '',
    'two words',
    "it's",
    '"quoted"',
    'back\\slash',
    '$HOME `id` $(id) !! *?[a]{b,c}',
    '~',
    '#no',
    '=no',
    'a=b',
    'a;b&c|d<e>f(g)',
    'line\nbreak\ttab',
    'escape\u001b[201~ it\'s \\ "x"',
    'bell\u00071',
    'bidi\u202Ex',
    'Grüße 👍',
  ];

  it('is quoted only when necessary', () => {
    assert.deepEqual(
      ['plain', '', 'two words', "it's", 'a=b', 'x\n1'].map((word) => shellWord(word)),
      ['plain', "''", "'two words'", "'it'\\''s'", 'a=b', "$'x\\n1'"],
    );
  });

  itOnPosix('is read back by the shell as it was', () => {
    const script = `for word in ${words.map((word) => shellWord(word)).join(' ')}; do printf '%s\\0' "$word"; done`;
    assert.deepEqual(execFileSync('bash', ['-c', script]).toString().split('\0').slice(0, -1), words);
  });

  it('contains nothing that a terminal acts upon', () => {
    for (const word of words) assert.doesNotMatch(shellWord(word), /[\p{Cc}\p{Cf}]/u);
  });
});
