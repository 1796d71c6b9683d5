/**
 * The last requests that services in this process answered, for the report of a
 * failed test.
 */
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';

const maxKept = 30;
const kept: string[] = [];

subscribe('http.server.response.finish', (message) => {
  const { request, response } = message as {
    request: IncomingMessage;
    response: ServerResponse;
  };
  // Queries can carry keys.
  const [path = ''] = (request.url ?? '').split('?');
  const time = new Date().toISOString().slice(11, 23);
  kept.push(`${time} ${request.method ?? ''} ${path} ${response.statusCode}`);
  if (kept.length > maxKept) kept.shift();
});

export function lastRequests(): string {
  return kept.length === 0
    ? 'No requests.'
    : `The last requests:\n${kept.join('\n')}`;
}
