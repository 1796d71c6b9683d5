import assert from 'node:assert/strict';
import { readPasted } from '../../../../src/mcp/pasted/readPasted.ts';
import {
  countOfTooMany,
  fromEnvironment,
  inEnv,
  inHeader,
  local,
  noVariables,
  paste,
  type Plain,
  refused,
  remote,
} from './expected.ts';

const url = 'https://h.example/mcp';
const disguised = 'The command line is split into a command and its arguments.';
const cmd = '"cmd /c" is left out, because it works on Windows only.';

describe('reading pasted JSON', () => {
  const cases: Record<
    string,
    readonly (readonly [string, readonly Plain[]])[]
  > = {
    'in our own format': [
      [
        `{"mcpServers": {
          "a": {"command": "npx", "args": ["-y", "a"], "env": {"K": "v"}, "transport": "stdio", "enabled": false, "cwd": "/srv", "timeout": 30000, "description": "d", "icon": "i"},
          "b": {"url": "${url}", "transport": "streamable-http", "headers": {"A": "b"}, "auth": "oauth", "sse_read_timeout": 60, "enabled": true}
        }}`,
        [
          local('a', ['npx', '-y', 'a'], {
            env: { K: 'v' },
            enabled: false,
            extra: { cwd: '/srv', timeout: 30000, description: 'd', icon: 'i' },
          }),
          remote('b', url, {
            headers: { A: 'b' },
            auth: 'oauth',
            extra: { sse_read_timeout: 60 },
          }),
        ],
      ],
    ],
    'of Claude': [
      [
        `Add this to \`claude_desktop_config.json\`:

\`\`\`json
{
  "globalShortcut": "",
  "mcpServers": {
    "filesystem": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-filesystem", "/srv/projects", "/path/to/other/dir"]
    },
    "brave-search": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-brave-search"],
      "env": { "BRAVE_API_KEY": "YOUR_API_KEY_HERE" }
    }
  }
}
\`\`\`

Don't forget to restart.`,
        [
          local(
            'filesystem',
            [
              'npx',
              ...['-y', '@modelcontextprotocol/server-filesystem'],
              ...['/srv/projects', '/path/to/other/dir'],
            ],
            {
              placeholders: [
                {
                  place: { in: 'argument', index: 3 },
                  text: '/path/to/other/dir',
                  description: undefined,
                },
              ],
            },
          ),
          local(
            'brave-search',
            ['npx', '-y', '@modelcontextprotocol/server-brave-search'],
            {
              env: { BRAVE_API_KEY: 'YOUR_API_KEY_HERE' },
              placeholders: [inEnv('BRAVE_API_KEY', 'YOUR_API_KEY_HERE')],
            },
          ),
        ],
      ],
      [
        '{"mcpServers": {"api": {"type": "http", "url": "${API_BASE_URL:-https://api.example.com}/mcp", "headers": {"Authorization": "Bearer ${API_KEY}"}}}}',
        [
          remote('api', '${API_BASE_URL:-https://api.example.com}/mcp', {
            headers: { Authorization: 'Bearer ${API_KEY}' },
            notes: [fromEnvironment('"API_KEY"')],
          }),
        ],
      ],
      [
        '{"projects": {"/p": {"mcpServers": {"a": {"command": "x"}}}, "/q": {"mcpServers": {}}, "/r": 1}, "mcpServers": {"b": {"command": "y"}}}',
        [local('b', ['y']), local('a', ['x'])],
      ],
    ],
    'of VS Code': [
      [
        `{
          "inputs": [
            {"type": "promptString", "id": "pat", "description": "GitHub token", "password": true},
            {"id": "bare"}, "odd"
          ],
          "servers": {
            "github": {"type": "http", "url": "${url}", "headers": {"Authorization": "Bearer \${input:pat}"}},
            "db": {"type": "stdio", "command": "db", "args": ["\${workspaceFolder}/x", "\${input:bare}"], "env": {"HOME": "\${env:HOME}"}, "envFile": "\${workspaceFolder}/.env", "gallery": true}
          }
        }`,
        [
          remote('github', url, {
            headers: { Authorization: 'Bearer ${input:pat}' },
            placeholders: [
              inHeader('Authorization', '${input:pat}', 'GitHub token'),
            ],
            notes: [noVariables],
          }),
          local('db', ['db', '${workspaceFolder}/x', '${input:bare}'], {
            env: { HOME: '${env:HOME}' },
            placeholders: [
              {
                place: { in: 'argument', index: 0 },
                text: '${workspaceFolder}',
                description: 'workspaceFolder',
              },
              {
                place: { in: 'argument', index: 1 },
                text: '${input:bare}',
                description: 'bare',
              },
              inEnv('HOME', '${env:HOME}', 'HOME'),
            ],
            notes: ['"envFile" and "gallery" are left out.', noVariables],
          }),
        ],
      ],
      [
        '{"mcp": {"inputs": [{"id": "k", "description": "Key"}], "servers": {"a": {"command": "x", "env": {"K": "${input:k}"}}}}}',
        [
          local('a', ['x'], {
            env: { K: '${input:k}' },
            placeholders: [inEnv('K', '${input:k}', 'Key')],
            notes: [noVariables],
          }),
        ],
      ],
      ['{"mcp.servers": {"a": {"command": "x"}}}', [local('a', ['x'])]],
    ],
    'of Cursor or Windsurf': [
      [
        `{"mcpServers": {"a": {"url": "http://localhost:3000/sse"}, "b": {"serverUrl": "${url}", "headers": {"API_KEY": "<token>"}}, "c": {"url": "${url}", "auth": {"CLIENT_ID": "x"}}}}`,
        [
          remote('a', 'http://localhost:3000/sse', { transport: 'sse' }),
          remote('b', url, {
            headers: { API_KEY: '<token>' },
            placeholders: [inHeader('API_KEY', '<token>')],
          }),
          remote('c', url, {
            auth: 'oauth',
            notes: ['The details of signing in with OAuth are left out.'],
          }),
        ],
      ],
    ],
    'of Gemini CLI': [
      [
        `{"mcpServers": {
          "a": {"httpUrl": "${url}/sse", "timeout": 5000, "trust": true, "headers": {"N": 1, "B": true, "X": null}},
          "b": {"url": "${url}", "includeTools": ["x"], "oauth": {"enabled": true}},
          "c": {"url": "${url}", "type": "http", "excludeTools": [], "oauth": {"enabled": false}},
          "d": {"httpUrl": "${url}", "oauth": {}, "command": null}
        }, "mcp": {"allowed": ["a"]}}`,
        [
          remote('a', `${url}/sse`, {
            headers: { N: '1', B: 'true' },
            extra: { timeout: 5000 },
            notes: [
              'In "headers", "X" is not text and is left out.',
              '"trust" is left out.',
            ],
          }),
          remote('b', url, {
            transport: 'sse',
            auth: 'oauth',
            notes: ['"includeTools" is left out.'],
          }),
          remote('c', url),
          remote('d', url, { auth: 'oauth' }),
        ],
      ],
    ],
    'of Cline, Kiro or Roo Code': [
      [
        `{"mcpServers": {
          "a": {"url": "${url}", "disabled": true, "autoApprove": [], "timeout": 3600},
          "b": {"type": "streamableHttp", "url": "${url}", "timeout": 60},
          "c": {"type": "streamable-http", "url": "${url}/sse", "alwaysAllow": ["x", "y"], "disabled": false, "timeout": 0}
        }}`,
        [
          remote('a', url, {
            enabled: false,
            extra: { timeout: 3_600_000 },
            notes: [
              'The timeout looks like seconds, and is converted to milliseconds.',
            ],
          }),
          remote('b', url, {
            extra: { timeout: 60_000 },
            notes: [
              'The timeout looks like seconds, and is converted to milliseconds.',
            ],
          }),
          remote('c', `${url}/sse`, {
            extra: { timeout: 0 },
            notes: ['"alwaysAllow" is left out.'],
          }),
        ],
      ],
    ],
    'of Zed': [
      [
        '{\n  // Settings\n  "theme": "One",\n  "context_servers": {"a": {"source": "custom", "command": "x", "args": ["y"]}, "b": {"command": {"path": "p", "args": ["q"], "env": {"K": "v"}}, "settings": {}},},\n}',
        [local('a', ['x', 'y']), local('b', ['p', 'q'], { env: { K: 'v' } })],
      ],
    ],
    'of OpenCode': [
      [
        `{"$schema": "https://opencode.ai/config.json", "mcp": {
          "a": {"type": "local", "command": ["bun", "x", "a"], "environment": {"K": "v"}, "enabled": false},
          "b": {"type": "remote", "url": "${url}", "oauth": true, "enabled": true}
        }}`,
        [
          local('a', ['bun', 'x', 'a'], { env: { K: 'v' }, enabled: false }),
          remote('b', url, { auth: 'oauth' }),
        ],
      ],
    ],
    'of other programs': [
      [
        `{"amp.mcpServers": {"a": {"command": "x"}}, "mcp_servers": {"b": {"url": "${url}", "bearer_token_env_var": "PAT", "http_headers": {"A": "1"}, "env_http_headers": {"B": "VB"}}}}`,
        [
          remote('b', url, {
            headers: { A: '1', B: '${VB}', Authorization: 'Bearer ${PAT}' },
            notes: [fromEnvironment('"VB" and "PAT"')],
          }),
          local('a', ['x']),
        ],
      ],
      [
        '{"mcpServers": [{"name": "a", "command": "x"}, {"name": "", "command": "npx", "args": ["mcp-server-b"]}]}',
        [
          local('a', ['x']),
          local(undefined, ['npx', 'mcp-server-b'], { suggestedName: 'b' }),
        ],
      ],
    ],
    'without its usual surroundings': [
      ['{"a": {"command": "x"}, "b": 1, "c": {"d": {}}}', [local('a', ['x'])]],
      [
        '{"command": "uvx", "args": ["mcp-server-fetch"]}',
        [
          local(undefined, ['uvx', 'mcp-server-fetch'], {
            suggestedName: 'fetch',
          }),
        ],
      ],
      [`{"name": "a", "serverUrl": "${url}"}`, [remote('a', url)]],
      [
        `{"name": 1, "httpUrl": "${url}"}`,
        [remote(undefined, url, { suggestedName: 'h' })],
      ],
      [
        '"a": {"command": "x"},\n"b": {"command": "y"},',
        [local('a', ['x']), local('b', ['y'])],
      ],
      ['"a": {"command": "x"} }\n}', [local('a', ['x'])]],
      [
        '  "mcpServers": {\n    "a": {"command": "x"} // last\n  }\n\nThen go.',
        [local('a', ['x'])],
      ],
      [
        '"command": "x",\n"args": ["-1", "y"], "timeout": -1, "on": true',
        [
          local(undefined, ['x', '-1', 'y'], {
            suggestedName: 'y',
            notes: ['"timeout" and "on" are left out.'],
          }),
        ],
      ],
      [
        '// mcp.json\n/* all */ {/* x */"a": {"command": "x"}}',
        [local('a', ['x'])],
      ],
      ['> ```json\n> {"a":\n>   {"command": "x"}}\n> ```', [local('a', ['x'])]],
      [
        'Two: {"a": {"command": "x"}} and {"b": {"command": "x"}}.',
        [local('a', ['x']), local('b', ['x'])],
      ],
      [
        '{"a": {"command": "x"}}\n{"a": {"command": "x", "args": [], "enabled": true}}',
        [local('a', ['x'])],
      ],
    ],
    'with the command in another form': [
      [
        '{"a": {"command": "cmd", "args": ["/c", "npx", "-y", "x"]}, "b": {"command": "C:\\\\Windows\\\\cmd.exe", "args": ["/d", "/s", "/C", "npx -y C:\\\\x"]}, "c": {"command": "cmd", "args": ["/c"]}, "d": {"command": "cmd", "args": ["x", "/c", "y"]}, "e": {"command": "cmd"}, "f": {"command": "cmd //c npx x"}}',
        [
          local('a', ['npx', '-y', 'x'], { notes: [cmd] }),
          local('b', ['npx', '-y', 'C:\\x'], { notes: [cmd] }),
          local('c', ['cmd', '/c']),
          local('d', ['cmd', 'x', '/c', 'y']),
          local('e', ['cmd']),
          local('f', ['npx', 'x'], { notes: [disguised, cmd] }),
        ],
      ],
      [
        '{"a": {"command": "npx -y \'a b\'"}, "b": {"command": "/opt/My Server/x"}, "c": {"command": "my server", "args": ["x"]}, "d": {"command": "x", "args": "-y \\"a b\\""}, "e": {"command": "x", "args": ["--port", 1, true, null, {}]}, "f": {"command": "x", "args": "-y \\"a #b"}}',
        [
          local('a', ['npx', '-y', 'a b'], { notes: [disguised] }),
          local('b', ['/opt/My Server/x']),
          local('c', ['my server', 'x']),
          local('d', ['x', '-y', 'a b']),
          local('e', ['x', '--port', '1', 'true'], {
            notes: ['Arguments that are not text are left out.'],
          }),
          local('f', ['x', '-y "a #b']),
        ],
      ],
    ],
    'with a command and a URL, or keys of the other kind': [
      [
        `{"a": {"command": "x", "url": "${url}"}, "b": {"command": "x", "url": "${url}", "type": "stdio"}, "c": {"url": "${url}", "args": ["x"], "env": {}, "cwd": "/"}, "d": {"command": "x", "url": "", "headers": {"A": "b"}, "auth": "x"}}`,
        [
          remote('a', url, {
            notes: ['There is both a command and a URL. The URL is used.'],
          }),
          local('b', ['x'], {
            notes: ['There is both a command and a URL. The command is used.'],
          }),
          remote('c', url, { notes: ['"args" and "cwd" are left out.'] }),
          local('d', ['x'], {
            notes: ['"headers" and "auth" are left out.'],
          }),
        ],
      ],
    ],
  };
  for (const [of, texts] of Object.entries(cases)) {
    for (const [text, expected] of texts) {
      it(`reads JSON ${of}: ${text.slice(0, 60).replace(/\s+/g, ' ')}`, () => {
        assert.deepEqual(paste(text), expected);
      });
    }
  }

  it('finds servers in other places if their keys leave no doubt', () => {
    const server = { command: 'x', env: { K: '${input:k}' } };
    const inputs = [{ id: 'k', description: 'Key' }];
    const expected = [
      local('a', ['x'], {
        env: { K: '${input:k}' },
        placeholders: [inEnv('K', '${input:k}', 'Key')],
        notes: [noVariables],
      }),
    ];
    for (const text of [
      {
        customizations: { vscode: { inputs, mcp: { servers: { a: server } } } },
      },
      {
        inputs,
        'augment.advanced': { mcpServers: [{ name: 'a', ...server }] },
      },
      { inputs, 'zencoder.mcpServers': { a: server } },
      {
        inputs,
        experimental: {
          modelContextProtocolServers: [
            { name: 'a', transport: { type: 'stdio', ...server } },
          ],
        },
      },
      { inputs, mcpServers: [{ a: server }, 'elsewhere'] },
      { inputs, mcpServers: { a: { enabled: true, config: server } } },
      { inputs, name: 'a', config: server },
      {
        inputs,
        extensions: [
          { type: 'builtin', name: 'b' },
          { name: 'a', ...server },
        ],
      },
    ]) {
      assert.deepEqual(
        paste(JSON.stringify(text)),
        expected,
        JSON.stringify(text),
      );
    }
    for (const text of [
      { openapi: '3', paths: { servers: { a: server } } },
      {
        deep: JSON.parse(
          '{"a":'.repeat(20) +
            '{"mcpServers":{"a":{"command":"x"}}}' +
            '}'.repeat(20),
        ) as object,
      },
    ]) {
      assert.match(refused(JSON.stringify(text)), /^nothing:/);
    }
  });

  it('ignores a "requestInit" without usable headers', () => {
    for (const value of ['1', '{}', '{"headers": 1}']) {
      assert.deepEqual(
        paste(`{"a": {"url": "${url}", "requestInit": ${value}}}`),
        [remote('a', url)],
      );
    }
  });

  it('reads servers from a request to a model service', () => {
    const text = `{"type": "mcp", "server_label": "a", "server_url": "${url}", "require_approval": "never"}
{"mcp_servers": [{"type": "url", "url": "${url}", "name": "b", "authorization_token": "t0ken"}]}`;
    assert.deepEqual(paste(text), [
      remote('a', url, { notes: ['"require_approval" is left out.'] }),
      remote('b', url, { auth: 't0ken' }),
    ]);
  });

  it('reads typographic quotes, and keeps them inside strings', () => {
    assert.deepEqual(paste('{“a”: {“command”: “npx”, “args”: [“-y”, “x”]}}'), [
      local('a', ['npx', '-y', 'x']),
    ]);
    assert.deepEqual(paste('{"a": {"command": "x", "args": ["“b”"]}}'), [
      local('a', ['x', '“b”']),
    ]);
  });

  it('reads variables and headers in lists', () => {
    const text = `{"a": {"command": "x", "env": ["A=b=c", {"name": "D", "value": "e"}, {"key": "F"}, 1, "g"]}, "b": {"url": "${url}", "headers": ["X-A: b"]}}`;
    assert.deepEqual(paste(text), [
      local('a', ['x'], {
        env: { A: 'b=c', D: 'e' },
        notes: ['In "env", "F" is not text and is left out.'],
      }),
      remote('b', url, { headers: { 'X-A': 'b' } }),
    ]);
  });

  it('repairs elided lines and missing commas, and says so', () => {
    const notes = [
      'This is not valid JSON, and was repaired. Check that nothing is missing.',
    ];
    const text = `{
  ... other settings
  "mcpServers": {
    "a": {
      "command": "x" // the program
      "args": ["y"
        "z"
      ]
    },
    …
  }
}`;
    assert.deepEqual(paste(text), [local('a', ['x', 'y', 'z'], { notes })]);
  });

  it('repairs missing closing brackets and says so, but refuses a cut name or value', () => {
    const notes = [
      'This is not valid JSON, and was repaired. Check that nothing is missing.',
    ];
    const whole = '{"mcpServers": {"a": {"command": "x", "args": ["y"]}';
    for (const end of ['', ',', '\n```\n\nThen restart.', ' // end']) {
      assert.deepEqual(paste(whole + end), [local('a', ['x', 'y'], { notes })]);
    }
    for (const cut of [
      whole.slice(0, -3),
      `${whole}, "b"`,
      `${whole}, "b": `,
    ]) {
      assert.match(
        refused(cut),
        /^unreadable: Line 1, column \d+: (?:the text ends here|this string does not end)/,
      );
    }
  });

  it('keeps "cmd /c" only if the servers are for Windows', () => {
    const text = '{"a": {"command": "cmd", "args": ["/c", "npx", "x"]}}';
    const [there] = readPasted(text, true).servers;
    assert.deepEqual(
      [
        there?.server.transport === 'stdio' && there.server.command,
        there?.notes,
      ],
      ['cmd', []],
    );
    assert.deepEqual(paste(text), [local('a', ['npx', 'x'], { notes: [cmd] })]);
  });

  it('keeps usable names, and suggests a name instead of an unusable one', () => {
    const text =
      '{"mcpServers": {"__proto__": {"command": "x"}, "": {"command": "x"}, "a\\u202Eb": {"command": "y"}, "<name>": {"command": "z"}, "服务器": {"command": "x"}}}';
    assert.deepEqual(paste(text), [
      local('__proto__', ['x']),
      local(undefined, ['x'], { suggestedName: 'x' }),
      local(undefined, ['y'], {
        suggestedName: 'y',
        notes: [
          'The name is left out because it is too long, has invisible characters, or may be a secret.',
        ],
      }),
      local(undefined, ['z'], { suggestedName: 'z' }),
      local('服务器', ['x']),
    ]);
  });

  for (const [what, text] of [
    [
      'a URL',
      `{"name": "my-plugin", "url": "${url}", "mcpServers": {"real": {"command": "npx"}}}`,
    ],
    [
      'a command',
      '{"command": "x", "mcp": {"servers": {"real": {"command": "npx"}}}}',
    ],
    [
      'a command, in a list',
      '{"command": "x", "mcpServers": [{"name": "real", "command": "npx"}]}',
    ],
  ] as const) {
    it(`reads nested servers next to ${what}`, () => {
      assert.deepEqual(paste(text), [local('real', ['npx'])]);
    });
  }

  it('reads a single server if its list of servers is empty', () => {
    const text =
      '{"name": "a", "command": "x", "mcpServers": {}, "mcp": {"servers": {}}}';
    assert.deepEqual(paste(text), [
      local('a', ['x'], { notes: ['"mcp" is left out.'] }),
    ]);
  });

  it('accepts a URL with a placeholder in any part', () => {
    for (const part of [
      '<host>/mcp',
      '${URL}',
      '{base}/mcp',
      '<scheme>://h.example/mcp',
      'https://<host>:{port}/{{ path }}?key=<key>',
      'https://[your region].h.example/mcp',
    ]) {
      const { servers, problems } = readPasted(
        JSON.stringify({ mcpServers: { a: { url: part } } }),
      );
      assert.deepEqual([servers.length, problems], [1, []], part);
    }
  });

  it('reads only the first 100 fragments', () => {
    const text = Array.from(
      { length: 102 },
      (_, i) => `{"n${i}": {"command": "x"}}\n`,
    ).join('');
    assert.equal(countOfTooMany(text), 100);
  });

  it('reports which parts are not servers', () => {
    const text =
      '{"mcpServers": {"a": {"command": "x"}, "b": 1, "c": {}, "d": {"command": ""}, "e": {"url": 5}}}\n{"f"';
    assert.deepEqual(paste(text), {
      servers: [local('a', ['x'])],
      problems: [
        'Line 2, column 4: the text ends here, and a colon is missing.',
        '"b" has neither a command nor a URL.',
        '"c" has neither a command nor a URL.',
        '"d" has no command.',
        '"e" has neither a command nor a URL.',
      ],
    });
  });

  for (const [entry, message] of [
    [
      '"url": "javascript:alert(1)"',
      'has a URL that does not start with http:// or https://.',
    ],
    [
      '"url": "file:///canary"',
      'has a URL that does not start with http:// or https://.',
    ],
    ['"url": "https://"', 'has a URL that is not valid.'],
    ['"url": "https://h:port/"', 'has a URL that is not valid.'],
    [
      '"type": "ws", "url": "wss://canary"',
      'has a URL that does not start with http:// or https://.',
    ],
    ['"url": "https://h/ canary"', 'has a URL with spaces in it.'],
    ['"url": "https://h/\\u0000canary"', 'has a URL with spaces in it.'],
    [
      '"url": "https://h/", "headers": {"": "canary"}',
      'has a header with an invalid name.',
    ],
    [
      '"url": "https://h/", "headers": {"A B": "canary"}',
      'has a header with an invalid name.',
    ],
    [
      '"url": "https://h/", "headers": {"A": "can\\r\\nX: ary"}',
      'has control characters in a header.',
    ],
    ['"command": " "', 'has no command.'],
    [
      '"command": "x", "args": ["can\\u0000ary"]',
      'has control characters in its command.',
    ],
    ['"command": "x\\u001B[2J"', 'has control characters in its command.'],
    [
      '"command": "x", "env": {"A=B": "canary"}',
      'has a variable with an invalid name.',
    ],
    [
      '"command": "x", "env": {"A": "canary\\u0000"}',
      'has a variable with a NUL character.',
    ],
  ] as const) {
    it(`refuses a server with ${entry}`, () => {
      assert.equal(
        refused(`{"mcpServers": {"a": {${entry}}}}`),
        `unreadable: "a" ${message}`,
      );
    });
  }

  for (const [text, message] of [
    [
      '{"a": {"command": canary}}',
      'unreadable: Line 1, column 19: a value is missing.',
    ],
    [
      'See:\n\n  "a": {"command": canary}',
      'unreadable: Line 3, column 20: a value is missing.',
    ],
    [
      '"a": {"command": canary}',
      'unreadable: Line 1, column 18: a value is missing.',
    ],
    [
      '{"a": {"command": "canary',
      'unreadable: Line 1, column 19: this string does not end on its line, or contains a control character.',
    ],
    [
      '"mcp": {\n "type": "remote"',
      'unreadable: Line 2, column 18: the text ends here, and "}" is missing.',
    ],
    [
      '{"mcpServers": {"a": {"command": null}}}',
      'unreadable: "a" has neither a command nor a URL.',
    ],
    ['{"x": 1}', 'nothing'],
    ['{"servers": [{"url": "https://api.example.com"}]}', 'nothing'],
    ['{"mcpServers": {}}', 'nothing'],
    ['{"name": "pkg", "scripts": {"a": "b"}}', 'nothing'],
  ] as const) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      const actual = refused(text);
      assert.equal(
        message === 'nothing' ? actual.split(':')[0] : actual,
        message,
      );
    });
  }

  it('keeps all digits of a number where it becomes a text', () => {
    const id = '1098765432109876543';
    assert.deepEqual(
      paste(
        `{"mcpServers": {
          "a": {"command": "npx", "args": ["x", 1.0, 8080], "env": {"ID": ${id}, "VERSION": 1.0, "PORT": 8080, "ON": true}, "timeout": 30000.0},
          "b": {"type": "local", "command": ["npx", "y", ${id}], "environment": {"ID": ${id}}},
          "c": {"url": "${url}", "headers": {"X-Id": ${id}}}
        }}`,
      ),
      [
        local('a', ['npx', 'x', '1.0', '8080'], {
          env: { ID: id, VERSION: '1.0', PORT: '8080', ON: 'true' },
          extra: { timeout: 30_000 },
        }),
        local('b', ['npx', 'y', id], { env: { ID: id } }),
        remote('c', url, { headers: { 'X-Id': id } }),
      ],
    );
    const link = `acme://mcp/install?name=a&command=npx&args=${encodeURIComponent(`["x",${id}]`)}&env=${encodeURIComponent(`{"ID":${id}}`)}`;
    assert.deepEqual(paste(link), [
      local('a', ['npx', 'x', id], { env: { ID: id } }),
    ]);
  });
});
