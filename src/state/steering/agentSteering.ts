/** Acting on the agents of one service. Nothing is answered but exactly what was shown, and that once. */
import type { Clock } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import type { Answer, Steering } from '../../service/agentService.ts';
import type { ServiceClient } from '../../service/client.ts';
import { type ConfirmationPolicy, type Conversation, keyOf } from '../../service/entities.ts';
import type { AgentEvent } from '../../service/events.ts';
import type { CallOptions } from '../../service/transport.ts';
import { cannot, notReachable, steeringAt, whereIs } from './agentPlace.ts';
import { Answering, type OnRead } from './answering.ts';
import { Delivery } from './delivery.ts';
import { judgePending, judgeWaiting, readEvents, readIfPossible } from '../conversation/eventReading.ts';
import { partsOf } from './messageParts.ts';
import type {
  Answered,
  NewMessage,
  RejectedAndSent,
  Resumed,
  SendResult,
  Stopped,
} from './steeringResults.ts';
import type { UntilRelease } from '../conversation/untilRelease.ts';
import type { Waiting, WaitingAction } from '../transcript/waiting.ts';

export class AgentSteering {
  readonly #client: ServiceClient;
  readonly #release: UntilRelease;
  readonly #delivery: Delivery;
  readonly #answering: Answering;
  /** By the key of the conversation. */
  readonly #last = new Map<string, Promise<unknown>>();
  /** Aborted by the next stop of a conversation, so that no message under way starts its agent again. By key. */
  readonly #untilStop = new Map<string, AbortController>();

  constructor(client: ServiceClient, clock: Clock, release: UntilRelease, onRead: OnRead) {
    this.#client = client;
    this.#release = release;
    this.#delivery = new Delivery(clock, release);
    this.#answering = new Answering(client, clock, release, onRead);
  }

  /** What waits now. */
  async read(conversation: Conversation, signal: AbortSignal): Promise<Waiting> {
    const all = this.#release.with(signal);
    const { agents, where } = await whereIs(this.#client, conversation, { signal: all });
    const source = where.status === 'ready' ? where.steering : agents;
    return (await readEvents(conversation, source, all, judgeWaiting)).found;
  }

  /** What waits now, as the service itself tells it, wherever the agent is: for lists. */
  async glance(conversation: Conversation, signal: AbortSignal, call: CallOptions): Promise<Waiting> {
    const all = this.#release.with(signal);
    const { steering: agents } = await this.#client.recognise({ ...call, signal: all });
    if (!agents) throw cannot();
    return (await readEvents(conversation, agents, all, judgeWaiting, call)).found;
  }

  /**
   * Answers these actions if exactly they still wait. Who answers the same ones while that is under way is told what has
   * become of it. Once it is sent, the signal does not cancel it.
   */
  async answer(
    conversation: Conversation,
    shown: readonly WaitingAction[],
    answer: Answer,
    signal: AbortSignal,
  ): Promise<Answered> {
    const all = this.#release.with(signal);
    return await this.#inTurn(conversation, () => this.#answering.answer(conversation, shown, answer, all));
  }

  /** Cancels what runs. Where the service cannot do that, `afterStep` is called, and the agent ends what it does first. */
  async stop(conversation: Conversation, signal: AbortSignal, afterStep?: () => void): Promise<Stopped> {
    const key = keyOf(conversation);
    this.#untilStop.get(key)?.abort();
    this.#untilStop.delete(key);
    const all = this.#release.with(signal);
    const call: CallOptions = { signal: all, priority: 'stop' };
    const steering = await steeringAt(this.#client, conversation, call);
    const reading = await readIfPossible(conversation, steering, all, judgeWaiting, call);
    all.throwIfAborted();
    if (reading?.found.status === 'waits') return { result: 'waits', actions: reading.found.actions };
    await halt(steering, conversation, call, afterStep);
    // A service accepts this also where nothing runs any more.
    const now = await readIfPossible(conversation, steering, all, judgeWaiting, call);
    const isFinished = now?.found.status === 'doesNotWait' && now.found.execution === 'finished';
    return { result: isFinished ? 'finished' : 'stopped' };
  }

  /** Sends a message, on which the agent works. Nothing is sent while something waits. */
  async send(conversation: Conversation, message: NewMessage, signal: AbortSignal): Promise<SendResult> {
    return await this.#unlessStopped(conversation, signal, (all, stop) =>
      this.#inTurn(conversation, () => this.#send(conversation, message, all, stop)),
    );
  }

  /** Adds a message, which the agent reads when it goes on. It runs nothing. */
  async leave(conversation: Conversation, message: NewMessage, signal: AbortSignal): Promise<SendResult> {
    const all = this.#release.with(signal);
    return await this.#inTurn(conversation, async () => {
      const { where } = await whereIs(this.#client, conversation, { signal: all });
      if (where.status !== 'ready') return notReachable(where);
      const reading = await readIfPossible(conversation, where.steering, all, () => true);
      const failure = await this.#delivery.add(conversation, message, where.steering, reading?.events ?? []);
      return failure ? { result: 'unsure', failure } : { result: 'sent' };
    });
  }

