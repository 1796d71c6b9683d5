/**
 * An MCP server for tests, with the tools "echo", "forget" and, tagged
 * "private", "tell".
 *   node test/real/mcpServer.ts RECORD [ARGUMENT...]   over standard input and output
 * Appends to the file RECORD a line of JSON for its start, with its arguments
 * and environment, and one for each call.
 */
import { appendFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createInterface } from 'node:readline';

interface Request {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: {
    readonly protocolVersion?: string;
    readonly name?: string;
    readonly arguments?: unknown;
  };
}

type OnCall = (name: string, args: unknown) => void;

const tool = (name: string, tags: readonly string[] = []) => ({
  name,
  _meta: { fastmcp: { tags } },
  description: `The tool ${name}.`,
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
});

/** The answer; undefined where none is due. */
function answer(
  { id, method, params }: Request,
  onCall: OnCall,
): object | undefined {
  if (id === undefined) return undefined;
  const result = resultOf(method, params, onCall);
  return {
    jsonrpc: '2.0',
    id,
    ...(result
      ? { result }
      : { error: { code: -32601, message: 'Method not found' } }),
  };
}

function resultOf(
  method: string,
  params: Request['params'],
  onCall: OnCall,
): object | undefined {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'test', version: '1.0.0' },
      };
    case 'ping':
      return {};
    case 'tools/list':
      return {
        tools: [tool('echo'), tool('forget'), tool('tell', ['private'])],
      };
    case 'tools/call':
      onCall(params?.name ?? '', params?.arguments);
      return { content: [{ type: 'text', text: 'Done.' }] };
    default:
      return undefined;
  }
}

/** The same over HTTP. Tells the headers of each request. */
export function httpServer(
  onRequest: (headers: NodeJS.Dict<string | string[]>) => void,
): Server {
  return createServer((request, response) => {
    onRequest(request.headers);
    if (request.method !== 'POST') {
      response.writeHead(405).end();
      return;
    }
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      const said = answer(JSON.parse(body) as Request, () => undefined);
      response.setHeader('content-type', 'application/json');
      response.writeHead(said ? 200 : 202).end(said && JSON.stringify(said));
    });
  });
}

if (import.meta.main) {
  const [record = '', ...args] = process.argv.slice(2);
  const write = (line: object) => {
    appendFileSync(record, `${JSON.stringify(line)}\n`);
  };
  write({ started: args, env: process.env, folder: process.cwd() });
  createInterface({ input: process.stdin }).on('line', (line) => {
    const said = answer(JSON.parse(line) as Request, (name, given) => {
      write({ called: name, given });
    });
    if (said) process.stdout.write(`${JSON.stringify(said)}\n`);
  });
}
