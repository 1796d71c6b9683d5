import type { ListName } from './cursor.ts';
import { failed, json, type HttpAnswer, type Call } from './http.ts';
import { pageOf, type Listing } from './paging.ts';
import type { Route, RouteContext } from './route.ts';
import type { DemoSandbox } from './simulatedSandboxes.ts';
import { type Spec, specs } from './specs.ts';
import { broken } from './routesV0.ts';
import { BodyReader, invalid, isUuid, missing, QueryReader } from './validate.ts';
import { providerTypes } from './wireTypes.ts';
import type { NewDemoConversation } from './world.ts';

/** The longest page. */
const most = 100;

const mostIds = 99;

export const routesV1: readonly Route[] = [
  { method: 'GET', path: 'api/v1/app-conversations', answer: conversations },
  { method: 'GET', path: 'api/v1/app-conversations/search', answer: searchConversations },
  { method: 'POST', path: 'api/v1/app-conversations', answer: createConversation },
  { method: 'PATCH', path: 'api/v1/app-conversations/*', answer: changeConversation },
  { method: 'DELETE', path: 'api/v1/app-conversations/*', answer: deleteConversation },
  { method: 'GET', path: 'api/v1/app-conversations/start-tasks', answer: startTasks },
  { method: 'GET', path: 'api/v1/sandboxes/search', answer: searchSandboxes },
  { method: 'POST', path: 'api/v1/sandboxes', answer: startSandbox },
  { method: 'POST', path: 'api/v1/sandboxes/*/pause', answer: pauseSandbox },
  { method: 'POST', path: 'api/v1/sandboxes/*/resume', answer: resumeSandbox },
  { method: 'DELETE', path: 'api/v1/sandboxes/*', answer: deleteSandbox },
  { method: 'GET', path: 'api/v1/sandbox-specs/search', answer: searchSpecs },
];

/** Those with these ids; without ids, a list. */
function conversations(call: Call, service: RouteContext): HttpAnswer {
  const { world, records } = service;
  const ids = new QueryReader(call.query).list('ids');
  if (!ids) return listConversations(call, service, true);
  if (ids.length > mostIds) return failed(400, `Too many ids requested. Maximum is ${mostIds}.`);
  const odd = ids.filter((id) => !isUuid(id));
  if (odd.length > 0) return failed(400, `Invalid UUID format for ids: ['${odd.join("', '")}']`);
  return json(
    ids.map((id) => {
      const conversation = world.conversation(id);
      return conversation ? records.appConversation(conversation) : null;
    }),
  );
}

/** An order that is asked for is ignored. */
function searchConversations(call: Call, service: RouteContext): HttpAnswer {
  return listConversations(call, service, false);
}

/** `all`: also those that others have begun, which are otherwise asked for. */
function listConversations(
  { query }: Call,
  { world, records, cursors }: RouteContext,
  all: boolean,
): HttpAnswer {
  const reader = new QueryReader(query);
  const areAsked = reader.flag('include_sub_conversations');
  const listing = world.conversations({
    titleContains: reader.text('title__contains'),
    createdFrom: reader.time('created_at__gte'),
    createdBefore: reader.time('created_at__lt'),
    updatedFrom: reader.time('updated_at__gte'),
    updatedBefore: reader.time('updated_at__lt'),
    subConversations: all || areAsked,
  });
  return list(reader, 'conversations', listing, cursors, (item) => records.appConversation(item));
}

/** Answers with the whole record. */
function changeConversation(call: Call, { world, records }: RouteContext): HttpAnswer {
  const { segments, headers, body } = call;
  const reader = new BodyReader();
  const request = reader.parse(headers['content-type'] ?? '', body);
  const given = request?.title ?? undefined;
  const title = given === undefined ? undefined : reader.string(['title'], given);
  if (reader.errors.length > 0) return invalid(reader.errors);
  const id = segments[3] ?? '';
  if (!isUuid(id)) return broken;
  const conversation = world.conversation(id);
  if (!conversation) return failed(404, 'unknown_app_conversation');
  if (title !== undefined) world.rename(conversation, title);
  return json(records.appConversation(world.conversation(id) ?? conversation));
}

function deleteConversation({ segments }: Call, { world }: RouteContext): HttpAnswer {
  const id = segments[3] ?? '';
  if (!isUuid(id)) return failed(400, 'Invalid conversation ID format');
  const conversation = world.conversation(id);
  if (!conversation) return failed(404, 'Conversation not found');
  world.delete(conversation);
  return json({ success: true });
}

