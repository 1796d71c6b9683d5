/** An HTTP server that records the notifications it gets. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

interface ReceivedRequest {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Redirects `/moved`, refuses `/full`, and does not answer `/silent`. */
export async function startRecipient() {
  const requests: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request
      .setEncoding('utf8')
      .on('data', (part: string) => (body += part))
      .on('end', () => {
        const { method, url: path, headers } = request;
        requests.push({ method, path, headers, body });
        if (path === '/silent') return;
        if (path === '/full') response.statusCode = 429;
        if (path === '/moved')
          response.writeHead(307, { location: '/elsewhere' });
        response.end('ok');
      });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    origin: `http://${host}`,
    requests,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
