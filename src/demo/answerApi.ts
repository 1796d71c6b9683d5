import type { ServiceInterface } from '../service/agentService.ts';
import { routesOfAgentServer } from './agentServer/routes.ts';
import { gitRoutes } from './gitProviderRoutes.ts';
import { failed, json, type HttpAnswer, type Call } from './http.ts';
import type { Route, RouteContext } from './route.ts';
import { routesV0, routesV1 } from './appServerRoutes.ts';
import { sandboxRoutes } from './sandboxRoutes.ts';
import { settingsV1 } from './toolServers/v1Routes.ts';

const info: Route = {
  method: 'GET',
  path: 'server_info',
  answer: () =>
    json({
      uptime: 86_400,
      idle_time: 12,
      resources: {
        cpu_percent: 0,
        memory: { rss: 372_129_792, vms: 564_776_960, percent: 1.5 },
        disk: { total: 270_553_174_016, used: 19_922_386_944, free: 77_870_907_392, percent: 20.4 },
        io: { read_bytes: 38_563_840, write_bytes: 1_810_432 },
      },
    }),
};

/** A demo service has V0 beside V1, V1 alone, or is an Agent Server. */
const routes: Readonly<Record<ServiceInterface, readonly Route[]>> = {
  v0: [info, ...routesV0, ...routesV1, ...gitRoutes, ...sandboxRoutes, ...settingsV1],
  v1: [info, ...routesV1, ...gitRoutes, ...sandboxRoutes, ...settingsV1],
  agentServer: routesOfAgentServer,
};

export function answerApi(name: ServiceInterface, call: Call, context: RouteContext): HttpAnswer {
  const here = routes[name].filter(({ path }) => leadsTo(path.split('/'), call.segments));
  const route = here.find(({ method }) => method === call.method);
  if (route) return route.answer(call, context);
  if (here.length === 0) return failed(404, 'Not Found');
  const allow = here.map(({ method }) => method).join(', ');
  return { ...failed(405, 'Method Not Allowed'), headers: { 'content-type': 'application/json', allow } };
}

function leadsTo(path: readonly string[], segments: readonly string[]): boolean {
  return path.length === segments.length && path.every((part, at) => part === '*' || part === segments[at]);
}
