/** V0 and V1, as an app server answers them. */
import {
  bodyOf,
  broken,
  failed,
  json,
  type HttpAnswer,
  type Call,
} from '../wire/http.ts';
import { answerEach, answerFrom, pageOf, readCursor } from '../wire/paging.ts';
import type { Routes, RouteContext } from './route.ts';
import { specs } from '../world/specs.ts';
import type { ProviderType } from '../wire/wireTypes.ts';
import { type MessageBody, readMessage } from './requestParts.ts';

const maxIds = 99;

export const routesV0: Routes = { 'GET api/conversations': searchV0 };

export const routesV1: Routes = {
  'GET api/v1/app-conversations': conversations,
  'GET api/v1/app-conversations/search': (call, context) =>
    listConversations(
      call,
      context,
      call.query.get('include_sub_conversations') === 'true',
    ),
  'POST api/v1/app-conversations': createConversation,
  'PATCH api/v1/app-conversations/*': renameConversation,
  'DELETE api/v1/app-conversations/*': deleteConversation,
  'GET api/v1/app-conversations/start-tasks': ({ query }, { world, records }) =>
    answerEach(
      query.getAll('ids'),
      (id) => world.task(id),
      (task) => records.startTask(task),
    ),
  'GET api/v1/sandboxes/search': ({ query }, { world, records }) =>
    answerFrom(
      query,
      world.sandboxes.all,
      ({ id }) => id,
      (sandbox) => records.sandbox(sandbox),
    ),
  'POST api/v1/sandboxes': ({ query }, { world, records }) =>
    json(
      records.sandbox(
        world.sandboxes.start(query.get('sandbox_spec_id') ?? undefined),
      ),
    ),
  'POST api/v1/sandboxes/*/pause': ({ segments }, { world }) =>
    successIf(world.sandboxes.pause(segments[3] ?? '')),
  'POST api/v1/sandboxes/*/resume': ({ segments }, { world }) =>
    successIf(world.sandboxes.resume(segments[3] ?? '')),
  // The id counts in the query, not in the path.
  'DELETE api/v1/sandboxes/*': ({ query }, { world }) =>
    successIf(world.sandboxes.delete(query.get('sandbox_id') ?? '')),
  'GET api/v1/sandbox-specs/search': ({ query }, { records }) =>
    answerFrom(
      query,
      specs,
      ({ name }) => name,
      (spec) => records.spec(spec),
    ),
};

function searchV0(
  { query }: Call,
  { world, records }: RouteContext,
): HttpAnswer {
  const cursor = query.get('page_id');
  if (cursor !== null && readCursor(cursor) === undefined) return broken;
  const listing = world.conversations({
    repository: query.get('selected_repository') ?? undefined,
    trigger: query.get('conversation_trigger') ?? undefined,
  });
  const { items, next_page_id } = pageOf(
    listing,
    query,
    (conversation) => records.conversationInfo(conversation),
    20,
  );
  return json({ results: items, next_page_id });
}

/**
 * Answers with the conversations that have these ids; without ids, with a list.
 */
function conversations(call: Call, context: RouteContext): HttpAnswer {
  const { world, records } = context;
  const ids = call.query.getAll('ids');
  if (ids.length === 0) return listConversations(call, context, true);
  if (ids.length > maxIds)
    return failed(400, `Too many ids requested. Maximum is ${maxIds}.`);
  return answerEach(
    ids,
    (id) => world.conversation(id),
    (conversation) => records.appConversation(conversation),
  );
}

/** Ignores the order in the query. */
function listConversations(
  { query }: Call,
  { world, records }: RouteContext,
  subConversations: boolean,
): HttpAnswer {
  const listing = world.conversations({
    titleContains: query.get('title__contains') ?? undefined,
    subConversations,
  });
  return json(
    pageOf(listing, query, (conversation) =>
      records.appConversation(conversation),
    ),
  );
}

/** Answers with the whole record. */
function renameConversation(
  call: Call,
  { world, records }: RouteContext,
): HttpAnswer {
  const conversation = world.conversation(call.segments[3] ?? '');
  if (!conversation) return failed(404, 'unknown_app_conversation');
  const { title } = bodyOf(call) as { title: string };
  return json(records.appConversation(world.rename(conversation, title)));
}

function deleteConversation(
  { segments }: Call,
  { world }: RouteContext,
): HttpAnswer {
  const conversation = world.conversation(segments[3] ?? '');
  if (!conversation) return failed(404, 'Conversation not found');
  world.delete(conversation);
  return json({ success: true });
}

interface CreationBody {
  readonly initial_message: MessageBody;
  readonly selected_repository?: string;
  readonly selected_branch?: string;
  readonly git_provider?: ProviderType;
  readonly sandbox_id?: string;
}

function createConversation(
  call: Call,
  { world, records, models }: RouteContext,
): HttpAnswer {
  const body = bodyOf(call) as CreationBody;
  const task = world.create({
    message: readMessage(body.initial_message).text ?? '',
    repository: body.selected_repository,
    branch: body.selected_branch,
    provider: body.git_provider,
    sandboxId: body.sandbox_id,
    model: models.models.get(models.activeModel ?? '')?.model,
  });
  return json(records.startTask(task));
}

function successIf(isFound: boolean): HttpAnswer {
  return isFound ? json({ success: true }) : failed(404, 'Not Found');
}
