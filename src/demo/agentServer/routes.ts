import { failed, json, type HttpAnswer, type Call } from '../http.ts';
import { pageOf } from '../paging.ts';
import type { ListPosition } from '../cursor.ts';
import type { Route, RouteContext } from '../route.ts';
import { invalid, isUuid, QueryReader } from '../validate.ts';
import { createConversation } from './creation.ts';
import type { FolderConversation } from './held.ts';
import { countEvents, oneEvent, searchEvents } from './eventRoutes.ts';
import { favourites, home, subfolders, workspaces } from './folders.ts';
import { archive, download, listChanges, listCommit, listCommits, showDiff } from './gitRoutes.ts';
import { profiles } from './profiles.ts';
import { heldConversation } from './records.ts';
import { changeConversation } from './changeConversation.ts';
import {
  finalResponse,
  fork,
  interrupt,
  pauseAgent,
  deleteConversation,
  respond,
  run,
  sendMessage,
  setPolicy,
} from './steering.ts';
import { settingsOfAgentServer } from '../toolServers/agentServerRoutes.ts';
import { executionStatuses, sortOrders } from './wire.ts';

const most = 100;

export const routesOfAgentServer: readonly Route[] = [
  { method: 'GET', path: 'server_info', answer: () => json(serverInfo) },
  { method: 'GET', path: 'api/conversations', answer: some },
  { method: 'POST', path: 'api/conversations', answer: createConversation },
  { method: 'GET', path: 'api/conversations/search', answer: search },
  { method: 'GET', path: 'api/conversations/count', answer: count },
  { method: 'GET', path: 'api/conversations/*', answer: onOne((held) => json(heldConversation(held))) },
  { method: 'PATCH', path: 'api/conversations/*', answer: onOne(changeConversation) },
  { method: 'DELETE', path: 'api/conversations/*', answer: onOne(deleteConversation) },
  { method: 'POST', path: 'api/conversations/*/pause', answer: onOne(pauseAgent) },
  { method: 'POST', path: 'api/conversations/*/interrupt', answer: onOne(interrupt) },
  { method: 'POST', path: 'api/conversations/*/run', answer: onOne(run) },
  { method: 'POST', path: 'api/conversations/*/fork', answer: onOne(fork) },
  { method: 'POST', path: 'api/conversations/*/confirmation_policy', answer: onOne(setPolicy) },
  { method: 'GET', path: 'api/conversations/*/agent_final_response', answer: onOne(finalResponse) },
  { method: 'POST', path: 'api/conversations/*/events', answer: onOne(sendMessage) },
  {
    method: 'POST',
    path: 'api/conversations/*/events/respond_to_confirmation',
    answer: onOne(respond),
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

/** In place of an editor there is one of the pages that the demo has for browsers. */
function editorPage({ query, headers }: Call): HttpAnswer {
  const folder = query.get('workspace_dir') ?? 'workspace';
  const url = new URL(`http://${headers.host ?? '127.0.0.1'}/editor`);
  url.search = new URLSearchParams({ tkn: 'demo-token', folder }).toString();
  return json({ url: url.href });
}

/** By this, callers recognise an Agent Server. */
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
      const reader = new QueryReader(call.query);
      reader.noteUuid(['path', 'conversation_id'], id);
      return invalid(reader.errors);
    }
    const held = context.agentServer.find(id);
    if (held) return answer(held, context, call);
    if (what === 'events') return failed(404, `Conversation not found: ${id}`);
    return failed(404, what === 'fork' ? 'Source conversation not found' : 'Not Found');
  };
}

/** Those with these ids, with null for each that is missing. Without ids, this is not a list. */
function some({ query }: Call, { agentServer }: RouteContext): HttpAnswer {
  const reader = new QueryReader(query);
  const ids = reader.uuids('ids');
  if (reader.errors.length > 0) return invalid(reader.errors);
  return json(
    ids.map((id) => {
      const held = agentServer.find(id);
      return held ? heldConversation(held) : null;
    }),
  );
}

function search({ query }: Call, { agentServer, cursors }: RouteContext): HttpAnswer {
  const reader = new QueryReader(query);
  const limit = reader.integer('limit', { otherwise: most, above: 0, most });
  const status = reader.oneOf('status', executionStatuses);
  const order = reader.oneOf('sort_order', sortOrders) ?? 'CREATED_AT_DESC';
  if (reader.errors.length > 0) return invalid(reader.errors);

  const positions = agentServer.inOrder(order, status);
  const cursor = reader.text('page_id') ?? '';
  // One that it does not know is taken for that of the first page.
  const place = startingWith(agentServer.positionOf(cursor)) ?? reader.cursor(cursors, 'held');
  const from = place && { ...place, position: Math.max(0, positions.indexOf(place.position)) };
  const listing = {
    first: 0,
    end: positions.length,
    wanted: () => true,
    at: (index: number) => agentServer.at(positions[index] ?? 0),
  };
  const { items, next } = pageOf(listing, from, limit);
  const beyond = next && { ...next, position: positions[next.position] ?? 0 };
  return json({
    items: items.map(heldConversation),
    next_page_id: beyond
      ? beyond.empty > 0 || beyond.lap > 0 || (place?.empty ?? 0) > 0
        ? cursors.write('held', beyond)
        : agentServer.at(beyond.position).id
      : null,
  });
}

function startingWith(position: number | undefined): ListPosition | undefined {
  return position === undefined ? undefined : { position, empty: 0, lap: 0 };
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
  const limit = reader.integer('limit', { otherwise: most, above: 0, most });
  if (reader.errors.length > 0) return invalid(reader.errors);
  if (!path.startsWith('/')) return failed(400, 'Path must be absolute');
  const all = subfolders(path);
  if (!all) return failed(404, 'Directory not found');
  const start = Math.max(
    0,
    all.findIndex(({ name }) => name === reader.text('page_id')),
  );
  return json({ items: all.slice(start, start + limit), next_page_id: all[start + limit]?.name ?? null });
}
