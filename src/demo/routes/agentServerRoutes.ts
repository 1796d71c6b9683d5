import { failed, json, type HttpAnswer, type Call } from '../wire/http.ts';
import { answerEach, answerFrom } from '../wire/paging.ts';
import type {
  AnswerAbout,
  AnswerRequest,
  Routes,
  RouteContext,
} from './route.ts';
import {
  invalid,
  isUuid,
  QueryReader,
  RequestErrors,
} from '../wire/validate.ts';
import {
  favourites,
  home,
  subfolders,
  workspaces,
} from '../agentServer/folders.ts';
import {
  archive,
  download,
  listChanges,
  listCommit,
  listCommits,
  runGitCommand,
  showDiff,
} from './gitRoutes.ts';
import { runFolderCommand } from './worktreeRoutes.ts';
import { heldConversation } from '../agentServer/records.ts';
import { automationRoutes } from './automationRoutes.ts';
import { modelRoutes } from './modelRoutes.ts';
import * as steering from './steeringRoutes.ts';
import { settingsOfAgentServer } from './serviceServersAtAgentServer.ts';
import {
  eventOrders,
  executionStatuses,
  sortOrders,
} from '../wire/wireTypes.ts';

/** The address of a page for browsers that stands in for the editor. */
function editorPage({ query, headers }: Call): HttpAnswer {
  const folder = query.get('workspace_dir') ?? 'workspace';
  const url = new URL(`http://${headers.host ?? '127.0.0.1'}/editor`);
  url.search = new URLSearchParams({ tkn: 'demo-token', folder }).toString();
  return json({ url: url.href });
}

/** Callers recognise an Agent Server by its title. */
const serverInfo = {
  uptime: 86_400,
  idle_time: 12,
  title: 'OpenHands Agent Server',
  version: '1.58.2',
  sdk_version: '1.58.2',
  tools_version: '1.58.2',
  workspace_version: '1.58.2',
  build_git_sha: 'unknown',
  build_git_ref: 'unknown',
  python_version: '3.12.1',
  usable_tools: ['terminal', 'file_editor', 'task_tracker', 'browser_tool_set'],
  runtime_idle_timeout_seconds: null,
  conversation_runtime: 'local',
  available_conversation_runtimes: [],
  capabilities: ['idempotent_conversation_create_v1', 'tool_catalog_v1'],
  app_backend_ingress_url: null,
  max_foreground_terminal_timeout_seconds: null,
  docs: '/docs',
  redoc: '/redoc',
};

/** Answers about the conversation in the path. */
function onOne(answer: AnswerAbout): AnswerRequest {
  return (call, context) => {
    const [, , id = '', what] = call.segments;
    if (!isUuid(id)) {
      const path = new RequestErrors('path');
      path.note(['conversation_id'], 'Input should be a valid UUID');
      return invalid(path.errors);
    }
    const held = context.agentServer.find(id);
    if (held) return answer(held, context, call);
    if (what === 'events') return failed(404, `Conversation not found: ${id}`);
    return failed(
      404,
      what === 'fork' ? 'Source conversation not found' : 'Not Found',
    );
  };
}

/**
 * Answers with the conversations that have these ids. Without ids, this is not
 * a list.
 */
function some({ query }: Call, { agentServer }: RouteContext): HttpAnswer {
  const reader = new QueryReader(query);
  const ids = reader.uuids('ids');
  if (reader.errors.length > 0) return invalid(reader.errors);
  return answerEach(ids, (id) => agentServer.find(id), heldConversation);
}

function search({ query }: Call, { agentServer }: RouteContext): HttpAnswer {
  const reader = new QueryReader(query);
  const status = reader.oneOf('status', executionStatuses);
  const order = reader.oneOf('sort_order', sortOrders) ?? 'CREATED_AT_DESC';
  const positions = agentServer.inOrder(order, status);
  return answerFrom(
    reader,
    positions,
    (position) => agentServer.at(position).id,
    (position) => heldConversation(agentServer.at(position)),
    (cursor) => positions.indexOf(agentServer.positionOf(cursor) ?? NaN),
  );
}

