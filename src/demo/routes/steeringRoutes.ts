/**
 * Requests that start or steer an agent: new conversations, answers, messages,
 * orders to continue or stop, and forks.
 */
import { failed, json } from '../wire/http.ts';
import type { AnswerAbout, AnswerRequest, RouteContext } from './route.ts';
import {
  type BodyFields,
  type BodyReader,
  withBody,
} from '../wire/validate.ts';
import type { FolderConversation } from '../agentServer/held.ts';
import { readAnalyzer, readPolicy } from '../agentServer/policy.ts';
import { heldConversation, profiles } from '../agentServer/records.ts';
import type { WantedConversation } from '../agentServer/conversations.ts';
import { causeOf, readMessage, readTags } from './requestParts.ts';
import type { IsDone, Work } from '../agentServer/work.ts';

const done = json({ success: true });

const maxTitleLength = 200;

/** Steers the agent and answers once the request has taken effect. */
function steer(
  held: FolderConversation,
  { agentServer }: RouteContext,
  ask: (work: Work) => IsDone,
) {
  return { ...done, isDone: agentServer.steer(held, ask) };
}

/** Succeeds even if nothing waits. */
export const respond: AnswerAbout = (held, context, call) =>
  withBody(
    call,
    (reader, { accept, reason = 'User rejected the action.' }) => ({
      isAccepted: reader.flag(['accept'], accept) ?? false,
      reason: reader.string(['reason'], reason) ?? '',
    }),
    ({ isAccepted, reason }) =>
      steer(held, context, (work) =>
        work.answer(isAccepted, reason, causeOf(call)),
      ),
  );

export const sendMessage: AnswerAbout = (held, context, call) =>
  withBody(
    call,
    (reader, fields) => readMessage(reader, [], fields),
    ({ text, pictures, run }) =>
      steer(held, context, (work) =>
        work.send(text, run, causeOf(call), pictures),
      ),
  );

const answerTimeMs = 800;

export const askAgent: AnswerAbout = (_held, _context, call) =>
  withBody(
    call,
    (reader, { question }) => reader.string(['question'], question),
    () => ({ ...json({ response: demoAnswer }), wait: answerTimeMs }),
  );

const demoAnswer =
  "I'm the agent of a demo, so I can't look that up. With a server of your own, I'd answer from what I've read so far and keep working.";

export const condense: AnswerAbout = (held, context, call) =>
  steer(held, context, (work) => work.compact(causeOf(call)));

export const switchProfile: AnswerAbout = (
  held,
  { agentServer, models },
  call,
) =>
  withBody(
    call,
    (reader, { profile_name: name }) => reader.string(['profile_name'], name),
    (name) => {
      const model = models.models.get(name)?.model;
      if (model === undefined)
        return failed(404, `Profile '${name}' not found`);
      agentServer.switchModel(held, model);
      return done;
    },
  );

export const setPolicy: AnswerAbout = (held, { agentServer }, call) =>
  withBody(
    call,
    (reader, { policy }) => readPolicy(reader, ['policy'], policy),
    (policy) => {
      agentServer.steered(held).ask({ policy });
      return done;
    },
  );

export const setAnalyzer: AnswerAbout = (held, { agentServer }, call) =>
  withBody(
    call,
    (reader, { security_analyzer }) =>
      readAnalyzer(reader, ['security_analyzer'], security_analyzer),
    (analyzer) => {
      agentServer.steered(held).ask({ analyzer });
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
    title: reader.optional(fields, 'title', (loc, value) =>
      reader.string(loc, value, { least, most }),
    ),
    tags: reader.optional(fields, 'tags', (loc, value) =>
      readTags(reader, loc, value),
    ),
  };
}

export const run: AnswerAbout = (held, { agentServer }, call) => {
  const work = agentServer.steered(held);
  if (work.isRunning)
    return failed(
      409,
      'Conversation already running. Wait for completion or pause first.',
    );
  work.run(causeOf(call));
  return done;
};

