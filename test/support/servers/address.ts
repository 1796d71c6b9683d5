/**
 * MCP servers for tests that are reached over HTTP. Most of them do not work.
 */
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Handler = (asked: Asked, response: ServerResponse) => void;

/**
 * A server on this machine that answers as the handler says, and keeps what it
 * was asked.
 */
export class AddressServer {
  readonly asked: Asked[] = [];
  readonly origin: string;
  readonly #server: Server;

  private constructor(server: Server, protocol: string) {
    this.#server = server;
    this.origin = `${protocol}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(
    handler: Handler,
    certificate?: { readonly key: string; readonly cert: string },
  ): Promise<AddressServer> {
    const asked: Asked[] = [];
    const onRequest = (request: IncomingMessage, response: ServerResponse) => {
      let body = '';
      request
        .setEncoding('utf8')
        .on('data', (chunk: string) => (body += chunk));
      request.on('end', () => {
        const { method = '', url: path = '', headers } = request;
        const one = { method, path, headers, body };
        asked.push(one);
        handler(one, response);
      });
    };
    const server = certificate
      ? createSecureServer(certificate, onRequest)
      : createServer(onRequest);
    await new Promise<void>((resolve) =>
      server.listen(0, '127.0.0.1', resolve),
    );
    const started = new AddressServer(server, certificate ? 'https' : 'http');
    Object.assign(started, { asked });
    return started;
  }

  /** The paths that were asked for, each once. */
  get paths(): string[] {
    return [...new Set(this.asked.map(({ path }) => path))];
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

const tools = [
  {
    name: 'search',
    description: 'Finds things',
    inputSchema: { type: 'object' },
  },
];

/**
 * The answer of a working server to a message; `undefined` if the message needs
 * none.
 */
export function answerTo(body: string): object | undefined {
  const { id, method } = JSON.parse(body) as {
    readonly id?: string | number;
    readonly method?: string;
  };
  if (id === undefined) return undefined;
  if (method === 'initialize') {
    const serverInfo = { name: 'address server', version: '1' };
    return {
      jsonrpc: '2.0',
      id,
      result: {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo,
      },
    };
  }
  if (method === 'tools/list') return { jsonrpc: '2.0', id, result: { tools } };
  return {
    jsonrpc: '2.0',
    id,
    error: { code: -32_601, message: 'Method not found' },
  };
}

export function json(
  response: ServerResponse,
  status: number,
  value: object,
  headers: object = {},
): void {
  response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify(value));
}

export function html(
  response: ServerResponse,
  status: number,
  title: string,
): void {
  response
    .writeHead(status, { 'content-type': 'text/html; charset=utf-8' })
    .end(
      `<!DOCTYPE html><html><head><title>${title}</title></head><body>Hello</body></html>`,
    );
}

/** Answers as a server that works, with or without a stream of its own. */
export const working: Handler = ({ method, body }, response) => {
  if (method !== 'POST') {
    response.writeHead(method === 'DELETE' ? 200 : 405).end();
    return;
  }
  const answer = answerTo(body);
  if (answer) json(response, 200, answer, { 'mcp-session-id': 'session-1' });
  else response.writeHead(202).end();
};

/**
 * Answers as a server with the older transport: a stream of messages, and a
 * path that takes those for it.
 */
export function workingEvents(): Handler {
  let stream: ServerResponse | undefined;
  return ({ method, path, body }, response) => {
    if (method === 'GET' && path === '/sse') {
      stream = response;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('event: endpoint\ndata: /messages?session=1\n\n');
    } else if (method === 'POST' && path.startsWith('/messages')) {
      response.writeHead(202, { 'content-type': 'text/plain' }).end('Accepted');
      const answer = answerTo(body);
      if (answer)
        stream?.write(`event: message\ndata: ${JSON.stringify(answer)}\n\n`);
    } else {
      response.writeHead(404).end();
    }
  };
}
