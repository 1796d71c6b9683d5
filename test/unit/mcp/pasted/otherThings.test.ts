import assert from 'node:assert/strict';
import { local, noServer, paste, type Plain, refused } from './expected.ts';

/** Texts to paste by what each is. */
const texts = {
  'a hook': [
    '{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "./check.sh"}]}]}}',
    '{"matcher": "Edit", "command": "./check.sh"}',
    '{"type": "command", "command": "./check.sh"}',
    '{"statusLine": {"type": "command", "command": "./status.sh"}}',
  ],
  'a task': [
    '{"version": "2.0.0", "tasks": [{"label": "build", "type": "shell", "command": "make"}]}',
    '{"label": "build", "command": "make", "args": ["all"]}',
    '{"type": "shell", "command": "./build.sh"}',
    '{"name": "Run tests", "command": "npm test"}',
    '{"scripts": {"test": "mocha"}}',
    '{"key": "ctrl+k", "command": "acme.run", "when": "editorFocus"}',
    '{"formatter": {"command": ["prettier", "--write"]}}',
  ],
  'a language server': [
    '{"lsp": {"go": {"command": "gopls"}}}',
    '{"go": {"command": "gopls", "args": ["serve"]}}',
    '{"acme": {"command": "acme", "args": ["--stdio"], "filetypes": ["acme"]}}',
  ],
  'an agent': [
    '{"agent_servers": {"acme": {"command": "acme", "args": ["--acp"]}}}',
  ],
  'a request': [
    '{"name": "fetch", "arguments": {"url": "https://weather.example/mcp"}}',
    '{"method": "POST", "url": "https://weather.example/mcp"}',
  ],
  'a model': [
    '{"model": "large", "url": "https://models.example/v1"}',
    '{"providers": {}}',
  ],
  'a page': [
    '{"name": "weather", "repository": {"type": "git", "url": "https://github.com/acme/weather-mcp"}}',
  ],
  'an address': [
    '{"site": {"url": "https://weather.example/"}}',
    '{"acme": {"baseUrl": "https://models.example/v1", "headers": {}}}',
  ],
  'an installer': ['{"command": "npx @smithery/cli install weather"}'],
  'an inspector': ['{"command": "npx @modelcontextprotocol/inspector"}'],
  'a command': [
    '"command": "/usr/local/bin/node"',
    '{"command": "vim"}',
    '{"command": "it\'s"}',
  ],
};

describe('classifying pasted text', () => {
  for (const [thing, all] of Object.entries(texts)) {
    for (const text of all) {
      it(`reads no server from ${thing}: ${text}`, () => {
        assert.match(refused(text), noServer);
      });
    }
  }

  for (const [text, line] of [
    ['{"weather": {"command": "acme"}}', ['acme']],
    ['{"name": "weather", "command": "acme"}', ['acme']],
    [
      '{"weather": {"command": "npm", "args": ["run", "weather"]}}',
      ['npm', 'run', 'weather'],
    ],
    ['{"weather": {"command": "make", "env": {}}}', ['make']],
    [
      '{"tasks": {"command": "uvx", "args": ["tasks-mcp"]}}',
      ['uvx', 'tasks-mcp'],
    ],
    [
      '{"name": "a", "command": "weather-mcp --port 1"}',
      ['weather-mcp', '--port', '1'],
    ],
    [
      '{"mcpServers": {"weather": {"command": "npm test", "label": "x"}}}',
      ['npm', 'test'],
    ],
  ] as const) {
    it(`reads a server: ${text}`, () => {
      const [server] = paste(text) as Plain[];
      assert.deepEqual(server?.server, local('', line).server);
    });
  }

  it('reads any URL as a server with a transport, headers or a "serverUrl" key', () => {
    for (const key of [
      '"type": "http"',
      '"headers": {"A": "b"}',
      '"transport": "sse"',
    ]) {
      assert.equal(
        (paste(`{"a": {"url": "https://weather.example/", ${key}}}`) as Plain[])
          .length,
        1,
      );
    }
    assert.equal(
      (paste('{"a": {"serverUrl": "https://weather.example/"}}') as Plain[])
        .length,
      1,
    );
  });
});
