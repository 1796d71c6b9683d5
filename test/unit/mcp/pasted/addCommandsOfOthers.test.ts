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

const scope = '"--scope" is left out.';
const split = 'The command line is split into a command and its arguments.';
const url = 'https://weather.example/mcp';

describe('reading a pasted command with named options', () => {
  const cases: Record<
    string,
    readonly (readonly [text: string, expected: readonly Plain[]])[]
  > = {
    'of Kiro or Amazon Q': [
      [
        'kiro-cli mcp add --name weather --scope global --command npx --args -y --args "weather-mcp,fast" --timeout 180000',
        [
          local('weather', ['npx', '-y', 'weather-mcp,fast'], {
            extra: { timeout: 180_000 },
            notes: [scope],
          }),
        ],
      ],
      [
        String.raw`q mcp add --name weather --command npx --args "-y, weather-mcp,--units\,metric" --env KEY=a,UNITS=b,c --force`,
        [
          local('weather', ['npx', '-y', 'weather-mcp', '--units,metric'], {
            env: { KEY: 'a', UNITS: 'b,c' },
            notes: ['"--force" is left out.'],
          }),
        ],
      ],
      [
        `kiro-cli mcp add --name "weather" \\\n  --command "uvx" --args "[\\"weather-mcp\\", \\"a,b\\", 1]" --agent team`,
        [
          local('weather', ['uvx', 'weather-mcp', 'a,b', '1'], {
            notes: ['"--agent" is left out.'],
          }),
        ],
      ],
      [
        'kiro-cli mcp add --name weather --command uvx --args "[weather-mcp"',
        [local('weather', ['uvx', '[weather-mcp'])],
      ],
      [
        `kiro-cli mcp add --name weather --command uvx --args "it's"`,
        [local('weather', ['uvx', "it's"])],
      ],
      [
        `kiro-cli mcp add --name weather --url ${url} --headers '{"X-Key": "a", "X-Team": "b"}' --disabled false`,
        [remote('weather', url, { headers: { 'X-Key': 'a', 'X-Team': 'b' } })],
      ],
      [
        `kiro-cli mcp add --name weather --url ${url} --disabled`,
        [remote('weather', url, { enabled: false })],
      ],
      [
        `q mcp add weather --url ${url} --enabled=false`,
        [remote('weather', url, { enabled: false })],
      ],
      [
        'q mcp add --name weather --command weather-mcp --env \'{"KEY": "a=b"}\'',
        [local('weather', ['weather-mcp'], { env: { KEY: 'a=b' } })],
      ],
      [
        'q mcp add --name weather npx -y weather-mcp',
        [local('weather', ['npx', '-y', 'weather-mcp'])],
      ],
    ],
    'of Hermes, with all arguments after one option': [
      [
        'hermes mcp add weather --command uvx --args --from git+https://code.example/w weather-mcp --env KEY=a',
        [
          local(
            'weather',
            ['uvx', '--from', 'git+https://code.example/w', 'weather-mcp'],
            {
              env: { KEY: 'a' },
            },
          ),
        ],
      ],
      [
        `hermes mcp add weather --url ${url} --auth header`,
        [remote('weather', url)],
      ],
      [
        'hermes mcp add weather --command "python -m weather_mcp"',
        [local('weather', ['python', '-m', 'weather_mcp'], { notes: [split] })],
      ],
    ],
    'of Vibe or Auggie': [
      [
        'vibe mcp add weather --transport stdio --command uvx --arg weather-mcp --arg -v --cwd /srv',
        [
          local('weather', ['uvx', 'weather-mcp', '-v'], {
            extra: { cwd: '/srv' },
          }),
        ],
      ],
      [
        'auggie mcp add weather --command npx --args "-y \'weather mcp\'"',
        [local('weather', ['npx', '-y', 'weather mcp'])],
      ],
      [
        `auggie mcp add weather --replace --transport http ${url} --bearer-token abc`,
        [
          remote('weather', url, {
            auth: 'abc',
            notes: ['"--replace" is left out.'],
          }),
        ],
      ],
    ],
    'of Crush, with name and value as two words': [
      [
        `crush mcp add weather --type http --url ${url} --header Authorization "Bearer $KEY"`,
        [
          remote('weather', url, {
            headers: { Authorization: 'Bearer $KEY' },
            placeholders: [inHeader('Authorization', '$KEY', 'KEY')],
            notes: [noVariables],
          }),
        ],
      ],
      [
        'crush mcp add weather --command weather-mcp --env KEY abc --args /srv',
        [local('weather', ['weather-mcp', '/srv'], { env: { KEY: 'abc' } })],
      ],
    ],
    'of OpenClaw': [
      [
        `openclaw mcp set weather '{"command": "uvx", "args": ["weather-mcp"]}'`,
        [local('weather', ['uvx', 'weather-mcp'])],
      ],
      [
        `openclaw mcp add weather --url ${url} --transport streamable-http --auth oauth`,
        [remote('weather', url, { auth: 'oauth' })],
      ],
    ],
    'of Goose, for one session': [
      [
        'goose session --with-extension "KEY=a npx -y weather-mcp"',
        [
          local(undefined, ['npx', '-y', 'weather-mcp'], {
            suggestedName: 'weather',
            env: { KEY: 'a' },
            notes: [split],
          }),
        ],
      ],
      [
        'goose session --with-extension weather',
        [local(undefined, ['weather'], { suggestedName: 'weather' })],
      ],
      [
        `goose run --with-streamable-http-extension="${url}"`,
        [remote(undefined, url, { suggestedName: 'weather' })],
      ],
    ],
    'of add-mcp': [
      [
        `npx add-mcp ${url} --type http --header "X-Key: a"`,
        [
          remote(undefined, url, {
            suggestedName: 'weather',
            headers: { 'X-Key': 'a' },
          }),
        ],
      ],
      [
        'npx -y add-mcp@latest @acme/weather --name weather',
        [local('weather', ['npx', '-y', '@acme/weather'])],
      ],
      [
        'npx add-mcp "uvx weather-mcp" -e KEY=a',
        [
          local(undefined, ['uvx', 'weather-mcp'], {
            suggestedName: 'weather',
            env: { KEY: 'a' },
            notes: [split],
          }),
        ],
      ],
    ],
  };
  for (const [of, texts] of Object.entries(cases)) {
    for (const [text, expected] of texts) {
      it(`reads a command ${of}: ${text}`, () => {
        assert.deepEqual(paste(text), expected);
      });
    }
  }

  it('finds no server in a command that sets something else', () => {
    assert.match(refused('acme mcp set timeout 30'), noServer);
  });
});

