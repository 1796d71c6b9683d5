import type { HelpTopic } from './invocation.ts';

const list = (lines: readonly (readonly [name: string, what: string])[]) =>
  lines
    .map(
      ([name, what]) =>
        `  ${name.padEnd(22)} ${what.replaceAll('\n', `\n${' '.repeat(25)}`)}`,
    )
    .join('\n');

const everywhere = list([
  [
    '--file PATH',
    'the configuration file. Default: the one SWITCHBOARD_MCP_FILE names,\nor ~/.openhands/mcp.json if it exists, or ~/.agent/mcp.json',
  ],
  ['--json', 'answer with one JSON document'],
  ['-h, --help', 'show help'],
]);

const everywhereAndReveal = `${list([['--reveal', 'show secrets instead of masking them']])}
${everywhere}`;

const effect = `The OpenHands command line on this machine reads the file; a change takes effect when it starts or
restarts a conversation. Conversations of an Agent Server get the servers of its own settings.`;

const commands = `Commands:
${list([
  ['list', 'list all servers'],
  ['get NAME', 'show the details of one'],
  ['add NAME ...', 'add one'],
  ['remove NAME', 'remove one'],
  ['enable NAME', 'let agents use it'],
  ['disable NAME', 'keep it, but hide it from agents'],
  ['tools NAME', 'show or change which of its tools agents get'],
  ['check [FILE...]', 'say what is wrong with the file, or with these files'],
  ['check --run NAME', 'start or reach a server, and list its tools'],
])}`;

/** `usage` and `examples` begin after the words of the program. */
const help = (
  usage: string,
  about: string,
  options: string,
  examples: readonly string[],
  after = '',
) =>
  `Usage: switchboard mcp ${usage}

${about}

Options:
${options}

Examples:
${examples.map((example) => `  switchboard mcp ${example}\n`).join('')}${after && `\n${after}\n`}`;

const serverCommandHelp = (command: string, about: string) =>
  help(
    `${command} NAME [options]`,
    about,
    everywhere,
    [`${command} github`, `${command} "my server" --json`],
    effect,
  );

export const helpTexts: Readonly<Record<HelpTopic, string>> = {
  switchboard: help(
    'COMMAND [options]',
    `Manages the MCP servers that give your agents tools and context.

${commands}`,
    `${everywhere}
${list([['--version', 'show the version']])}`,
    ['list', 'add --help'],
  ),

  mcp: help(
    'COMMAND [options]',
    `Manages the MCP servers in mcp.json.
${effect}

${commands}`,
    everywhere,
    [
      'list',
      'add fetch --transport stdio uvx -- mcp-server-fetch',
      'disable fetch',
      'list --file ~/dotfiles/mcp.json --json',
    ],
    `Exit code: 0 when done, 1 when refused or failed, 2 for a wrong command line, 3 when done, but
the answer could not be written. Reasons and warnings are on standard error. With 1 and 2,
nothing has been changed.

What --json prints:
https://github.com/agent-switchboard/agent-switchboard/blob/HEAD/docs/command-line.md#json-output`,
  ),

  list: help(
    'list [options]',
    'Lists all servers, with their secrets masked.',
    everywhereAndReveal,
    ['list', 'list --json'],
  ),

  get: help(
    'get NAME [options]',
    'Shows the details of one server, with its secrets masked.',
    everywhereAndReveal,
    ['get github', 'get github --reveal --json'],
  ),

  add: help(
    `add NAME --transport stdio [options] COMMAND [-- ARGUMENTS...]
       switchboard mcp add NAME --transport http|sse [options] URL`,
    'Adds a server. Options can be anywhere before "--", and can be written as --option=value.',
    `${list([
      ['--transport TYPE', 'http, sse or stdio; required'],
      [
        '--env KEY=value',
        'an environment variable, for stdio; can be repeated',
      ],
      ['--header "Key: value"', 'a header, for http and sse; can be repeated'],
      ['--auth METHOD', 'for http and sse: oauth, or a bearer token'],
      ['--enabled', 'let agents use it, which is the default'],
      ['--disabled', 'add it, but hide it from agents'],
    ])}
${everywhere}`,
    [
      'add fetch --transport stdio uvx -- mcp-server-fetch',
      `add github --transport stdio --env GITHUB_TOKEN="$GITHUB_TOKEN" \\
    npx -- -y @modelcontextprotocol/server-github`,
      `add docs --transport http --header "Authorization: Bearer $TOKEN" \\
    https://example.com/mcp`,
      'add tracker --transport sse --auth oauth https://example.com/sse',
    ],
    `Your shell expands variables before they are written to the file. In single quotes they stay,
and the agent replaces \${NAME} and \${NAME:-default} when it starts.
${effect}`,
  ),

  remove: serverCommandHelp(
    'remove',
    'Removes a server from the configuration.',
  ),
  enable: serverCommandHelp(
    'enable',
    'Lets agents use a server that is disabled.',
  ),
  disable: serverCommandHelp(
    'disable',
    'Keeps a server in the configuration, but hides it from agents.',
  ),

  tools: help(
    'tools NAME [options]',
    `Shows what the configuration says about the tools of a server, or changes which of them agents
get. Agents get every tool that it does not name. The server is not started, so nobody checks
whether it has these tools.`,
    `${list([
      ['--enable TOOL', 'let agents use a tool again; can be repeated'],
      ['--disable TOOL', 'hide a tool from agents; can be repeated'],
    ])}
${everywhere}`,
    [
      'tools github',
      'tools github --disable delete_repo --disable create_repo',
      'tools github --enable create_repo --json',
    ],
    `A tool is called what the server calls it, without the name of the server before it.
${effect}`,
  ),

  check: help(
    `check [FILE...] [options]
       switchboard mcp check --run NAME [--yes] [options]`,
    `Says what is wrong with the configuration file, or with these files, and where. Because of an
error, a file is refused as a whole, and agents get none of its servers. A warning or a note
changes nothing about that. What this machine lacks, such as a command, is not looked for.

With --run, starts or reaches the server of that name as an agent does, lists its tools, and ends
it. It may be disabled. What will be started or asked is shown before, and you are asked.`,
    `${list([
      ['--run NAME', 'start or reach this server'],
      ['--yes', 'do so without asking; needed where there is no terminal'],
    ])}
${everywhere}`,
    [
      'check',
      'check mcp.json ~/dotfiles/*/mcp.json',
      'check mcp.json --json',
      'check --run github',
    ],
    `Exit code: 0 when all files are accepted or the server works, 1 when a file is refused or cannot be
read, or the server does not work, 2 for a wrong command line.`,
  ),
};
