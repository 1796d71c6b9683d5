import { asStored } from './record.ts';

type Wire = Readonly<Record<string, unknown>>;

/** The MCP servers in the settings of the service, by their names. */
export type StoredServers = Map<string, Wire>;

export function firstServers(): StoredServers {
  const servers: Readonly<Record<string, Wire>> = {
    tracker: {
      url: 'https://tracker.example.com/mcp',
      transport: 'http',
      headers: { 'X-Team': 'northwind' },
      auth: { strategy: 'bearer', value: 'demo-token-of-the-tracker' },
    },
    database: {
      command: 'npx',
      args: ['-y', '@example/mcp-database', '--read-only'],
      env: { DATABASE_URL: 'postgres://reader:demo@db.example.com/shop' },
    },
    browser: { command: 'docker', args: ['run', '-i', '--rm', 'example/mcp-browser'], enabled: false },
  };
  return new Map(Object.entries(servers).map(([name, server]) => [name, asStored(server)]));
}
