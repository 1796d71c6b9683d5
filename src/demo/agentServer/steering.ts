/** Requests that steer an agent: answers, messages, and orders to go on, to stop, or to do it all again elsewhere. */
import { failed, json, jsonType, type HttpAnswer, type Call } from '../http.ts';
import type { RouteContext } from '../route.ts';
import { withBody } from '../validate.ts';
import type { FolderConversation } from './held.ts';
import { readPolicy } from './policy.ts';
import { heldConversation } from './records.ts';
import { causeOf, readMessage, readTags } from './requestParts.ts';
import type { IsDone, Work } from './work.ts';

const done = json({ success: true });

const maxTitleLength = 200;

/** Steers the agent, and answers once the effect is there. */
function steer(
  held: FolderConversation,
  { agentServer }: RouteContext,
  ask: (work: Work) => IsDone,
): HttpAnswer {
  return { ...done, isDone: agentServer.whenAsked(held, ask(agentServer.steered(held))) };
}

/** Succeeds whatever waits, also when nothing does. */
export function respond(held: FolderConversation, context: RouteContext, call: Call): HttpAnswer {
  return withBody(
    call,
    (reader, { accept, reason = 'User rejected the action.' }) => ({
      isAccepted: reader.flag(['accept'], accept) ?? false,
      reason: reader.string(['reason'], reason) ?? '',
    }),
    ({ isAccepted, reason }) =>
      steer(held, context, (work) => work.answer(isAccepted, reason, causeOf(call))),
  );
}

export function sendMessage(held: FolderConversation, context: RouteContext, call: Call): HttpAnswer {
  return withBody(
    call,
    (reader, fields) => readMessage(reader, [], fields),
    ({ text, pictures, run }) =>
      steer(held, context, (work) => work.send(text, run, causeOf(call), pictures)),
  );
}

export function setPolicy(held: FolderConversation, { agentServer }: RouteContext, call: Call): HttpAnswer {
  return withBody(
    call,
    (reader, { policy }) => readPolicy(reader, ['policy'], policy),
    (policy) => {
      agentServer.steered(held).ask(policy);
      return done;
    },
  );
}

/** Renames a conversation, and replaces its tags. */
export function changeConversation(
  held: FolderConversation,
  { agentServer }: RouteContext,
  call: Call,
): HttpAnswer {
  return withBody(
    call,
    (reader, fields) => ({
      title: reader.optional(fields, 'title', (loc, value) =>
        reader.string(loc, value, { least: 1, most: maxTitleLength }),
      ),
      tags: reader.optional(fields, 'tags', (loc, value) => readTags(reader, loc, value)),
    }),
    (changes) => {
      agentServer.change(held, changes);
      return done;
    },
  );
}

export function run(held: FolderConversation, { agentServer }: RouteContext, call: Call): HttpAnswer {
  const work = agentServer.steered(held);
  if (work.isRunning) return failed(409, 'Conversation already running. Wait for completion or pause first.');
  work.run(causeOf(call));
  return done;
}

/** Succeeds also when nothing runs. */
export function pauseAgent(held: FolderConversation, context: RouteContext): HttpAnswer {
  return steer(held, context, (work) => work.pause());
}

/** Succeeds also when nothing runs. */
export function interrupt(held: FolderConversation, { agentServer }: RouteContext): HttpAnswer {
  agentServer.steered(held).interrupt();
  return done;
}

export function deleteConversation(held: FolderConversation, { agentServer }: RouteContext): HttpAnswer {
  return { ...done, isDone: agentServer.delete(held) };
}

export function finalResponse(held: FolderConversation, { agentServer }: RouteContext): HttpAnswer {
  return json({ response: agentServer.work(held).finalResponse });
}

export function fork(held: FolderConversation, { agentServer }: RouteContext, call: Call): HttpAnswer {
  const withoutBody = { ...call, body: '{}', headers: { 'content-type': jsonType } };
  return withBody(
    call.body === '' ? withoutBody : call,
    (reader, fields) => ({
      id: reader.optional(fields, 'id', (loc, value) => reader.uuid(loc, value)),
      title: reader.optional(fields, 'title', (loc, value) =>
        reader.string(loc, value, { most: maxTitleLength }),
      ),
      tags: reader.optional(fields, 'tags', (loc, value) => readTags(reader, loc, value)),
      eventId: reader.optional(fields, 'from_event_id', (loc, value) => reader.string(loc, value)),
    }),
    (wanted) => {
      if (wanted.id !== undefined && agentServer.find(wanted.id))
        return failed(409, `Conversation with id ${wanted.id} already exists`);
      const made = agentServer.fork(held, wanted);
      if (!made) return failed(404, `Unknown from_event_id: ${wanted.eventId}`);
      return json(heldConversation(made), 201);
    },
  );
}
