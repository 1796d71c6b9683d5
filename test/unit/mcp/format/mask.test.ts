import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mask, Secret } from '../../../../src/base/secret.ts';
import {
  codeAssignments,
  exactText,
  ArgumentMasker,
  maskArguments,
  maskValue,
  shellWord,
  showServer,
  targetText,
  variableAssignments,
} from '../../../../src/mcp/format/mask.ts';
import type { Server } from '../../../../src/mcp/format/server.ts';
import { itOnPosix } from '../../../support/posix.ts';

const maskArgument = (arg: string, before = '') =>
  new ArgumentMasker(before).mask(arg);

const secrets = (values: Record<string, string>) =>
  new Map(
    Object.entries(values).map(([name, value]) => [name, new Secret(value)]),
  );

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

describe('a masked list of arguments', () => {
  for (const [args, shown] of [
    [[], ''],
    [['--token', 'canary', 'next'], '--token •••••• next'],
    [['--api-key=canary'], '--api-key=••••••'],
    [['--apiKey', 'canary'], '--apiKey ••••••'],
    [['--password', ''], '--password '],
    [['--password='], '--password='],
    [['--password', '-canary'], '--password ••••••'],
    [['--password', '-canary -v'], '--password ••••••'],
    [['--kind=token', 'next'], '--kind=token next'],
    [['--auth', '--verbose'], '--auth --verbose'],
    [['--auth', '-v', 'x'], '--auth -v x'],
    [['--secret', '--api-key=canary'], '--secret --api-key=••••••'],
    [
      ['--max-tokens', '100', '--maxTokens=7'],
      '--max-tokens 100 --maxTokens=7',
    ],
    [['-e', 'A=canary', '-e', 'HOME'], '-e A=•••••• -e HOME'],
    [
      ['-e', 'A=', '--env=B=canary', '--env', '-x'],
      '-e A= --env=B=•••••• --env -x',
    ],
    [['-eA=canary', '-eB='], '-eA=•••••• -eB='],
    [['-endpoint=here'], '-endpoint=here'],
    [['-=a', '--a b=c'], '-=a --a b=c'],
    [['--header', 'X-Thing: canary'], '--header X-Thing: ••••••'],
    [
      ['-H', 'X-Thing:canary', '--header=X: canary'],
      '-H X-Thing:•••••• --header=X: ••••••',
    ],
    [
      ['--user', 'bob:canary', '-u', 'bob:can:ary'],
      '--user bob:•••••• -u bob:••••••',
    ],
    [['-u', ':canary', '--user=:canary'], '-u :•••••• --user=:••••••'],
    [
      ['--user=bob:canary', '--proxy-user', 'bob:canary'],
      '--user=bob:•••••• --proxy-user bob:••••••',
    ],
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
    [
      ['-u', 'bob1:canary', '-u', 'bob:bobcanary'],
      '-u bob1:•••••• -u bob:••••••',
    ],
    [
      ['-u', '1000:20', '-u', 'localhost:80canary'],
      '-u 1000:20 -u localhost:••••••',
    ],
    [['--api-key-2', 'canary'], '--api-key-2 ••••••'],
    [['sk-canarycanary', '/tmp/x'], '•••••• /tmp/x'],
    [
      ['-c', 'npx x --api-key canary --verbose'],
      '-c npx x --api-key •••••• --verbose',
    ],
    [['/c', 'A_KEY=canary npx x'], '/c A_KEY=•••••• npx x'],
    [['-Command', 'FOO=bar; npx x'], '-Command FOO=bar; npx x'],
    [
      ['-c', 'FOO=bar npx x', '-lc', 'FOO=bar npx x'],
      '-c FOO=bar npx x -lc FOO=bar npx x',
    ],
    [['--exec', 'FOO=two canary words'], '--exec FOO=••••••'],
    [['-config', 'FOO=two canary words'], '-config FOO=••••••'],
    [['FOO=two canary words', 'npx', 'x'], 'FOO=•••••• npx x'],
    [['apiKey=two canary words'], 'apiKey=••••••'],
    [['foo=two words'], 'foo=two words'],
    [
      ['Foo=two words', 'fooA=two words', 'NOTE: two words'],
      'Foo=two words fooA=two words NOTE: two words',
    ],
    [['FOO2=two canary words'], 'FOO2=••••••'],
    [['foo token=canary words'], 'foo token=•••••• words'],
    [['set=password=canary words'], 'set=password=•••••• words'],
    [['LOG_LEVEL=debug', 'FOO=', 'PORT=80'], 'LOG_LEVEL=debug FOO= PORT=80'],
    [['X-Api-Key: two canary words'], 'X-Api-Key: ••••••'],
    [['/password:two canary words'], '/password:••••••'],
    [['--api-key: two canary words'], '--api-key: ••••••'],
    [
      ['--set=password=two canary words', '--set=a=b'],
      '--set=password=•••••• --set=a=b',
    ],
    [
      ['-e', 'LOG_LEVEL=debug', '-eLOG_LEVEL=info'],
      '-e LOG_LEVEL=debug -eLOG_LEVEL=info',
    ],
    [
      ['-e', 'FOO=${FOO}', '--api-key', '${API_KEY}', '--token=<token>'],
      '-e FOO=${FOO} --api-key ${API_KEY} --token=<token>',
    ],
    [
      ['-e', 'DB_URL=postgres://me:canary@h/db'],
      '-e DB_URL=postgres://••••••@h/db',
    ],
    [['-e', 'console.log(1)', '-e', 'f(a: 1)'], '-e console.log(1) -e f(a: 1)'],
    [
      [
        '--user',
        'ghp_canarycanary:x',
        '-u',
        '$USER:canary',
        '-u',
        'me:$PASSWORD',
      ],
      '--user ••••••:•••••• -u $USER:•••••• -u me:$PASSWORD',
    ],
    [
      [
        '--primary-key',
        'id',
        '--no-auth',
        '/srv',
        '--private-key',
        './key.pem',
      ],
      '--primary-key id --no-auth /srv --private-key ./key.pem',
    ],
    [['---token', 'x'], '---token x'],
    [
      ['env', 'LD_PRELOAD=/tmp/a b.so', 'PERL5OPT=-Mcode', 'x'],
      'env LD_PRELOAD=/tmp/a b.so PERL5OPT=-Mcode x',
    ],
    [
      ['-e', 'PYTHONSTARTUP=a.py', '-e', 'GIT_SSH=x --token canary'],
      '-e PYTHONSTARTUP=a.py -e GIT_SSH=x --token ••••••',
    ],
    [['-pw', 'canary', '-k', '5'], '-pw •••••• -k 5'],
  ] as const) {
    it(`shows ${JSON.stringify(args)} as ${JSON.stringify(shown)}`, () => {
      assert.equal(maskArguments('', args).join(' '), shown);
    });
  }
});

