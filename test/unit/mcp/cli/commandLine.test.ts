import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { Secret } from '../../../../src/base/secret.ts';
import {
  addOptions,
  adviceOnOption,
  formatAdd,
  readAdd,
} from '../../../../src/mcp/cli/commandLine.ts';
import {
  type OptionKinds,
  sortArguments,
  UsageError,
} from '../../../../src/mcp/cli/options.ts';
import { writeServer } from '../../../../src/mcp/format/server.ts';
import { itOnPosix } from '../../../support/posix.ts';

/** The options of `mcp add`, with one of those of all commands. */
const options: OptionKinds = new Map([...addOptions, ['--file', 'value']]);
/** Reads the arguments after `mcp add` as the terminal does. */
const parse = (args: readonly string[]) =>
  readAdd(sortArguments(args, options, adviceOnOption));

/** The entry to write, secrets included. */
function added(...args: string[]) {
  const { name, server, enabled } = parse(args);
  return [
    name,
    JSON.parse(
      JSON.stringify(writeServer(server, enabled), mapsAsObjects),
    ) as unknown,
  ];
}

function mapsAsObjects(_: string, value: unknown): unknown {
  return value instanceof Map ? Object.fromEntries(value) : value;
}

const stdio = ['--transport', 'stdio'];
const http = ['--transport', 'http'];
const url = 'https://example.com/mcp';

