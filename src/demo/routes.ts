import { failed, type Answer, type Call } from './http.ts';
import type { Route, RouteContext } from './route.ts';
import { routesV0 } from './routesV0.ts';
import { routesV1 } from './routesV1.ts';

const routes: readonly Route[] = [...routesV0, ...routesV1];

export function answerApi(call: Call, context: RouteContext): Answer {
  const here = routes.filter(({ path }) => leadsTo(path.split('/'), call.segments));
  const route = here.find(({ method }) => method === call.method);
  if (route) return route.answer(call, context);
  if (here.length === 0) return failed(404, 'Not Found');
  const allow = here.map(({ method }) => method).join(', ');
  return { ...failed(405, 'Method Not Allowed'), headers: { 'content-type': 'application/json', allow } };
}

function leadsTo(path: readonly string[], segments: readonly string[]): boolean {
  return path.length === segments.length && path.every((part, at) => part === '*' || part === segments[at]);
}