describe('the password among the arguments of a program', () => {
  for (const [command, args, shown] of [
    ['mysql', ['-u', 'root', '-pcanary', 'db'], '-u root -p•••••• db'],
    ['/usr/bin/mysqldump', ['-p', 'db'], '-p db'],
    ['sshpass', ['-p', 'canary', 'ssh', 'h'], '-p •••••• ssh h'],
    ['sshpass', ['-pcanary', 'ssh', 'h'], '-p•••••• ssh h'],
    [
      String.raw`C:\bin\redis-cli.exe`,
      ['-h', 'h', '-a', 'canary'],
      '-h h -a ••••••',
    ],
    [
      'docker',
      ['login', '-u', 'me', '-p', 'canary', 'h'],
      'login -u me -p •••••• h',
    ],
    [
      'docker',
      ['exec', '-i', 'box', 'mysql', '-pcanary'],
      'exec -i box mysql -p••••••',
    ],
    ['docker', ['run', '-p', '8080:80', 'x'], 'run -p 8080:80 x'],
    ['npx', ['-p', 'typescript', 'tsc'], '-p typescript tsc'],
    ['sshpass', ['-p', '-e', '-p', '${PASSWORD}'], '-p -e -p ${PASSWORD}'],
  ] as const) {
    it(`masks the password of: ${command} ${args.join(' ')}`, () => {
      const server: Server = {
        transport: 'stdio',
        command,
        args,
        env: new Map(),
      };
      assert.equal(
        targetText(server),
        [command, shown]
          .map((text) =>
            text.replace('C:\\bin\\redis-cli.exe', "'C:\\bin\\redis-cli.exe'"),
          )
          .join(' ')
          .replace('${PASSWORD}', "'${PASSWORD}'"),
      );
      const line = [
        'sh',
        '-c',
        [command.replaceAll('\\', '/'), ...args].join(' '),
      ] as const;
      assert.doesNotMatch(
        maskArguments('sh', line.slice(1)).join(' '),
        /canary/,
      );
    });
  }
});

