import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Milliseconds. */
const longestIdle = 5_000;

/**
 * Closes connections on which nothing happens, as real servers do: without having said that they would. A client that
 * sends a request at that moment finds the connection closed.
 */
export function closeIdleConnections(server: Server): void {
  // Node would announce its own timeout to clients.
  server.keepAliveTimeout = 0;
  const timers = new WeakMap<Socket, NodeJS.Timeout>();
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    clearTimeout(timers.get(socket));
    response.once('finish', () => {
      const timer = setTimeout(() => {
        socket.end();
      }, longestIdle);
      timer.unref();
      timers.set(socket, timer);
    });
  });
}
