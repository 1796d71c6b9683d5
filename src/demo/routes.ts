import type { Cursors } from './cursor.ts';
import { failed, type Answer, type Call } from './http.ts';
import type { Records } from './records.ts';
import { routesV0 } from './routesV0.ts';
import { routesV1 } from './routesV1.ts';
import type { World } from './world.ts';

/** What the routes answer from. */
export interface Service {
  readonly world: World;
  readonly records: Records;
  readonly cursors: Cursors;
}

export interface Route {
  readonly method: 'GET' | 'POST';
  /** Without the first slash; `*` stands for any segment. */
  readonly path: string;
  readonly answer: (call: Call, service: Service) => Answer;
}

const routes: readonly Route[] = [...routesV0, ...routesV1];

export function answerApi(call: Call, service: Service): Answer {
  const here = routes.filter(({ path }) => leadsTo(path.split('/'), call.segments));
  const route = here.find(({ method }) => method === call.method);
  if (route) return route.answer(call, service);
  if (here.length === 0) return failed(404, 'Not Found');
  const allow = here.map(({ method }) => method).join(', ');
  return { ...failed(405, 'Method Not Allowed'), headers: { 'content-type': 'application/json', allow } };
}

function leadsTo(path: readonly string[], segments: readonly string[]): boolean {
  return path.length === segments.length && path.every((part, at) => part === '*' || part === segments[at]);
}
