/**
 * Steers the agents of one service. An answer counts only for exactly the shown
 * actions, and once.
 */
import { UserError } from '../../base/errors.ts';
import { userError } from '../../base/l10n.ts';
import { isThisMachine } from '../../base/loopback.ts';
import type { Answer, Steering } from '../../service/abilities/agentService.ts';
import type { ServiceClient } from '../../service/client.ts';
import {
  type Approval,
  type ConfirmationPolicy,
  type Conversation,
  keyOf,
  type Link,
  type ModelProfile,
} from '../../service/model/entities.ts';
import type { AgentEvent, MessageEvent } from '../../service/model/events.ts';
import { type NewMessage, partsOf } from '../../service/model/newMessage.ts';
import type { CallOptions } from '../../service/http/transport.ts';
import { whyNotReady } from '../conversation/agentLocations.ts';
import type { ConversationList } from '../conversation/conversationList.ts';
import {
  type EventReading,
  judgeWaiting,
  readEvents,
  readIfPossible,
} from '../conversation/eventReading.ts';
import {
  type PendingActions,
  pendingOf,
  type Waiting,
  type WaitingAction,
} from '../transcript/waiting.ts';
import { AgentRequests, type UnreadyLocation } from './agentRequests.ts';
import { AgentWorktrees } from './agentWorktrees.ts';
import { Answering, type AnsweringParts } from './answering.ts';
import { addMessage, isAddedMessage, runAgent } from './delivery.ts';
import type {
  Answered,
  Compacted,
  NotIdle,
  NotReachable,
  RejectedAndSent,
  Resumed,
  SendResult,
  Stopped,
} from './steeringResults.ts';

interface SteeringParts extends AnsweringParts {
  readonly client: ServiceClient;
  readonly conversations: Pick<
    ConversationList,
    'recordRead' | 'approvalRead' | 'insertFirst' | 'edit'
  >;
  readonly beforeMessage?: BeforeMessage | undefined;
  readonly beforeRun?: BeforeRun | undefined;
}

/** Called before an agent runs. Rejects with the reason if it must not. */
export type BeforeRun = (conversation: Conversation) => Promise<void>;

/**
 * Called before a message is sent. The returned function is called with the
 * message's id once the service has it.
 */
export type BeforeMessage = (
  conversation: Conversation,
) => NoteMessage | undefined;

type NoteMessage = (messageId: string) => unknown;

export class AgentSteering {
  readonly worktrees: AgentWorktrees;
  readonly #parts: SteeringParts;
  readonly #requests: AgentRequests;
  readonly #answering: Answering;
  /**
   * Aborted when a conversation is stopped, so that no pending message restarts
   * its agent. By key.
   */
  readonly #untilStop = new Map<string, AbortController>();

