import assert from 'node:assert/strict';
import { otherThings, type OtherThing } from '../../../../src/mcp/pasted/otherThings.ts';
import { local, paste, type Plain, refused } from './expected.ts';

/** Pasted texts by the kind that they are recognised as. */
const texts: Readonly<Partial<Record<OtherThing, readonly string[]>>> = {
  hook: [
    '{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "./check.sh"}]}]}}',
    '{"matcher": "Edit", "command": "./check.sh"}',
    '{"type": "command", "command": "./check.sh"}',
    '{"statusLine": {"type": "command", "command": "./status.sh"}}',
  ],
  task: [
    '{"version": "2.0.0", "tasks": [{"label": "build", "type": "shell", "command": "make"}]}',
    '{"label": "build", "command": "make", "args": ["all"]}',
    '{"type": "shell", "command": "./build.sh"}',
    '{"name": "Run tests", "command": "npm test"}',
    '{"scripts": {"test": "mocha"}}',
    '{"key": "ctrl+k", "command": "acme.run", "when": "editorFocus"}',
    '{"formatter": {"command": ["prettier", "--write"]}}',
  ],
  languageServer: [
    '{"lsp": {"go": {"command": "gopls"}}}',
    '{"go": {"command": "gopls", "args": ["serve"]}}',
    '{"acme": {"command": "acme", "args": ["--stdio"], "filetypes": ["acme"]}}',
  ],
  agent: ['{"agent_servers": {"acme": {"command": "acme", "args": ["--acp"]}}}'],
  request: [
    '{"name": "fetch", "arguments": {"url": "https://weather.example/mcp"}}',
    '{"method": "POST", "url": "https://weather.example/mcp"}',
  ],
  model: ['{"model": "large", "url": "https://models.example/v1"}', '{"providers": {}}'],
  page: ['{"name": "weather", "repository": {"type": "git", "url": "https://github.com/acme/weather-mcp"}}'],
  address: [
    '{"site": {"url": "https://weather.example/"}}',
    '{"acme": {"baseUrl": "https://models.example/v1", "headers": {}}}',
  ],
  installer: ['{"command": "npx @smithery/cli install weather"}'],
  inspector: ['{"command": "npx @modelcontextprotocol/inspector"}'],
  command: ['"command": "/usr/local/bin/node"', '{"command": "vim"}', '{"command": "it\'s"}'],
};

describe('classifying pasted text', () => {
  for (const [thing, all] of Object.entries(texts)) {
    for (const text of all) {
      it(`refuses text as ${thing}: ${text}`, () => {
        assert.equal(refused(text), `nothing: ${otherThings[thing as OtherThing]}`);
      });
    }
  }

  for (const [text, line] of [
    ['{"weather": {"command": "acme"}}', ['acme']],
    ['{"name": "weather", "command": "acme"}', ['acme']],
    ['{"weather": {"command": "npm", "args": ["run", "weather"]}}', ['npm', 'run', 'weather']],
    ['{"weather": {"command": "make", "env": {}}}', ['make']],
    ['{"tasks": {"command": "uvx", "args": ["tasks-mcp"]}}', ['uvx', 'tasks-mcp']],
    ['{"name": "a", "command": "weather-mcp --port 1"}', ['weather-mcp', '--port', '1']],
    ['{"mcpServers": {"weather": {"command": "npm test", "label": "x"}}}', ['npm', 'test']],
  ] as const) {
    it(`reads a server: ${text}`, () => {
      const [server] = paste(text) as Plain[];
      assert.deepEqual(server?.server, local('', line).server);
    });
  }

  it('reads any URL as a server with a transport, headers or a "serverUrl" key', () => {
    for (const key of ['"type": "http"', '"headers": {"A": "b"}', '"transport": "sse"']) {
      assert.equal((paste(`{"a": {"url": "https://weather.example/", ${key}}}`) as Plain[]).length, 1);
    }
    assert.equal((paste('{"a": {"serverUrl": "https://weather.example/"}}') as Plain[]).length, 1);
  });
});
