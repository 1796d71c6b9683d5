import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServiceInterface } from '../service/abilities/agentService.ts';
import {
  bytes,
  failed,
  type HttpAnswer,
  type Call,
  json,
} from './wire/http.ts';
import type { RouteContext, Routes } from './routes/route.ts';
import { routesV0, routesV1 } from './routes/appServerRoutes.ts';
import { routesOfAgentServer } from './routes/agentServerRoutes.ts';
import { gitRoutes } from './routes/gitProviderRoutes.ts';
import { sandboxRoutes } from './routes/sandboxRoutes.ts';
import { modelRoutesV1 } from './routes/modelRoutes.ts';
import { settingsV1 } from './routes/serviceServersAtAppServer.ts';

/**
 * Reads a request without its body; `undefined` if the address is malformed.
 */
export function readRequest(request: IncomingMessage): Call | undefined {
  const [path = '', query = ''] = (request.url ?? '').split(/\?(.*)/s);
  try {
    return {
      method: request.method ?? '',
      path,
      segments: path.slice(1).split('/').map(decodeURIComponent),
      query: new URLSearchParams(query),
      headers: request.headers as Record<string, string>,
      body: '',
    };
  } catch {
    return undefined;
  }
}

/** Answers a call with the API and sends the answer. */
export type AnswerCall = (
  call: Call,
  response: ServerResponse,
  api: Api,
) => void | Promise<void>;

export interface Api {
  readonly context: RouteContext;
  readonly answer: (call: Call) => HttpAnswer;
}

export const exchange: AnswerCall = async (
  call,
  response,
  { answer, context },
) => {
  const result = answer(call);
  await untilDone(result, context, response);
  await pauseFor(result.wait ?? 0, response);
  if (!response.destroyed) sendAnswer(result, response);
};

/**
 * The API for callers with this key. The service identifies itself even without
 * one.
 */
export function apiWith(
  key: string,
  name: ServiceInterface,
  context: RouteContext,
): Api {
  return {
    context,
    answer: (call) =>
      call.segments[0] !== 'api' || hasKey(call, key, name)
        ? answerApi(name, call, context)
        : failed(
            401,
            'The API key is missing or wrong: send it as X-Session-API-Key.',
          ),
  };
}

/** The time between two checks for an effect, in milliseconds. */
const look = 50;

/** Waits until the request has taken effect, or its caller gives up. */
export function untilDone(
  { isDone }: HttpAnswer,
  { world }: RouteContext,
  response: ServerResponse,
): Promise<void> {
  return new Promise((resolve) => {
    let cancel: (() => void) | undefined;
    const check = () => {
      if (response.destroyed || (isDone?.() ?? true)) resolve();
      else cancel = world.after(look, check);
    };
    response.once('close', () => {
      cancel?.();
      resolve();
    });
    check();
  });
}

/** Waits in real time, or until the caller gives up. */
export async function pauseFor(
  milliseconds: number,
  response: ServerResponse,
): Promise<void> {
  if (milliseconds === 0) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    response.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

export function sendAnswer(answer: HttpAnswer, response: ServerResponse): void {
  const body = bytes(answer);
  response.writeHead(answer.status, {
    ...answer.headers,
    'content-length': body.length,
  });
  response.end(body);
}

/** An Agent Server accepts the key in one header only. */
function hasKey(
  { headers }: Call,
  key: string,
  name: ServiceInterface,
): boolean {
  if (headers['x-session-api-key'] === key) return true;
  return (
    name !== 'agentServer' &&
    (headers['x-access-token'] === key ||
      headers.authorization === `Bearer ${key}`)
  );
}

const besideV0: Routes = {
  'GET server_info': () => json({ uptime: 86_400, idle_time: 12 }),
  ...routesV1,
  ...gitRoutes,
  ...sandboxRoutes,
  ...settingsV1,
  ...modelRoutesV1,
};

const routes: Readonly<Record<ServiceInterface, Routes>> = {
  v0: { ...routesV0, ...besideV0 },
  v1: besideV0,
  agentServer: routesOfAgentServer,
};

function answerApi(
  name: ServiceInterface,
  call: Call,
  context: RouteContext,
): HttpAnswer {
  const [, answer] =
    Object.entries(routes[name]).find(([route]) => {
      const [method, path = ''] = route.split(' ');
      return method === call.method && leadsTo(path.split('/'), call.segments);
    }) ?? [];
  return answer?.(call, context) ?? failed(404, 'Not Found');
}

function leadsTo(
  path: readonly string[],
  segments: readonly string[],
): boolean {
  return (
    path.length === segments.length &&
    path.every((part, at) => part === '*' || part === segments[at])
  );
}
