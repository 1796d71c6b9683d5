/**
 * Requests to both a demo service and a real one. `ID` is a conversation, or a
 * sandbox at `/sandboxes/`.
 */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Question } from './comparison.ts';

/**
 * The folder that agents work in: a real service makes a Git repository of it.
 */
export const workingFolder = join(tmpdir(), `switchboard-asked-${process.pid}`);

const nobody = '11111111-1111-4111-8111-111111111111';

const get = (...paths: readonly string[]): Question[] =>
  paths.map((path) => ({ path }));
const post = (path: string, body?: unknown): Question => ({
  method: 'POST',
  path,
  body,
});

const text = (words: string, run = true) => ({
  role: 'user',
  content: [{ type: 'text', text: words }],
  run,
});

const held = '/api/conversations';
const app = '/api/v1/app-conversations';
const sandboxes = '/api/v1/sandboxes';
const git = '/api/v1/git';

export const ofAgentServer: readonly Question[] = [
  ...get(
    '/server_info',
    '/api/nothing',
    '/api/v1/app-conversations/search',
    '/api/v1/sandboxes/search',
  ),
  ...get(held, `${held}?ids=ID&ids=${nobody}`),
  ...get(
    `${held}/search`,
    `${held}/search?limit=1&sort_order=UPDATED_AT_DESC`,
    `${held}/search?page_id=x`,
  ),
  ...get(`${held}/count`, `${held}/ID`, `${held}/${nobody}`),
  ...get(
    `${held}/ID/events/search`,
    `${held}/ID/events/search?limit=1&sort_order=TIMESTAMP_DESC&source=user`,
  ),
  ...get(
    `${held}/ID/events/search?kind=MessageEvent&source=user&limit=1&page_id=x`,
  ),
  ...get(`${held}/${nobody}/events/search`),
  ...get('/api/agent-profiles', '/api/workspaces', '/api/file/home'),
  ...get(
    '/api/file/search_subdirs?path=/',
    '/api/file/search_subdirs?path=/&limit=1&page_id=x',
  ),
  ...get('/api/file/search_subdirs?path=/nowhere'),
  post(held, {
    workspace: { working_dir: workingFolder },
    agent_profile_id: nobody,
  }),
  {
    method: 'PATCH',
    path: `${held}/ID`,
    body: { title: 'Named', tags: { team: 'web' } },
  },
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

const patch = (path: string, body?: unknown): Question => ({
  method: 'PATCH',
  path,
  body,
});
const remove = (path: string): Question => ({ method: 'DELETE', path });

/**
 * Asks again until the newest state that the events tell of is this one: the
 * record may be late.
 */
const becomes = (state: string, results = 0): Question => ({
  path: `${held}/ID/events/search`,
  until: (answer) => {
    const { items } = answer as {
      items: { kind: string; key?: string; value?: unknown }[];
    };
    const ended = items.filter(
      ({ kind }) => kind === 'ObservationEvent',
    ).length;
    return (
      ended >= results &&
      items.findLast(({ key }) => key === 'execution_status')?.value === state
    );
  },
});

const ours = '/api/settings/mcp';
const local = {
  command: 'npx',
  args: ['-y', 'x'],
  env: { TOKEN: 'x' },
  transport: 'stdio',
};
const remote = {
  url: 'https://h.example/mcp',
  transport: 'http',
  headers: { 'X-Key': 'x' },
};
const bearer = { strategy: 'bearer', value: 'x' };

/** The MCP servers of the settings. */
const profiles = '/api/profiles';
const agentProfiles = '/api/agent-profiles';
const secrets = '/api/settings/secrets';
const llm = { model: 'openai/x', base_url: 'http://127.0.0.1:1', api_key: 'k' };

export const ofModels: readonly Question[] = [
  post(`${profiles}/mine`, { llm }),
  ...get(profiles, `${profiles}/mine`, `${profiles}/gone`),
  post(`${profiles}/mine/validate`, { llm: { model: 'x' } }),
  post(`${profiles}/gone/rename`, { new_name: 'x' }),
  post(`${profiles}/mine/rename`, { new_name: 'other' }),
  post(`${profiles}/gone/activate`),
  post(`${profiles}/other/activate`),
  remove(`${profiles}/other`),
  remove(`${profiles}/other`),
  ...get(agentProfiles, `${agentProfiles}/default`, `${agentProfiles}/gone`),
  post(`${agentProfiles}/default/materialize`, {}),
  post(`${agentProfiles}/gone/materialize`, {}),
  post(`${agentProfiles}/gone/activate`),
  ...get('/api/llm/providers', '/api/llm/models?provider=anthropic'),
  ...get('/api/llm/models/verified'),
  { method: 'PUT', path: secrets, body: { name: 'A', value: 'x' } },
  ...get(secrets),
  remove(`${secrets}/A`),
  remove(`${secrets}/A`),
];

export const ofToolServers: readonly Question[] = [
  post(`${ours}/a`, local),
  post(`${ours}/a`, local),
  post(`${ours}/b`, {
    ...remote,
    auth: bearer,
    enabled: false,
    timeout: 5,
    cwd: '/tmp',
  }),
  ...get('/api/settings'),
  post(`${ours}/c`, {
    ...remote,
    auth: bearer,
    headers: { authorization: 'x' },
  }),
  patch(`${ours}/nothing`, { enabled: false }),
  ...[
    { enabled: false },
    { args: null },
    { env: { MORE: 'x' } },
    { env: { MORE: null } },
  ].map((body) => patch(`${ours}/a`, body)),
  patch(`${ours}/a`, {
    url: 'https://h.example',
    command: null,
    transport: 'http',
    auth: bearer,
  }),
  patch(`${ours}/a`, { headers: { Authorization: 'x' } }),
  patch(`${ours}/a`, { auth: null }),
  ...get('/api/settings'),
  remove(`${ours}/b`),
  remove(`${ours}/b`),
  post('/api/mcp/test', {
    server: { command: 'no-such-program', enabled: false },
    timeout: 5,
  }),
  post('/api/mcp/test', {
    server: { url: 'http://127.0.0.1:1/mcp' },
    timeout: 5,
  }),
];

const settings = '/api/v1/settings';

/** The servers of the demo are there from the start. */
export const ofToolServersV1: readonly Question[] = [
  post(settings, {
    agent_settings_diff: {
      mcp_config: {
        a: { command: 'x', args: ['y'], env: { A: 'b' } },
        b: { ...remote, auth: bearer },
      },
    },
  }),
  ...get(settings),
];

const profilesV1 = `${settings}/profiles`;
const secretsV1 = '/api/v1/secrets';

export const ofModelsV1: readonly Question[] = [
  post(`${profilesV1}/mine`, { llm }),
  post(`${profilesV1}/mine`, { llm: { model: 'x' }, include_secrets: false }),
  ...get(profilesV1, `${profilesV1}/mine`, `${profilesV1}/gone`),
  post(`${profilesV1}/gone/rename`, { new_name: 'x' }),
  post(`${profilesV1}/mine/rename`, { new_name: 'other' }),
  post(`${profilesV1}/gone/activate`),
  post(`${profilesV1}/other/activate`),
  ...get(profilesV1),
  remove(`${profilesV1}/other`),
  remove(`${profilesV1}/other`),
  post(`${app}/ID/switch_profile`, { profile_name: 'gone' }),
  ...get('/api/v1/config/providers/search'),
  ...get('/api/v1/config/models/search?provider__eq=anthropic'),
  ...get('/api/v1/config/models/search?verified__eq=true&limit=2'),
  post(secretsV1, { name: 'A', value: 'x' }),
  ...get(`${secretsV1}/search`),
  remove(`${secretsV1}/A`),
  remove(`${secretsV1}/A`),
];

const answer = `${held}/ID/events/respond_to_confirmation`;
const policy = `${held}/ID/confirmation_policy`;

/**
 * Requests that steer an agent. The conversation waits with one action, and
 * another one is to come.
 */
export const ofSteering: readonly Question[] = [
  becomes('waiting_for_confirmation'),
  ...get(`${held}/ID`, `${held}/ID/events/x`),
  ...['pause', 'interrupt'].flatMap((verb) => [
    post(`${held}/ID/${verb}`),
    ...get(`${held}/ID`),
  ]),
  becomes('waiting_for_confirmation'),
  post(policy, {
    policy: { kind: 'ConfirmRisky', threshold: 'LOW', confirm_unknown: true },
  }),
  post(policy, { policy: { kind: 'AlwaysConfirm' } }),
  post(`${held}/ID/fork`, { title: 'Another way', tags: { team: 'web' } }),
  post(`${held}/ID/fork`, { from_event_id: 'x' }),
  post(`${held}/ID/switch_profile`, { profile_name: 'x' }),
  ...get('/api/profiles'),
  patch(`${held}/ID`, { title: 'Named' }),
  ...[
    `events/respond_to_confirmation`,
    'events',
    'confirmation_policy',
    'fork',
  ].map((what) =>
    post(`${held}/${nobody}/${what}`, {
      accept: true,
      policy: { kind: 'NeverConfirm' },
    }),
  ),
  ...get(`${held}/${nobody}/events/x`),
  post(
    `${held}/ID/events`,
    text(
      'call: terminal {"command": "sleep 5"}\ncall: think {"thought": "So."}\ncall: terminal {"command": "echo three"}',
      false,
    ),
  ),
  becomes('waiting_for_confirmation'),
  post(answer, { accept: true }),
  // The next one waits.
  becomes('waiting_for_confirmation', 1),
  post(`${held}/ID/run`),
  ...get(`${held}/ID`),
  post(`${held}/ID/run`),
  post(`${held}/ID/interrupt`),
  ...get(`${held}/ID`),
  becomes('paused', 1),
  post(answer, { accept: true }),
  becomes('waiting_for_confirmation', 2),
  post(answer, { accept: false, reason: 'No.' }),
  post(answer, { accept: false }),
  becomes('idle', 2),
  ...get(`${held}/ID`),
  post(`${held}/ID/events`, text('call: finish {"message": "Fine."}')),
  becomes('finished', 3),
  ...get(`${held}/ID`),
  post(`${held}/ID/run`),
  post(answer, { accept: true }),
  becomes('finished', 3),
  post(`${held}/ID/fork`, {}),
  remove(`${held}/ID`),
  post(answer, { accept: true }),
];

export const ofV1: readonly Question[] = [
  ...get('/server_info', '/api/nothing', '/api/conversations'),
  ...get(
    app,
    `${app}?ids=ID&ids=${nobody}`,
    `${app}?${`ids=${nobody}&`.repeat(100)}`,
  ),
  ...get(
    `${app}/search`,
    `${app}/search?limit=1`,
    `${app}/search?page_id=x`,
    `${app}/search?title__contains=~`,
  ),
  ...get(`${app}/search?include_sub_conversations=true`),
  patch(`${app}/${nobody}`, { title: 'x' }),
  remove(`${app}/${nobody}`),
  patch(`${app}/ID`, { title: 'Named' }),
  ...get(`${app}/start-tasks?ids=${nobody}`),
  ...get(`${sandboxes}/search`, `${sandboxes}/search?page_id=x`),
  ...get(`${git}/suggested-tasks/search`),
  ...get(
    '/api/v1/sandbox-specs/search',
    '/api/v1/sandbox-specs/search?page_id=x',
  ),
  post(`${sandboxes}/x/pause`),
  post(`${sandboxes}/x/resume`),
  { method: 'DELETE', path: `${sandboxes}/x?sandbox_id=x` },
];

/** Requests that need a sandbox. */
export const ofSandboxes: readonly Question[] = [
  post(`${sandboxes}/ID/pause`),
  post(`${sandboxes}/ID/resume`),
  { method: 'DELETE', path: `${sandboxes}/ID?sandbox_id=ID` },
];

export const ofV0: readonly Question[] = [
  ...get(held, `${held}?limit=1`, `${held}?page_id=x`),
  ...get(`${held}?conversation_trigger=gui`, `${held}?selected_repository=a/b`),
  ...ofV1.filter(({ path }) => path !== '/api/conversations'),
];

export const creation = {
  waiting: {
    initial_message: text(
      'call: terminal {"command": "echo one"}\ncall: terminal {"command": "echo two"}',
    ),
    confirmation_policy: { kind: 'AlwaysConfirm' },
  },
  agentServer: (profileId: string) => ({
    workspace: { working_dir: workingFolder },
    agent_profile_id: profileId,
    initial_message: text('call: terminal {"command": "echo hello"}'),
    tags: { team: 'web' },
    confirmation_policy: { kind: 'NeverConfirm' },
  }),
  app: { initial_message: text('call: terminal {"command": "echo hello"}') },
};
