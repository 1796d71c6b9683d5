/** The command lines that keep MCP servers: ours, and the public ones that it is measured against. */
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };

/** How a command line is used in a home of its own. */
export interface CommandLine {
  readonly name: string;
  readonly version: string;
  /** Where it keeps its servers, in its home. */
  readonly file: string;
  /** What stands there before the first server. */
  readonly settings?: string;
  /** What it needs in its environment besides a home. */
  readonly env?: (home: string) => NodeJS.ProcessEnv;
  /** The arguments that add a server, and those that list all. */
  add(server: string, file: string): readonly string[];
  list(file: string): readonly string[];
  /** The names of the servers in its file. Throws when the file is broken. */
  servers(text: string): readonly string[];
}

/** One that is fetched. */
export interface Peer extends CommandLine {
  readonly package: string;
  /** What of the package has to run once after it was installed. */
  readonly postInstall?: string;
  /** What its list does that others do not. */
  readonly remark?: string;
}

/** Nothing answers to this name, so that a list that starts what it lists starts nothing. */
const program = 'no-such-program';

export const ours: CommandLine = {
  name: 'switchboard',
  version: manifest.version,
  file: 'mcp.json',
  add: (server, file) => [
    ...['mcp', 'add', server, '--file', file],
    ...['--transport', 'stdio', program, '--', 'argument'],
  ],
  list: (file) => ['mcp', 'list', '--file', file],
  servers: inJson,
};

/** Updates and telemetry are off as each documents it: by its settings, or by its environment. */
export const peers: readonly Peer[] = [
  {
    name: 'codex',
    package: '@openai/codex',
    version: '0.169.0',
    file: '.codex/config.toml',
    settings: 'check_for_update_on_startup = false\n\n[analytics]\nenabled = false\n',
    env: (home) => ({ CODEX_HOME: join(home, '.codex') }),
    add: (server) => ['mcp', 'add', server, '--', program, 'argument'],
    list: () => ['mcp', 'list'],
    servers: inToml,
  },
  {
    name: 'claude',
    package: '@anthropic-ai/claude-code',
    version: '2.1.330',
    // Puts the program of this platform in the place of a text that says that it is missing.
    postInstall: 'install.cjs',
    file: '.claude/.claude.json',
    env: (home) => ({
      CLAUDE_CONFIG_DIR: join(home, '.claude'),
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_ERROR_REPORTING: '1',
      DISABLE_TELEMETRY: '1',
    }),
    add: (server) => ['mcp', 'add', '--scope', 'user', server, '--', program, 'argument'],
    list: () => ['mcp', 'list'],
    servers: inJson,
    remark: 'tries to start each server',
  },
  {
    name: 'gemini',
    package: '@google/gemini-cli',
    version: '0.61.0',
    file: '.gemini/settings.json',
    settings: JSON.stringify({
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      privacy: { usageStatisticsEnabled: false },
    }),
    env: (home) => ({ GEMINI_CLI_HOME: home, GEMINI_TELEMETRY_ENABLED: 'false' }),
    // Takes no "--" before the program.
    add: (server) => ['mcp', 'add', '--scope', 'user', server, program, 'argument'],
    list: () => ['mcp', 'list'],
    servers: inJson,
  },
];

function inJson(text: string): readonly string[] {
  const { mcpServers = {} } = JSON.parse(text) as { mcpServers?: object };
  return Object.keys(mcpServers);
}

function inToml(text: string): readonly string[] {
  return [...text.matchAll(/^\[mcp_servers\.([\w-]+)\]$/gm)].flatMap(([, name]) => name ?? []);
}

/** How many of these servers stand in a file; none in a broken one. */
export function kept(commandLine: CommandLine, text: string, wanted: readonly string[]): number {
  try {
    const there = commandLine.servers(text);
    return wanted.filter((name) => there.includes(name)).length;
  } catch {
    return 0;
  }
}
