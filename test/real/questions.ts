/** What a demo service and a real one are both asked. `ID` is a conversation, or a sandbox at `/sandboxes/`. */
import type { Question } from './comparison.ts';

const nobody = '11111111-1111-4111-8111-111111111111';

const get = (...paths: readonly string[]): Question[] => paths.map((path) => ({ path }));
const post = (path: string, body?: unknown): Question => ({ method: 'POST', path, body });

const text = (words: string) => ({ role: 'user', content: [{ type: 'text', text: words }], run: true });

const held = '/api/conversations';
const app = '/api/v1/app-conversations';
const sandboxes = '/api/v1/sandboxes';

export const ofAgentServer: readonly Question[] = [
  ...get('/server_info', '/api/nothing', '/api/v1/app-conversations/search', '/api/v1/sandboxes/search'),
  ...get(held, `${held}?ids=ID&ids=${nobody}`, `${held}?ids=x`),
  ...get(`${held}/search`, `${held}/search?limit=1&sort_order=UPDATED_AT_DESC`, `${held}/search?page_id=x`),
  ...get(`${held}/search?limit=101`, `${held}/search?limit=0`, `${held}/search?limit=x`),
  ...get(`${held}/search?status=x`, `${held}/search?sort_order=x`, `${held}/search?status=stuck`),
  ...get(`${held}/count`, `${held}/count?status=x`, `${held}/ID`, `${held}/${nobody}`, `${held}/x`),
  ...get(
    `${held}/ID/events/search`,
    `${held}/ID/events/search?limit=1&sort_order=TIMESTAMP_DESC&source=user`,
  ),
  ...get(`${held}/ID/events/search?kind=MessageEvent&source=user&limit=1&page_id=x`),
  ...get(`${held}/ID/events/search?limit=101`, `${held}/ID/events/search?sort_order=x`),
  ...get(`${held}/ID/events/count`, `${held}/${nobody}/events/search`),
  ...get('/api/agent-profiles', '/api/workspaces', '/api/file/home'),
  ...get('/api/file/search_subdirs?path=/', '/api/file/search_subdirs?path=/&limit=1&page_id=x'),
  ...get(
    '/api/file/search_subdirs?path=/nowhere',
    '/api/file/search_subdirs?path=x',
    '/api/file/search_subdirs',
  ),
  post(held, {}),
  post(held, { workspace: { working_dir: '/tmp' } }),
  post(held, { workspace: { working_dir: '/tmp' }, agent_profile_id: nobody }),
  post(held, { workspace: { working_dir: '/tmp' }, agent_profile_id: 'x' }),
  post(held, { workspace: { working_dir: '/tmp' }, agent_profile_id: nobody, tags: { 'a b': 'c' } }),
  post(held, { workspace: { working_dir: 1 }, initial_message: { role: 'robot', content: 'x' } }),
  { method: 'PATCH', path: `${held}/ID`, body: { title: 'Named', tags: { team: 'web' } } },
  { method: 'PATCH', path: `${held}/ID`, body: { title: '' } },
  { method: 'PATCH', path: `${held}/ID`, body: { tags: { 'a b': 'c' } } },
  { method: 'PATCH', path: `${held}/${nobody}`, body: { title: 'x' } },
  ...get(`${held}/ID`),
  ...['pause', 'interrupt', 'run'].flatMap((verb) => [
    post(`${held}/ID/${verb}`),
    post(`${held}/${nobody}/${verb}`),
  ]),
  { method: 'DELETE', path: `${held}/${nobody}` },
  { method: 'DELETE', path: `${held}/ID` },
  ...get(`${held}/ID`),
];

export const ofV1: readonly Question[] = [
  ...get('/server_info', '/api/nothing', '/api/conversations'),
  ...get(app, `${app}?ids=ID&ids=${nobody}`, `${app}?ids=x`, `${app}?${`ids=${nobody}&`.repeat(100)}`),
  ...get(
    `${app}/search`,
    `${app}/search?limit=1`,
    `${app}/search?page_id=x`,
    `${app}/search?title__contains=~`,
  ),
  ...get(`${app}/search?limit=101`, `${app}/search?limit=0`, `${app}/search?limit=x`),
  ...get(`${app}/search?created_at__gte=x`, `${app}/search?updated_at__lt=2020-01-01T00:00:00Z`),
  ...get(`${app}/start-tasks`, `${app}/start-tasks?ids=x`, `${app}/start-tasks?ids=${nobody}`),
  post(app, { initial_message: { content: 'x' } }),
  post(app, { initial_message: { content: [{ type: 'text', text: 'x' }] }, git_provider: 'x' }),
  ...get(`${sandboxes}/search`, `${sandboxes}/search?page_id=x`, `${sandboxes}/search?limit=101`),
  ...get('/api/v1/sandbox-specs/search', '/api/v1/sandbox-specs/search?page_id=x'),
  post(`${sandboxes}?sandbox_spec_id=x`),
  post(`${sandboxes}/x/pause`),
  post(`${sandboxes}/x/resume`),
  { method: 'DELETE', path: `${sandboxes}/x` },
  { method: 'DELETE', path: `${sandboxes}/x?sandbox_id=x` },
];

/** What is only asked once there is a sandbox. */
export const ofSandboxes: readonly Question[] = [
  post(`${sandboxes}/ID/pause`),
  post(`${sandboxes}/ID/resume`),
  { method: 'DELETE', path: `${sandboxes}/ID?sandbox_id=ID` },
];

export const ofV0: readonly Question[] = [
  ...get(held, `${held}?limit=1`, `${held}?limit=0`, `${held}?limit=x`, `${held}?page_id=x`),
  ...get(
    `${held}?conversation_trigger=x`,
    `${held}?conversation_trigger=gui`,
    `${held}?selected_repository=a/b`,
  ),
  ...ofV1.filter(({ path }) => path !== '/api/conversations'),
];

export const creation = {
  agentServer: (profileId: string) => ({
    workspace: { working_dir: '/tmp' },
    agent_profile_id: profileId,
    initial_message: text('call: terminal {"command": "echo hello"}'),
    tags: { team: 'web' },
  }),
  app: { initial_message: text('call: terminal {"command": "echo hello"}') },
};
