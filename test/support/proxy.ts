/**
 * A proxy that knows names that nobody else does, and remembers what went
 * through it.
 */
import { createServer, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

export interface Proxy {
  readonly url: string;
  /**
   * Requests through the proxy, such as `GET http://name/path`, `UPGRADE
   * http://name/path` or `CONNECT name:443`.
   */
  readonly seen: readonly string[];
  stop(): Promise<void>;
}

/** `ports` tells where on this machine the one with this name is. */
export async function startProxy(
  ports: Readonly<Record<string, number>>,
): Promise<Proxy> {
  const seen: string[] = [];
  const open = new Set<Duplex>();
  const keep = (socket: Duplex) => {
    open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => open.delete(socket));
  };
  /** Connects to the host with this name; `undefined` for all others. */
  const through = (name: string): Socket | undefined => {
    const port = ports[name];
    if (port === undefined) return undefined;
    const socket = connect(port, '127.0.0.1');
    keep(socket);
    return socket;
  };
  const join = (from: Duplex, to: Socket, head: Buffer) => {
    keep(from);
    to.write(head);
    from.pipe(to).pipe(from);
    to.on('close', () => from.destroy());
    from.on('close', () => to.destroy());
  };
  const targetOf = ({ url = '' }: IncomingMessage) => URL.parse(url);

  const server = createServer((asked, answer) => {
    const target = targetOf(asked);
    seen.push(`${asked.method ?? ''} ${asked.url ?? ''}`);
    const port = ports[target?.hostname ?? ''];
    if (!target || port === undefined) {
      answer.writeHead(502).end();
      return;
    }
    const { method, headers } = asked;
    const path = target.pathname + target.search;
    const passed = request(
      { host: '127.0.0.1', port, method, path, headers },
      (given) => {
        answer.writeHead(given.statusCode ?? 502, given.headers);
        given.pipe(answer);
      },
    );
    passed.on('error', () => answer.destroy());
    asked.pipe(passed);
  });
  server.on('upgrade', (asked: IncomingMessage, from: Duplex, head: Buffer) => {
    const target = targetOf(asked);
    seen.push(`UPGRADE ${asked.url ?? ''}`);
    const to = through(target?.hostname ?? '');
    if (!target || !to) {
      from.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
      return;
    }
    const headers = Object.entries(asked.headers).map(
      ([name, value]) => `${name}: ${String(value)}\r\n`,
    );
    to.write(
      `GET ${target.pathname}${target.search} HTTP/1.1\r\n${headers.join('')}\r\n`,
    );
    join(from, to, head);
  });
  server.on(
    'connect',
    ({ url = '' }: IncomingMessage, from: Duplex, head: Buffer) => {
      seen.push(`CONNECT ${url}`);
      const to = through(url.replace(/:\d+$/, ''));
      if (!to) {
        from.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
        return;
      }
      from.write('HTTP/1.1 200 Connection established\r\n\r\n');
      join(from, to, head);
    },
  );
  server.on('connection', keep);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    stop: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