describe('a very long list of arguments', () => {
  it('shows arguments up to 40,000 characters, and masks the rest', () => {
    const args = Array.from({ length: 10_000 }, (_, i) => `file-${i}`);
    const shown = maskArguments('', args);
    assert.equal(shown.length, args.length);
    const first = shown.indexOf(mask);
    assert.deepEqual(shown.slice(0, first), args.slice(0, first));
    assert.ok(shown.slice(first).every((arg) => arg === mask));
    const length = shown.slice(0, first).join(' ').length;
    assert.ok(length > 39_900 && length <= 40_000, String(length));
    const full = Array.from({ length: 10 }, () => 'x'.repeat(3_999));
    assert.deepEqual(maskArguments('', [...full, 'x']), [...full, mask]);
  });

  it('masks a single argument over 4,000 characters, whatever precedes it', () => {
    const long = 'x'.repeat(5_600_000);
    assert.deepEqual(maskArguments('', [long, '--verbose']), [mask, mask]);
    assert.equal(maskArgument(`--token=${long}`), mask);
    for (const before of ['', '--verbose', '-e', long, `-${long}`]) {
      assert.equal(maskArgument(long, before), mask);
      assert.equal(maskArgument('x'.repeat(4001), before), mask);
      assert.equal(maskArgument('x'.repeat(4000), ''), 'x'.repeat(4000));
      assert.equal(maskArgument('x', before === '-e' ? '' : before), 'x');
    }
  });
});