  constructor(parts: SteeringParts) {
    this.#parts = parts;
    const { client, locations, work } = parts;
    this.#requests = new AgentRequests(locations, work);
    this.#answering = new Answering(parts);
    this.worktrees = new AgentWorktrees(client, work, this.#requests);
  }

  read(conversation: Conversation, signal: AbortSignal): Promise<Waiting> {
    return this.#requests.read(conversation, signal);
  }

  /**
   * Answers these actions if exactly they still wait. A second answer waits for
   * the first one and reports its outcome. The signal does not cancel an answer
   * that was sent.
   */
  async answer(
    conversation: Conversation,
    actions: readonly WaitingAction[],
    answer: Answer,
    signal: AbortSignal,
  ): Promise<Answered> {
    return await this.#requests.inTurn(conversation, signal, async (all) => {
      if (answer.accept) await this.#parts.beforeRun?.(conversation);
      return await this.#answering.answer(conversation, actions, answer, all);
    });
  }

  /**
   * Cancels the running action. If the service cannot, calls `afterStep`, and
   * the agent stops after the action.
   */
  async stop(
    conversation: Conversation,
    signal: AbortSignal,
    afterStep?: () => void,
  ): Promise<Stopped> {
    const key = keyOf(conversation);
    this.#untilStop.get(key)?.abort();
    this.#untilStop.delete(key);
    const all = this.#parts.work.with(signal);
    const call: CallOptions = { signal: all, priority: 'stop' };
    const located = await this.#requests.locate(
      conversation,
      all,
      judgeWaiting,
      call,
    );
    if (located.unready) throw new UserError(whyNotReady(located.unready));
    const { steering, reading } = located;
    all.throwIfAborted();
    const waiting = reading instanceof UserError ? undefined : reading.verdict;
    if (waiting?.status === 'waits') {
      this.#parts.conversations.recordRead(conversation, waiting);
      return { result: 'waits', actions: waiting.actions };
    }
    await halt(steering, conversation, call, afterStep);
    // Services accept a stop even if nothing runs.
    const now = await readIfPossible(
      conversation,
      steering,
      all,
      judgeWaiting,
      call,
    );
    const isFinished =
      now?.verdict.status === 'doesNotWait' &&
      now.verdict.execution === 'finished';
    return { result: isFinished ? 'finished' : 'stopped' };
  }

  /**
   * Sends a message and lets the agent work on it. Sends nothing while actions
   * wait.
   */
  async send(
    conversation: Conversation,
    message: NewMessage,
    signal: AbortSignal,
  ): Promise<SendResult> {
    const note = this.#parts.beforeMessage?.(conversation);
    return await this.#unlessStopped(
      conversation,
      signal,
      async (all, stop) => {
        await this.#parts.beforeRun?.(conversation);
        return await this.#send(conversation, message, all, stop, note);
      },
    );
  }

  /**
   * Rejects these actions if exactly they still wait, with the text as the
   * reason, and then sends the message.
   */
  async rejectAndSend(
    conversation: Conversation,
    actions: readonly WaitingAction[],
    message: NewMessage,
    signal: AbortSignal,
  ): Promise<RejectedAndSent> {
    const answer = { accept: false, reason: message.text };
    const note = this.#parts.beforeMessage?.(conversation);
    return await this.#unlessStopped<RejectedAndSent>(
      conversation,
      signal,
      async (all, stop) => {
        await this.#parts.beforeRun?.(conversation);
        const answered = await this.#answering.answer(
          conversation,
          actions,
          answer,
          all,
        );
        if (answered.result !== 'answered') return answered;
        return await this.#send(conversation, message, all, stop, note);
      },
    );
  }

  /** Lets the agent continue. Sends nothing while actions wait. */
  async resume(
    conversation: Conversation,
    signal: AbortSignal,
  ): Promise<Resumed> {
    return await this.#whileIdle(
      conversation,
      signal,
      async (steering, events) => {
        const failure = await runAgent(
          this.#parts,
          conversation,
          steering,
          events,
        );
        return failure ? { result: 'unsure', failure } : { result: 'resumed' };
      },
    );
  }

  /**
   * Lets the agent summarize its context. Sends nothing while actions wait,
   * because it would execute them.
   */
  async compact(
    conversation: Conversation,
    signal: AbortSignal,
  ): Promise<Compacted> {
    return await this.#whileIdle<Compacted>(
      conversation,
      signal,
      async (steering) => {
        await steering.compact(conversation.id, {
          signal: this.#parts.work.with(signal),
        });
        return { result: 'compacted' };
      },
    );
  }

  /**
   * Reads a message and the id of the event before it. Throws a UserError if
   * there is none.
   */
  async message(
    conversation: Conversation,
    eventId: string,
    signal: AbortSignal,
  ): Promise<MessageEvent & { readonly parentId: string }> {
    const event = await this.#requests.atAgent(
      conversation,
      signal,
      (steering, call) => steering.event(conversation.id, eventId, call),
    );
    if (event?.kind === 'message' && event.parentId !== undefined)
      return { ...event, parentId: event.parentId };
    throw userError(
      'The service does not report what comes before this message.',
    );
  }

  /**
   * Forks from an event, or from the end. Lists the fork first. The signal does
   * not cancel a fork that was begun, because it must ask as its original does.
   */
  async fork(
    conversation: Conversation,
    title: string,
    eventId: string | undefined,
    signal: AbortSignal,
  ): Promise<Conversation> {
    return await this.#requests.atAgent(
      conversation,
      signal,
      async (steering, call) => {
        const { id } = conversation;
        if (eventId === undefined && conversation.execution === 'running') {
          // A full copy of a running conversation also claims to run.
          const { items } = await steering
            .events(id, call)
            .fetch(undefined, { size: 20 });
          eventId = items.find(({ kind }) => kind !== 'state')?.id;
        }
        signal.throwIfAborted();
        const toEnd = { signal: this.#parts.work.signal };
        const begun = await steering.fork(id, title, eventId, toEnd);
        const { service } = conversation;
        const fork = await this.#parts.approvals.carryOver(
          conversation,
          { ...begun, service },
          steering,
          toEnd,
        );
        const row = await steering.listFork?.(fork.id, title, toEnd);
        const listed = row ? { ...row, approval: fork.approval } : fork;
        this.#parts.conversations.insertFirst(listed);
        if (!signal.aborted) return listed;
        throw userError(
          'The fork was made before you canceled. It is in the list.',
        );
      },
    );
  }

  async askAside(
    conversation: Conversation,
    question: string,
    signal: AbortSignal,
  ): Promise<string> {
    return await this.#requests.atAgent(
      conversation,
      signal,
      (steering, call) => steering.askAside(conversation.id, question, call),
    );
  }

  async profiles(
    conversation: Conversation,
    signal: AbortSignal,
  ): Promise<readonly ModelProfile[]> {
    return await this.#requests.atAgent(
      conversation,
      signal,
      (steering, call) => steering.profiles(call),
    );
  }

  async switchProfile(
    conversation: Conversation,
    profile: ModelProfile,
    signal: AbortSignal,
  ): Promise<void> {
    const { name, model } = profile;
    await this.#requests.atAgent(conversation, signal, (steering, call) =>
      steering.switchProfile(conversation.id, name, call),
    );
    this.#parts.conversations.edit(keyOf(conversation), (row) => ({
      ...row,
      model: model ?? row.model,
    }));
  }

  /**
   * Sets when the agent asks for approval. Pending actions stay pending.
   * `canReplace`: also replaces an analyzer of another program.
   */
  async setConfirmation(
    conversation: Conversation,
    policy: ConfirmationPolicy,
    signal: AbortSignal,
    canReplace = false,
  ): Promise<void> {
    const { approvals } = this.#parts;
    await this.#changeApproval(conversation, signal, (steering, call) =>
      approvals.choose(conversation, policy, steering, call, canReplace),
    );
  }

  /** Sends the rules in force, if the service rates by older ones. */
  async updateRules(
    conversation: Conversation,
    signal: AbortSignal,
  ): Promise<void> {
    const { approvals } = this.#parts;
    await this.#changeApproval(conversation, signal, (steering, call) =>
      approvals.update(conversation, steering, call),
    );
  }

  /**
   * Returns the address of the editor that runs beside the agent, for a
   * browser.
   */
  async editorPage(
    conversation: Conversation,
    signal: AbortSignal,
  ): Promise<Link> {
    const page = await this.#parts.locations.useReady(
      conversation,
      { signal },
      ({ steering }) => steering.editorPage(conversation.folder, { signal }),
    );
    if (!page) throw userError('No editor runs beside this agent.');
    const isHere = (address: string) =>
      isThisMachine(URL.parse(address)?.hostname ?? '');
    if (!isHere(page.full.reveal()) || isHere(conversation.service))
      return page;
    throw userError(
      'The editor beside this agent is at {0} on the machine of the service, and cannot be opened from here.',
      page.shown,
    );
  }

  /**
   * Waits for its turn: a message sent meanwhile would enforce an earlier
   * choice.
   */
  async #changeApproval(
    conversation: Conversation,
    signal: AbortSignal,
    change: (steering: Steering, call: CallOptions) => Promise<Approval>,
  ): Promise<void> {
    await this.#requests.inTurn(conversation, signal, async (all) => {
      const approval = await this.#requests.atAgent(conversation, all, change);
      this.#parts.conversations.approvalRead(conversation, approval);
    });
  }

  /** Acts on an agent that neither works nor has pending actions. */
  async #whileIdle<Result>(
    conversation: Conversation,
    signal: AbortSignal,
    act: (steering: Steering, events: readonly AgentEvent[]) => Promise<Result>,
  ): Promise<Result | NotIdle> {
    return await this.#requests.inTurn<Result | NotIdle>(
      conversation,
      signal,
      async (all) => {
        await this.#parts.beforeRun?.(conversation);
        const located = await this.#requests.locate(
          conversation,
          all,
          pendingOf,
        );
        if (located.unready) return notReachable(located.unready);
        const { steering, reading } = located;
        if (reading instanceof UserError) throw reading;
        const latest = notIdle(reading)
          ? reading
          : await this.#enforceApproval(conversation, steering, reading, all);
        all.throwIfAborted();
        return notIdle(latest) ?? (await act(steering, latest.events));
      },
    );
  }

  /**
   * Throws if the agent would ask less than required. Returns the last reading
   * of the events, so that nothing runs that began to wait meanwhile.
   */
  async #enforceApproval(
    conversation: Conversation,
    steering: Steering,
    reading: EventReading<PendingActions>,
    signal: AbortSignal,
  ): Promise<EventReading<PendingActions>> {
    const { approvals, conversations } = this.#parts;
    const hasAsked = await approvals.enforce(
      conversation,
      steering,
      { signal },
      (read, approval) => {
        conversations.approvalRead(read, approval);
      },
    );
    return hasAsked
      ? await readEvents(conversation, steering, signal, pendingOf)
      : reading;
  }

  /** Works in turn, but only until the conversation is stopped. */
  async #unlessStopped<T>(
    conversation: Conversation,
    signal: AbortSignal,
    work: (all: AbortSignal, stop: AbortSignal) => Promise<T>,
  ): Promise<T | Extract<SendResult, { result: 'stopped' }>> {
    const key = keyOf(conversation);
    const controller = this.#untilStop.get(key) ?? new AbortController();
    this.#untilStop.set(key, controller);
    const { signal: stop } = controller;
    try {
      const either = AbortSignal.any([signal, stop]);
      return await this.#requests.inTurn(conversation, either, (all) =>
        work(all, stop),
      );
    } catch (error) {
      if (stop.aborted && !signal.aborted) return { result: 'stopped' };
      throw error;
    }
  }

  /**
   * Adds the message without running the agent, and then runs it unless actions
   * wait. In one request, the message would be handled after the current step,
   * and run the actions that this step wants to ask about.
   */
  async #send(
    conversation: Conversation,
    message: NewMessage,
    signal: AbortSignal,
    stop: AbortSignal,
    note: NoteMessage | undefined,
  ): Promise<SendResult> {
    const located = await this.#requests.locate(
      conversation,
      signal,
      pendingOf,
    );
    if (located.unready) {
      const { unready, agents } = located;
      if (unready.status !== 'sandboxStarting' || !agents.queue)
        return notReachable(unready);
      // A queued message runs pending actions. A conversation without events
      // has none.
      const { items } = await agents
        .events(conversation.id, { signal })
        .fetch(undefined, { size: 1 });
      signal.throwIfAborted();
      const isUnproven =
        this.#parts.approvals.required(keyOf(conversation)) !== undefined;
      if (items.length > 0 || isUnproven) return notReachable(unready);
      const position = await agents.queue(conversation.id, partsOf(message), {
        signal,
      });
      return { result: 'queued', position };
    }
    const { steering, reading: before } = located;
    if (before instanceof UserError) throw before;
    signal.throwIfAborted();
    if (before.verdict.actions.length > 0)
      return { result: 'waits', actions: before.verdict.actions };
    const failure = await addMessage(
      this.#parts,
      conversation,
      message,
      steering,
      before.events,
    );
    if (failure) return { result: 'unsure', failure };
    const call = { signal: this.#parts.work.signal };
    const isStopped = () => stop.aborted;
    try {
      const after = await readEvents(
        conversation,
        steering,
        call.signal,
        pendingOf,
      );
      noteAdded(message, before.events, after.events, note);
      const isDone = (events: readonly AgentEvent[]) =>
        isStopped() || isReplied(events);
      const needsNoRun = (reading: EventReading<PendingActions>) =>
        notIdle(reading) !== undefined || isDone(reading.events);
      const latest = needsNoRun(after)
        ? after
        : await this.#enforceApproval(
            conversation,
            steering,
            after,
            call.signal,
          );
      const { actions } = latest.verdict;
      if (actions.length > 0) return { result: 'sent', waiting: actions };
      if (needsNoRun(latest)) return { result: 'sent' };
      const notRun = await runAgent(
        this.#parts,
        conversation,
        steering,
        latest.events,
        isDone,
      );
      // The stop may have arrived before the run.
      if (isStopped())
        await halt(steering, conversation, { ...call, priority: 'stop' });
      return { result: 'sent', ...(notRun && { notRun }) };
    } catch (error) {
      if (error instanceof UserError) return { result: 'sent', notRun: error };
      throw error;
    }
  }
}

