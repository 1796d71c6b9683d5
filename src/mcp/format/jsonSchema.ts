/** The JSON Schema of mcp.json for editors, made from ownKeys.ts, with descriptions of the keys. Unknown keys are allowed. */
import { type KeyRule, type keysOf, rulesOf, type ServerKind, type ValueType } from '../dialects/ownKeys.ts';

type Schema = Readonly<Record<string, unknown>>;

/** The description of a key, and examples of its values. */
type About = Schema & { readonly description: string };

const scalar = { type: ['number', 'string', 'boolean'] };

const schemaOfType: Readonly<Record<ValueType, Schema>> = {
  string: { type: 'string' },
  word: { type: 'string' },
  strings: { type: 'array', items: { type: 'string' } },
  object: { type: 'object' },
  stringObject: { type: 'object', additionalProperties: { type: 'string' } },
  wholeNumber: scalar,
  boolean: { type: ['boolean', 'string', 'number'] },
  duration: scalar,
};

function schemaOf({ type, words, orNull }: KeyRule): Schema {
  if (!type) return {};
  const value: Schema = { ...schemaOfType[type], ...(words && { enum: words }) };
  return orNull
    ? { ...value, type: [value.type, 'null'].flat(), ...(words && { enum: [...words, null] }) }
    : value;
}

function propertiesOf(kind: ServerKind, about: Readonly<Record<string, About>>): Schema {
  return Object.fromEntries(
    [...rulesOf[kind]].map(([key, rule]) => [key, { ...about[key], ...schemaOf(rule) }]),
  );
}

const aboutTool = {
  defaultSnippets: [{ label: 'Switch the tool off', body: { enabled: false } }],
  properties: {
    enabled: {
      description: 'Whether agents get this tool.',
      default: true,
      examples: [true, false],
    },
    name: { description: 'Another name for the tool.', type: 'string' },
    title: { description: 'Another title for the tool.', type: 'string' },
    version: { description: 'Another version for the tool.', type: 'string' },
    description: { description: 'What agents are told about the tool.', type: 'string' },
    tags: { description: 'The tags of the tool.', type: 'array', items: { type: 'string' } },
    meta: { description: 'Other metadata for the tool.', type: 'object' },
    arguments: { description: 'Changes of the arguments of the tool, by their names.', type: 'object' },
  },
};

const aboutBoth = {
  enabled: {
    description:
      'Whether agents get this server. A server without this key is enabled. Write true or false. Of other values, null, 0 and empty ones count as false, all others as true, even "false" in quotes.',
    default: true,
    examples: [true, false],
  },
  timeout: {
    description:
      'How long each request to the server may take, in milliseconds. It replaces the time limit of the agent. 0 means no limit.',
    examples: [30_000],
  },
  description: {
    description: 'What the server is for. For people only: the program keeps it but does not use it.',
  },
  icon: {
    description: 'A picture for the server. For people only: the program keeps it but does not use it.',
  },
  authentication: {
    description:
      'Details of signing in. They are read, but nothing uses them. Use `env`, or `auth` or `headers` for a server with a URL.',
  },
  tools: {
    description:
      'Changes of single tools, by their names. Agents do not get a tool with "enabled": false. A list is ignored.',
    defaultSnippets: [{ label: 'Switch a tool off', body: { '${1:tool}': { enabled: false } } }],
    additionalProperties: aboutTool,
  },
  include_tags: {
    description: 'Agents get only the tools that have one of these tags.',
    examples: [['read']],
  },
  exclude_tags: {
    description: 'Agents do not get the tools that have one of these tags.',
    examples: [['admin']],
  },
} as const;

const aboutLocal: Readonly<Record<keyof (typeof keysOf)['local'], About>> = {
  command: {
    description:
      'The program to start. It is started directly, without a shell, so arguments go into `args`. `${NAME}` and `${NAME:-default}` are replaced by variables.',
    examples: ['npx', 'uvx', 'docker'],
  },
  args: {
    description:
      'The arguments of the program, one string each. `${NAME}` and `${NAME:-default}` are replaced by variables; `$NAME` and `~` are not.',
    examples: [['-y', 'some-mcp-server']],
  },
  env: {
    description:
      'Environment variables for the program. This is where it gets its credentials. `${NAME}` and `${NAME:-default}` are replaced by variables of the agent.',
    examples: [{ API_TOKEN: '' }],
  },
  cwd: { description: 'The folder that the program is started in.' },
  transport: {
    description: 'How the agent talks to the server: over the standard input and output of the program.',
  },
  type: {
    description:
      'Another name for `transport`. With anything but `stdio`, the whole file is refused; it is not needed.',
  },
  keep_alive: {
    description: 'Whether the program goes on running when the agent disconnects.',
    default: true,
    examples: [true, false],
  },
  ...aboutBoth,
};