describe('the display of a server', () => {
  it('masks secrets of any length', () => {
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

  it('shows variables that change what runs, with the secrets in them masked', () => {
    const env = secrets({
      NODE_OPTIONS: '-r ./pre.js',
      GIT_SSH_COMMAND: 'ssh --token canary',
      KEY: 'canary',
    });
    const server: Server = { ...local, env };
    const { env: shown } = { env: {}, ...showServer(server) };
    assert.deepEqual(shown, {
      NODE_OPTIONS: '-r ./pre.js',
      GIT_SSH_COMMAND: `ssh --token ${mask}`,
      KEY: mask,
    });
    assert.deepEqual(codeAssignments(server), [
      "NODE_OPTIONS='-r ./pre.js'",
      `GIT_SSH_COMMAND='ssh --token ${mask}'`,
    ]);
    assert.deepEqual(codeAssignments(remote), []);
  });

  it('shows every variable before a check, masked by its name or its value', () => {
    const env = secrets({
      API_TOKEN: 'canary',
      MODE: 'fast',
      AUTH: `Bearer ${'canary'.repeat(4)}`,
      NODE_OPTIONS: '',
      GITHUB_TOKEN: '',
    });
    const assignments = variableAssignments({
      transport: 'stdio',
      command: 'npx',
      args: [],
      env,
    });
    assert.doesNotMatch(assignments.join(), /canary/);
    assert.deepEqual(
      assignments.map((assignment) => assignment.split('=')[0]),
      ['API_TOKEN', 'MODE', 'AUTH', 'NODE_OPTIONS', 'GITHUB_TOKEN'],
    );
    assert.equal(assignments[1], 'MODE=fast');
    assert.equal(assignments[4], "GITHUB_TOKEN=''");
    assert.deepEqual(variableAssignments(remote), []);
  });

  it('shows secrets on request', () => {
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

  it('shows the sign-in method, which is not a secret', () => {
    const shown = (auth?: string) =>
      showServer({
        transport: 'http',
        url: 'https://h',
        headers: new Map(),
        ...(auth !== undefined && { auth: new Secret(auth) }),
      });
    assert.deepEqual(shown(), {
      transport: 'http',
      url: 'https://h',
      headers: {},
      auth: null,
    });
    assert.equal(
      'auth' in shown('oauth') &&
        JSON.stringify(shown('oauth')).includes('oauth'),
      true,
    );
  });

  it('keeps a variable named __proto__', () => {
    const env = new Map([['__proto__', new Secret('x')]]);
    const shown = showServer({
      transport: 'stdio',
      command: 'x',
      args: [],
      env,
    });
    assert.equal(
      JSON.stringify(shown),
      `{"transport":"stdio","command":"x","args":[],"env":{"__proto__":"${mask}"}}`,
    );
  });

  it('masks a very long URL, command or argument unless secrets are shown', () => {
    const long = 'a'.repeat(5_600_000);
    const remote: Server = {
      transport: 'http',
      url: `https://u:${long}@h`,
      headers: new Map(),
    };
    assert.equal(targetText(remote), mask);
    const server: Server = {
      transport: 'stdio',
      command: long,
      args: [long, 'x'],
      env: new Map(),
    };
    assert.equal(targetText(server), `${mask} ${mask} ${mask}`);
    assert.equal(targetText(server, true), `${long} ${long} x`);
  });

  it('prints the target as one line, with or without secrets', () => {
    assert.equal(targetText(local), `npx -y 'a server' --token ${mask}`);
    assert.equal(targetText(local, true), "npx -y 'a server' --token canary");
    assert.equal(
      targetText(remote),
      `https://${mask}@example.com/sse?key=${mask}`,
    );
  });
});

describe('an exact text', () => {
  it('keeps ordinary text unchanged, with every blank', () => {
    for (const text of [' a  b ', "it's $HOME", 'C:\\x', 'Grüße 👍', ''])
      assert.equal(exactText(text), text);
  });

  it('escapes control and invisible characters', () => {
    assert.equal(
      exactText("a  b\r\n\tit's\\\u001b\u202E"),
      "$'a  b\\r\\n\\tit\\'s\\\\\\033\\342\\200\\256'",
    );
    assert.equal(exactText('git\u00ADhub'), "$'git\\302\\255hub'");
    assert.equal(exactText('a\u3164b'), "$'a\\343\\205\\244b'");
    assert.equal(exactText('\u202E'), "$'\\342\\200\\256'");
  });
});

describe('a shell word', () => {
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

  it('gets quotes only when necessary', () => {
    assert.deepEqual(
      ['plain', '', 'two words', "it's", 'a=b', 'x\n1'].map((word) =>
        shellWord(word),
      ),
      ['plain', "''", "'two words'", "'it'\\''s'", 'a=b', "$'x\\n1'"],
    );
  });

  itOnPosix('survives a round trip through bash', () => {
    const script = `for word in ${words.map((word) => shellWord(word)).join(' ')}; do printf '%s\\0' "$word"; done`;
    assert.deepEqual(
      execFileSync('bash', ['-c', script]).toString().split('\0').slice(0, -1),
      words,
    );
  });

  it('contains no control or format characters', () => {
    for (const word of words)
      assert.doesNotMatch(shellWord(word), /[\p{Cc}\p{Cf}]/u);
  });
});
