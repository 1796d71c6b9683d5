import type { ListName } from './cursor.ts';
import { failed, json, type Answer, type Call } from './http.ts';
import { page, type Listing } from './paging.ts';
import type { Route, RouteContext } from './route.ts';
import { specs } from './specs.ts';
import { BodyReader, invalid, QueryReader } from './validate.ts';
import { providerTypes } from './wire.ts';
import type { Creation } from './world.ts';

/** The longest page, and the most ids in one request. */
const most = 100;

export const routesV1: readonly Route[] = [
  { method: 'GET', path: 'api/v1/app-conversations', answer: conversations },
  { method: 'GET', path: 'api/v1/app-conversations/search', answer: searchConversations },
  { method: 'POST', path: 'api/v1/app-conversations', answer: createConversation },
  { method: 'GET', path: 'api/v1/app-conversations/start-tasks', answer: startTasks },
  { method: 'GET', path: 'api/v1/sandboxes/search', answer: searchSandboxes },
  { method: 'POST', path: 'api/v1/sandboxes', answer: startSandbox },
  { method: 'POST', path: 'api/v1/sandboxes/*/pause', answer: pauseSandbox },
  { method: 'POST', path: 'api/v1/sandboxes/*/resume', answer: resumeSandbox },
  { method: 'GET', path: 'api/v1/sandbox-specs/search', answer: searchSpecs },
];

/** Those with these ids; without ids, a list. */
function conversations(call: Call, service: RouteContext): Answer {
  const { world, records } = service;
  const reader = new QueryReader(call.query);
  const ids = reader.list('ids', most);
  if (reader.errors.length > 0) return invalid(reader.errors);
  if (!ids) return searchConversations(call, service);
  return json(
    ids.map((id) => {
      const conversation = world.conversation(id);
      return conversation ? records.appConversation(conversation) : null;
    }),
  );
}

function searchConversations({ query }: Call, { world, records, cursors }: RouteContext): Answer {
  const reader = new QueryReader(query);
  const listing = world.conversations({
    titleContains: reader.text('title__contains'),
    createdFrom: reader.time('created_at__gte'),
    createdBefore: reader.time('created_at__lt'),
    updatedFrom: reader.time('updated_at__gte'),
    updatedBefore: reader.time('updated_at__lt'),
  });
  return list(reader, 'conversations', listing, cursors, (item) => records.appConversation(item));
}

function createConversation(call: Call, { world, records }: RouteContext): Answer {
  const reader = new BodyReader();
  const creation = readCreation(reader, call);
  return creation ? json(records.startTask(world.create(creation))) : invalid(reader.errors);
}

function readCreation(reader: BodyReader, { headers, body }: Call): Creation | undefined {
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

function startTasks({ query }: Call, { world, records }: RouteContext): Answer {
  const reader = new QueryReader(query);
  const ids = reader.list('ids', most);
  if (!ids) reader.missing('ids');
  if (reader.errors.length > 0 || !ids) return invalid(reader.errors);
  return json(
    ids.map((id) => {
      const task = world.task(id);
      return task ? records.startTask(task) : null;
    }),
  );
}

function searchSandboxes({ query }: Call, { world, records, cursors }: RouteContext): Answer {
  const { all } = world.sandboxes;
  const newest = all[0]?.position ?? 0;
  const listing = positioned(all, newest);
  return list(new QueryReader(query), 'sandboxes', listing, cursors, (item) => records.sandbox(item));
}

function startSandbox({ query }: Call, { world, records }: RouteContext): Answer {
  const reader = new QueryReader(query);
  const spec = reader.oneOf(
    'sandbox_spec_id',
    specs.map(({ name: id }) => id),
  );
  if (reader.errors.length > 0) return invalid(reader.errors);
  return json(records.sandbox(world.sandboxes.start(spec)));
}

function pauseSandbox({ segments }: Call, { world }: RouteContext): Answer {
  return world.sandboxes.pause(segments[3] ?? '')
    ? json({ success: true })
    : failed(404, 'Sandbox not found');
}

function resumeSandbox({ segments }: Call, { world }: RouteContext): Answer {
  return world.sandboxes.resume(segments[3] ?? '')
    ? json({ success: true })
    : failed(404, 'Sandbox not found');
}

function searchSpecs({ query }: Call, { records, cursors }: RouteContext): Answer {
  return list(new QueryReader(query), 'specs', positioned(specs, 0), cursors, (item) => records.spec(item));
}

/** Answers with a page, unless something in the query is invalid. */
function list<Item>(
  reader: QueryReader,
  name: ListName,
  listing: Listing<Item>,
  cursors: RouteContext['cursors'],
  record: (item: Item) => unknown,
): Answer {
  const limit = reader.integer('limit', { otherwise: most, low: 1, high: most });
  const place = reader.cursor(cursors, name);
  if (reader.errors.length > 0) return invalid(reader.errors);
  const { items, next } = page(listing, place, limit);
  return json({ items: items.map(record), next_page_id: next ? cursors.write(name, next) : null });
}

/** Items whose positions begin with `first`. */
function positioned<Item>(items: readonly Item[], first: number): Listing<Item> {
  return {
    first,
    end: first + items.length,
    wanted: () => true,
    at: (position) => items[position - first] as Item,
  };
}
