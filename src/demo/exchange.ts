import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerBrowser } from './htmlPages.ts';
import { bytes, failed, type Answer, type Call } from './http.ts';
import type { Misbehaving } from './faults/misbehaving.ts';
import { answerApi, type Service } from './routes.ts';

const longestBody = 1024 * 1024;

/** The request without its body; undefined when its address makes no sense. */
export function readCall(request: IncomingMessage): Call | undefined {
  const [path = '', query = ''] = (request.url ?? '').split(/\?(.*)/s);
  const headers = Object.entries(request.headersDistinct).map(([name, values]) => [name, values?.join(', ')]);
  try {
    return {
      method: request.method ?? '',
      path,
      segments: path.slice(1).split('/').map(decodeURIComponent),
      query: new URLSearchParams(query),
      headers: Object.fromEntries(headers) as Record<string, string>,
      body: '',
    };
  } catch {
    return undefined;
  }
}

/** Undefined when it is too long. */
export async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= longestBody) chunks.push(chunk);
  }
  return length > longestBody ? undefined : Buffer.concat(chunks).toString();
}

/** Answers and sends, or misbehaves. */
export async function answer(
  call: Call,
  response: ServerResponse,
  { service, key, misbehaving }: { service: Service; key: string; misbehaving: Misbehaving },
): Promise<void> {
  if (call.segments[0] !== 'api') {
    send(answerBrowser(call, service), response);
    return;
  }
  const serve = (asked: Call) =>
    hasKey(asked, key)
      ? answerApi(asked, service)
      : failed(401, 'The API key is missing or wrong: send it as X-Session-API-Key.');
  const effects = misbehaving.meet(call);
  const asked = effects.reduce((changed, { ask }) => ask?.(changed) ?? changed, call);
  let result: Answer | undefined;
  for (const { instead } of effects) result ??= instead?.(asked);
  if (!result) {
    result = serve(asked);
    for (const { change } of effects) {
      result = change?.(result, { call: asked, service, again: serve }) ?? result;
    }
  }
  await pause(Math.max(0, ...effects.map((effect) => effect.wait ?? 0)), response);
  if (response.destroyed) return;
  (effects.find((effect) => effect.send)?.send ?? send)(result, response);
}

/** Waits in real time, but not longer than the caller. */
async function pause(milliseconds: number, response: ServerResponse): Promise<void> {
  if (milliseconds === 0) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    response.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

export function send(answer: Answer, response: ServerResponse): void {
  const body = bytes(answer);
  response.writeHead(answer.status, { ...answer.headers, 'content-length': body.length });
  response.end(body);
}

function hasKey({ headers }: Call, key: string): boolean {
  return (
    headers['x-session-api-key'] === key ||
    headers['x-access-token'] === key ||
    headers.authorization === `Bearer ${key}`
  );
}