/** Succeeds even if nothing runs. */
export const pauseAgent: AnswerAbout = (held, context) =>
  steer(held, context, (work) => work.pause());

/** Succeeds even if nothing runs. */
export const interrupt: AnswerAbout = (held, { agentServer }) => {
  agentServer.steered(held).interrupt();
  return done;
};

export const deleteConversation: AnswerAbout = (held, { agentServer }) => ({
  ...done,
  isDone: agentServer.delete(held),
});

export const fork: AnswerAbout = (held, { agentServer }, call) =>
  withBody(
    call,
    (reader, fields) => ({
      ...readNames(reader, fields, 0),
      eventId: reader.optional(fields, 'from_event_id', (loc, value) =>
        reader.string(loc, value),
      ),
    }),
    (request) => {
      const copy = agentServer.fork(held, request);
      return copy
        ? json(heldConversation(copy), 201)
        : failed(404, `Unknown from_event_id: ${request.eventId}`);
    },
  );

/** A real server needs seconds. */
const creationTimeMs = 300;

export const createConversation: AnswerRequest = (
  call,
  { agentServer, models },
) =>
  withBody(call, readWanted, (request) => {
    const { profileId } = request;
    const profile = models.profileWith(profileId);
    if (!profile)
      return failed(404, `Agent profile with id '${profileId}' not found`);
    const { llm_profile_ref: reference } = profile;
    const model = models.models.get(reference)?.model;
    if (model === undefined) {
      return failed(422, {
        code: 'unresolved_profile_references',
        message: `LLM profile '${reference}' not found`,
        dangling_llm_profile_ref: reference,
        dangling_mcp_server_refs: [],
        dangling_meta_profile_ref: null,
        dangling_meta_profile_llm_refs: [],
      });
    }
    // A repeated request has the same id, chosen by the caller.
    const before =
      request.id === undefined ? undefined : agentServer.find(request.id);
    const held =
      before ?? agentServer.create({ ...request, model }, causeOf(call));
    return {
      ...json(heldConversation(held), before ? 200 : 201),
      wait: creationTimeMs,
    };
  });

const sources = ['agent', 'agent_settings', 'agent_profile_id'];

function readWanted(
  reader: BodyReader,
  fields: BodyFields,
): Omit<WantedConversation, 'model'> {
  const optional = <Value>(
    name: string,
    read: (loc: readonly string[], value: unknown) => Value,
  ) => reader.optional(fields, name, read);
  const boolean = (name: string) =>
    optional(name, (loc, value) => reader.boolean(loc, value));
  const uuid = (name: string) =>
    optional(name, (loc, value) => reader.uuid(loc, value));
  const workspace = reader.object(['workspace'], fields.workspace);
  const folder =
    workspace &&
    reader.string(['workspace', 'working_dir'], workspace.working_dir);
  const message = optional('initial_message', (loc, value) => {
    const messageFields = reader.object(loc, value);
    return messageFields && readMessage(reader, loc, messageFields);
  });
  const profileId = uuid('agent_profile_id') ?? profiles[0].id;
  const tags =
    optional('tags', (loc, value) => readTags(reader, loc, value)) ?? {};
  const id = uuid('conversation_id');
  const worktree = boolean('worktree') ?? false;
  const autotitle = boolean('autotitle') ?? true;
  const policy = optional('confirmation_policy', (loc, value) =>
    readPolicy(reader, loc, value),
  );
  const analyzer =
    optional('security_analyzer', (loc, value) =>
      readAnalyzer(reader, loc, value),
    ) ?? null;
  const approval = policy && { policy, analyzer };
  if (
    reader.errors.length === 0 &&
    !sources.some((name) => (fields[name] ?? undefined) !== undefined)
  ) {
    reader.note(
      [],
      'One of `agent`, `agent_settings`, or `agent_profile_id` must be provided',
    );
  }
  const { text, run = false } = message ?? {};
  return {
    id,
    message: text,
    run,
    folder: folder ?? '/',
    worktree,
    profileId,
    tags,
    autotitle,
    approval,
  };
}
