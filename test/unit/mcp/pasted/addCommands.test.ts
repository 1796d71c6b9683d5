import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Secret } from '../../../../src/base/secret.ts';
import {
  type AddedServer,
  formatAdd,
} from '../../../../src/mcp/cli/commandLine.ts';
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

const json =
  '{"type": "stdio", "command": "npx", "args": ["-y", "weather"], "env": {"KEY": "it\'s"}}';

describe('reading a pasted command that adds a server', () => {
  const cases: Record<
    string,
    readonly (readonly [string, readonly Plain[]])[]
  > = {
    'of our own CLI': [
      [
        'openhands mcp add tavily --transport stdio --env TAVILY_API_KEY=tvly-1 npx -- -y tavily-mcp',
        [
          local('tavily', ['npx', '-y', 'tavily-mcp'], {
            env: { TAVILY_API_KEY: 'tvly-1' },
          }),
        ],
      ],
      [
        'switchboard mcp add x --transport=http --header="X-Key: a: b" --header "T:" --disabled https://h.example/mcp',
        [
          remote('x', 'https://h.example/mcp', {
            headers: { 'X-Key': 'a: b', T: '' },
            enabled: false,
          }),
        ],
      ],
      [
        'node dist/cli.js mcp add x —transport sse —auth oauth --enabled https://h.example/',
        [
          remote('x', 'https://h.example/', {
            transport: 'sse',
            auth: 'oauth',
          }),
        ],
      ],
    ],
    'of Claude Code': [
      [
        '$ claude mcp add --transport http --scope user notion https://mcp.notion.com/mcp \\\n>   --header "Authorization: Bearer YOUR_TOKEN"\n',
        [
          remote('notion', 'https://mcp.notion.com/mcp', {
            headers: { Authorization: 'Bearer YOUR_TOKEN' },
            placeholders: [inHeader('Authorization', 'YOUR_TOKEN')],
            notes: ['"--scope" is left out.'],
          }),
        ],
      ],
      [
        'claude mcp add github -e GITHUB_TOKEN=$GITHUB_TOKEN B=2 -- docker run -i --rm -e GITHUB_TOKEN ghcr.io/github/github-mcp-server',
        [
          local(
            'github',
            [
              'docker',
              'run',
              '-i',
              '--rm',
              '-e',
              'GITHUB_TOKEN',
              'ghcr.io/github/github-mcp-server',
            ],
            {
              env: { GITHUB_TOKEN: '$GITHUB_TOKEN', B: '2' },
              placeholders: [
                inEnv('GITHUB_TOKEN', '$GITHUB_TOKEN', 'GITHUB_TOKEN'),
              ],
              notes: [noVariables],
            },
          ),
        ],
      ],
      [
        'npx -y @anthropic-ai/claude-code mcp add -s local fs npx -y @modelcontextprotocol/server-filesystem -e A=1 /tmp',
        [
          local(
            'fs',
            ['npx', '-y', '@modelcontextprotocol/server-filesystem', '/tmp'],
            {
              env: { A: '1' },
              notes: ['"--scope" is left out.'],
            },
          ),
        ],
      ],
      [
        'claude mcp add a docker run -i -e TOKEN=x img',
        [local('a', ['docker', 'run', '-i', '-e', 'TOKEN=x', 'img'])],
      ],
      [
        'claude mcp add a server -t fast -s 5 -H plain -e PLAIN -e --timeout 5 -e',
        [
          local(
            'a',
            'server -t fast -s 5 -H plain -e PLAIN -e --timeout 5 -e'.split(
              ' ',
            ),
          ),
        ],
      ],
      [
        'claude mcp add -e PLAIN a npx -- x',
        [local('PLAIN', ['a', 'npx', 'x'], { notes: ['"-e" is left out.'] })],
      ],
      [
        'claude mcp add --transport sse https://mcp.linear.app/sse',
        [
          remote(undefined, 'https://mcp.linear.app/sse', {
            transport: 'sse',
            suggestedName: 'linear',
          }),
        ],
      ],
      [
        'claude mcp add --client-id 123 --callback-port=80 --new x https://h.example/mcp -- more',
        [
          remote('x', 'https://h.example/mcp', {
            notes: [
              '"--client-id", "--callback-port" and "--new" are left out.',
              'Anything after the URL is left out.',
            ],
          }),
        ],
      ],
      [
        'claude mcp add --transport http --header "$AUTH_HEADER" linear https://mcp.linear.app/mcp',
        [
          remote('linear', 'https://mcp.linear.app/mcp', {
            notes: ['"--header" is left out.'],
          }),
        ],
      ],
      [
        'claude mcp add a npx -H "A: b" -H A=b -H plain',
        [
          local('a', ['npx', '-H', 'A=b', '-H', 'plain'], {
            notes: ['"headers" is left out.'],
          }),
        ],
      ],
      [
        'claude mcp add x https://h.example/mcp -H =b -H',
        [
          remote('x', 'https://h.example/mcp', {
            notes: ['"-H" and "-H" are left out.'],
          }),
        ],
      ],
      [
        'claude mcp add -e KEY=val -- foo npx -y foo',
        [local('foo', ['npx', '-y', 'foo'], { env: { KEY: 'val' } })],
      ],
      [
        'claude mcp add -t http -- foo https://h.example/mcp',
        [remote('foo', 'https://h.example/mcp')],
      ],
      [
        'claude mcp add -- npx -y foo',
        [local(undefined, ['npx', '-y', 'foo'], { suggestedName: 'foo' })],
      ],
      [
        'claude mcp add -- foo-server',
        [local(undefined, ['foo-server'], { suggestedName: 'foo' })],
      ],
      [
        `claude mcp add-json -s user weather '${json.replace("it's", 'its')}'`,
        [
          local('weather', ['npx', '-y', 'weather'], {
            env: { KEY: 'its' },
            notes: ['"--scope" is left out.'],
          }),
        ],
      ],
      [
        `claude mcp add-json weather '{\n  "type": "http",\n  "url": "https://h.example/mcp",\n  "headers": {"A": "b"}\n}'`,
        [remote('weather', 'https://h.example/mcp', { headers: { A: 'b' } })],
      ],
    ],
    'of Gemini CLI': [
      [
        'gemini mcp add -s user -t sse --timeout 5000 --trust -H "X-Key: <key>" srv https://h.example/sse',
        [
          remote('srv', 'https://h.example/sse', {
            transport: 'sse',
            headers: { 'X-Key': '<key>' },
            extra: { timeout: 5000 },
            placeholders: [inHeader('X-Key', '<key>')],
            notes: ['"--scope" and "--trust" are left out.'],
          }),
        ],
      ],
      [
        'gemini mcp add -e A=1 -e B=2 --description "A server" py python server.py --port 8080',
        [
          local('py', ['python', 'server.py', '--port', '8080'], {
            env: { A: '1', B: '2' },
            extra: { description: 'A server' },
          }),
        ],
      ],
      [
        'gemini mcp add --transport http web https://h.example/mcp --include-tools a,b',
        [
          remote('web', 'https://h.example/mcp', {
            notes: ['"--include-tools" is left out.'],
          }),
        ],
      ],
    ],
    'of Gemini CLI or Amp, with "=" in headers': [
      [
        "gemini mcp add -H 'Authorization=Bearer abc' -H 'X: a=b' linear https://mcp.linear.app/mcp",
        [
          remote('linear', 'https://mcp.linear.app/mcp', {
            headers: { Authorization: 'Bearer abc', X: 'a=b' },
          }),
        ],
      ],
      [
        'amp mcp add context7 --header "CONTEXT7_API_KEY=YOUR_API_KEY" https://mcp.context7.com/mcp',
        [
          remote('context7', 'https://mcp.context7.com/mcp', {
            headers: { CONTEXT7_API_KEY: 'YOUR_API_KEY' },
            placeholders: [inHeader('CONTEXT7_API_KEY', 'YOUR_API_KEY')],
          }),
        ],
      ],
    ],
    'of Codex': [
      [
        'codex mcp add context7 --env A=b -- npx -y @upstash/context7-mcp',
        [
          local('context7', ['npx', '-y', '@upstash/context7-mcp'], {
            env: { A: 'b' },
          }),
        ],
      ],
      [
        'codex mcp add --url https://h.example/mcp -- foo bar',
        [
          remote(undefined, 'https://h.example/mcp', {
            suggestedName: 'h',
            notes: ['Anything after the URL is left out.'],
          }),
        ],
      ],
      [
        'codex mcp add gh --url https://api.githubcopilot.com/mcp/ --bearer-token-env-var GITHUB_PAT',
        [
          remote('gh', 'https://api.githubcopilot.com/mcp/', {
            headers: { Authorization: 'Bearer ${GITHUB_PAT}' },
            notes: [fromEnvironment('"GITHUB_PAT"')],
          }),
        ],
      ],
    ],
    'of VS Code': [
      [
        `code --add-mcp '{"name":"playwright","command":"npx","args":["@playwright/mcp@latest"]}'`,
        [local('playwright', ['npx', '@playwright/mcp@latest'])],
      ],
      [
        'code-insiders --add-mcp="{\\"name\\":\\"io\\",\\"type\\":\\"http\\",\\"url\\":\\"https://h.example/mcp\\"}"',
        [remote('io', 'https://h.example/mcp')],
      ],
    ],
    'on Windows': [
      [
        'PS C:\\Users\\me> claude mcp add x `\n  -- cmd /c npx -y x',
        [
          local('x', ['npx', '-y', 'x'], {
            notes: ['"cmd /c" is left out, because it works on Windows only.'],
          }),
        ],
      ],
      [
        'C:\\>claude mcp add x -- C:\\Tools\\x.exe C:\\data',
        [local('x', ['C:\\Tools\\x.exe', 'C:\\data'])],
      ],
      ['claude mcp add x -- D:\\x.exe', [local('x', ['D:\\x.exe'])]],
      ['claude mcp add x ^\n -- npx a', [local('x', ['npx', 'a'])]],
    ],
    'among other text': [
      [
        'claude mcp add a -- npx a && gemini mcp add b npx b; echo done',
        [local('a', ['npx', 'a']), local('b', ['npx', 'b'])],
      ],
      [
        "# It's easy\n\n```bash\n% claude mcp add a -- npx a # for all\nnpm install -g b\ngemini mcp \\\n  add b npx b\n```\nThat's it.",
        [local('a', ['npx', 'a']), local('b', ['npx', 'b'])],
      ],
      [
        "Don't wait: run `claude mcp add a -- npx a` or `codex mcp add b -- npx b` now.",
        [local('a', ['npx', 'a']), local('b', ['npx', 'b'])],
      ],
      ['Use `x` and claude mcp add a -- npx a', [local('a', ['npx', 'a'])]],
      ['Run `claude mcp add a -- npx a', [local('a', ['npx', 'a'])]],
      [
        'claude mcp add a -- npx a\r\nclaude mcp add a -- npx a',
        [local('a', ['npx', 'a'])],
      ],
      [
        '\uFEFFclaude mcp add\u00A0<name>\u00A0-- npx @scope/mcp-thing',
        [
          local(undefined, ['npx', '@scope/mcp-thing'], {
            suggestedName: 'thing',
          }),
        ],
      ],
    ],
  };
  for (const [of, texts] of Object.entries(cases)) {
    for (const [text, expected] of texts) {
      it(`reads a command ${of}: ${JSON.stringify(text)}`, () => {
        assert.deepEqual(paste(text), expected);
      });
    }
  }

  for (const [text, message] of [
    ['claude mcp add x', 'unreadable: "x" has neither a command nor a URL.'],
    [
      'claude mcp add --scope',
      'unreadable: A server without a name has neither a command nor a URL.',
    ],
    [
      'gemini mcp add x --transport http canary',
      'unreadable: "x" has a URL that does not start with http:// or https://.',
    ],
    [
      "cat x\nclaude mcp add x -- 'canary",
      'unreadable: Line 2, column 21: the quote that opens here has no end.',
    ],
    [
      `claude mcp add-json x '{"command": canary}'`,
      'unreadable: The JSON of mcp add-json cannot be read. Line 1, column 13: a value is missing.',
    ],
    [
      'claude mcp add-json -s user',
      'unreadable: The JSON of mcp add-json cannot be read. Line 1, column 1: it is empty.',
    ],
    [
      'code --add-mcp canary',
      'unreadable: The JSON of --add-mcp cannot be read. Line 1, column 1: a value is missing.',
    ],
    [
      'claude mcp add-json x []',
      'unreadable: The JSON of mcp add-json cannot be read. Line 1, column 1: the configuration is not a JSON object.',
    ],
    [`code --add-mcp '{"name": "canary"}'`, 'nothing'],
    ['claude mcp list', 'nothing'],
    ['my-mcp add x -- y', 'nothing'],
  ] as const) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      const actual = refused(text);
      assert.ok(!actual.includes('canary'));
      assert.equal(
        message === 'nothing' ? actual.split(':')[0] : actual,
        message,
      );
    });
  }

  it('reads only the first 100 commands', () => {
    const text = Array.from(
      { length: 102 },
      (_, i) => `x mcp add n${i} -- npx p${i}\n`,
    ).join('');
    assert.equal(countOfTooMany(text), 100);
  });

  it('reads back the commands that we write', () => {
    const word = fc
      .stringMatching(/^[\w ./'"$&é-]{1,10}$/)
      .filter((text) => !text.startsWith('-') && text.trim() === text);
    const names = fc.stringMatching(/^[A-Z][A-Z_]{0,5}$/);
    const server = fc.oneof(
      fc.record({
        command: word.filter((text) => !/\s|^cmd$/i.test(text)),
        args: fc.array(word),
        keys: fc.uniqueArray(names),
      }),
      fc.record({
        transport: fc.constantFrom('http' as const, 'sse' as const),
        keys: fc.uniqueArray(names),
      }),
    );
    fc.assert(
      fc.property(names, server, fc.boolean(), (name, drawn, enabled) => {
        const values = new Map(drawn.keys.map((key) => [key, new Secret('')]));
        const addition: AddedServer = {
          name,
          enabled,
          server:
            'command' in drawn
              ? {
                  transport: 'stdio',
                  command: drawn.command,
                  args: drawn.args,
                  env: values,
                }
              : {
                  transport: drawn.transport,
                  url: 'https://h.example/mcp',
                  headers: values,
                },
        };
        const [found] = paste(formatAdd(addition)) as Plain[];
        assert.equal(found?.name, name);
        assert.equal(found.enabled, enabled);
        assert.equal(
          formatAdd({ ...addition, server: revived(found) }),
          formatAdd(addition),
        );
      }),
    );
  });
});

function revived({ server }: Plain): AddedServer['server'] {
  const secrets = (values: Readonly<Record<string, string>>) =>
    new Map(
      Object.entries(values).map(([key, value]) => [key, new Secret(value)]),
    );
  return server.transport === 'stdio'
    ? { ...server, env: secrets(server.env) }
    : {
        transport: server.transport,
        url: server.url,
        headers: secrets(server.headers),
      };
}
