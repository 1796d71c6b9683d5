/** Requests that steer an agent: answers, messages, and orders to go on, to stop, or to do it all again elsewhere. */
import { failed, json, jsonType } from '../http.ts';
import type { AnswerAbout, RouteContext } from '../route.ts';
import { type BodyFields, type BodyReader, withBody } from '../validate.ts';
import type { FolderConversation } from './held.ts';
import { readPolicy } from './policy.ts';
import { heldConversation } from './records.ts';
import { causeOf, readMessage, readTags } from './requestParts.ts';
import type { IsDone, Work } from './work.ts';

const done = json({ success: true });

const maxTitleLength = 200;

/** Steers the agent, and answers once the effect is there. */
function steer(held: FolderConversation, { agentServer }: RouteContext, ask: (work: Work) => IsDone) {
  return { ...done, isDone: agentServer.steer(held, ask) };
}

/** Succeeds whatever waits, also when nothing does. */
export const respond: AnswerAbout = (held, context, call) =>
  withBody(
    call,
    (reader, { accept, reason = 'User rejected the action.' }) => ({
      isAccepted: reader.flag(['accept'], accept) ?? false,
      reason: reader.string(['reason'], reason) ?? '',
    }),
    ({ isAccepted, reason }) =>
      steer(held, context, (work) => work.answer(isAccepted, reason, causeOf(call))),
  );

export const sendMessage: AnswerAbout = (held, context, call) =>
  withBody(
    call,
    (reader, fields) => readMessage(reader, [], fields),
    ({ text, pictures, run }) =>
      steer(held, context, (work) => work.send(text, run, causeOf(call), pictures)),
  );

export const setPolicy: AnswerAbout = (held, { agentServer }, call) =>
  withBody(
    call,
    (reader, { policy }) => readPolicy(reader, ['policy'], policy),
    (policy) => {
      agentServer.steered(held).ask(policy);
      return done;
    },
  );

/** Renames a conversation, and replaces its tags. */
export const changeConversation: AnswerAbout = (held, { agentServer }, call) =>
  withBody(
    call,
    (reader, fields) => readNames(reader, fields, 1),
    (changes) => {
      agentServer.change(held, changes);
      return done;
    },
  );

function readNames(reader: BodyReader, fields: BodyFields, least: number) {
  const most = maxTitleLength;
  return {
    title: reader.optional(fields, 'title', (loc, value) => reader.string(loc, value, { least, most })),
    tags: reader.optional(fields, 'tags', (loc, value) => readTags(reader, loc, value)),
  };
}

export const run: AnswerAbout = (held, { agentServer }, call) => {
  const work = agentServer.steered(held);
  if (work.isRunning) return failed(409, 'Conversation already running. Wait for completion or pause first.');
  work.run(causeOf(call));
  return done;
};

/** Succeeds also when nothing runs. */
export const pauseAgent: AnswerAbout = (held, context) => steer(held, context, (work) => work.pause());

/** Succeeds also when nothing runs. */
export const interrupt: AnswerAbout = (held, { agentServer }) => {
  agentServer.steered(held).interrupt();
  return done;
};

export const deleteConversation: AnswerAbout = (held, { agentServer }) => ({
  ...done,
  isDone: agentServer.delete(held),
});

export const finalResponse: AnswerAbout = (held, { agentServer }) =>
  json({ response: agentServer.work(held).finalResponse });

export const fork: AnswerAbout = (held, { agentServer }, call) => {
  const withoutBody = { ...call, body: '{}', headers: { 'content-type': jsonType } };
  return withBody(
    call.body === '' ? withoutBody : call,
    (reader, fields) => ({
      id: reader.optional(fields, 'id', (loc, value) => reader.uuid(loc, value)),
      ...readNames(reader, fields, 0),
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
};
