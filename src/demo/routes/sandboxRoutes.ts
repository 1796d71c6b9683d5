/**
 * Routes of V1 for the agents in its sandboxes, each of which is an Agent
 * Server.
 */
import { posix } from 'node:path';
import { processFolder } from '../agentServer/folders.ts';
import type { FolderConversation } from '../agentServer/held.ts';
import { causeOf, readMessage } from './requestParts.ts';
import { failed, json, type HttpAnswer, type Call } from '../wire/http.ts';
import { answerEach } from '../wire/paging.ts';
import type { Routes, RouteContext } from './route.ts';
import {
  type BodyReader,
  type BodyFields,
  isUuid,
  QueryReader,
  withBody,
} from '../wire/validate.ts';
import type { DemoConversation } from '../world/firstConversations.ts';

export const sandboxRoutes: Routes = {
  'GET api/v1/conversation/*/events/search': search,
  'GET api/v1/conversation/*/events': someEvents,
  'POST api/v1/conversations/*/pending-messages': queue,
  'POST api/v1/app-conversations/*/switch_profile': switchModel,
  'GET api/v1/sandboxes': someSandboxes,
};

function switchModel(call: Call, context: RouteContext): HttpAnswer {
  const { world, models } = context;
  const id = call.segments[3] ?? '';
  const conversation = world.conversation(id);
  const held = heldInSandbox(context, id);
  if (!conversation || !held)
    return failed(404, `Conversation ${id} is not reachable`);
  const read = (reader: BodyReader, { profile_name: name }: BodyFields) =>
    reader.string(['profile_name'], name);
  return withBody(call, read, (name) => {
    const model = models.models.get(name)?.model;
    if (model === undefined) return failed(404, `Profile '${name}' not found`);
    context.agentServer.switchModel(held, model);
    world.switchModel(conversation, model);
    return json({ success: true });
  });
}

/** Returns a V1 conversation as held by the Agent Server of its sandbox. */
export function heldInSandbox(
  { world, agentServer }: RouteContext,
  id: string,
): FolderConversation | undefined {
  const conversation = world.conversation(id);
  if (!conversation) return undefined;
  return (
    agentServer.find(id) ??
    agentServer.adopt(conversation, world.messageOf(conversation))
  );
}

/**
 * A sandbox has an older Agent Server: it lists changed files by folder, not by
 * conversation, and no commits.
 */
export function filesInSandbox(
  { segments, query }: Call,
  sandboxId: string,
  context: RouteContext,
): readonly string[] {
  const path = segments.join('/');
  if (
    /^api\/(conversations\/[^/]+\/)?(git|file)\//.exec(path)?.[1] !== undefined
  )
    return ['api', 'none'];
  if (!/^api\/(git\/(changes|diff)|file\/(archive|download))$/.test(path))
    return segments;
  const held = inSandbox(sandboxId, query.get('path') ?? '', context);
  return held
    ? ['api', 'conversations', held.id, ...segments.slice(1)]
    : segments;
}

/** Finds the conversation of a path in a sandbox, which begins with its id. */
function inSandbox(
  sandboxId: string,
  path: string,
  context: RouteContext,
): FolderConversation | undefined {
  const [id = ''] = posix
    .relative(processFolder, posix.resolve(processFolder, path))
    .split('/');
  const isHere =
    isUuid(id) && context.world.conversation(id)?.sandboxId === sandboxId;
  return isHere ? heldInSandbox(context, id) : undefined;
}

function ofConversation(
  { segments }: Call,
  context: RouteContext,
):
  | {
      readonly conversation: DemoConversation;
      readonly held: FolderConversation;
    }
  | undefined {
  const id = segments[3] ?? '';
  const conversation = isUuid(id) ? context.world.conversation(id) : undefined;
  const held = conversation && heldInSandbox(context, id);
  return held && { conversation, held };
}

/** A cursor counts the events before the page. */
function search(call: Call, context: RouteContext): HttpAnswer {
  const conversation = ofConversation(call, context);
  if (!conversation) return json({ items: [], next_page_id: null });
  const { query } = call;
  const start = Number.parseInt(query.get('page_id') ?? '0', 10) || 0;
  const limit = new QueryReader(query).limit();
  const { events: all } = context.agentServer.work(conversation.held);
  const events =
    query.get('sort_order') === 'TIMESTAMP_DESC' ? all.toReversed() : all;
  const isMore = events.length > start + limit;
  return json({
    items: events.slice(start, start + limit),
    next_page_id: isMore ? String(start + limit) : null,
  });
}

function someEvents(call: Call, context: RouteContext): HttpAnswer {
  const conversation = ofConversation(call, context);
  const events = conversation
    ? context.agentServer.work(conversation.held).events
    : [];
  return answerEach(
    call.query.getAll('id'),
    (id) => events.find((event) => event.id === id),
    (event) => event,
  );
}

/** Sends a message as soon as the sandbox runs. */
function queue(call: Call, context: RouteContext): HttpAnswer {
  const read = (reader: BodyReader, fields: BodyFields) =>
    readMessage(reader, [], fields);
  return withBody(call, read, ({ text }) => {
    const id = call.segments[3] ?? '';
    const position = context.world.queue(id, () => {
      const held = heldInSandbox(context, id);
      if (held)
        context.agentServer.steered(held).send(text, true, causeOf(call));
    });
    return json({ id: crypto.randomUUID(), queued: true, position }, 201);
  });
}

function someSandboxes(
  { query }: Call,
  { world, records }: RouteContext,
): HttpAnswer {
  return answerEach(
    query.getAll('id'),
    (id) => world.sandboxes.find(id),
    (sandbox) => records.sandbox(sandbox),
  );
}
