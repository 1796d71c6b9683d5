/** What steers an agent: answers, messages, and telling it to go on, to stop, or to do it all again elsewhere. */
import { failed, json, type HttpAnswer, type Call } from '../http.ts';
import type { RouteContext } from '../route.ts';
import { BodyReader, invalid } from '../validate.ts';
import { noteLongTitle, readTags } from './changeConversation.ts';
import type { FolderConversation } from './held.ts';
import { causeOf, readMessage } from './message.ts';
import { readPolicy } from './policy.ts';
import { heldConversation } from './records.ts';
import type { IsDone, Work } from './work.ts';

const done = json({ success: true });

/** Steers its agent, and answers once what was asked for has happened. */
function steer(
  held: FolderConversation,
  { agentServer }: RouteContext,
  ask: (work: Work) => IsDone,
): HttpAnswer {
  return { ...done, isDone: agentServer.whenAsked(held, ask(agentServer.steered(held))) };
}

type BodyFields = Readonly<Record<string, unknown>>;

/** Reads the body with this function, and goes on unless something is wrong with it. */
function withBody<Wanted>(
  read: (reader: BodyReader, fields: BodyFields) => Wanted,
  then: (held: FolderConversation, context: RouteContext, wanted: Wanted, call: Call) => HttpAnswer,
) {
  return (held: FolderConversation, context: RouteContext, call: Call): HttpAnswer => {
    const reader = new BodyReader();
    const fields = reader.parse(call.headers['content-type'] ?? '', call.body);
    const wanted = fields && read(reader, fields);
    return wanted && reader.errors.length === 0 ? then(held, context, wanted, call) : invalid(reader.errors);
  };
}

/** Succeeds whatever waits, also when nothing does. */
export const respond = withBody(
  (reader, { accept, reason = 'User rejected the action.' }) => ({
    isAccepted: reader.flag(['accept'], accept) ?? false,
    reason: reader.string(['reason'], reason) ?? '',
  }),
  (held, context, { isAccepted, reason }, call) =>
    steer(held, context, (work) => work.answer(isAccepted, reason, causeOf(call))),
);

export const sendMessage = withBody(
  (reader, fields) => readMessage(reader, [], fields),
  (held, context, { text, pictures, run }, call) =>
    steer(held, context, (work) => work.send(text, run, causeOf(call), pictures)),
);

export const setPolicy = withBody(
  (reader, { policy }) => ({ policy: readPolicy(reader, ['policy'], policy) }),
  (held, { agentServer }, { policy }) => {
    if (policy) agentServer.steered(held).ask(policy);
    return done;
  },
);

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
  const reader = new BodyReader();
  const fields: BodyFields =
    call.body === '' ? {} : (reader.parse(call.headers['content-type'] ?? '', call.body) ?? {});
  /** Null counts as missing. */
  const optional = <Value>(name: string, read: (value: unknown) => Value) => {
    const value = fields[name] ?? undefined;
    return value === undefined ? undefined : read(value);
  };
  const wanted = {
    id: optional('id', (value) => reader.uuid(['id'], value)),
    title: optional('title', (value) => reader.string(['title'], value)),
    tags: optional('tags', (value) => readTags(reader, ['tags'], value)),
    eventId: optional('from_event_id', (value) => reader.string(['from_event_id'], value)),
  };
  noteLongTitle(reader, wanted.title);
  if (reader.errors.length > 0) return invalid(reader.errors);
  if (wanted.id !== undefined && agentServer.find(wanted.id)) {
    return failed(409, `Conversation with id ${wanted.id} already exists`);
  }
  const made = agentServer.fork(held, wanted);
  if (!made) return failed(404, `Unknown from_event_id: ${wanted.eventId}`);
  return json(heldConversation(made), 201);
}
