import assert from 'node:assert/strict';
import { readPasted } from '../../../../src/mcp/pasted/readPasted.ts';
import {
  countOfTooMany,
  fromEnvironment,
  local,
  paste,
  type Plain,
  refused,
  remote,
} from './expected.ts';

const url = 'https://h.example/mcp';

describe('reading pasted TOML', () => {
  it('reads the format of Codex', () => {
    const text = `Add to \`~/.codex/config.toml\`:
\`\`\`toml
model = "gpt" # not this

[mcp_servers.context7] # docs
command = "npx"
args = ["-y", '@upstash/context7-mcp', # the package
  "--\\u0061\\tb	c",
]
startup_timeout_sec = 20
enabled = false
  [mcp_servers.context7.env]
  API_KEY = 'literal \\n'
  "quoted.key" = "1"

[mcp_servers."my server"]
url = "${url}"
bearer_token_env_var = "TOKEN"
http_headers = { "X-A" = "b", 'X-B' = 'c' }
env_http_headers.X-C = "VAR"
tool_timeout_sec = 1_000
since = 2025-01-01T00:00:00Z
weight = inf

[profiles.x]
y = -1.5
\`\`\`
`;
    assert.deepEqual(paste(text), [
      local('context7', ['npx', '-y', '@upstash/context7-mcp', '--a\tb\tc'], {
        env: { API_KEY: 'literal \\n', 'quoted.key': '1' },
        enabled: false,
        notes: ['"startup_timeout_sec" is left out.'],
      }),
      remote('my server', url, {
        headers: {
          'X-A': 'b',
          'X-B': 'c',
          'X-C': '${VAR}',
          Authorization: 'Bearer ${TOKEN}',
        },
        extra: { timeout: 1_000_000 },
        notes: [
          '"since" and "weight" are left out.',
          fromEnvironment('"VAR" and "TOKEN"'),
        ],
      }),
    ]);
  });

  it('reads the old format of our own CLI', () => {
    const text = `[core]
workspace = "x"
[mcp]
sse_servers = [
    # An address
    "http://example.com:8080/sse",
    {url="https://secure.example.com/mcp", api_key="your-api-key"}
]
shttp_servers = [ { url = "${url}", timeout = 60 }, ]
stdio_servers = [
    {name="fetch", command="uvx", args=["mcp-server-fetch"]},
    {name="data", command="python", args=[], env={ "DEBUG" = "true" } },
    1
]
other = []
`;
    assert.deepEqual(paste(text), {
      servers: [
        remote(undefined, 'http://example.com:8080/sse', {
          transport: 'sse',
          suggestedName: 'example',
        }),
        remote(undefined, 'https://secure.example.com/mcp', {
          transport: 'sse',
          suggestedName: 'example',
          auth: 'your-api-key',
          placeholders: [
            {
              place: { in: 'auth' },
              text: 'your-api-key',
              description: undefined,
            },
          ],
        }),
        remote(undefined, url, {
          suggestedName: 'h',
          extra: { timeout: 60_000 },
          notes: [
            'The timeout was in seconds, and is converted to milliseconds.',
          ],
        }),
        local('fetch', ['uvx', 'mcp-server-fetch']),
        local('data', ['python'], { env: { DEBUG: 'true' } }),
      ],
      problems: ['A server without a name has neither a command nor a URL.'],
    });
  });

  it('reads the old format of our own CLI as its documentation writes it', () => {
    const text = `stdio_servers = [
    # With variables
    {
        name="weather",
        command="uvx",
        args=["weather-mcp"],
        env={
            "UNITS": "metric",
            KEY = "abc",
        }
    },
]
[mcp]
shttp_servers = [
    { url = "${url}", timeout = 1800 },
    { url = "${url}/long", timeout = 5000 },
    { url = "${url}/none", timeout = 0 },
]`;
    const inSeconds =
      'The timeout was in seconds, and is converted to milliseconds.';
    assert.deepEqual(paste(text), [
      local('weather', ['uvx', 'weather-mcp'], {
        env: { UNITS: 'metric', KEY: 'abc' },
      }),
      remote(undefined, url, {
        suggestedName: 'h',
        extra: { timeout: 1_800_000 },
        notes: [inSeconds],
      }),
      remote(undefined, `${url}/long`, {
        suggestedName: 'h',
        extra: { timeout: 5000 },
      }),
      remote(undefined, `${url}/none`, {
        suggestedName: 'h',
        extra: { timeout: 0 },
      }),
    ]);
  });

  it('reads the table names of other programs, but not "servers"', () => {
    const text = `[mcpServers.a]\ncommand = "x"\n[context_servers.b]\ncommand = "y"\n[servers.c]\ncommand = "z"\n`;
    assert.deepEqual(paste(text), [local('a', ['x']), local('b', ['y'])]);
  });

  it('reads TOML to its end, and what follows it', () => {
    const text =
      '[mcp_servers.a]\ncommand = "x"\nThat is it.\n[mcp_servers.b]\ncommand = "y"\n\n{"c": {"command": "z"}}';
    assert.deepEqual(paste(text), [
      local('a', ['x']),
      local('b', ['y']),
      local('c', ['z']),
    ]);
  });

  it('reads bare, quoted and escaped names', () => {
    const text =
      '[mcp_servers.__proto__]\ncommand = "x"\n[mcp_servers."a\\u0062"]\ncommand = "y"\n[ mcp_servers . \'c"\' ]\ncommand = \'z\'';
    assert.deepEqual(
      (paste(text) as Plain[]).map(({ name }) => name),
      ['__proto__', 'ab', 'c"'],
    );
  });

  for (const [text, column, line = 2] of [
    ['command = ', 11],
    ['command = "canary', 11],
    ["command = 'canary", 11],
    ['command = """\ncanary"', 11],
    ["command = '''\ncanary''", 11],
    ['command = """\n\\q canary"""', 2, 3],
    ['command = "\\U00110000 canary"', 12],
    ['command = "\\q canary"', 13],
    ['command = "x" canary', 15],
    ['command = npx', 11],
    ['args = ["x" canary]', 13],
    ['args = ["x"', 12],
    ['args = [\n"x"\ncanary]', 1, 4],
    ['env = { "A" }', 13],
    ['env = { A = 1 B = 2 }', 15],
    [`args = ${'['.repeat(30)}`, 28],
  ] as const) {
    it(`reports the position of the error: ${text}`, () => {
      const message = `Line ${line}, column ${column}: this is not valid TOML.`;
      assert.equal(
        refused(`[mcp_servers.a]\n${text}`),
        `unreadable: ${message}`,
      );
    });
  }

  it('reports the position of an error in a list of our former CLI', () => {
    assert.equal(
      refused('sse_servers = [\n  { url = "https://h.example/mcp" "x" },\n]'),
      'unreadable: Line 2, column 35: this is not valid TOML.',
    );
  });

  it('reads multiline strings, with escapes only in double quotes', () => {
    const text = String.raw`[mcp_servers.a]
command = """npx"""
args = ["""
one \

    line, "quoted" and ""twice""
	with \\ and \u0061 and \U0001F600
""", '''
raw \
''it is'' \u0061
''', """""", '''''', """a""""", """b\"""", '''c''''] # all
[mcp_servers.a.env]
KEY = '''v'''
`;
    const args = [
      'one line, "quoted" and ""twice""\n\twith \\ and a and 😀\n',
      "raw \\\n''it is'' \\u0061\n",
      ...['', '', 'a""', 'b"', "c'"],
    ];
    assert.deepEqual(paste(text), [
      local('a', ['npx', ...args], { env: { KEY: 'v' } }),
    ]);
  });

  for (const other of [
    '[other]\nprompt = """\nhello\n[mcp_servers.none]\n"""',
    "[other]\nprompt = '''\nhello'''",
    '[other]\nseen = 2024-01-01 10:00:00',
    '[other]\nseen = 2024-01-01 10:00:00.5+01:00',
    '[other]\nodd = @\nmore = 1',
    '[other]\nodd = [\n"x"',
    '[[hooks]]\non = "x"\n[hooks.more]\nb = 1\n[[hooks]]\non = "y"',
  ]) {
    it(`reads all servers around an unrelated table: ${JSON.stringify(other)}`, () => {
      const text = `[mcp_servers.x]\ncommand = "npx"\n\n${other}\n\n[mcp_servers.x.env]\nK = "v"\n[mcp_servers.y]\ncommand = "y"\n`;
      assert.deepEqual(paste(text), [
        local('x', ['npx'], { env: { K: 'v' } }),
        local('y', ['y']),
      ]);
    });
  }

  for (const bad of [
    '[mcp_servers.bad]\ncommand = "a" "b"\n[mcp_servers.bad.env]\nA = "b"',
    '[mcp_servers.bad]\ncommand = "a"\n[mcp_servers.bad.env]\n  A = "b" "c"',
    '[mcp_servers]\nbad = { command = "a" }\nbad.args = 1 2',
    '[mcp_servers]\nbad = { command = "a" "b" }',
    '[mcp_servers.bad]\ncommand = "a"\nargs = [ "b",\n',
  ]) {
    it(`reads the servers around a bad one, and reports its position: ${JSON.stringify(bad)}`, () => {
      const text = `[mcp_servers.x]\ncommand = "npx"\n${bad}\n  [mcp_servers.y]\ncommand = "y"\n[mcp_servers.x.env]\nK = "v"\n`;
      const found = paste(text);
      assert.ok(!Array.isArray(found));
      assert.deepEqual(found.servers, [
        local('x', ['npx'], { env: { K: 'v' } }),
        local('y', ['y']),
      ]);
      assert.equal(found.problems.length, 1);
      assert.match(found.problems.join(''), /^Line [4-8], column \d+: /);
    });
  }

  it('reads the block and the JSON after a table that cannot be read', () => {
    const bad = '[mcp_servers.a]\ncommand = "x" y\n';
    for (const text of [
      `${bad}\`\`\`\nOr:\n\`\`\`\n[mcp_servers.a]\ncommand = "x"\n[mcp_servers.b]\ncommand = "z"\n`,
      `${bad}Or this: {"b": {"command": "z"}}\n\n[mcp_servers.a]\ncommand = "x"\n`,
    ]) {
      assert.deepEqual(paste(text), {
        servers: [local('a', ['x']), local('b', ['z'])],
        problems: ['Line 2, column 15: this is not valid TOML.'],
      });
    }
  });

  it('reads servers in arrays of tables, and reports the bad ones', () => {
    const text = `[[mcp_servers]]
name = "a"
url = "${url}"
[mcp_servers.headers]
A = "b"
[[mcp_servers]]
name = "bad"
command = "x" "y"
[[mcp_servers]]
name = "b"
command = "y"
[[mcp.stdio_servers]]
name = "c"
command = "z"
[[mcp.stdio_servers]]
name = "bad"
command = "x" "y"
`;
    assert.deepEqual(paste(text), {
      servers: [
        remote('a', url, { headers: { A: 'b' } }),
        local('b', ['y']),
        local('c', ['z']),
      ],
      problems: [
        'Line 8, column 15: this is not valid TOML.',
        'Line 17, column 15: this is not valid TOML.',
      ],
    });
  });

  it('finds no server in links, lists and empty tables', () => {
    for (const text of [
      '[mcp](https://example.com)',
      '[mcp]',
      '[mcp_servers.a]\n[profiles.x]\ncommand = "x"',
      '[mcp.x]',
    ]) {
      assert.match(refused(text), /^(?:nothing:|unreadable: "a" has neither)/);
    }
  });

  it('reads only the first 100 blocks', () => {
    const text = Array.from(
      { length: 102 },
      (_, i) => `[mcp_servers.n${i}]\ncommand = "x"\n---\n`,
    ).join('');
    assert.equal(countOfTooMany(text), 100);
  });

  it('stops after 100 values that cannot be read', () => {
    const text = Array.from(
      { length: 102 },
      (_, i) => `[mcp_servers.n${i}]\ncommand = @\n`,
    ).join('');
    const { servers, problems } = readPasted(
      `[mcp_servers.a]\ncommand = "x"\n${text}`,
    );
    assert.equal(servers.length, 1);
    assert.equal(problems.length, 101);
    assert.equal(
      problems.at(-1),
      'Only the first 100 parts of each kind are read.',
    );
  });
});
