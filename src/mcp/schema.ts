/**
 * The format of mcp.json, defined once. The JSON Schema of the editor comes from here.
 * Keys that are not listed are allowed everywhere, because the program that reads the file keeps them.
 */
import * as z from 'zod';

const strings = z.record(z.string(), z.string());

const common = {
  enabled: z.boolean().optional().meta({
    description: 'Whether agents get this server. A server without this key is enabled.',
    default: true,
  }),
  timeout: z
    .number()
    .nonnegative()
    .optional()
    .meta({
      description: 'How long a request to the server may take, in milliseconds.',
      examples: [30_000],
    }),
  description: z.string().optional().meta({ description: 'What the server is for. For people only.' }),
  icon: z.string().optional().meta({ description: 'A picture for the server. For people only.' }),
};

export const localServer = z
  .looseObject({
    command: z
      .string()
      .min(1)
      .meta({
        description:
          'The program to start. It is started directly, without a shell, so arguments go into `args`.',
        examples: ['npx', 'uvx', 'docker'],
      }),
    args: z
      .array(z.string())
      .optional()
      .meta({
        description: 'The arguments of the program, one string each. Nothing in them is expanded.',
        examples: [['-y', 'some-mcp-server']],
      }),
    env: strings.optional().meta({
      description:
        'Environment variables for the program. This is where it gets its credentials. Values are taken as they are; `${NAME}` is not expanded.',
      examples: [{ API_TOKEN: '' }],
    }),
    cwd: z.string().optional().meta({ description: 'The folder that the program is started in.' }),
    transport: z.literal('stdio').optional().meta({
      description: 'How the agent talks to the server: over the standard input and output of the program.',
    }),
    ...common,
  })
  .meta({
    title: 'Local MCP server',
    description: 'A program on the machine of the agent, which talks over its standard input and output.',
  });

export const remoteServer = z
  .looseObject({
    url: z
      .string()
      .min(1)
      .meta({
        description: 'The address of the server.',
        format: 'uri',
        examples: ['https://example.com/mcp'],
      }),
    transport: z
      .enum(['http', 'streamable-http', 'sse'])
      .optional()
      .meta({
        description:
          'How the agent talks to the server. Without this key an address with `/sse` in its path means `sse`, any other `http`.',
        enumDescriptions: [
          'Streamable HTTP, the current transport.',
          'Another name for `http`.',
          'Server-sent events, the older transport.',
        ],
      }),
    headers: strings.optional().meta({
      description:
        'Headers that are sent with each request, for example `Authorization`. Values are taken as they are; `${NAME}` is not expanded.',
      examples: [{ Authorization: 'Bearer ' }],
    }),
    auth: z
      .string()
      .optional()
      .meta({
        description: '`oauth` to sign in with OAuth, or a bearer token.',
        examples: ['oauth'],
      }),
    sse_read_timeout: z.number().nonnegative().optional().meta({
      description: 'With `sse`: how long to wait for the next event before the server is taken to be gone.',
    }),
    ...common,
  })
  .meta({
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
});

export const mcpFile = z
  .looseObject({
    mcpServers: z.record(z.string(), server).meta({
      description:
        'The MCP servers by name. A change takes effect when a conversation is started or started again.',
      defaultSnippets: [
        { label: 'A first server', body: { '${1:name}': { command: '${2:npx}', args: ['${3:package}'] } } },
      ],
    }),
  })
  .meta({
    title: 'MCP servers of your agents',
    description: 'The MCP servers that give your agents tools and context.',
    defaultSnippets: [{ label: 'No servers yet', body: { mcpServers: {} } }],
  });
