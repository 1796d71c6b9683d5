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
  ...get(held, `${held}?ids=ID&ids=${nobody}`, `${held}?ids=x`),
  ...get(
    `${held}/search`,
    `${held}/search?limit=1&sort_order=UPDATED_AT_DESC`,
    `${held}/search?page_id=x`,
  ),
  ...get(
    `${held}/search?limit=101`,
    `${held}/search?limit=0`,
    `${held}/search?limit=x`,
  ),
  ...get(
    `${held}/search?status=x`,
    `${held}/search?sort_order=x`,
    `${held}/search?status=stuck`,
  ),
  ...get(
    `${held}/count`,
    `${held}/count?status=x`,
    `${held}/ID`,
    `${held}/${nobody}`,
    `${held}/x`,
  ),
  ...get(
    `${held}/ID/events/search`,
    `${held}/ID/events/search?limit=1&sort_order=TIMESTAMP_DESC&source=user`,
  ),
  ...get(
    `${held}/ID/events/search?kind=MessageEvent&source=user&limit=1&page_id=x`,
  ),
  ...get(
    `${held}/ID/events/search?limit=101`,
    `${held}/ID/events/search?sort_order=x`,
  ),
  ...get(`${held}/${nobody}/events/search`),
  ...get('/api/agent-profiles', '/api/workspaces', '/api/file/home'),
  ...get(
    '/api/file/search_subdirs?path=/',
    '/api/file/search_subdirs?path=/&limit=1&page_id=x',
  ),
  ...get(
    '/api/file/search_subdirs?path=/nowhere',
    '/api/file/search_subdirs?path=x',
    '/api/file/search_subdirs',
  ),
  post(held, {}),
  post(held, { workspace: { working_dir: workingFolder } }),
  post(held, {
    workspace: { working_dir: workingFolder },
    agent_profile_id: nobody,
  }),
  post(held, {
    workspace: { working_dir: workingFolder },
    agent_profile_id: 'x',
  }),
  post(held, {
    workspace: { working_dir: workingFolder },
    agent_profile_id: nobody,
    tags: { 'a b': 'c' },
  }),
  post(held, {
    workspace: { working_dir: 1 },
    initial_message: { role: 'robot', content: 'x' },
  }),
  {
    method: 'PATCH',
    path: `${held}/ID`,
    body: { title: 'Named', tags: { team: 'web' } },
  },
  { method: 'PATCH', path: `${held}/ID`, body: { title: '' } },
  { method: 'PATCH', path: `${held}/ID`, body: { tags: { 'a b': 'c' } } },
  {
    method: 'PATCH',
    path: `${held}/ID`,
    body: { tags: { a: 'x'.repeat(257) } },
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
  env: { TOKEN: 'x', EMPTY: '' },
  transport: 'stdio',
};
const remote = {
  url: 'https://h.example/mcp',
  transport: 'http',
  headers: { 'X-Key': 'x' },
};
const bearer = { strategy: 'bearer', value: 'x' };

/** Entries of which some are taken and others are not. */
const entries: readonly unknown[] = [
  { ...local, tools: {} },
  {
    ...local,
    type: 'stdio',
    include_tags: [],
    authentication: {},
    disabled: true,
  },
  { ...local, command: '' },
  { ...local, command: 1, args: 'x', env: [] },
  { ...local, args: [1], env: { A: 1 } },
  { ...local, url: 1, transport: 'ws' },
  { ...local, enabled: null },
  { ...local, enabled: 'maybe' },
  { ...local, timeout: 'x', cwd: 1, keep_alive: 'maybe' },
  { command: 'x', transport: 'http' },
  { url: 'https://h.example', transport: 'stdio' },
  { ...remote, auth: 'oauth' },
  { ...remote, auth: {} },
  { ...remote, auth: { strategy: 'x' } },
  { ...remote, auth: bearer, headers: { authorization: 'x' } },
  [],
  undefined,
];

/** The MCP servers of the settings. */
const profiles = '/api/profiles';
const agentProfiles = '/api/agent-profiles';
const secrets = '/api/settings/secrets';
const llm = { model: 'openai/x', base_url: 'http://127.0.0.1:1', api_key: 'k' };

