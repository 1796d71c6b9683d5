/**
 * The mcp.json that its program writes: every field, null for unset ones, and
 * no final line break.
 */
const unset = {
  timeout: null,
  description: null,
  icon: null,
  authentication: null,
};
const local = {
  transport: 'stdio',
  type: null,
  cwd: null,
  keep_alive: null,
  ...unset,
};
const remote = {
  auth: null,
  sse_read_timeout: null,
  max_sse_event_size: 1_048_576,
  ...unset,
};

export const programServers = {
  files: {
    command: 'npx',
    args: ['-y', 'files'],
    env: { TOKEN: 'x' },
    ...local,
    enabled: false,
  },
  tagged: {
    ...{
      command: 'x',
      args: [],
      env: {},
      ...local,
      tools: { a: { enabled: false } },
    },
    ...{ include_tags: ['r'], exclude_tags: null, enabled: true },
  },
  web: {
    ...{
      url: 'https://example.com/mcp',
      transport: null,
      headers: { Authorization: 'Bearer x' },
    },
    ...{ ...remote, sse_read_timeout: 'PT30S', enabled: true },
  },
  old: {
    url: 'https://example.com/sse',
    transport: 'sse',
    headers: {},
    ...remote,
    auth: 'oauth',
    enabled: true,
  },
} as const;

export const programFile = JSON.stringify(
  { mcpServers: programServers },
  null,
  2,
);
