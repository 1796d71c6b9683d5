import { failed, json, type HttpAnswer, type Call } from '../wire/http.ts';
import { answerEach, answerFrom } from '../wire/paging.ts';
import type {
  AnswerAbout,
  AnswerRequest,
  Routes,
  RouteContext,
} from './route.ts';
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
import type { WireAgentEvent } from '../wire/wireTypes.ts';

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
    const held = context.agentServer.find(call.segments[2] ?? '');
    return held ? answer(held, context, call) : failed(404, 'Not Found');
  };
}

/**
 * Answers with the conversations that have these ids. Without ids, this is not
 * a list.
 */
function some({ query }: Call, { agentServer }: RouteContext): HttpAnswer {
  const ids = query.getAll('ids');
  if (ids.length === 0)
    return failed(422, [{ loc: ['query', 'ids'], msg: 'Field required' }]);
  return answerEach(ids, (id) => agentServer.find(id), heldConversation);
}

function search({ query }: Call, { agentServer }: RouteContext): HttpAnswer {
  const positions =
    query.get('sort_order') === 'UPDATED_AT_DESC'
      ? agentServer.byUpdate()
      : agentServer.byCreation();
  return answerFrom(
    query,
    positions,
    (position) => agentServer.at(position).id,
    (position) => heldConversation(agentServer.at(position)),
    (cursor) => positions.indexOf(agentServer.positionOf(cursor) ?? NaN),
  );
}

function searchSubfolders({ query }: Call): HttpAnswer {
  const all = subfolders(query.get('path') ?? '/');
  return all
    ? answerFrom(query, all, ({ name }) => name)
    : failed(404, 'Directory not found');
}

const searchEvents: AnswerAbout = (held, { agentServer }, { query }) => {
  const kind = query.get('kind');
  const source = query.get('source');
  const events = agentServer
    .work(held)
    .events.filter(
      (event) =>
        event.kind === (kind ?? event.kind) &&
        event.source === (source ?? event.source),
    );
  return answerFrom(query, eventsInOrder(query, events), ({ id }) => id);
};

export function eventsInOrder(
  query: URLSearchParams,
  events: readonly WireAgentEvent[],
): readonly WireAgentEvent[] {
  return query.get('sort_order') === 'TIMESTAMP_DESC'
    ? events.toReversed()
    : events;
}

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
  'GET api/conversations/count': (_, { agentServer }) =>
    json(agentServer.byCreation().length),
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
