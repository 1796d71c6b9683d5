import assert from 'node:assert/strict';
import { suggestName } from '../../../../src/mcp/pasted/suggestName.ts';

describe('the name suggestion for a server', () => {
  for (const [line, name] of [
    ['npx -y @modelcontextprotocol/server-filesystem /tmp', 'filesystem'],
    ['npx -y @modelcontextprotocol/server-github@2025.4.8', 'github'],
    ['npx @playwright/mcp@latest', 'playwright'],
    ['npx -y @upstash/context7-mcp --api-key mcp-canary', 'context7'],
    ['uvx mcp-server-fetch', 'fetch'],
    ['uvx --from git+https://example.com/x serena start-mcp-server', 'serena'],
    ['uvx serena', 'serena'],
    [
      'docker run -i --rm -e GITHUB_TOKEN ghcr.io/github/github-mcp-server:v1',
      'github',
    ],
    ['docker run -i mcp/puppeteer', 'puppeteer'],
    ['npx -y mcp-remote https://mcp.linear.app/sse', 'linear'],
    ['npx -y thing https://example.com/', 'thing'],
    ['node /opt/weather-mcp/build/index.js', 'weather'],
    ['/usr/local/bin/my_tool.exe', 'my-tool'],
    ['node index.js', 'server'],
    ['npx -y <package>', 'server'],
    ['npx sk-proj-canary1', 'server'],
    ['mcp', 'server'],
    ['ghp_canarycanary', 'server'],
  ] as const) {
    it(`suggests ${name} for ${line}`, () => {
      const [command = '', ...args] = line.split(' ');
      assert.equal(
        suggestName({ transport: 'stdio', command, args, env: new Map() }),
        name,
      );
    });
  }

  for (const [url, name] of [
    ['https://mcp.notion.com/mcp', 'notion'],
    ['https://api.githubcopilot.com/mcp/', 'githubcopilot'],
    ['https://www.example.co.uk/', 'example'],
    ['https://mcp.com/', 'server'],
    ['http://localhost:3000/sse', 'localhost'],
    ['http://127.0.0.1:80/', '127.0.0.1'],
    ['http://[::1]:80/', '1'],
    ['https://<host>/mcp', 'server'],
    ['https://12345678901234567890.example/', 'server'],
  ] as const) {
    it(`suggests ${name} for ${url}`, () => {
      assert.equal(
        suggestName({ transport: 'http', url, headers: new Map() }),
        name,
      );
    });
  }
});
