/**
 * Command lines that manage MCP servers: ours, and the public ones it is
 * compared with.
 */
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };

/** The use of a command line in a separate home folder. */
export interface CommandLine {
  readonly name: string;
  readonly version: string;
  /** The file in the home folder in which it stores its servers. */
  readonly file: string;
  /** The content of the file before the first server is added. */
  readonly settings?: string;
  /** Environment variables that it needs in addition to a home folder. */
  readonly env?: (home: string) => NodeJS.ProcessEnv;
  /** The arguments that add a server. */
  add(server: string, file: string): readonly string[];
  list(file: string): readonly string[];
  /** The names of the servers in its file. Throws if the file is broken. */
  servers(text: string): readonly string[];
}

/** A command line that is downloaded. */
export interface Peer extends CommandLine {
  readonly package: string;
  /** The script in the package to run once after installing it. */
  readonly postInstall?: string;
  /** Anything its `list` does that the others do not. */
  readonly remark?: string;
}

/**
 * A program that does not exist, so a `list` that starts the servers starts
 * nothing.
 */
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

/**
 * Updates and telemetry are turned off as each command line documents it, by
 * settings or by environment.
 */
export const peers: readonly Peer[] = [
  {
    name: 'codex',
    package: '@openai/codex',
    version: '0.169.0',
    file: '.codex/config.toml',
    settings:
      'check_for_update_on_startup = false\n\n[analytics]\nenabled = false\n',
    env: (home) => ({ CODEX_HOME: join(home, '.codex') }),
    add: (server) => ['mcp', 'add', server, '--', program, 'argument'],
    list: () => ['mcp', 'list'],
    servers: inToml,
  },
  {
    name: 'claude',
    package: '@anthropic-ai/claude-code',
    version: '2.1.330',
    // Replaces a placeholder with the program for this platform.
    postInstall: 'install.cjs',
    file: '.claude/.claude.json',
    env: (home) => ({
      CLAUDE_CONFIG_DIR: join(home, '.claude'),
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_ERROR_REPORTING: '1',
      DISABLE_TELEMETRY: '1',
    }),
    add: (server) => [
      'mcp',
      'add',
      '--scope',
      'user',
      server,
      '--',
      program,
      'argument',
    ],
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
    env: (home) => ({
      GEMINI_CLI_HOME: home,
      GEMINI_TELEMETRY_ENABLED: 'false',
    }),
    // Does not accept "--" before the program.
    add: (server) => [
      'mcp',
      'add',
      '--scope',
      'user',
      server,
      program,
      'argument',
    ],
    list: () => ['mcp', 'list'],
    servers: inJson,
  },
];

function inJson(text: string): readonly string[] {
  const { mcpServers = {} } = JSON.parse(text) as { mcpServers?: object };
  return Object.keys(mcpServers);
}

function inToml(text: string): readonly string[] {
  return [...text.matchAll(/^\[mcp_servers\.([\w-]+)\]$/gm)].flatMap(
    ([, name]) => name ?? [],
  );
}

/** The number of these servers in the file; 0 if the file is broken. */
export function kept(
  commandLine: CommandLine,
  text: string,
  wanted: readonly string[],
): number {
  try {
    const there = commandLine.servers(text);
    return wanted.filter((name) => there.includes(name)).length;
  } catch {
    return 0;
  }
}
