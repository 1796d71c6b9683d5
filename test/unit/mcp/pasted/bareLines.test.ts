import assert from 'node:assert/strict';
import {
  inEnv,
  local,
  noServer,
  paste,
  type Plain,
  refused,
  remote,
} from './expected.ts';

const guess =
  'This is a guess: the text does not say that it is an MCP server.';

function guessed(
  suggestedName: string,
  line: string,
  env: Readonly<Record<string, string>> = {},
): Plain {
  return local(undefined, line.split(' '), {
    suggestedName,
    env,
    isGuess: true,
    notes: [guess],
  });
}

function guessedAt(suggestedName: string, url: string): Plain {
  return remote(undefined, url, {
    suggestedName,
    isGuess: true,
    notes: [guess],
  });
}

describe('a bare command line or URL', () => {
  const cases: readonly (readonly [
    text: string,
    expected: readonly Plain[],
  ])[] = [
    ['npx -y weather-mcp', [guessed('weather', 'npx -y weather-mcp')]],
    ['uvx weather', [guessed('weather', 'uvx weather')]],
    [
      '$ docker run -i --rm acme/weather',
      [guessed('weather', 'docker run -i --rm acme/weather')],
    ],
    [
      '```sh\n# Start it\nnpx -y weather-mcp # it waits\n```',
      [guessed('weather', 'npx -y weather-mcp')],
    ],
    [
      'npx -y weather-mcp \\\n  --units metric',
      [guessed('weather', 'npx -y weather-mcp --units metric')],
    ],
    [
      '- `npx -y weather-mcp`\n- `uvx weather-mcp`',
      [
        guessed('weather', 'npx -y weather-mcp'),
        guessed('weather', 'uvx weather-mcp'),
      ],
    ],
    ['Command: npx -y weather-mcp', [guessed('weather', 'npx -y weather-mcp')]],
    [
      'PS C:\\Users\\me> npx -y weather-mcp `\n --stdio',
      [guessed('weather', 'npx -y weather-mcp --stdio')],
    ],
    ['C:\\> uvx weather-mcp', [guessed('weather', 'uvx weather-mcp')]],
    [
      'KEY=a npx -y weather-mcp',
      [guessed('weather', 'npx -y weather-mcp', { KEY: 'a' })],
    ],
    [
      'env KEY=a B=c=d uvx weather-mcp',
      [guessed('weather', 'uvx weather-mcp', { KEY: 'a', B: 'c=d' })],
    ],
    [
      'export KEY="a b"\nuvx weather-mcp',
      [guessed('weather', 'uvx weather-mcp', { KEY: 'a b' })],
    ],
    [
      'set KEY=a\nuvx weather-mcp',
      [guessed('weather', 'uvx weather-mcp', { KEY: 'a' })],
    ],
    [
      '$env:KEY = "a";\nuvx weather-mcp',
      [guessed('weather', 'uvx weather-mcp', { KEY: 'a' })],
    ],
    [
      'cmd /c "set KEY=a && npx -y weather-mcp"',
      [guessed('weather', 'npx -y weather-mcp', { KEY: 'a' })],
    ],
    [
      'npm install -g weather-mcp\nweather-mcp --stdio',
      [guessed('weather', 'weather-mcp --stdio')],
    ],
    [
      'https://mcp.weather.example/',
      [guessedAt('weather', 'https://mcp.weather.example/')],
    ],
    [
      'Server URL: <https://weather.example/mcp>',
      [guessedAt('weather', 'https://weather.example/mcp')],
    ],
    [
      '`https://weather.example/v1/mcp?units=metric`.',
      [guessedAt('weather', 'https://weather.example/v1/mcp?units=metric')],
    ],
  ];
  for (const [text, expected] of cases) {
    it(`becomes a server marked as a guess: ${JSON.stringify(text)}`, () => {
      assert.deepEqual(paste(text), expected);
    });
  }

  it('lists the placeholders to fill in', () => {
    assert.deepEqual(paste('KEY=<your-key> uvx weather-mcp'), [
      {
        ...guessed('weather', 'uvx weather-mcp', { KEY: '<your-key>' }),
        placeholders: [inEnv('KEY', '<your-key>')],
      },
    ]);
  });

  it('gives no guess if the text has a server', () => {
    assert.deepEqual(
      paste('npx -y weather-mcp\n\n{"mcpServers": {"a": {"command": "x"}}}'),
      [local('a', ['x'])],
    );
  });

  for (const text of [
    'npx -y weather-mcp setup',
    'npm install -g weather-mcp',
    'npx @modelcontextprotocol/inspector uvx weather-mcp',
    'npx weather-mcp --port 3000',
    'TRANSPORT=http\nexport TRANSPORT=http\nuvx weather-mcp',
    'export TRANSPORT=http\nuvx weather-mcp',
    'docker run -p 80:80 acme/weather-mcp',
    'npm test',
    'typescript-language-server --stdio',
    'npx -y <package>',
    'https://github.com/acme/weather-mcp',
    'https://example.com/',
    'https://weather.example/mcp is its URL',
    'Run npx -y weather-mcp',
    'npx -y weather-mcp\nThat is all.',
    Array.from({ length: 6 }, (_, i) => `uvx weather${i}-mcp\n`).join(''),
    `uvx weather-mcp ${'a'.repeat(10_000)}`,
  ]) {
    it(`shows a message instead of a server: ${text.slice(0, 60)}`, () => {
      assert.match(refused(text), noServer);
    });
  }
});
