import assert from 'node:assert/strict';
import {
  fromEnvironment,
  inEnv,
  inHeader,
  local,
  noServer,
  noVariables,
  paste,
  type Plain,
  refused,
  remote,
} from './expected.ts';

const seconds =
  'The timeout looks like seconds, and is converted to milliseconds.';

describe('reading pasted YAML', () => {
  const cases: Record<
    string,
    readonly [text: string, expected: readonly Plain[]]
  > = {
    'of Continue': [
      `name: Tools of the team
version: 0.0.1
schema: v1
mcpServers:
- name: Tickets # the list begins below its key
  command: npx
  args:
    - -y
    - "tickets-mcp@1.10"
  env:
    TICKETS_KEY: \${{ secrets.TICKETS_KEY }}
    VERSION: 1.10
- name: Search
  type: streamable-http
  url: https://search.example/mcp
  requestOptions:
    headers: { X-Team: blue }
  connectionTimeout: 5000
`,
      [
        local('Tickets', ['npx', '-y', 'tickets-mcp@1.10'], {
          env: { TICKETS_KEY: '${{ secrets.TICKETS_KEY }}', VERSION: '1.10' },
          placeholders: [
            inEnv('TICKETS_KEY', '${{ secrets.TICKETS_KEY }}', 'TICKETS_KEY'),
          ],
          notes: [noVariables],
        }),
        remote('Search', 'https://search.example/mcp', {
          headers: { 'X-Team': 'blue' },
          notes: ['"connectionTimeout" is left out.'],
        }),
      ],
    ],
    'of Goose, with built-in extensions': [
      `GOOSE_MODEL: large
extensions:
  developer:
    enabled: true
    type: builtin
    name: developer
  tickets:
    name: Tickets
    cmd: uvx
    args: [tickets-mcp]
    enabled: false
    envs: { "TICKETS_URL": "https://tickets.example" }
    env_keys: [TICKETS_KEY]
    type: stdio
    timeout: 300
  docs:
    enabled: true
    config:
      type: streamable_http
      uri: https://docs.example/api
`,
      [
        local('tickets', ['uvx', 'tickets-mcp'], {
          env: { TICKETS_URL: 'https://tickets.example' },
          enabled: false,
          extra: { timeout: 300_000 },
          notes: [seconds, '"env_keys" is left out.'],
        }),
        remote('docs', 'https://docs.example/api'),
      ],
    ],
    'of Hermes': [
      `mcp_servers:
  tickets:
    command: "npx"
    args: ["-y", "tickets-mcp"]
    env: {TICKETS_KEY: abc}
  docs:
    url: 'https://docs.example/mcp'
    auth: oauth
`,
      [
        local('tickets', ['npx', '-y', 'tickets-mcp'], {
          env: { TICKETS_KEY: 'abc' },
        }),
        remote('docs', 'https://docs.example/mcp', { auth: 'oauth' }),
      ],
    ],
    'of LibreChat, in a code block': [
      `Add this to \`librechat.yaml\`:
\`\`\`yaml
mcpServers:
  docs:
    type: streamable-http
    url: https://docs.example/mcp
    headers:
      X-User: '{{LIBRECHAT_USER_ID}}'
      Authorization: 'Bearer \${DOCS_TOKEN}'
    timeout: 60000
# The next one is local.

  files:
    command: npx
    args: # Where the files are
      - -y
      - files-mcp
      - /srv/files
\`\`\`
mcpServers are loaded at the start.`,
      [
        remote('docs', 'https://docs.example/mcp', {
          headers: {
            'X-User': '{{LIBRECHAT_USER_ID}}',
            Authorization: 'Bearer ${DOCS_TOKEN}',
          },
          placeholders: [inHeader('X-User', '{{LIBRECHAT_USER_ID}}')],
          extra: { timeout: 60_000 },
          notes: [fromEnvironment('"DOCS_TOKEN"')],
        }),
        local('files', ['npx', '-y', 'files-mcp', '/srv/files']),
      ],
    ],
    'above Markdown text, with servers defined elsewhere': [
      `---
name: researcher
tools: Read
mcpServers:
  - browser:
      type: stdio
      command: npx
      args: ["-y", "browser-mcp"]
  - tickets
---

You look things up.`,
      [local('browser', ['npx', '-y', 'browser-mcp'])],
    ],
    'of mcp-agent, with anchors and merge keys': [
      `base: &base
  env: {LEVEL: info}
mcp:
  servers:
    one: &one
      command: uvx
      args: [one-mcp]
      env: {LEVEL: info}
    two:
      <<: *one
      args: [two-mcp]
`,
      [
        local('one', ['uvx', 'one-mcp'], { env: { LEVEL: 'info' } }),
        local('two', ['uvx', 'two-mcp'], { env: { LEVEL: 'info' } }),
      ],
    ],
    'with values of all kinds': [
      `mcpServers:
  a:
    command: x
    args: [1, 2.50, 0x1F, true, ~, "3"]
    cwd:
    env: {A: yes, B: 010, C: null}
    1: {}
`,
      [
        local('a', ['x', '1', '2.50', '0x1F', 'true', '3'], {
          env: { A: 'yes', B: '010' },
          notes: [
            'Arguments that are not text are left out.',
            'In "env", "C" is not text and is left out.',
          ],
        }),
      ],
    ],
    'with tags and aliases': [
      `names: { one: &one ONE, many: &many [a] }
mcpServers:
  a:
    command: &x x
    args: [!!int 1, !!str true, False, *x, !unknown y, *elsewhere, .inf]
    env:
      *one : a
      ? b
      : *x
      ? *x
      : d
`,
      [
        local('a', ['x', '1', 'true', 'false', 'x', 'y', '.inf'], {
          env: { '*one': 'a', b: 'x', x: 'd' },
          notes: ['Arguments that are not text are left out.'],
        }),
      ],
    ],
    'of a list without a key': [
      `- name: tickets
  type: stdio
  command: npx
  args:
    - -y
    - tickets-mcp
`,
      [local('tickets', ['npx', '-y', 'tickets-mcp'])],
    ],
    'of servers without a key around them': [
      `Add to the section:

\`\`\`
tickets:
  command: npx -y tickets-mcp
docs:
  url: https://docs.example/mcp
events:
  url: https://events.example/stream
  transport: sse
\`\`\`
`,
      [
        local('tickets', ['npx', '-y', 'tickets-mcp'], {
          notes: [
            'The command line is split into a command and its arguments.',
          ],
        }),
        remote('docs', 'https://docs.example/mcp'),
        remote('events', 'https://events.example/stream', { transport: 'sse' }),
      ],
    ],
  };
  for (const [of, [text, expected]] of Object.entries(cases)) {
    it(`reads YAML ${of}`, () => {
      assert.deepEqual(paste(text), expected);
    });
  }

  for (const [what, text, message] of [
    [
      'a container service',
      'services:\n  mcp:\n    image: example/mcp\n    command: ["--transport", "sse"]\n',
      noServer,
    ],
    [
      'a build step',
      'jobs:\n  test:\n    steps:\n      - run:\n          name: Test\n          command: npm test\n',
      noServer,
    ],
    ['a command of something else', 'profile:\n  command: vim\n', noServer],
    [
      'an address of something else',
      'site:\n  url: https://example.com/\n',
      noServer,
    ],
    ['text that is not YAML', 'url: a: b\n\n', noServer],
    ['a list of names', 'mcpServers:\n  - tickets\n  - docs\n', noServer],
    ['a heading', 'Extensions:\n  [one, two\n', noServer],
    [
      'YAML with an error',
      'mcpServers:\n  a:\n    command: "x\n',
      'unreadable: Line 4, column 1: this is not valid YAML.',
    ],
    [
      'YAML with a key that is not text',
      'mcpServers:\n  ? [a]\n  : b\n',
      'unreadable: Line 2, column 5: this is not valid YAML.',
    ],
    [
      'YAML that is nested too deeply',
      `mcpServers:\n  a: ${'['.repeat(20_000)}\n`,
      /^unreadable: Line 2, column \d+: this is not valid YAML\.$/,
    ],
  ] as const) {
    it(`refuses ${what}`, () => {
      const actual = refused(text);
      if (typeof message === 'string') assert.equal(actual, message);
      else assert.match(actual, message);
    });
  }

  it('expands at most 100 aliases, and none within its own anchor', () => {
    const more = Array.from(
      { length: 150 },
      (_, i) => `      K${i}: *v\n`,
    ).join('');
    const [server] = paste(
      `mcpServers:\n  a:\n    command: &v x\n    env:\n${more}`,
    ) as Plain[];
    assert.equal(
      server?.server.transport === 'stdio' &&
        Object.keys(server.server.env).length,
      100,
    );
    assert.deepEqual(
      paste('mcpServers:\n  a: &a\n    command: x\n    more: *a\n'),
      [local('a', ['x'], { notes: ['"more" is left out.'] })],
    );
  });

  it('refuses YAML whose aliases multiply', () => {
    const levels = ['a', 'b', 'c', 'd'].map((name) => {
      const below = String.fromCharCode(name.charCodeAt(0) - 1);
      const items = name === 'a' ? 'x' : `*${below}`;
      return `&${name} [${Array(10).fill(items).join(', ')}]`;
    });
    const text = `mcpServers:\n  a:\n    command: x\n    args: [${levels.join(', ')}]\n`;
    assert.match(refused(text), noServer);
  });

  it('reads very long YAML up to a limit, and says so', () => {
    const block = 'mcpServers:\n  a:\n    command: x\n';
    const found = paste(block + `${block}${'    # more\n'.repeat(12_000)}`);
    assert.deepEqual(found, {
      servers: [local('a', ['x'])],
      problems: [
        'This is too much YAML. Paste only the part with the MCP server.',
      ],
    });
  });
});
