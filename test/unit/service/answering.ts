import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface GivenAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** A real server whose answers a test decides. */
export interface Answering {
  readonly url: string;
  /** Requests, as `METHOD /path?query`. */
  readonly asked: string[];
  give(answer: GivenAnswer | ((request: IncomingMessage) => GivenAnswer)): void;
  stop(): Promise<void>;
}

export async function startAnswering(): Promise<Answering> {
  const asked: string[] = [];
  let answer: (request: IncomingMessage) => GivenAnswer = () => ({ body: '' });
  const server = createServer((request, response) => {
    asked.push(`${request.method ?? ''} ${request.url ?? ''}`);
    request.resume();
    const { status = 200, headers = {}, body } = answer(request);
    response.writeHead(status, headers);
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    give: (given) => {
      answer = typeof given === 'function' ? given : () => given;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** An answer in JSON. */
export function saying(content: unknown, status = 200): GivenAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(content),
  };
}
