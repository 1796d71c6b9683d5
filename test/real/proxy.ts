/**
 * A proxy before a real service, which holds requests back, and can put another
 * service below a path.
 */
import {
  createServer,
  type IncomingMessage,
  request as ask,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

interface Held {
  /** Resolves once the first request is held back. */
  readonly arrived: Promise<undefined>;
  release(): void;
}

export interface Proxy {
  readonly url: string;
  /**
   * The method and path of each request that went on to the service, in order.
   */
  readonly passed: readonly string[];
  /** Holds back all requests to such paths. */
  hold(paths: RegExp): Held;
  stop(): Promise<void>;
}

export async function startProxy(
  service: string,
  below: Readonly<Record<string, string>> = {},
): Promise<Proxy> {
  const passed: string[] = [];
  let hold: (path: string) => Promise<undefined> | undefined = () => undefined;

  async function pass(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { method = 'GET', url: path = '/' } = request;
    await hold(path);
    passed.push(`${method} ${path}`);
    const target =
      Object.entries(below).find(([start]) => path.startsWith(start))?.[1] ??
      service;
    const { host } = new URL(target);
    const sent = ask(
      new URL(path, target),
      { method, headers: { ...request.headers, host } },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    sent.on('error', () => response.destroy());
    request.pipe(sent);
  }

  const server = createServer(
    (request, response) => void pass(request, response),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed,
    hold: (paths) => {
      const arrival = Promise.withResolvers<undefined>();
      const end = Promise.withResolvers<undefined>();
      hold = (path) => {
        if (!paths.test(path)) return undefined;
        arrival.resolve(undefined);
        return end.promise;
      };
      return {
        arrived: arrival.promise,
        release: () => {
          hold = () => undefined;
          end.resolve(undefined);
        },
      };
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