describe('the command line of mcp add', () => {
  it('adds a program with arguments and variables', () => {
    assert.deepEqual(
      added(
        'x',
        ...stdio,
        '--env',
        'A=1',
        '--env',
        'B=x=y',
        '--env',
        'C=',
        'npx',
        '--',
        '-y',
        'p',
        '--',
        '',
      ),
      [
        'x',
        {
          command: 'npx',
          args: ['-y', 'p', '--', ''],
          env: { A: '1', B: 'x=y', C: '' },
        },
      ],
    );
    assert.deepEqual(added('x', ...stdio, 'npx'), [
      'x',
      { command: 'npx', args: [], env: {} },
    ]);
    assert.deepEqual(added('x', ...stdio, 'npx', '--'), [
      'x',
      { command: 'npx', args: [], env: {} },
    ]);
  });

  it('adds a URL with headers or an auth value', () => {
    assert.deepEqual(
      added(
        'x',
        ...http,
        '--header',
        'A: b: c',
        '--header',
        'X-Empty:',
        '--header',
        'T:a\tb ',
        url,
        '--',
      ),
      [
        'x',
        {
          url,
          transport: 'http',
          headers: { A: 'b: c', 'X-Empty': '', T: 'a\tb' },
        },
      ],
    );
    for (const auth of [
      'oauth',
      'oauth2-token-of-some-length',
      'abcdefg',
      'token-1',
    ]) {
      assert.deepEqual(
        added(
          'x',
          '--transport',
          'sse',
          '--auth',
          auth,
          'HTTP://localhost:1/sse?a#b',
        ),
        ['x', { url: 'HTTP://localhost:1/sse?a#b', transport: 'sse', auth }],
      );
    }
  });

  it('accepts options in any order and in either spelling', () => {
    const expected = [
      'x',
      { command: 'npx', args: ['-y'], env: { A: '-1' }, enabled: false },
    ];
    assert.deepEqual(
      added(
        '--disabled',
        '--env=A=-1',
        'x',
        '--transport=stdio',
        'npx',
        '--',
        '-y',
      ),
      expected,
    );
    assert.deepEqual(
      added('x', 'npx', '--env=A=-1', ...stdio, '--disabled', '--', '-y'),
      expected,
    );
    assert.deepEqual(added('x', url, '--enabled', '--enabled', ...http), [
      'x',
      { url, transport: 'http' },
    ]);
  });

  it('keeps names as they are', () => {
    for (const name of ['', '__proto__', 'two words', '"', '服务器', '-']) {
      assert.deepEqual(added(name, ...stdio, 'c'), [
        name,
        { command: 'c', args: [], env: {} },
      ]);
    }
    assert.deepEqual(
      parse(['x', ...stdio, '--env', '__proto__=1', 'c']).server.transport,
      'stdio',
    );
  });

  const form = 'switchboard mcp add NAME --transport';
  const addStdio = `${form} stdio COMMAND [-- ARGUMENTS...]`;
  const wrong: readonly (readonly [
    args: readonly string[],
    message: string,
  ])[] = [
    // Options.
    [
      ['x', '--transprot', 'http', url],
      'Unknown option --transprot. Did you mean --transport?',
    ],
    [
      ['x', '-transport', 'http', url],
      'Unknown option -transport. Did you mean --transport?',
    ],
    [
      ['x', '—transport', 'http', url],
      'Unknown option —transport. Did you mean --transport?',
    ],
    [['x', '-t', 'http', url], 'Unknown option -t. Did you mean --transport?'],
    [
      ['x', '-e', 'A=canary'],
      'Unknown option -e. Did you mean --env or --enabled?',
    ],
    [
      ['x', '--headers=canary'],
      'Unknown option --headers. Did you mean --header?',
    ],
    [['x', '--scope', 'user'], 'Unknown option --scope.'],
    [['x', '-pcanary'], 'Unknown option -p….'],
    [['x', '--transport'], '--transport needs a value.'],
    [['x', '--transport', '--', 'http'], '--transport needs a value.'],
    [
      ['x', '--auth', '-canary'],
      '--auth needs a value. Write one that starts with "-" as --auth=VALUE.',
    ],
    [['x', ...http, ...http], '--transport is given twice.'],
    [['x', '--enabled=true'], '--enabled takes no value.'],
    [
      ['x', '--enabled', '--disabled', ...http, url],
      'Use either --enabled or --disabled, not both.',
    ],
    // Transport.
    [[], 'The name, --transport, and the command or URL are missing.'],
    [['x'], '--transport and the command or URL are missing.'],
    [['npx'], '--transport and the command or URL are missing.'],
    [['x', '--', '-y'], '--transport and the command or URL are missing.'],
    [
      ['x', '--transport', 'studio', 'npx'],
      '--transport must be http, sse or stdio. Did you mean stdio?',
    ],
    [['x', '--transport=', url], '--transport must be http, sse or stdio.'],
    [
      ['x', '--transport', 'streamable-http', url],
      '--transport must be http, sse or stdio. Did you mean http?',
    ],
    // Options of the other kind.
    [
      ['x', ...stdio, '--header', 'A: canary', 'npx'],
      '--header is for http and sse. A stdio server gets its credentials with --env KEY=value.',
    ],
    [
      ['x', ...stdio, '--auth', 'oauth', 'npx'],
      '--auth is for http and sse. A stdio server gets its credentials with --env KEY=value.',
    ],
    [
      ['x', ...http, '--env', 'A=canary', url],
      '--env is for stdio. A server over http gets its credentials with --header "Key: value" or --auth.',
    ],
    [
      ['x', '--transport', 'sse', url, '--', 'canary'],
      'Arguments after "--" are for a command, and a server over sse has none.',
    ],
    // Headers and variables.
    [
      ['x', ...http, '--header', 'canary', url],
      '--header has no colon. Write it as --header "Key: value".',
    ],
    [
      ['x', ...http, '--header', 'A: b', '--header', 'canary', url],
      '--header number 2 has no colon. Write it as --header "Key: value".',
    ],
    ...['', 'A B', 'Grüße', 'A/B', 'A"'].map(
      (name) =>
        [
          ['x', ...http, '--header', `${name}: canary`, url],
          '--header has no valid header name before the colon. Write it as --header "Key: value".',
        ] as const,
    ),
    [
      ['x', ...http, '--header', 'A: can\r\nX: ary', url],
      '--header has a line break or another control character in its value.',
    ],
    [
      ['x', ...http, '--header', 'A: canary', '--header', 'a: canary', url],
      '--header number 2 gives a a second time.',
    ],
    [
      ['x', ...stdio, '--env', 'canary', 'npx'],
      '--env has no "=". Write it as --env KEY=value.',
    ],
    ...['=canary', 'A =canary'].map(
      (pair) =>
        [
          ['x', ...stdio, '--env', pair, 'npx'],
          '--env has no valid variable name before the "=". Write it as --env KEY=value.',
        ] as const,
    ),
    [
      ['x', ...stdio, '--env', 'A=canary\0', 'npx'],
      '--env has a NUL character in its value.',
    ],
    [
      ['x', ...stdio, '--env', 'A=1', '--env', 'A=2', 'npx'],
      '--env number 2 gives A a second time.',
    ],
    // Ways to sign in.
    [
      ['x', ...http, '--auth', 'OAuth', url],
      '--auth takes oauth or the bearer token itself. Did you mean oauth?',
    ],
    [
      ['x', ...http, '--auth', 'oauth2', url],
      '--auth takes oauth or the bearer token itself. Did you mean oauth?',
    ],
    [
      ['x', ...http, '--auth', 'Bearer', url],
      '--auth takes oauth or the bearer token itself.',
    ],
    [
      ['x', ...http, '--auth=', url],
      '--auth takes oauth or the bearer token itself.',
    ],
    // Name and target.
    [http, `The name of the server is missing: ${form} http URL`],
    [stdio, `The name of the server is missing: ${addStdio}`],
    [
      ['x', '--transport', 'sse'],
      `The URL of the server is missing: ${form} sse URL`,
    ],
    [['x', ...stdio], `The command of the server is missing: ${addStdio}`],
    [
      ['x', ...stdio, '--', '-y', 'canary'],
      `The command of the server is missing: ${addStdio}`,
    ],
    [[...stdio, url], `The command of the server is missing: ${addStdio}`],
    [
      ['x', url, '-H', 'A: canary'],
      'Unknown option -H. Did you mean --header?',
    ],
    [
      ['x', ...http, '--header', 'A:', 'canary', url],
      'There is more than a name and a URL. Put quotes around anything with spaces: --header "Key: value".',
    ],
    [['x', ...stdio, ' '], 'The command of the server is empty.'],
    [
      ['x', ...stdio, url],
      'The target is a URL, not a command. For a URL, use --transport http or sse.',
    ],
    ...[
      'canary',
      'ftp://canary',
      'https://',
      'https://exa mple.com/canary',
      'http://[canary/',
      '',
      'https:canary',
    ].map(
      (target) =>
        [
          ['x', ...http, target],
          'The target is not an http or https URL. Write it like https://example.com/mcp',
        ] as const,
    ),
    [
      ['x', ...http, 'mcp.example.com/mcp?key=canary'],
      'The target is not an http or https URL. Write it like https://mcp.example.com/mcp?key=••••••',
    ],
    [
      ['x', ...http, 'localhost:3000/mcp'],
      'The target is not an http or https URL. Write it like https://localhost:3000/mcp',
    ],
    [
      ['x', ...http, 'example.com:canary'],
      'The target is not an http or https URL. Write it like https://example.com/mcp',
    ],
  ];
  for (const [args, message] of wrong) {
    it(`refuses ${JSON.stringify(args.join(' '))}`, () => {
      assert.throws(
        () => parse(args),
        (error) => {
          assert.ok(error instanceof UsageError);
          assert.equal(error.message, message);
          assert.ok(!error.message.includes('canary'));
          return true;
        },
      );
    });
  }

  const dashes = '"--" before the arguments';
  const incomplete: readonly (readonly [
    args: readonly string[],
    missing: string,
    command: string,
  ])[] = [
    [
      ['x', 'npx', '-y', 'p'],
      `--transport stdio, ${dashes}`,
      'x --transport stdio npx -- -y p',
    ],
    [
      ['x', 'npx', 'p', '--', '-q'],
      `--transport stdio, ${dashes}`,
      'x --transport stdio npx -- p -q',
    ],
    [
      ['x', 'npx -y p'],
      `--transport stdio, ${dashes}`,
      'x --transport stdio npx -- -y p',
    ],
    [
      ['x', 'npx', '-y', 'p', ...stdio],
      dashes,
      'x --transport stdio npx -- -y p',
    ],
    [
      ['x', ...stdio, 'npx', '-y', ...stdio],
      dashes,
      'x --transport stdio npx -- -y --transport stdio',
    ],
    [['x', ...stdio, 'npx', 'p'], dashes, 'x --transport stdio npx -- p'],
    [
      ['x', ...stdio, '--', 'npx', '-y'],
      'the command before "--"',
      'x --transport stdio npx -- -y',
    ],
    [
      ['x', '--', 'npx'],
      '--transport stdio, the command before "--"',
      'x --transport stdio npx',
    ],
    [['x', 'npx'], '--transport stdio', 'x --transport stdio npx'],
    [['npx', 'npx'], '--transport stdio', 'npx --transport stdio npx'],
    [
      ['x', '/a b/c', '$A', "it's"],
      `--transport stdio, ${dashes}`,
      `x --transport stdio '/a b/c' -- '$A' 'it'\\''s'`,
    ],
    [
      [
        'a b',
        '--env',
        'A=canary',
        '--disabled',
        '--file',
        'a file',
        'npx',
        '-y',
        '--token',
        'canary',
      ],
      `--transport stdio, ${dashes}`,
      "'a b' --transport stdio --env 'A=<A>' --disabled --file 'a file' npx -- -y --token '<SECRET>'",
    ],
    [
      ['npx', '-y', 'p'],
      `a name, --transport stdio, ${dashes}`,
      'NAME --transport stdio npx -- -y p',
    ],
    [
      ['npx -y p'],
      `a name, --transport stdio, ${dashes}`,
      'NAME --transport stdio npx -- -y p',
    ],
    [
      [...stdio, 'npx', '-y', 'p'],
      `a name, ${dashes}`,
      'NAME --transport stdio npx -- -y p',
    ],
    [['x', url], '--transport http or sse', `x --transport http ${url}`],
    [[url], 'a name, --transport http or sse', `NAME --transport http ${url}`],
    [['--transport', 'sse', url], 'a name', `NAME --transport sse ${url}`],
    [
      ['x', '--header', 'X-Key: canary', `${url}?key=canary`],
      '--transport http or sse',
      `x --transport http --header 'X-Key: <X_KEY>' '${url}?key=<SECRET>'`,
    ],
  ];
  for (const [args, missing, command] of incomplete) {
    it(`lists all that is missing at once, with the whole command: ${args.join(' ')}`, () => {
      const whole = `switchboard mcp add ${command}`;
      assert.throws(
        () => parse(args),
        new UsageError(`Missing: ${missing}. Run: ${whole}`),
      );
      assert.doesNotMatch(whole, /canary/);
    });

    itOnPosix(`accepts the command that it suggests: ${command}`, () => {
      const words = execFileSync('bash', ['-c', `printf '%s\\0' ${command}`])
        .toString()
        .split('\0')
        .slice(0, -1);
      assert.equal(
        formatAdd(parse(words)),
        `switchboard mcp add ${command.replace(/ --file 'a file'/, '')}`,
      );
    });
  }

  it('reports what is wrong with the rest instead of suggesting a command that would be refused', () => {
    assert.throws(
      () => parse(['x', '--header', 'A: b', 'npx', '-y']),
      /^UserError: --header is for http and sse\./,
    );
    assert.throws(
      () => parse(['x', '--env', 'A', 'npx', '-y']),
      /^UserError: --env has no "="\./,
    );
    assert.throws(
      () => parse(['x', url, 'canary']),
      /^UserError: There is more than a name and a URL\./,
    );
    assert.throws(
      () => parse(['x', 'npx "p']),
      /^UserError: --transport and the command or URL are missing/,
    );
  });

  it('rejects unlisted options, and reads the other words as operands', () => {
    assert.throws(
      () => sortArguments(['--constructor'], new Map()),
      /Unknown option --constructor\.$/,
    );
    assert.deepEqual(sortArguments(['-', 'a', '--'], new Map()).operands, [
      '-',
      'a',
    ]);
    assert.deepEqual(sortArguments([], new Map()).rest, undefined);
  });
});

