/** V0 and V1, as an app server answers them. */
import {
  broken,
  failed,
  json,
  type HttpAnswer,
  type Call,
} from '../wire/http.ts';
import {
  answerEach,
  answerPage,
  pageOf,
  readCursor,
  writeCursor,
} from '../wire/paging.ts';
import type { Routes, RouteContext } from './route.ts';
import { specs } from '../world/specs.ts';
import {
  type BodyReader,
  type BodyFields,
  invalid,
  isUuid,
  QueryReader,
  withBody,
} from '../wire/validate.ts';
import { conversationTriggers, providerTypes } from '../wire/wireTypes.ts';
import type { NewDemoConversation } from '../world/world.ts';

const maxIds = 99;

export const routesV0: Routes = { 'GET api/conversations': searchV0 };

export const routesV1: Routes = {
  'GET api/v1/app-conversations': conversations,
  'GET api/v1/app-conversations/search': listConversations,
  'POST api/v1/app-conversations': createConversation,
  'PATCH api/v1/app-conversations/*': changeConversation,
  'DELETE api/v1/app-conversations/*': deleteConversation,
  'GET api/v1/app-conversations/start-tasks': startTasks,
  'GET api/v1/sandboxes/search': searchSandboxes,
  'POST api/v1/sandboxes': startSandbox,
  'POST api/v1/sandboxes/*/pause': ({ segments }, { world }) =>
    successIf(world.sandboxes.pause(segments[3] ?? '')),
  'POST api/v1/sandboxes/*/resume': ({ segments }, { world }) =>
    successIf(world.sandboxes.resume(segments[3] ?? '')),
  'DELETE api/v1/sandboxes/*': deleteSandbox,
  'GET api/v1/sandbox-specs/search': searchSpecs,
};

function searchV0(
  { query }: Call,
  { world, records }: RouteContext,
): HttpAnswer {
  const reader = new QueryReader(query);
  const limit = reader.integer('limit', { otherwise: 20 });
  const place = readCursor('v0', reader.text('page_id'));
  const repository = reader.text('selected_repository');
  const trigger = reader.oneOf('conversation_trigger', conversationTriggers);
  if (reader.errors.length > 0) return invalid(reader.errors);
  if (query.has('page_id') && place === undefined) return broken;

  const { items, next } = pageOf(
    world.conversations({ repository, trigger }),
    place,
    Math.max(limit, 0),
  );
  return json({
    results: items.map((conversation) =>
      records.conversationInfo(conversation),
    ),
    next_page_id:
      next !== undefined && limit !== 0 ? writeCursor('v0', next) : null,
  });
}

/**
 * Answers with the conversations that have these ids; without ids, with a list.
 */
function conversations(call: Call, context: RouteContext): HttpAnswer {
  const { world, records } = context;
  const ids = new QueryReader(call.query).list('ids');
  if (!ids) return listConversations(call, context, true);
  if (ids.length > maxIds)
    return failed(400, `Too many ids requested. Maximum is ${maxIds}.`);
  const odd = ids.filter((id) => !isUuid(id));
  if (odd.length > 0)
    return failed(400, `Invalid UUID format for ids: ['${odd.join("', '")}']`);
  return answerEach(
    ids,
    (id) => world.conversation(id),
    (conversation) => records.appConversation(conversation),
  );
}

/**
 * Ignores the order in the query. `all` includes child conversations, as the
 * query can.
 */
function listConversations(
  { query }: Call,
  { world, records }: RouteContext,
  all = false,
): HttpAnswer {
  const reader = new QueryReader(query);
  const areAsked = reader.flag('include_sub_conversations');
  const listing = world.conversations({
    titleContains: reader.text('title__contains'),
    subConversations: all || areAsked,
  });
  return answerPage(reader, 'conversations', listing, (item) =>
    records.appConversation(item),
  );
}

/** Answers with the whole record. */
function changeConversation(
  call: Call,
  { world, records }: RouteContext,
): HttpAnswer {
  const readTitle = (reader: BodyReader, fields: BodyFields) => ({
    title: reader.optional(fields, 'title', (loc, value) =>
      reader.string(loc, value),
    ),
  });
  return withBody(call, readTitle, ({ title }) => {
    const id = call.segments[3] ?? '';
    if (!isUuid(id)) return broken;
    const conversation = world.conversation(id);
    if (!conversation) return failed(404, 'unknown_app_conversation');
    if (title !== undefined) world.rename(conversation, title);
    return json(
      records.appConversation(world.conversation(id) ?? conversation),
    );
  });
}