export const ofModels: readonly Question[] = [
  post(`${profiles}/mine`, { llm }),
  post(`${profiles}/mine`, { llm: { api_key: 'k' } }),
  ...get(profiles, `${profiles}/mine`, `${profiles}/gone`),
  post(`${profiles}/mine/validate`, { llm: { model: 'x' } }),
  post(`${profiles}/mine/validate`, {}),
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
  post(`${agentProfiles}/default`, { agent_kind: 'openhands' }),
  ...get('/api/llm/providers', '/api/llm/models?provider=anthropic'),
  ...get('/api/llm/models/verified'),
  { method: 'PUT', path: secrets, body: { name: 'A', value: 'x' } },
  { method: 'PUT', path: secrets, body: { name: 'A' } },
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
  post(`${ours}/c`, { command: 'x', env: { A: '**********' }, enabled: 'no' }),
  post(`${ours}/d%2Fe`, local),
  ...get('/api/settings'),
  ...entries.map((entry) => post(`${ours}/e`, entry)),
  patch(`${ours}/nothing`, { enabled: false }),
  ...[
    {},
    { enabled: false },
    { enabled: null },
    { args: null },
    { env: { TOKEN: '**********' } },
  ].map((body) => patch(`${ours}/a`, body)),
  ...[
    { env: { MORE: 'x' } },
    { env: { MORE: null } },
    { tools: {} },
    { transport: 'ws' },
  ].map((body) => patch(`${ours}/a`, body)),
  patch(`${ours}/a`, {
    url: 'https://h.example',
    command: null,
    transport: 'http',
    auth: bearer,
  }),
  patch(`${ours}/a`, { headers: { Authorization: 'x' } }),
  patch(`${ours}/a`, { auth: null }),
  ...get('/api/settings', `${ours}/a`),
  remove(`${ours}/b`),
  remove(`${ours}/b`),
  ...[
    {},
    { server: {} },
    { server: local, timeout: 121 },
    { server: local, timeout: 0 },
    { server: [] },
  ].map((body) => post('/api/mcp/test', body)),
  ...[
    { command: 'x', env: { A: 1 } },
    { ...remote, auth: 'oauth' },
    { command: 'x', transport: 'ws' },
  ].map((server) => post('/api/mcp/test', { server })),
  post('/api/mcp/test', { name: 'x'.repeat(129), server: local }),
  post('/api/mcp/test', {
    server: { ...remote, auth: bearer, headers: { authorization: 'x' } },
  }),
  post('/api/mcp/test', { server: { ...remote, authentication: {} } }),
  post('/api/mcp/test', {
    server: { command: 'no-such-program', tools: {}, enabled: false },
    timeout: 5,
  }),
  post('/api/mcp/test', {
    server: { url: 'http://127.0.0.1:1/mcp' },
    timeout: 5,
  }),
];

const settings = '/api/v1/settings';
const serversV1 = (mcp_config: unknown): Question =>
  post(settings, { agent_settings_diff: { mcp_config } });

/** Changes of MCP servers, each of which replaces all of them. */
export const ofToolServersV1: readonly Question[] = [
  serversV1({
    a: { command: 'x', env: { A: 'b' } },
    b: { ...remote, auth: bearer },
  }),
  ...get(settings),
  serversV1({ c: { command: 'x', enabled: false } }),
  serversV1({ c: { command: 'x', tools: {} } }),
  serversV1({ c: null }),
  ...get(settings),
  serversV1({ mcpServers: { d: { command: 'x' } } }),
  ...get(settings),
  post(settings, { agent_settings: {} }),
  patch(settings, {}),
  post(`${settings}/mcp/a`, local),
  serversV1({}),
  ...get(settings),
];

const profilesV1 = `${settings}/profiles`;
const secretsV1 = '/api/v1/secrets';

