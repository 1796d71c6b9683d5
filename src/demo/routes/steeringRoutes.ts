/**
 * Requests that start or steer an agent: new conversations, answers, messages,
 * orders to continue or stop, and forks.
 */
import { type BodyFields, bodyOf, failed, json } from '../wire/http.ts';
import type { AnswerAbout, AnswerRequest, RouteContext } from './route.ts';
import type { FolderConversation } from '../agentServer/held.ts';
import type { Policy } from '../agentServer/policy.ts';
import { heldConversation, profiles } from '../agentServer/records.ts';
import type { Tags } from '../world/names.ts';
import { causeOf, type MessageBody, readMessage } from './requestParts.ts';
import type { IsDone, Work } from '../agentServer/work.ts';

const done = json({ success: true });

/** Steers the agent and answers once the request has taken effect. */
function steer(
  held: FolderConversation,
  { agentServer }: RouteContext,
  ask: (work: Work) => IsDone,
) {
  return { ...done, isDone: agentServer.steer(held, ask) };
}

/** Succeeds even if nothing waits. */
export const respond: AnswerAbout = (held, context, call) => {
  const { accept, reason = 'User rejected the action.' } = bodyOf(call) as {
    accept: boolean;
    reason?: string;
  };
  return steer(held, context, (work) =>
    work.answer(accept, reason, causeOf(call)),
  );
};

export const sendMessage: AnswerAbout = (held, context, call) => {
  const { text, pictures, run } = readMessage(bodyOf(call) as MessageBody);
  return steer(held, context, (work) =>
    work.send(text, run, causeOf(call), pictures),
  );
};

const answerTimeMs = 800;

export const askAgent: AnswerAbout = () => ({
  ...json({ response: demoAnswer }),
  wait: answerTimeMs,
});

const demoAnswer =
  "I'm the agent of a demo, so I can't look that up. With a server of your own, I'd answer from what I've read so far and keep working.";

export const condense: AnswerAbout = (held, context, call) =>
  steer(held, context, (work) => work.compact(causeOf(call)));

export const switchProfile: AnswerAbout = (
  held,
  { agentServer, models },
  call,
) => {
  const { profile_name: name } = bodyOf(call) as { profile_name: string };
  const model = models.models.get(name)?.model;
  if (model === undefined) return failed(404, `Profile '${name}' not found`);
  agentServer.switchModel(held, model);
  return done;
};

export const setPolicy: AnswerAbout = (held, { agentServer }, call) => {
  const { policy } = bodyOf(call) as { policy: Policy };
  agentServer.steered(held).ask({ policy });
  return done;
};

export const setAnalyzer: AnswerAbout = (held, { agentServer }, call) => {
  const { security_analyzer: analyzer } = bodyOf(call) as {
    security_analyzer: BodyFields;
  };
  agentServer.steered(held).ask({ analyzer });
  return done;
};

/** Renames a conversation, and replaces its tags. */
export const changeConversation: AnswerAbout = (
  held,
  { agentServer },
  call,
) => {
  agentServer.change(held, bodyOf(call) as { title?: string; tags?: Tags });
  return done;
};

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

export const fork: AnswerAbout = (held, { agentServer }, call) => {
  const {
    title,
    tags,
    from_event_id: eventId,
  } = bodyOf(call) as { title?: string; tags?: Tags; from_event_id?: string };
  const copy = agentServer.fork(held, { title, tags, eventId });
  return copy
    ? json(heldConversation(copy), 201)
    : failed(404, `Unknown from_event_id: ${eventId}`);
};

/** A real server needs seconds. */
const creationTimeMs = 300;

interface CreationBody {
  readonly conversation_id?: string;
  readonly workspace: { readonly working_dir: string };
  readonly initial_message?: MessageBody;
  readonly agent_profile_id?: string;
  readonly tags?: Tags;
  readonly worktree?: boolean;
  readonly confirmation_policy?: Policy;
  readonly security_analyzer?: BodyFields | null;
}

export const createConversation: AnswerRequest = (
  call,
  { agentServer, models },
) => {
  const body = bodyOf(call) as CreationBody;
  const { agent_profile_id: profileId = profiles[0].id } = body;
  const profile = models.profileWith(profileId);
  if (!profile)
    return failed(404, `Agent profile with id '${profileId}' not found`);
  const { llm_profile_ref: reference } = profile;
  const model = models.models.get(reference)?.model;
  if (model === undefined) {
    return failed(422, {
      code: 'unresolved_profile_references',
      message: `LLM profile '${reference}' not found`,
    });
  }
  // A repeated request has the same id, chosen by the caller.
  const { conversation_id: id } = body;
  const before = id === undefined ? undefined : agentServer.find(id);
  const { text: message, run } = readMessage(body.initial_message ?? {});
  const { confirmation_policy: policy, security_analyzer: analyzer = null } =
    body;
  const held =
    before ??
    agentServer.create(
      {
        id,
        message,
        run,
        folder: body.workspace.working_dir,
        worktree: body.worktree ?? false,
        profileId,
        model,
        tags: body.tags ?? {},
        approval: policy && { policy, analyzer },
      },
      causeOf(call),
    );
  return {
    ...json(heldConversation(held), before ? 200 : 201),
    wait: creationTimeMs,
  };
};
