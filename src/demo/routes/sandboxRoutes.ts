/**
 * Routes of V1 for the agents in its sandboxes, each of which is an Agent
 * Server.
 */
import { posix } from 'node:path';
import { processFolder } from '../agentServer/folders.ts';
import type { FolderConversation } from '../agentServer/held.ts';
import type { WireAgentEvent } from '../wire/wireTypes.ts';
import { eventsInOrder } from './agentServerRoutes.ts';
import { causeOf, type MessageBody, readMessage } from './requestParts.ts';
import {
  bodyOf,
  failed,
  json,
  type HttpAnswer,
  type Call,
} from '../wire/http.ts';
import { answerEach, answerFrom } from '../wire/paging.ts';
import type { Routes, RouteContext } from './route.ts';

export const sandboxRoutes: Routes = {
  'GET api/v1/conversation/*/events/search': searchEvents,
  'GET api/v1/conversation/*/events': (call, context) =>
    answerEach(
      call.query.getAll('id'),
      (id) => eventsOf(call, context).find((event) => event.id === id),
      (event) => event,
    ),
  'POST api/v1/conversations/*/pending-messages': queue,
  'POST api/v1/app-conversations/*/switch_profile': switchModel,
  'GET api/v1/sandboxes': ({ query }, { world, records }) =>
    answerEach(
      query.getAll('id'),
      (id) => world.sandboxes.find(id),
      (sandbox) => records.sandbox(sandbox),
    ),
};

function switchModel(call: Call, context: RouteContext): HttpAnswer {
  const { world, models } = context;
  const id = call.segments[3] ?? '';
  const conversation = world.conversation(id);
  const held = heldInSandbox(context, id);
  if (!conversation || !held)
    return failed(404, `Conversation ${id} is not reachable`);
  const { profile_name: name } = bodyOf(call) as { profile_name: string };
  const model = models.models.get(name)?.model;
  if (model === undefined) return failed(404, `Profile '${name}' not found`);
  context.agentServer.switchModel(held, model);
  world.switchModel(conversation, model);
  return json({ success: true });
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
  return context.world.conversation(id)?.sandboxId === sandboxId
    ? heldInSandbox(context, id)
    : undefined;
}

function searchEvents(call: Call, context: RouteContext): HttpAnswer {
  const { query } = call;
  const events = eventsInOrder(query, eventsOf(call, context));
  return answerFrom(
    query,
    [...events.entries()],
    // A cursor counts the events before the page.
    ([count]) => String(count),
    ([, event]) => event,
  );
}

function eventsOf(
  { segments }: Call,
  context: RouteContext,
): readonly WireAgentEvent[] {
  const held = heldInSandbox(context, segments[3] ?? '');
  return held ? context.agentServer.work(held).events : [];
}

/** Sends a message as soon as the sandbox runs. */
function queue(call: Call, context: RouteContext): HttpAnswer {
  const { text } = readMessage(bodyOf(call) as MessageBody);
  const id = call.segments[3] ?? '';
  const position = context.world.queue(id, () => {
    const held = heldInSandbox(context, id);
    if (held) context.agentServer.steered(held).send(text, true, causeOf(call));
  });
  return json({ id: crypto.randomUUID(), queued: true, position }, 201);
}