const aboutRemote: Readonly<Record<keyof (typeof keysOf)['remote'], About>> = {
  url: {
    description: 'The address of the server. `${NAME}` and `${NAME:-default}` are replaced by variables.',
    examples: ['https://example.com/mcp'],
  },
  transport: {
    description:
      'How the agent talks to the server. Without this key an address with `/sse` in its path means `sse`, any other `http`.',
    enumDescriptions: [
      'Streamable HTTP, the current transport.',
      'Another name for `http`.',
      'Server-sent events, the older transport.',
    ],
  },
  headers: {
    description:
      'Headers that are sent with each request, for example `Authorization`. `${NAME}` and `${NAME:-default}` are replaced by variables of the agent.',
    examples: [{ Authorization: 'Bearer ' }],
  },
  auth: {
    description: '`oauth` to sign in with OAuth, in a browser and at every start; or a bearer token.',
    examples: ['oauth'],
  },
  sse_read_timeout: {
    description:
      'With `sse`: how long to wait for the next event before the server is taken to be gone, in seconds or as a duration such as `PT30S`.',
    examples: [300],
  },
  max_sse_event_size: {
    description:
      'With `http`: how large an event from the server may be, in bytes. `null` means no limit. It is ignored with `sse`.',
    default: 1_048_576,
    examples: [1_048_576],
  },
  ...aboutBoth,
};

const local = {
  title: 'Local MCP server',
  description: 'A program on the machine of the agent, which talks over its standard input and output.',
  type: 'object',
  properties: propertiesOf('local', aboutLocal),
  required: ['command'],
};

const remote = {
  title: 'Remote MCP server',
  description: 'A server that is reached over HTTP.',
  type: 'object',
  properties: propertiesOf('remote', aboutRemote),
  required: ['url'],
};

/** The keys decide the kind: an editor can only guess at a union, and complains about the other kind. */
const server = {
  type: 'object',
  if: { required: ['command'] },
  then: { if: { required: ['url'] }, then: { anyOf: [local, remote] }, else: local },
  else: {
    if: { required: ['url'] },
    then: remote,
    else: {
      properties: { command: local.properties.command, url: remote.properties.url },
      anyOf: [{ required: ['command'] }, { required: ['url'] }],
    },
  },
  defaultSnippets: [
    {
      label: 'Local server',
      description: 'A program that talks over its standard input and output',
      body: { command: '${1:npx}', args: ['${2:-y}', '${3:package}'] },
    },
    {
      label: 'Local server with a variable',
      description: 'A program that gets its credentials from the environment',
      body: { command: '${1:npx}', args: ['${2:-y}', '${3:package}'], env: { '${4:API_TOKEN}': '$5' } },
    },
    {
      label: 'Remote server',
      description: 'A server that is reached over HTTP',
      body: { url: '${1:https://example.com/mcp}', transport: 'http' },
    },
    {
      label: 'Remote server over server-sent events',
      description: 'A server that has only the older transport',
      body: { url: '${1:https://example.com/sse}', transport: 'sse' },
    },
    {
      label: 'Remote server with a header',
      description: 'A server that wants a token',
      body: {
        url: '${1:https://example.com/mcp}',
        transport: 'http',
        headers: { '${2:Authorization}': '${3:Bearer }$4' },
      },
    },
    {
      label: 'Remote server with OAuth',
      description: 'A server that you sign in to',
      body: { url: '${1:https://example.com/mcp}', transport: 'http', auth: 'oauth' },
    },
  ],
};

const mcpFile = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'MCP servers of your agents',
  description: 'The MCP servers that give your agents tools and context.',
  type: 'object',
  properties: {
    mcpServers: {
      description:
        'The MCP servers by name. A change takes effect when a conversation is started or started again.',
      type: 'object',
      additionalProperties: server,
      defaultSnippets: [
        { label: 'A first server', body: { '${1:name}': { command: '${2:npx}', args: ['${3:package}'] } } },
      ],
    },
  },
  defaultSnippets: [{ label: 'No servers yet', body: { mcpServers: {} } }],
};

/** The build writes the result to dist/, one file per language. */
export function jsonSchema(translate: (english: string) => string = (english) => english): object {
  return localize(mcpFile, translate) as object;
}

function localize(value: unknown, translate: (english: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => localize(item, translate));
  if (!(value instanceof Object)) return value;
  const members = Object.entries(value).flatMap(([key, inner]: [string, unknown]): [string, unknown][] => {
    if (key === 'body' || key === 'examples') return [[key, inner]];
    if (key === 'enumDescriptions') {
      const texts = (inner as readonly string[]).map(translate);
      return [
        [key, texts.map(withoutMarkdown)],
        ['markdownEnumDescriptions', texts],
      ];
    }
    if (typeof inner !== 'string' || !/^(?:title|description|label)$/.test(key)) {
      return [[key, localize(inner, translate)]];
    }
    const text = translate(inner);
    const plain = withoutMarkdown(text);
    return plain === text
      ? [[key, text]]
      : [
          [key, plain],
          ['markdownDescription', text],
        ];
  });
  return Object.fromEntries(members);
}

/** Editors show a plain description literally. */
function withoutMarkdown(text: string): string {
  return text.replaceAll('`', '"');
}