export const ofModelsV1: readonly Question[] = [
  post(`${profilesV1}/mine`, { llm }),
  post(`${profilesV1}/mine`, { llm: { api_key: 5 } }),
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
  post(secretsV1, { name: 'A' }),
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
  ...[{}, { accept: 'maybe' }, { accept: true, reason: 1 }, [], undefined].map(
    (body) => post(answer, body),
  ),
  ...['role', 'content', 'run'].map((name) =>
    post(`${held}/ID/events`, { [name]: 'x' }),
  ),
  ...[{}, { policy: {} }, { policy: { kind: 'x' } }].map((body) =>
    post(policy, body),
  ),
  post(policy, { policy: { kind: 'ConfirmRisky', threshold: 'LOW' } }),
  post(policy, { policy: { kind: 'AlwaysConfirm' } }),
  post(`${held}/ID/fork`, { title: 'Another way', tags: { team: 'web' } }),
  post(`${held}/ID/fork`, { title: 'x'.repeat(201) }),
  post(`${held}/ID/fork`, { from_event_id: 'x' }),
  post(`${held}/ID/ask_agent`, {}),
  post(`${held}/ID/switch_profile`, {}),
  post(`${held}/ID/switch_profile`, { profile_name: 'x' }),
  ...get('/api/profiles'),
  patch(`${held}/ID`, { title: 'x'.repeat(201) }),
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
    `${app}?ids=x`,
    `${app}?${`ids=${nobody}&`.repeat(100)}`,
  ),
  ...get(
    `${app}/search`,
    `${app}/search?limit=1`,
    `${app}/search?page_id=x`,
    `${app}/search?title__contains=~`,
  ),
  ...get(
    `${app}/search?limit=101`,
    `${app}/search?limit=0`,
    `${app}/search?limit=x`,
  ),
  ...get(
    `${app}/search?include_sub_conversations=1`,
    `${app}/search?include_sub_conversations=x`,
  ),
  ...get(`${app}/search?sort_order=x`),
  ...[{ title: 'x' }, { title: 1 }, {}, undefined].map((body) =>
    patch(`${app}/${nobody}`, body),
  ),
  patch(`${app}/x`, { title: 'x' }),
  remove(`${app}/${nobody}`),
  remove(`${app}/x`),
  patch(`${app}/ID`, { title: 'Named' }),
  ...get(
    `${app}/start-tasks`,
    `${app}/start-tasks?ids=x`,
    `${app}/start-tasks?ids=${nobody}`,
  ),
  post(app, { initial_message: { content: 'x' } }),
  post(app, {
    initial_message: { content: [{ type: 'text', text: 'x' }] },
    git_provider: 'x',
  }),
  ...get(
    `${sandboxes}/search`,
    `${sandboxes}/search?page_id=x`,
    `${sandboxes}/search?limit=101`,
  ),
  ...get(
    `${git}/repositories/search`,
    `${git}/repositories/search?provider=x`,
    `${git}/branches/search`,
  ),
  ...get(
    `${git}/suggested-tasks/search`,
    `${git}/suggested-tasks/search?limit=101`,
  ),
  ...get(
    '/api/v1/sandbox-specs/search',
    '/api/v1/sandbox-specs/search?page_id=x',
  ),
  post(`${sandboxes}?sandbox_spec_id=x`),
  post(`${sandboxes}/x/pause`),
  post(`${sandboxes}/x/resume`),
  { method: 'DELETE', path: `${sandboxes}/x` },
  { method: 'DELETE', path: `${sandboxes}/x?sandbox_id=x` },
];

/** Requests that need a sandbox. */
export const ofSandboxes: readonly Question[] = [
  post(`${sandboxes}/ID/pause`),
  post(`${sandboxes}/ID/resume`),
  { method: 'DELETE', path: `${sandboxes}/ID?sandbox_id=ID` },
];

export const ofV0: readonly Question[] = [
  ...get(
    held,
    `${held}?limit=1`,
    `${held}?limit=0`,
    `${held}?limit=x`,
    `${held}?page_id=x`,
  ),
  ...get(
    `${held}?conversation_trigger=x`,
    `${held}?conversation_trigger=gui`,
    `${held}?selected_repository=a/b`,
  ),
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
