/**
 * A text of each dialect that people paste, and what the program should read
 * once its servers are added.
 */
import type { Meaning } from './meaning.ts';

const url = 'https://h.example/mcp';
const local = (
  command: string,
  args: readonly string[],
  more: object = {},
  enabled = true,
): Meaning => ({
  transport: 'stdio',
  enabled,
  fields: { command, ...(args.length > 0 && { args }), ...more },
});
const remote = (
  transport: 'http' | 'sse',
  address: string,
  more: object = {},
  enabled = true,
): Meaning => ({
  transport,
  enabled,
  fields: { url: address, ...more },
});

const npx = { command: 'npx', args: ['-y', 'docs'], env: { A: 'b' } };
const docs = { docs: local('npx', ['-y', 'docs'], { env: { A: 'b' } }) };
const encoded = encodeURIComponent(JSON.stringify({ name: 'docs', ...npx }));
const base64 = encodeURIComponent(
  Buffer.from(JSON.stringify(npx)).toString('base64'),
);
const bearer = { headers: { Authorization: 'Bearer secret' } };

export const pastedTexts: readonly (readonly [
  dialect: string,
  text: string,
  wanted: Readonly<Record<string, Meaning>>,
])[] = [
  [
    'the command of the program itself',
    `openhands mcp add docs --transport http --header "Authorization: Bearer secret" ${url}`,
    { docs: remote('http', url, bearer) },
  ],
  [
    'the command of the program itself, for a local server that is off',
    'openhands mcp add docs --transport stdio --env A=b --disabled npx -- -y docs',
    { docs: local('npx', ['-y', 'docs'], { env: { A: 'b' } }, false) },
  ],
  [
    'the command of Claude Code',
    'claude mcp add docs -s user -e A=b -- npx -y docs',
    docs,
  ],
  [
    'the command of Claude Code, for a remote server',
    `claude mcp add --transport sse docs https://h.example/sse -H "Authorization: Bearer secret"`,
    { docs: remote('sse', 'https://h.example/sse', bearer) },
  ],
  [
    'JSON in a command of Claude Code',
    `claude mcp add-json docs '${JSON.stringify({ type: 'stdio', ...npx })}'`,
    docs,
  ],
  ['the command of Gemini CLI', 'gemini mcp add -e A=b docs npx -y docs', docs],
  ['the command of Codex', 'codex mcp add docs --env A=b -- npx -y docs', docs],
  [
    'the command of VS Code',
    `code --add-mcp '${JSON.stringify({ name: 'docs', ...npx })}'`,
    docs,
  ],
  ['a link of VS Code', `vscode:mcp/install?${encoded}`, docs],
  [
    'a link of VS Code on the web',
    `https://insiders.vscode.dev/redirect/mcp/install?name=docs&config=${encodeURIComponent(JSON.stringify(npx))}`,
    docs,
  ],
  [
    'a link of Cursor',
    `cursor://anysphere.cursor-deeplink/mcp/install?name=docs&config=${base64}`,
    docs,
  ],
  [
    'a file of Claude Desktop',
    JSON.stringify({
      mcpServers: { docs: npx, more: { command: 'uvx', args: ['more'] } },
    }),
    { ...docs, more: local('uvx', ['more']) },
  ],
  [
    'a file of VS Code',
    JSON.stringify({
      servers: {
        docs: { type: 'stdio', ...npx },
        web: { type: 'http', url, ...bearer },
      },
      inputs: [],
    }),
    { ...docs, web: remote('http', url, bearer) },
  ],
  [
    'a file of Cursor',
    JSON.stringify({ mcpServers: { web: { url } } }),
    { web: remote('http', url) },
  ],
  [
    'a file of Windsurf',
    JSON.stringify({ mcpServers: { web: { serverUrl: url } } }),
    { web: remote('http', url) },
  ],
  [
    'a file of Gemini CLI',
    JSON.stringify({
      mcpServers: {
        web: { httpUrl: url, timeout: 5000, trust: true },
        old: { url: 'https://h.example/sse' },
      },
    }),
    {
      web: remote('http', url, { timeout: 5000 }),
      old: remote('sse', 'https://h.example/sse'),
    },
  ],
  [
    'a file of Cline',
    JSON.stringify({
      mcpServers: {
        web: {
          type: 'streamableHttp',
          url,
          disabled: true,
          autoApprove: [],
          timeout: 60,
        },
      },
    }),
    { web: remote('http', url, { timeout: 60_000 }, false) },
  ],
  [
    'a file of Roo Code',
    JSON.stringify({
      mcpServers: {
        web: {
          type: 'streamable-http',
          url,
          alwaysAllow: ['x'],
          disabled: false,
        },
      },
    }),
    { web: remote('http', url) },
  ],
  [
    'a file of Zed',
    `// settings\n{"context_servers": {"docs": ${JSON.stringify({ source: 'custom', ...npx })},},}`,
    docs,
  ],
  [
    'a file of OpenCode',
    JSON.stringify({
      mcp: {
        docs: {
          type: 'local',
          command: ['npx', '-y', 'docs'],
          environment: { A: 'b' },
          enabled: true,
        },
      },
    }),
    docs,
  ],
  [
    'a file of Codex',
    `[mcp_servers.docs]\ncommand = "npx"\nargs = ["-y", "docs"]\nenv = { A = "b" }\n\n[mcp_servers.web]\nurl = "${url}"\nhttp_headers = { Authorization = "Bearer secret" }\nenabled = false\n`,
    { ...docs, web: remote('http', url, bearer, false) },
  ],
  [
    'a file of the program before its release 1.0.0',
    `[mcp]\nsse_servers = ["https://old.example/sse"]\nstdio_servers = [{ name = "docs", command = "npx", args = ["-y", "docs"], env = { A = "b" } }]\n`,
    { ...docs, old: remote('sse', 'https://old.example/sse') },
  ],
];