describe('the command that adds a server', () => {
  const commands: readonly (readonly [
    added: readonly string[],
    command: string,
  ])[] = [
    [
      [
        'a b',
        ...stdio,
        '--env',
        'API_KEY=canary',
        '--env',
        'E=',
        '--disabled',
        'npx',
        '--',
        '-y',
        '',
        '--token',
        'canary',
      ],
      "switchboard mcp add 'a b' --transport stdio --env 'API_KEY=<API_KEY>' --env E= --disabled npx -- -y '' --token '<SECRET>'",
    ],
    [
      ['x', ...stdio, '/a program'],
      "switchboard mcp add x --transport stdio '/a program'",
    ],
    [
      ['x', ...stdio, '--env=-A=canary', 'c'],
      "switchboard mcp add x --transport stdio '--env=-A=<_A>' c",
    ],
    [
      [
        'x',
        ...http,
        '--header',
        'Authorization: Bearer canary',
        '--header',
        'x-key: canary',
        '--header',
        'E:',
        url,
      ],
      "switchboard mcp add x --transport http --header 'Authorization: Bearer <BEARER_TOKEN>' --header 'x-key: <X_KEY>' --header 'E: ' https://example.com/mcp",
    ],
    [
      [
        'x',
        '--transport=sse',
        '--auth',
        'canary-canary',
        'https://u:canary@h/sse?k=canary#canary',
      ],
      "switchboard mcp add x --transport sse --auth '<BEARER_TOKEN>' 'https://<SECRET>@h/sse?k=<SECRET>#<SECRET>'",
    ],
    [
      ['x', ...stdio, 'npx x --api-key canary'],
      "switchboard mcp add x --transport stdio 'npx x --api-key <SECRET>'",
    ],
    [
      ['x', ...stdio, 'A_KEY=canary'],
      "switchboard mcp add x --transport stdio 'A_KEY=<SECRET>'",
    ],
    [
      [
        'x',
        ...stdio,
        'sh',
        '--',
        '-c',
        'A_KEY=canary npx x --token "two canary" ghp_canarycanary',
      ],
      "switchboard mcp add x --transport stdio sh -- -c 'A_KEY=<SECRET> npx x --token <SECRET> <SECRET>'",
    ],
    [
      [
        'x',
        ...stdio,
        'x',
        '--',
        '--config',
        '{"apiKey":"canary","port":1}',
        '--key=${KEY}',
      ],
      `switchboard mcp add x --transport stdio x -- --config '{"apiKey":<SECRET>,"port":1}' '--key=\${KEY}'`,
    ],
    [
      ['x', ...http, 'https://:canary@h/mcp'],
      "switchboard mcp add x --transport http 'https://<SECRET>@h/mcp'",
    ],
    [
      ['x', ...http, '--auth', 'oauth', url],
      `switchboard mcp add x --transport http --auth oauth ${url}`,
    ],
  ];
  for (const [args, command] of commands) {
    it(`prints ${command}`, () => {
      assert.equal(formatAdd(parse(args)), command);
    });

    itOnPosix(`survives a round trip through bash: ${command}`, () => {
      const words = execFileSync('bash', ['-c', `printf '%s\\0' ${command}`])
        .toString()
        .split('\0')
        .slice(3, -1);
      const wanted = parse(args);
      const read = parse(words);
      assert.equal(formatAdd(read), command);
      assert.deepEqual(
        [read.name, read.enabled],
        [wanted.name, wanted.enabled],
      );
    });
  }

  it('prints an empty bearer token as empty quotes, not as a placeholder', () => {
    const server = {
      transport: 'http',
      url,
      headers: new Map(),
      auth: new Secret(''),
    } as const;
    assert.equal(
      formatAdd({ name: 'x', server, enabled: true }),
      `switchboard mcp add x --transport http --auth '' ${url}`,
    );
  });
});
