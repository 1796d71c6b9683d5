import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../../src/base/clock.ts';

/** Milliseconds. */
const longestIdle = 5_000;

/** Timers that do not keep the process alive. */
const idleTimers: Pick<Clock, 'after'> = {
  after: (milliseconds, callback) => {
    const timer = setTimeout(callback, milliseconds).unref();
    return () => {
      clearTimeout(timer);
    };
  },
};

/**
 * Closes connections on which nothing happens, as real servers do: without
 * having said that they would. A client that sends a request at that moment
 * finds the connection closed.
 */
export function closeIdleConnections(server: Server, clock = idleTimers): void {
  // Node would announce its own timeout to clients.
  server.keepAliveTimeout = 0;
  const cancels = new WeakMap<Socket, () => void>();
  server.on(
    'request',
    ({ socket }: IncomingMessage, response: ServerResponse) => {
      cancels.get(socket)?.();
      response.once('finish', () => {
        const cancel = clock.after(longestIdle, () => {
          socket.end();
        });
        cancels.set(socket, cancel);
      });
    },
  );
}