describe('reading a pasted command of any program', () => {
  const cases: Record<
    string,
    readonly (readonly [text: string, expected: readonly Plain[]])[]
  > = {
    'with a scope of any name': [
      [
        'gemini mcp add --scope $SCOPE weather uvx "weather-mcp" -- --units metric',
        [
          local('weather', ['uvx', 'weather-mcp', '--units', 'metric'], {
            notes: [scope],
          }),
        ],
      ],
      [
        'claude mcp add -s team weather -- uvx weather-mcp',
        [local('weather', ['uvx', 'weather-mcp'], { notes: [scope] })],
      ],
    ],
    'with a shell substitution': [
      [
        "claude mcp add weather -e KEY=$(grep KEY .env | cut -d '=' -f2) -- uvx weather-mcp",
        [
          local('weather', ['uvx', 'weather-mcp'], {
            env: { KEY: "$(grep KEY .env | cut -d '=' -f2)" },
            placeholders: [inEnv('KEY', "$(grep KEY .env | cut -d '=' -f2)")],
            notes: [noVariables],
          }),
        ],
      ],
      [
        `claude mcp add -t http weather ${url} -H "X-Key: $(pass show "weather key")"`,
        [
          remote('weather', url, {
            headers: { 'X-Key': '$(pass show "weather key")' },
            placeholders: [inHeader('X-Key', '$(pass show "weather key")')],
            notes: [noVariables],
          }),
        ],
      ],
    ],
    'with a URL to fill in': [
      [
        'claude mcp add --transport http weather <YOUR_SERVER_URL>',
        [
          remote('weather', '<YOUR_SERVER_URL>', {
            placeholders: [
              {
                place: { in: 'url' },
                text: '<YOUR_SERVER_URL>',
                description: undefined,
              },
            ],
          }),
        ],
      ],
      [
        'claude mcp add weather YOUR_MCP_URL',
        [
          remote('weather', 'YOUR_MCP_URL', {
            placeholders: [
              {
                place: { in: 'url' },
                text: 'YOUR_MCP_URL',
                description: undefined,
              },
            ],
          }),
        ],
      ],
      [
        'claude mcp add -t http weather ${WEATHER_URL}',
        [
          remote('weather', '${WEATHER_URL}', {
            notes: [fromEnvironment('"WEATHER_URL"')],
          }),
        ],
      ],
    ],
    'with an unquoted header': [
      [
        `claude mcp add -t http weather ${url} --header Authorization: Bearer abc`,
        [remote('weather', url, { headers: { Authorization: 'Bearer abc' } })],
      ],
      [
        `claude mcp add -t http weather ${url} -H X-Key: abc`,
        [remote('weather', url, { headers: { 'X-Key': 'abc' } })],
      ],
      [
        `claude mcp add -t http -H X-Key: ${url}`,
        [
          remote(undefined, url, {
            suggestedName: 'weather',
            headers: { 'X-Key': '' },
          }),
        ],
      ],
    ],
    'with typographic quotes': [
      [
        'claude mcp add -t http weather \\  \n https://weather.example/mcp --header “X-Key: a”',
        [remote('weather', url, { headers: { 'X-Key': 'a' } })],
      ],
      [
        'claude mcp add-json weather ‘{“command”: “uvx”, “args”: [“weather-mcp”]}’',
        [local('weather', ['uvx', 'weather-mcp'])],
      ],
    ],
    'in PowerShell or the command prompt': [
      [
        'claude mcp add-json weather "{`"type`":`"http`",`"url`":`"https://weather.example/mcp`",`"headers`":{`"X-Key`":`"$env:KEY`"}}"',
        [
          remote('weather', url, {
            headers: { 'X-Key': '$env:KEY' },
            placeholders: [inHeader('X-Key', '$env:KEY', 'KEY')],
            notes: [noVariables],
          }),
        ],
      ],
      [
        `claude mcp add-json weather '{\\"command\\": \\"uvx\\", \\"args\\": [\\"weather-mcp\\"]}'`,
        [local('weather', ['uvx', 'weather-mcp'])],
      ],
      [
        `claude mcp add-json weather "{""command"": ""uvx"", ""args"": [""weather-mcp""]}"`,
        [local('weather', ['uvx', 'weather-mcp'])],
      ],
      [
        `claude mcp add-json weather @'\n{"command": "uvx", "args": ["weather-mcp"]}\n'@`,
        [local('weather', ['uvx', 'weather-mcp'])],
      ],
      [
        'PS C:\\> code --add-mcp \'{\\"name\\": \\"weather\\", \\"command\\": \\"it\'\'s\\"}\'',
        [local('weather', ["it's"])],
      ],
      [
        'code --add-mcp \'{"""name""":"""weather""","""command""":"""uvx""","""args""":["""weather-mcp"""]}\'',
        [local('weather', ['uvx', 'weather-mcp'])],
      ],
    ],
  };
  for (const [what, texts] of Object.entries(cases)) {
    for (const [text, expected] of texts) {
      it(`reads a command ${what}: ${text}`, () => {
        assert.deepEqual(paste(text), expected);
      });
    }
  }

  for (const text of [
    'gemini mcp add [options] <name> <commandOrUrl> [args...]',
    'claude mcp add --transport http <name> <url>',
    'claude mcp add <name> -- <command> [args...]',
    'acme mcp add NAME --transport http URL',
    'acme mcp add <name> --transport <transport> <target>',
    'acme mcp add weather [--env KEY=value] -- uvx weather-mcp',
    "claude mcp add-json <name> '<json>'",
  ]) {
    it(`reads no server from a command that shows only its syntax: ${text}`, () => {
      assert.match(refused(text), noServer);
    });
  }

  it('skips a syntax line next to a command with a server', () => {
    const text =
      '# Syntax\nclaude mcp add <name> <url>\n# Example\nclaude mcp add weather -- uvx weather-mcp <city> <unit>';
    assert.deepEqual(
      (paste(text) as Plain[]).map(({ server }) => server),
      [
        {
          transport: 'stdio',
          command: 'uvx',
          args: ['weather-mcp', '<city>', '<unit>'],
          env: {},
        },
      ],
    );
  });
});