  /** Rejects these actions if exactly they still wait, with the text as the reason, and then sends the message. */
  async rejectAndSend(
    conversation: Conversation,
    shown: readonly WaitingAction[],
    message: NewMessage,
    signal: AbortSignal,
  ): Promise<RejectedAndSent> {
    const answer = { accept: false, reason: message.text };
    return await this.#unlessStopped<RejectedAndSent>(conversation, signal, (all, stop) =>
      this.#inTurn(conversation, async () => {
        const answered = await this.#answering.answer(conversation, shown, answer, all);
        return answered.result === 'answered' ? await this.#send(conversation, message, all, stop) : answered;
      }),
    );
  }

  /** Lets the agent go on. Nothing is sent while something waits. */
  async resume(conversation: Conversation, signal: AbortSignal): Promise<Resumed> {
    const all = this.#release.with(signal);
    return await this.#inTurn(conversation, async () => {
      const { where } = await whereIs(this.#client, conversation, { signal: all });
      if (where.status !== 'ready') return notReachable(where);
      const { steering } = where;
      const { found, events } = await readEvents(conversation, steering, all, judgePending);
      all.throwIfAborted();
      if (found.actions.length > 0) return { result: 'waits', actions: found.actions };
      if (found.execution === 'running') return { result: 'works' };
      const failure = await this.#delivery.run(conversation, steering, events);
      return failure ? { result: 'unsure', failure } : { result: 'resumed' };
    });
  }

  /** When it asks from now on. What waits goes on waiting. */
  async setConfirmation(
    conversation: Conversation,
    policy: ConfirmationPolicy,
    signal: AbortSignal,
  ): Promise<void> {
    const all = this.#release.with(signal);
    const steering = await steeringAt(this.#client, conversation, { signal: all });
    await steering.setConfirmation(conversation.id, policy, { signal: all });
  }

  /** What is done with one conversation is done one after the other. */
  async #inTurn<T>(conversation: Conversation, work: () => Promise<T>): Promise<T> {
    const key = keyOf(conversation);
    const before = this.#last.get(key) ?? Promise.resolve();
    const done = before.then(work);
    const ended = done.catch(() => undefined);
    this.#last.set(key, ended);
    try {
      return await done;
    } finally {
      if (this.#last.get(key) === ended) this.#last.delete(key);
    }
  }

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
      return await work(AbortSignal.any([this.#release.with(signal), stop]), stop);
    } catch (error) {
      if (stop.aborted && !signal.aborted) return { result: 'stopped' };
      throw error;
    }
  }

  /**
   * A message that runs what it finds would be handled only after the step that runs, and run what that step wants to ask
   * about. So it is added without running anything, and then the agent is told to go on if nothing waits.
   */
  async #send(
    conversation: Conversation,
    message: NewMessage,
    signal: AbortSignal,
    stop: AbortSignal,
  ): Promise<SendResult> {
    const { agents, where } = await whereIs(this.#client, conversation, { signal });
    if (where.status === 'sandboxStarting' && agents.queue) {
      // A queued message runs what it finds. Where nothing has happened yet, nothing can wait.
      const { items } = await agents.events(conversation.id, { signal }).fetch(undefined, { size: 1 });
      signal.throwIfAborted();
      if (items.length > 0) return notReachable(where);
      const position = await agents.queue(conversation.id, partsOf(message), { signal });
      return { result: 'queued', position };
    }
    if (where.status !== 'ready') return notReachable(where);
    const { steering } = where;
    const before = await readEvents(conversation, steering, signal, judgePending);
    signal.throwIfAborted();
    if (before.found.actions.length > 0) return { result: 'waits', actions: before.found.actions };
    const failure = await this.#delivery.add(conversation, message, steering, before.events);
    if (failure) return { result: 'unsure', failure };
    const call = { signal: this.#release.signal };
    const isStopped = () => stop.aborted;
    try {
      const { found, events } = await readEvents(conversation, steering, call.signal, judgePending);
      if (found.actions.length > 0) return { result: 'sent', waiting: found.actions };
      if (isStopped() || found.execution === 'running' || isReplied(events)) return { result: 'sent' };
      const notRun = await this.#delivery.run(conversation, steering, events);
      // The stop may have come before the agent went on.
      if (isStopped()) await halt(steering, conversation, { ...call, priority: 'stop' });
      return { result: 'sent', ...(notRun && { notRun }) };
    } catch (error) {
      if (error instanceof UserError) return { result: 'sent', notRun: error };
      throw error;
    }
  }
}

/** Cancels what runs, or ends it after its step where the service cannot cancel. */
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

/** Whether the agent has done something since the last message of the person. */
function isReplied(newestFirst: readonly AgentEvent[]): boolean {
  const last = newestFirst.find(({ kind, source }) => kind === 'action' || (kind === 'message' && source));
  return last !== undefined && last.source !== 'user';
}
