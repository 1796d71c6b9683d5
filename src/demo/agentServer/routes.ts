import { failed, json, type HttpAnswer, type Call } from '../http.ts';
import { answerEach, answerFrom, listingOf, pageLimit, pageOf } from '../paging.ts';
import type { Route, RouteContext } from '../route.ts';
import { invalid, isUuid, QueryReader, RequestErrors } from '../validate.ts';
import { createConversation } from './creation.ts';
import type { FolderConversation } from './held.ts';
import { countEvents, oneEvent, searchEvents } from './eventRoutes.ts';
import { favourites, home, subfolders, workspaces } from './folders.ts';
import { archive, download, listChanges, listCommit, listCommits, showDiff } from './gitRoutes.ts';
import { profiles } from './profiles.ts';
import { heldConversation } from './records.ts';
import * as steering from './steering.ts';
import { settingsOfAgentServer } from '../toolServers/agentServerRoutes.ts';
import { executionStatuses, sortOrders } from '../wireTypes.ts';

export const routesOfAgentServer: readonly Route[] = [
  { method: 'GET', path: 'server_info', answer: () => json(serverInfo) },
  { method: 'GET', path: 'api/conversations', answer: some },
  { method: 'POST', path: 'api/conversations', answer: createConversation },
  { method: 'GET', path: 'api/conversations/search', answer: search },
  { method: 'GET', path: 'api/conversations/count', answer: count },
  { method: 'GET', path: 'api/conversations/*', answer: onOne((held) => json(heldConversation(held))) },
  { method: 'PATCH', path: 'api/conversations/*', answer: onOne(steering.changeConversation) },
  { method: 'DELETE', path: 'api/conversations/*', answer: onOne(steering.deleteConversation) },
  { method: 'POST', path: 'api/conversations/*/pause', answer: onOne(steering.pauseAgent) },
  { method: 'POST', path: 'api/conversations/*/interrupt', answer: onOne(steering.interrupt) },
  { method: 'POST', path: 'api/conversations/*/run', answer: onOne(steering.run) },
  { method: 'POST', path: 'api/conversations/*/fork', answer: onOne(steering.fork) },
  { method: 'POST', path: 'api/conversations/*/confirmation_policy', answer: onOne(steering.setPolicy) },
  { method: 'GET', path: 'api/conversations/*/agent_final_response', answer: onOne(steering.finalResponse) },
  { method: 'POST', path: 'api/conversations/*/events', answer: onOne(steering.sendMessage) },
  {
    method: 'POST',
    path: 'api/conversations/*/events/respond_to_confirmation',
    answer: onOne(steering.respond),
  },
  { method: 'GET', path: 'api/conversations/*/events/search', answer: onOne(searchEvents) },
  { method: 'GET', path: 'api/conversations/*/events/count', answer: onOne(countEvents) },
  { method: 'GET', path: 'api/conversations/*/events/*', answer: onOne(oneEvent) },
  { method: 'GET', path: 'api/conversations/*/git/changes', answer: onOne(listChanges) },
  { method: 'GET', path: 'api/conversations/*/git/diff', answer: onOne(showDiff) },
  { method: 'GET', path: 'api/conversations/*/git/commits', answer: onOne(listCommits) },
  { method: 'GET', path: 'api/conversations/*/git/commits/*/changes', answer: onOne(listCommit) },
  { method: 'GET', path: 'api/conversations/*/file/archive', answer: onOne(archive) },
  { method: 'GET', path: 'api/conversations/*/file/download', answer: onOne(download) },
  {
    method: 'GET',
    path: 'api/agent-profiles',
    answer: () => json({ profiles, active_agent_profile_id: profiles[0].id }),
  },
  {
    method: 'GET',
    path: 'api/workspaces',
    answer: () =>
      json({ workspaces: workspaces.map((each) => ({ ...each, parentPath: null })), workspaceParents: [] }),
  },
  {
    method: 'GET',
    path: 'api/file/home',
    answer: () => json({ home, favorites: favourites, locations: [{ label: '/', path: '/' }] }),
  },
  { method: 'GET', path: 'api/file/search_subdirs', answer: searchSubfolders },
  {
    method: 'GET',
    path: 'api/vscode/status',
    answer: () => json({ running: true, enabled: true, message: 'VSCode is running' }),
  },
  { method: 'GET', path: 'api/vscode/url', answer: editorPage },
  ...settingsOfAgentServer,
];

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
function onOne(
  answer: (held: FolderConversation, context: RouteContext, call: Call) => HttpAnswer,
): Route['answer'] {
  return (call, context) => {
    const [, , id = '', what] = call.segments;
    if (!isUuid(id)) {
      const path = new RequestErrors('path');
      path.noteUuid(['conversation_id'], id);
      return invalid(path.errors);
    }
    const held = context.agentServer.find(id);
    if (held) return answer(held, context, call);
    if (what === 'events') return failed(404, `Conversation not found: ${id}`);
    return failed(404, what === 'fork' ? 'Source conversation not found' : 'Not Found');
  };
}

/** Answers with the conversations that have these ids. Without ids, this is not a list. */
function some({ query }: Call, { agentServer }: RouteContext): HttpAnswer {
  const reader = new QueryReader(query);
  const ids = reader.uuids('ids');
  if (reader.errors.length > 0) return invalid(reader.errors);
  return answerEach(ids, (id) => agentServer.find(id), heldConversation);
}

function search({ query }: Call, { agentServer, cursors }: RouteContext): HttpAnswer {
  const reader = new QueryReader(query);
  const limit = reader.integer('limit', { otherwise: pageLimit, above: 0, most: pageLimit });
  const status = reader.oneOf('status', executionStatuses);
  const order = reader.oneOf('sort_order', sortOrders) ?? 'CREATED_AT_DESC';
  if (reader.errors.length > 0) return invalid(reader.errors);

  const positions = agentServer.inOrder(order, status);
  const cursor = reader.text('page_id') ?? '';
  // An unknown one is taken for that of the first page.
  const known = agentServer.positionOf(cursor);
  const place = known === undefined ? reader.cursor(cursors, 'held') : { position: known, empty: 0, lap: 0 };
  const from = place && { ...place, position: Math.max(0, positions.indexOf(place.position)) };
  const { items, next } = pageOf(listingOf(positions), from, limit);
  const beyond = next && { ...next, position: positions[next.position] ?? 0 };
  return json({
    items: items.map((each) => heldConversation(agentServer.at(each))),
    next_page_id: beyond
      ? beyond.empty > 0 || beyond.lap > 0 || (place?.empty ?? 0) > 0
        ? cursors.write('held', beyond)
        : agentServer.at(beyond.position).id
      : null,
  });
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
  const limit = reader.integer('limit', { otherwise: pageLimit, above: 0, most: pageLimit });
  if (reader.errors.length > 0) return invalid(reader.errors);
  if (!path.startsWith('/')) return failed(400, 'Path must be absolute');
  const all = subfolders(path);
  if (!all) return failed(404, 'Directory not found');
  return answerFrom(all, ({ name }) => name, reader, limit);
}
