import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { openLive } from '../../../src/service/agentServer/live.ts';
import type { LiveEnd } from '../../../src/service/agentService.ts';
import { ServiceError } from '../../../src/service/serviceError.ts';
import { HurriedClock } from '../../support/hurriedClock.ts';

describe('an idle live connection', () => {
  let server: WebSocketServer;
  let close: () => void;
  let ended: Promise<LiveEnd>;

  afterEach(() => {
    close();
    for (const client of server.clients) client.terminate();
    server.close();
  });

  /** Resolves with the other end of a connection on which one frame has come. */
  async function open(autoPong: boolean): Promise<WebSocket> {
    server = new WebSocketServer({ host: '127.0.0.1', port: 0, autoPong });
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const connection = once(server, 'connection') as Promise<[WebSocket]>;
    const { promise, resolve } = Promise.withResolvers<LiveEnd>();
    const opened = Promise.withResolvers<undefined>();
    ended = promise;
    close = openLive(
      {
        address: new URL(`ws://127.0.0.1:${port}`),
        key: undefined,
        clock: new HurriedClock(20),
        read: () => [],
        error: (failure) => new ServiceError(failure, { couldNot: 'Could not follow', address: 'a test' }),
      },
      {
        since: undefined,
        onOpen: () => {
          opened.resolve(undefined);
        },
        onEvents: () => undefined,
        onEnd: resolve,
      },
    );
    const [other] = await connection;
    other.send('{}');
    await opened.promise;
    return other;
  }

  it('stays open while the other end answers pings', async () => {
    const other = await open(true);
    for (let asked = 0; asked < 3; asked++)
      await Promise.race([once(other, 'ping'), ended.then(({ error }) => assert.fail(error.message))]);
  });

  it('ends with a timeout when a ping is not answered', async () => {
    const other = await open(false);
    await once(other, 'ping');
    const { reason, error } = await ended;
    assert.equal(reason, 'broken');
    assert.match(error.message, /the connection timed out/);
  });
});
