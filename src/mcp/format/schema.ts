/**
 * The format of mcp.json, as a zod schema made from ownKeys.ts, with
 * descriptions of its keys. Unknown keys are allowed.
 */
import * as z from 'zod';
import { type KeyRule, keysOf, type ValueType } from '../dialects/ownKeys.ts';

/** The description of a key, and examples of its values. */
type About = Readonly<Record<string, unknown>> & {
  readonly description: string;
};

const scalar = z.union([z.number(), z.string(), z.boolean()]);

const schemaOfType: Readonly<Record<Exclude<ValueType, 'word'>, z.ZodType>> = {
  string: z.string(),
  strings: z.array(z.string()),
  object: z.record(z.string(), z.unknown()),
  stringObject: z.record(z.string(), z.string()),
  wholeNumber: scalar,
  boolean: z.union([z.boolean(), z.string(), z.number()]),
  duration: scalar,
};

function valueSchema({ type, words = [] }: KeyRule): z.ZodType {
  if (!type) return z.unknown();
  return type === 'word' ? z.enum(words) : schemaOfType[type];
}

function shapeOf<K extends string>(
  rules: Readonly<Record<K, KeyRule>>,
  about: Readonly<Record<K, About>>,
): Record<K, z.ZodType> {
  const members = Object.entries<KeyRule>(rules).map(([key, rule]) => {
    const value = valueSchema(rule);
    const isNeeded = key === 'command' || key === 'url';
    const optional = isNeeded
      ? value
      : (rule.orNull ? value.nullable() : value).optional();
    return [key, optional.meta({ ...about[key as K] })] as const;
  });
  return Object.fromEntries(members) as Record<K, z.ZodType>;
}

const aboutTool = {
  defaultSnippets: [{ label: 'Turn the tool off', body: { enabled: false } }],
  properties: {
    enabled: {
      description: 'Whether agents get this tool.',
      default: true,
      examples: [true, false],
    },
    name: { description: 'Another name for the tool.', type: 'string' },
    title: { description: 'Another title for the tool.', type: 'string' },
    version: { description: 'Another version for the tool.', type: 'string' },
    description: {
      description: 'The description of the tool that agents see.',
      type: 'string',
    },
    tags: {
      description: 'The tags of the tool.',
      type: 'array',
      items: { type: 'string' },
    },
    meta: { description: 'Other metadata for the tool.', type: 'object' },
    arguments: {
      description: 'Changes of the arguments of the tool, by their names.',
      type: 'object',
    },
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
    description:
      'What the server is for. For people only: the program keeps it but does not use it.',
  },
  icon: {
    description:
      'A picture for the server. For people only: the program keeps it but does not use it.',
  },
  authentication: {
    description:
      'Details of signing in. They are read, but nothing uses them. Use `env`, or `auth` or `headers` for a server with a URL.',
  },
  tools: {
    description:
      'Changes of single tools, by their names. Agents do not get a tool with "enabled": false. A list is ignored.',
    defaultSnippets: [
      { label: 'Turn a tool off', body: { '${1:tool}': { enabled: false } } },
    ],
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
    description:
      'How the agent talks to the server: over the standard input and output of the program.',
  },
  type: {
    description:
      'Another name for `transport`. With anything but `stdio`, the whole file is refused; it is not needed.',
  },
  keep_alive: {
    description:
      'Whether the program keeps running when the agent disconnects.',
    default: true,
    examples: [true, false],
  },
  ...aboutBoth,
};

const aboutRemote: Readonly<Record<keyof (typeof keysOf)['remote'], About>> = {
  url: {
    description:
      'The address of the server. `${NAME}` and `${NAME:-default}` are replaced by variables.',
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
    description:
      '`oauth` to sign in with OAuth, in a browser and at every start; or a bearer token.',
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

const localServer = z.looseObject(shapeOf(keysOf.local, aboutLocal)).meta({
  title: 'Local MCP server',
  description:
    'A program on the machine of the agent, which talks over its standard input and output.',
});

const remoteServer = z.looseObject(shapeOf(keysOf.remote, aboutRemote)).meta({
  title: 'Remote MCP server',
  description: 'A server that is reached over HTTP.',
});

export const server = z.union([localServer, remoteServer]).meta({
  defaultSnippets: [
    {
      label: 'Local server',
      description: 'A program that talks over its standard input and output',
      body: { command: '${1:npx}', args: ['${2:-y}', '${3:package}'] },
    },
    {
      label: 'Local server with a variable',
      description: 'A program that gets its credentials from the environment',
      body: {
        command: '${1:npx}',
        args: ['${2:-y}', '${3:package}'],
        env: { '${4:API_TOKEN}': '$5' },
      },
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
      body: {
        url: '${1:https://example.com/mcp}',
        transport: 'http',
        auth: 'oauth',
      },
    },
  ],
});

export const mcpFile = z
  .looseObject({
    mcpServers: z
      .record(z.string(), server)
      .optional()
      .meta({
        description:
          'The MCP servers by name. The OpenHands command line on this machine reads them when it starts or restarts a conversation.',
        defaultSnippets: [
          {
            label: 'A first server',
            body: {
              '${1:name}': { command: '${2:npx}', args: ['${3:package}'] },
            },
          },
        ],
      }),
  })
  .meta({
    title: 'MCP servers of your agents',
    description: 'The MCP servers that give your agents tools and context.',
    defaultSnippets: [{ label: 'No servers yet', body: { mcpServers: {} } }],
  });