function createConversation(call: Call, { world, records }: RouteContext): HttpAnswer {
  const reader = new BodyReader();
  const creation = readCreation(reader, call);
  return creation ? json(records.startTask(world.create(creation))) : invalid(reader.errors);
}

function readCreation(reader: BodyReader, { headers, body }: Call): NewDemoConversation | undefined {
  const request = reader.parse(headers['content-type'] ?? '', body);
  if (!request) return undefined;
  /** Null counts as missing. */
  const optional = <Value>(name: string, read: (loc: readonly string[], value: unknown) => Value) => {
    const value = request[name] ?? undefined;
    return value === undefined ? undefined : read([name], value);
  };
  const creation = {
    message: readMessage(reader, request.initial_message),
    repository: optional('selected_repository', (loc, value) => reader.string(loc, value)),
    branch: optional('selected_branch', (loc, value) => reader.string(loc, value)),
    provider: optional('git_provider', (loc, value) => reader.oneOf(loc, value, providerTypes)),
    sandboxId: optional('sandbox_id', (loc, value) => reader.string(loc, value)),
  };
  return reader.errors.length > 0 ? undefined : creation;
}

function readMessage(reader: BodyReader, value: unknown): string {
  const message = reader.object(['initial_message'], value);
  const content = message && reader.list(['initial_message', 'content'], message.content);
  const texts = content?.map((item, index) => {
    const loc = ['initial_message', 'content', index];
    const part = reader.object(loc, item);
    if (!part) return '';
    reader.oneOf([...loc, 'type'], part.type, ['text']);
    return reader.string([...loc, 'text'], part.text) ?? '';
  });
  return texts?.join('\n') ?? '';
}

function startTasks({ query }: Call, { world, records }: RouteContext): HttpAnswer {
  const reader = new QueryReader(query);
  const ids = reader.uuids('ids');
  if (reader.errors.length > 0) return invalid(reader.errors);
  return json(
    ids.map((id) => {
      const task = world.task(id);
      return task ? records.startTask(task) : null;
    }),
  );
}

function searchSandboxes({ query }: Call, { world, records, cursors }: RouteContext): HttpAnswer {
  const { all } = world.sandboxes;
  // Some may have been deleted.
  const byPosition = new Map(all.map((sandbox) => [sandbox.position, sandbox]));
  const listing: Listing<DemoSandbox | undefined> = {
    first: all[0]?.position ?? 0,
    end: (all.at(-1)?.position ?? -1) + 1,
    wanted: (position) => byPosition.has(position),
    at: (position) => byPosition.get(position),
  };
  return list(new QueryReader(query), 'sandboxes', listing, cursors, (item) => item && records.sandbox(item));
}

function startSandbox({ query }: Call, { world, records }: RouteContext): HttpAnswer {
  const spec = query.get('sandbox_spec_id') ?? undefined;
  // A real service does not expect this.
  if (spec !== undefined && !specs.some(({ name }) => name === spec)) return broken;
  return json(records.sandbox(world.sandboxes.start(spec)));
}

function pauseSandbox({ segments }: Call, { world }: RouteContext): HttpAnswer {
  return world.sandboxes.pause(segments[3] ?? '') ? json({ success: true }) : failed(404, 'Not Found');
}

function resumeSandbox({ segments }: Call, { world }: RouteContext): HttpAnswer {
  return world.sandboxes.resume(segments[3] ?? '') ? json({ success: true }) : failed(404, 'Not Found');
}

/** The id counts in the query, not in the path. */
function deleteSandbox({ query }: Call, { world }: RouteContext): HttpAnswer {
  const id = query.get('sandbox_id');
  if (id === null) return invalid([missing('sandbox_id')]);
  return world.sandboxes.delete(id) ? json({ success: true }) : failed(404, 'Not Found');
}

function searchSpecs({ query }: Call, { records, cursors }: RouteContext): HttpAnswer {
  const listing: Listing<Spec> = {
    first: 0,
    end: specs.length,
    wanted: () => true,
    at: (position) => specs[position] ?? specs[0],
  };
  return list(new QueryReader(query), 'specs', listing, cursors, (item) => records.spec(item));
}

/** Answers with a page, unless something in the query is invalid. */
function list<Item>(
  reader: QueryReader,
  name: ListName,
  listing: Listing<Item>,
  cursors: RouteContext['cursors'],
  record: (item: Item) => unknown,
): HttpAnswer {
  const limit = reader.integer('limit', { otherwise: most, above: 0, most });
  const place = reader.cursor(cursors, name);
  if (reader.errors.length > 0) return invalid(reader.errors);
  const { items, next } = pageOf(listing, place, limit);
  return json({ items: items.map(record), next_page_id: next ? cursors.write(name, next) : null });
}
