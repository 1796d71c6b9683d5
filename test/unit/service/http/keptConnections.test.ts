import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { ServiceError } from '../../../../src/service/http/serviceError.ts';
import { Lines, serviceOf } from '../support.ts';

const body = JSON.stringify({ items: [], next_page_id: null });
const answer = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

describe('a kept connection that the service has closed', () => {
  let server: Server;
  let url: string;
  let connections: number;
  /** The requests of each connection. */
  let requests: number[];
  /** True if this connection answers its request of this number. */
  let answers: (connection: number, request: number) => boolean;
  let sockets: Socket[];
  /** Sent before a connection is closed. */
  let half: string;
  let lines: { warnings: string[] } & Lines;

  beforeEach(async () => {
    connections = 0;
    requests = [];
    sockets = [];
    half = '';
    answers = (_connection, request) => request === 1;
    const warnings: string[] = [];
    lines = Object.assign(new Lines(), {
      warnings,
      warn: (line: string) => void warnings.push(line),
    });
    server = createServer((socket: Socket) => {
      const connection = ++connections;
      sockets.push(socket);
      requests[connection - 1] = 0;
      socket.on('error', () => undefined);
      socket.on('data', () => {
        const request = (requests[connection - 1] ?? 0) + 1;
        requests[connection - 1] = request;
        if (answers(connection, request)) socket.write(answer);
        else socket.end(half, () => socket.destroy());
      });
    });
    await new Promise<void>((resolve) =>
      server.listen(0, '127.0.0.1', resolve),
    );
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });

  /**
   * `fetch` keeps a connection a moment after it has given the whole answer.
   */
  const isKept = () => new Promise((resolve) => setImmediate(resolve));

  const sandboxes = () => serviceOf({ url }, 'v1', { log: lines }).sandboxes;

  it('retries a read without a warning in the log', async () => {
    await sandboxes().list().next();
    await isKept();
    await sandboxes().list().next();
    assert.deepEqual(requests, [2, 1]);
    assert.deepEqual(lines.warnings, []);
    assert.match(
      lines.all.join('\n'),
      /listSandboxes: the kept connection had been closed/,
    );
  });

  it('logs a warning and pauses when the next connection is closed too', async () => {
    answers = (connection) => connection !== 1 && connection !== 2;
    await sandboxes().list().next();
    assert.deepEqual(requests, [1, 1, 1]);
    assert.equal(lines.warnings.length, 1);
    assert.match(
      lines.warnings[0] ?? '',
      /the connection was closed.+Trying again in \d+ ms/,
    );
  });

  it('logs a warning and pauses when the connection closes within the first answer', async () => {
    answers = (connection) => connection !== 1;
    half = answer.slice(0, -5);
    await sandboxes().list().next();
    assert.deepEqual(requests, [1, 1]);
    assert.match(
      lines.warnings.join('\n'),
      /the connection was closed.+Trying again in \d+ ms/,
    );
  });

  it('fails a change with an unknown outcome and never sends it twice', async () => {
    await sandboxes().list().next();
    await isKept();
    await assert.rejects(sandboxes().pause('box'), (error) => {
      assert.ok(error instanceof ServiceError);
      assert.equal(error.kind, 'unreachable');
      assert.equal(error.circumstances.outcomeUnknown, true);
      return true;
    });
    assert.deepEqual(requests, [2]);
  });
});