function count({ query }: Call, { agentServer }: RouteContext): HttpAnswer {
  const reader = new QueryReader(query);
  const status = reader.oneOf('status', executionStatuses);
  if (reader.errors.length > 0) return invalid(reader.errors);
  return json(agentServer.inOrder('CREATED_AT', status).length);
}

function searchSubfolders({ query }: Call): HttpAnswer {
  const reader = new QueryReader(query);
  const path = reader.required('path');
  if (reader.errors.length > 0) return invalid(reader.errors);
  if (!path.startsWith('/')) return failed(400, 'Path must be absolute');
  const all = subfolders(path);
  return all
    ? answerFrom(reader, all, ({ name }) => name)
    : failed(404, 'Directory not found');
}

const searchEvents: AnswerAbout = (held, { agentServer }, { query }) => {
  const reader = new QueryReader(query);
  const order = reader.oneOf('sort_order', eventOrders) ?? 'TIMESTAMP';
  const kind = reader.text('kind');
  const source = reader.text('source');
  const events = agentServer
    .work(held)
    .events.filter(
      (event) =>
        event.kind === (kind ?? event.kind) &&
        event.source === (source ?? event.source),
    );
  return answerFrom(
    reader,
    order === 'TIMESTAMP' ? events : events.toReversed(),
    ({ id }) => id,
  );
};

const oneEvent: AnswerAbout = (held, { agentServer }, { segments }) => {
  const event = agentServer
    .work(held)
    .events.find(({ id }) => id === segments[4]);
  return event ? json(event) : failed(404, 'Not Found');
};

export const routesOfAgentServer: Routes = {
  'GET server_info': () => json(serverInfo),
  'GET api/conversations': some,
  'POST api/conversations': steering.createConversation,
  'GET api/conversations/search': search,
  'GET api/conversations/count': count,
  'GET api/conversations/*': onOne((held) => json(heldConversation(held))),
  'PATCH api/conversations/*': onOne(steering.changeConversation),
  'DELETE api/conversations/*': onOne(steering.deleteConversation),
  'POST api/conversations/*/pause': onOne(steering.pauseAgent),
  'POST api/conversations/*/interrupt': onOne(steering.interrupt),
  'POST api/conversations/*/run': onOne(steering.run),
  'POST api/conversations/*/fork': onOne(steering.fork),
  'POST api/conversations/*/confirmation_policy': onOne(steering.setPolicy),
  'POST api/conversations/*/security_analyzer': onOne(steering.setAnalyzer),
  'POST api/conversations/*/ask_agent': onOne(steering.askAgent),
  'POST api/conversations/*/condense': onOne(steering.condense),
  'POST api/conversations/*/switch_profile': onOne(steering.switchProfile),
  'POST api/conversations/*/bash/execute_bash_command': onOne(runGitCommand),
  'POST api/bash/execute_bash_command': runFolderCommand,
  'POST api/conversations/*/events': onOne(steering.sendMessage),
  'POST api/conversations/*/events/respond_to_confirmation': onOne(
    steering.respond,
  ),
  'GET api/conversations/*/events/search': onOne(searchEvents),
  'GET api/conversations/*/events/*': onOne(oneEvent),
  'GET api/conversations/*/git/changes': onOne(listChanges),
  'GET api/conversations/*/git/diff': onOne(showDiff),
  'GET api/conversations/*/git/commits': onOne(listCommits),
  'GET api/conversations/*/git/commits/*/changes': onOne(listCommit),
  'GET api/conversations/*/file/archive': onOne(archive),
  'GET api/conversations/*/file/download': onOne(download),
  'GET api/workspaces': () =>
    json({
      workspaces: workspaces.map((workspace) => ({
        ...workspace,
        parentPath: null,
      })),
      workspaceParents: [],
    }),
  'GET api/file/home': () =>
    json({
      home,
      favorites: favourites,
      locations: [{ label: '/', path: '/' }],
    }),
  'GET api/file/search_subdirs': searchSubfolders,
  'GET api/vscode/status': () =>
    json({ running: true, enabled: true, message: 'VSCode is running' }),
  'GET api/vscode/url': editorPage,
  ...settingsOfAgentServer,
  ...modelRoutes,
  ...automationRoutes,
};