function deleteConversation(
  { segments }: Call,
  { world }: RouteContext,
): HttpAnswer {
  const id = segments[3] ?? '';
  if (!isUuid(id)) return failed(400, 'Invalid conversation ID format');
  const conversation = world.conversation(id);
  if (!conversation) return failed(404, 'Conversation not found');
  world.delete(conversation);
  return json({ success: true });
}

function createConversation(
  call: Call,
  { world, records, models }: RouteContext,
): HttpAnswer {
  const model = models.models.get(models.activeModel ?? '')?.model;
  return withBody(call, readCreation, (creation) =>
    json(records.startTask(world.create({ ...creation, model }))),
  );
}

function readCreation(
  reader: BodyReader,
  fields: BodyFields,
): Omit<NewDemoConversation, 'model'> {
  const text = (name: string) =>
    reader.optional(fields, name, (loc, value) => reader.string(loc, value));
  return {
    message: readMessage(reader, fields.initial_message),
    repository: text('selected_repository'),
    branch: text('selected_branch'),
    provider: reader.optional(fields, 'git_provider', (loc, value) =>
      reader.oneOf(loc, value, providerTypes),
    ),
    sandboxId: text('sandbox_id'),
  };
}

function readMessage(reader: BodyReader, value: unknown): string {
  const message = reader.object(['initial_message'], value);
  const content =
    message && reader.list(['initial_message', 'content'], message.content);
  const texts = content?.map((item, index) => {
    const loc = ['initial_message', 'content', index];
    const part = reader.object(loc, item);
    if (!part) return '';
    if (
      reader.oneOf([...loc, 'type'], part.type, ['text', 'image']) === 'image'
    )
      return '';
    return reader.string([...loc, 'text'], part.text) ?? '';
  });
  return texts?.join('\n') ?? '';
}

function startTasks(
  { query }: Call,
  { world, records }: RouteContext,
): HttpAnswer {
  const reader = new QueryReader(query);
  const ids = reader.uuids('ids');
  if (reader.errors.length > 0) return invalid(reader.errors);
  return answerEach(
    ids,
    (id) => world.task(id),
    (task) => records.startTask(task),
  );
}

function searchSandboxes(
  { query }: Call,
  { world, records }: RouteContext,
): HttpAnswer {
  const { all } = world.sandboxes;
  // Some may have been deleted.
  const byPosition = new Map(all.map((sandbox) => [sandbox.position, sandbox]));
  const listing = {
    first: all[0]?.position ?? 0,
    end: (all.at(-1)?.position ?? -1) + 1,
    includes: (position: number) => byPosition.has(position),
    at: (position: number) => byPosition.get(position),
  };
  const record = (item: (typeof all)[number] | undefined) =>
    item && records.sandbox(item);
  return answerPage(new QueryReader(query), 'sandboxes', listing, record);
}

function startSandbox(
  { query }: Call,
  { world, records }: RouteContext,
): HttpAnswer {
  const spec = query.get('sandbox_spec_id') ?? undefined;
  // A real service does not expect this.
  if (spec !== undefined && !specs.some(({ name }) => name === spec))
    return broken;
  return json(records.sandbox(world.sandboxes.start(spec)));
}

/** The id counts in the query, not in the path. */
function deleteSandbox({ query }: Call, { world }: RouteContext): HttpAnswer {
  const reader = new QueryReader(query);
  const id = reader.required('sandbox_id');
  return reader.errors.length > 0
    ? invalid(reader.errors)
    : successIf(world.sandboxes.delete(id));
}

function successIf(isFound: boolean): HttpAnswer {
  return isFound ? json({ success: true }) : failed(404, 'Not Found');
}

function searchSpecs({ query }: Call, { records }: RouteContext): HttpAnswer {
  const listing = {
    first: 0,
    end: specs.length,
    includes: () => true,
    at: (index: number) => specs[index],
  };
  const record = (spec: (typeof specs)[number] | undefined) =>
    spec && records.spec(spec);
  return answerPage(new QueryReader(query), 'specs', listing, record);
}