/** Notes an added message if it is among the newest events. */
function noteAdded(
  message: NewMessage,
  before: readonly AgentEvent[],
  newestFirst: readonly AgentEvent[],
  note: NoteMessage | undefined,
): void {
  const added = newestFirst.find(isAddedMessage(message, before));
  if (added) note?.(added.id);
}

/** The reason why the agent is not idle; `undefined` if it is. */
function notIdle({
  verdict: { actions, execution },
}: EventReading<PendingActions>): NotIdle | undefined {
  if (actions.length > 0) return { result: 'waits', actions };
  return execution === 'running' ? { result: 'works' } : undefined;
}

function notReachable(location: UnreadyLocation): NotReachable {
  if (location.status === 'outOfReach') throw new UserError(location.why);
  if (location.status !== 'sandboxPaused') return { result: location.status };
  return { result: 'sandboxPaused', sandboxId: location.sandboxId };
}

/**
 * Cancels the running action, or stops after it if the service cannot cancel.
 */
async function halt(
  steering: Steering,
  { id }: Conversation,
  call: CallOptions,
  afterStep?: () => void,
): Promise<void> {
  if (await steering.interrupt(id, call)) return;
  afterStep?.();
  await steering.pause(id, call);
}

/** True if the agent has done something since the user's last message. */
function isReplied(newestFirst: readonly AgentEvent[]): boolean {
  const last = newestFirst.find(
    ({ kind, source }) => kind === 'action' || (kind === 'message' && source),
  );
  return last !== undefined && last.source !== 'user';
}
