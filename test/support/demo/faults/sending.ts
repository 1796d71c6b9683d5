import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import {
  bytes,
  isJson,
  jsonType,
  text,
  type HttpAnswer,
} from '../../../../src/demo/wire/http.ts';
import type { Effects } from './effect.ts';

/** Answers that do not arrive properly. */
export const sendingEffects: Effects<
  | 'held'
  | 'slowHeaders'
  | 'stallBody'
  | 'staleConnections'
  | 'reset'
  | 'resetBody'
  | 'truncatedJson'
  | 'wrongContentType'
  | 'gzipBomb'
  | 'endlessBody'
  | 'hugeBody'
> = {
  held: () => ({ isHeld: true }),

  slowHeaders: (wait) => ({ wait }),

  stallBody: () => ({
    send: (answer, response) => {
      response.write(firstHalf(answer, response));
    },
  }),

  staleConnections: () => {
    const used = new WeakSet<Socket>();
    return {
      isClosed: ({ socket }) => {
        if (!socket || used.has(socket)) return true;
        used.add(socket);
        return false;
      },
    };
  },

  reset: () => ({
    send: (_, response) => {
      response.socket?.resetAndDestroy();
    },
  }),

  resetBody: () => ({
    send: (answer, response) => {
      // Ended and not reset, so that what was sent before arrives.
      response.write(firstHalf(answer, response), () => response.destroy());
    },
  }),

  truncatedJson: () => ({
    send: (answer, response) => {
      const body = bytes(answer);
      const half = body.subarray(0, body.length / 2);
      response.writeHead(answer.status, {
        ...answer.headers,
        'content-length': half.length,
      });
      response.end(half);
    },
  }),

  wrongContentType: (type) => ({
    change: (answer) =>
      isJson(answer)
        ? text(
            bytes(answer).toString(),
            type === true ? 'text/plain' : String(type),
            answer.status,
          )
        : answer,
  }),

  gzipBomb: (size) => ({
    send: (_, response) => {
      // A gzip file may be several concatenated ones.
      const zipped = gzipSync(megabyte);
      const body = chunks(
        gzipSync(begin),
        zipped,
        size === true ? 300 : Number(size),
        gzipSync(end),
      );
      stream(response, { 'content-encoding': 'gzip' }, body);
    },
  }),

  endlessBody: () => ({
    send: (_, response) => {
      stream(response, {}, chunks(begin, megabyte, Infinity, end));
    },
  }),

  hugeBody: (size) => ({
    send: (_, response) => {
      const count = size === true ? 200 : Number(size);
      const length = begin.length + count * megabyte.length + end.length;
      stream(
        response,
        { 'content-length': length },
        chunks(begin, megabyte, count, end),
      );
    },
  }),
};

const begin = Buffer.from(
  '{"results":[],"items":[],"next_page_id":null,"padding":"',
);
const megabyte = Buffer.alloc(1024 * 1024, 'x');
const end = Buffer.from('"}');

function* chunks(
  first: Buffer,
  middle: Buffer,
  count: number,
  last: Buffer,
): Generator<Buffer> {
  yield first;
  for (let number = 0; number < count; number++) yield middle;
  yield last;
}

/** Sends no faster than the caller reads, and stops when the caller does. */
function stream(
  response: ServerResponse,
  headers: Record<string, string | number>,
  body: Iterable<Buffer>,
) {
  response.writeHead(200, { 'content-type': jsonType, ...headers });
  pipeline(Readable.from(body), response, () => undefined);
}

/** Promises the whole body. */
function firstHalf(answer: HttpAnswer, response: ServerResponse): Buffer {
  const body = bytes(answer);
  response.writeHead(answer.status, {
    ...answer.headers,
    'content-length': body.length,
  });
  return body.subarray(0, body.length / 2);
}
