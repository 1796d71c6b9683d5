import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { type WebSocket, WebSocketServer } from 'ws';
import { openLive } from '../../../src/service/agentServer/live.ts';
import type { LiveEnd } from '../../../src/service/abilities/agentService.ts';
import { ServiceError } from '../../../src/service/http/serviceError.ts';
import { SteppedClock } from '../../support/steppedClock.ts';

describe('a live connection', () => {
  let clock: SteppedClock;
  let server: WebSocketServer;
  let close: () => void;
  let ended: Promise<LiveEnd>;
  let isEnded: boolean;
  /** Received events, as JSON. */
  let read: string[];

  afterEach(() => {
    close();
    for (const client of server.clients) client.terminate();
    server.close();
  });

  /**
   * Resolves with the other end of a connection on which one frame has come.
   */
  async function open(autoPong: boolean): Promise<WebSocket> {
    clock = new SteppedClock();
    isEnded = false;
    read = [];
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
        clock,
        read: (event) => {
          read.push(JSON.stringify(event));
          return [];
        },
        error: (failure) =>
          new ServiceError(failure, {
            couldNot: 'Could not follow',
            address: 'a test',
          }),
      },
      {
        since: undefined,
        onOpen: () => {
          opened.resolve(undefined);
        },
        onEvents: () => undefined,
        onEnd: (end) => {
          isEnded = true;
          resolve(end);
        },
      },
    );
    const [other] = await connection;
    other.send('{"id":1234567890123456789}');
    await opened.promise;
    return other;
  }

  it('keeps numbers beyond 2^53 as they were sent', async () => {
    await open(true);
    assert.deepEqual(read, ['{"id":1234567890123456789}']);
  });

  it('stays open while the other end answers pings', async () => {
    const other = await open(true);
    for (let asked = 0; asked < 3; asked++) {
      const pinged = once(other, 'ping');
      clock.advance(10_000);
      await pinged;
      // The answer is sent before this event, and arrives in the next turn.
      for (let turn = 0; turn < 5; turn++) await setImmediate();
      clock.advance(10_000);
      assert.equal(isEnded, false);
    }
  });

  it('ends with a timeout when a ping is not answered', async () => {
    const other = await open(false);
    const pinged = once(other, 'ping');
    clock.advance(10_000);
    await pinged;
    clock.advance(9_999);
    assert.equal(isEnded, false);
    clock.advance(1);
    const { reason, error } = await ended;
    assert.equal(reason, 'broken');
    assert.match(error.message, /the connection timed out/);
  });
});
