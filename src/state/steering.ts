/** Acting on the conversations of one service. Nothing is answered but exactly what was shown, and that once. */
import { type Clock, sleep } from '../base/clock.ts';
import { UserError } from '../base/errors.ts';
import { t } from '../base/l10n.ts';
import { isThisMachine } from '../base/loopback.ts';
import { plainText } from '../base/plainText.ts';
import type { Agents, Answer, Editing, Steering, Where } from '../service/agentService.ts';
import type { ServiceClient } from '../service/client.ts';
import {
  type ConfirmationPolicy,
  type Conversation,
  keyOf,
  type Link,
  type Time,
} from '../service/entities.ts';
import type { AgentEvent } from '../service/events.ts';
import { ServiceError } from '../service/serviceError.ts';
import type { CallOptions } from '../service/transport.ts';
import { partsOf } from './messageParts.ts';
import { reachOf } from './reach.ts';
import type { RemoteList } from './remoteList.ts';
import type {
  Answered,
  NewMessage,
  NotReachable,
  RejectedAndSent,
  Resumed,
  Sent,
  Stopped,
} from './steeringResults.ts';
import {
  areSame,
  fateOf,
  type Pending,
  pendingOf,
  type Waiting,
  type WaitingAction,
  waitingOf,
} from './waiting.ts';

/** Beyond these many events it is not looked for what an agent waits for. */
export const mostEvents = 2_000;
const firstPage = 20;
const page = 99;
const mostPages = 50;

/** When an answer is looked for in the events, in milliseconds after each other. */
const lookedForAfter = [0, 500, 2_500];
const lookedForAfterFailure = [500, 2_500, 7_000];
/** A request can arrive so much later than its failure, in milliseconds. */
const longestOnTheWay = 60_000;

interface Reading<Found = Waiting> {
  readonly found: Found;
  readonly events: readonly AgentEvent[];
}

/** Where events are read: at the service, or at the sandbox of the conversation. */
type Source = Pick<Steering, 'events'>;

/** What events tell; undefined as long as older ones are needed. */
type Judge<Found> = (newestFirst: readonly AgentEvent[], isAll: boolean) => Found | undefined;

const judgeWaiting: Judge<Waiting> = (events, isAll) => {
  const waiting = waitingOf(events, isAll);
  return waiting.status === 'unknown' ? undefined : waiting;
};

type KnownPending = Pending & { readonly status: 'known' };

const judgePending: Judge<KnownPending> = (events, isAll) => {
  const pending = pendingOf(events, isAll);
  return pending.status === 'unknown' ? undefined : pending;
};

/** An answer that was sent and may not have arrived yet. */
interface OnTheWay {
  readonly actions: readonly WaitingAction[];
  readonly failure: ServiceError;
  readonly until: Time;
}

export class AgentSteering {
  readonly #client: ServiceClient;
  readonly #list: RemoteList<Conversation>;
  readonly #clock: Clock;
  /** By the key of the conversation. */
  readonly #last = new Map<string, Promise<unknown>>();
  readonly #onTheWay = new Map<string, OnTheWay>();
  /** Aborted when the service is disconnected. */
  #untilRelease = new AbortController();

  constructor(client: ServiceClient, list: RemoteList<Conversation>, clock: Clock) {
    this.#client = client;
    this.#list = list;
    this.#clock = clock;
  }

  /** What waits now. */
  async read(conversation: Conversation, signal: AbortSignal): Promise<Waiting> {
    const all = this.#untilReleased(signal);
    const { agents, where } = await this.#where(conversation, all);
    const source = where.status === 'ready' ? where.steering : agents;
    return (await this.#read(conversation, source, all, judgeWaiting)).found;
  }

  /** What waits now, as the service itself tells it, wherever the agent is: for lists. */
  async glance(conversation: Conversation, signal: AbortSignal, call: CallOptions): Promise<Waiting> {
    const all = this.#untilReleased(signal);
    const { steering: agents } = await this.#client.recognise({ ...call, signal: all });
    if (!agents) throw this.#cannot();
    return (await this.#read(conversation, agents, all, judgeWaiting, call)).found;
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
    const all = this.#untilReleased(signal);
    return await this.#inTurn(conversation, () => this.#answer(conversation, shown, answer, all));
  }

  /** Cancels what runs. */
  async stop(conversation: Conversation, signal: AbortSignal): Promise<Stopped> {
    const all = this.#untilReleased(signal);
    const steering = await this.#steering(conversation, all);
    const reading = await this.#readIfPossible(conversation, steering, all, judgeWaiting);
    all.throwIfAborted();
    if (reading?.found.status === 'waits') return { result: 'waits', actions: reading.found.actions };
    await steering.stop(conversation.id, { signal: all });
    return { result: 'stopped' };
  }

  /** Sends a message, on which the agent works. Nothing is sent while something waits. */
  async send(conversation: Conversation, message: NewMessage, signal: AbortSignal): Promise<Sent> {
    const all = this.#untilReleased(signal);
    return await this.#inTurn(conversation, () => this.#send(conversation, message, all));
  }

  /** Adds a message, which the agent reads when it goes on. It runs nothing. */
  async leave(conversation: Conversation, message: NewMessage, signal: AbortSignal): Promise<Sent> {
    const all = this.#untilReleased(signal);
    return await this.#inTurn(conversation, async () => {
      const { where } = await this.#where(conversation, all);
      if (where.status !== 'ready') return notReachable(where);
      const reading = await this.#readIfPossible(conversation, where.steering, all, () => true);
      const failure = await this.#add(conversation, message, where.steering, reading?.events ?? []);
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
    const all = this.#untilReleased(signal);
    const answer = { accept: false, reason: message.text };
    return await this.#inTurn(conversation, async () => {
      const answered = await this.#answer(conversation, shown, answer, all);
      return answered.result === 'answered' ? await this.#send(conversation, message, all) : answered;
    });
  }

  /** Lets the agent go on. Nothing is sent while something waits. */
  async resume(conversation: Conversation, signal: AbortSignal): Promise<Resumed> {
    const all = this.#untilReleased(signal);
    return await this.#inTurn(conversation, async () => {
      const { where } = await this.#where(conversation, all);
      if (where.status !== 'ready') return notReachable(where);
      const { steering } = where;
      const { found, events } = await this.#read(conversation, steering, all, judgePending);
      all.throwIfAborted();
      if (found.actions.length > 0) return { result: 'waits', actions: found.actions };
      if (found.execution === 'running') return { result: 'works' };
      const failure = await this.#run(conversation, steering, events);
      return failure ? { result: 'unsure', failure } : { result: 'resumed' };
    });
  }

  /** When it asks from now on. What waits goes on waiting. */
  async setConfirmation(
    conversation: Conversation,
    policy: ConfirmationPolicy,
    signal: AbortSignal,
  ): Promise<void> {
    const all = this.#untilReleased(signal);
    const steering = await this.#steering(conversation, all);
    await steering.setConfirmation(conversation.id, policy, { signal: all });
  }

  /** Where the editor runs that is beside the agent, in a browser. */
  async editorPage(conversation: Conversation, signal: AbortSignal): Promise<Link> {
    const all = this.#untilReleased(signal);
    const steering = await this.#steering(conversation, all);
    const page = await steering.editorPage(conversation.folder, { signal: all });
    if (!page) throw new UserError(t('No editor runs beside this agent.'));
    const isHere = (address: string) => isThisMachine(URL.parse(address)?.hostname ?? '');
    if (!isHere(page.full.reveal()) || isHere(conversation.service)) return page;
    throw new UserError(
      t(
        'The editor beside this agent is at {0} on the machine of the service, and cannot be opened from here.',
        page.shown,
      ),
    );
  }

  async rename(conversation: Conversation, title: string, signal: AbortSignal): Promise<void> {
    const all = this.#untilReleased(signal);
    const editing = await this.#editing(all);
    await editing.rename(conversation.id, title, { signal: all });
    this.#list.edit(keyOf(conversation), (row) => ({ ...row, title: plainText(title, 500) }));
  }

  async remove(conversation: Conversation, signal: AbortSignal): Promise<void> {
    const all = this.#untilReleased(signal);
    const editing = await this.#editing(all);
    try {
      await editing.remove(conversation.id, { signal: all });
    } catch (error) {
      if (!(error instanceof ServiceError) || !error.circumstances.outcomeUnknown) throw error;
      if (!(await this.#isGone(conversation, all))) throw error;
    }
    this.#list.edit(keyOf(conversation), () => undefined);
  }

  /** The new conversation, which is listed first. */
  async fork(conversation: Conversation, title: string, signal: AbortSignal): Promise<Conversation> {
    const all = this.#untilReleased(signal);
    const { fork } = await this.#editing(all);
    if (!fork) throw this.#cannot();
    const made = await fork(conversation.id, title, { signal: all });
    this.#list.insertFirst(made);
    return made;
  }

  /** Cancels what is under way, because the service is disconnected. */
  release(): void {
    this.#untilRelease.abort(
      new UserError(t('The connection to the service was closed before the result was known.')),
    );
    this.#untilRelease = new AbortController();
  }

  #untilReleased(signal: AbortSignal): AbortSignal {
    return AbortSignal.any([signal, this.#untilRelease.signal]);
  }

  async #where(conversation: Conversation, signal: AbortSignal): Promise<{ agents: Agents; where: Where }> {
    const { steering: agents } = await this.#client.recognise({ signal });
    if (!agents) throw this.#cannot();
    return { agents, where: await agents.where(conversation.id, { signal }) };
  }

  async #steering(conversation: Conversation, signal: AbortSignal): Promise<Steering> {
    const { where } = await this.#where(conversation, signal);
    if (where.status === 'ready') return where.steering;
    throw new UserError(reachOf(where, false).whyNot ?? '');
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

  async #editing(signal: AbortSignal): Promise<Editing> {
    const { editing } = await this.#client.recognise({ signal });
    if (!editing) throw this.#cannot();
    return editing;
  }

  #cannot(): UserError {
    return new UserError(t('This service offers no way to do that. Open the conversation in its own app.'));
  }

  async #read<Found>(
    conversation: Conversation,
    source: Source,
    signal: AbortSignal,
    judge: Judge<Found>,
    call: CallOptions = {},
  ): Promise<Reading<Found>> {
    const { fetch } = source.events(conversation.id, { ...call, signal });
    let { items: events, cursor } = await fetch(undefined, { size: firstPage });
    /** Whether more has come since the newest of them were read. */
    let mayBeOld = false;
    for (let more = 0; more < mostPages && events.length < mostEvents; more++) {
      signal.throwIfAborted();
      const found = judge(events, cursor === undefined);
      if (found === undefined) {
        const older = await fetch(cursor, { size: page });
        events = [...events, ...older.items];
        ({ cursor } = older);
        mayBeOld = true;
      } else if (mayBeOld) {
        const latest = await fetch(undefined, { size: firstPage });
        const known = new Set(events.map(({ id }) => id));
        const fresh = latest.items.filter(({ id }) => !known.has(id));
        mayBeOld = false;
        if (fresh.length < latest.items.length) events = [...fresh, ...events];
        // There may be others between these and those.
        else ({ items: events, cursor } = latest);
      } else return { found, events };
    }
    throw new UserError(
      t(
        'Could not find out what the agent waits for: its last {0} events do not tell. Open the conversation in the app of the service.',
        mostEvents,
      ),
    );
  }

  async #readIfPossible<Found>(
    conversation: Conversation,
    source: Source,
    signal: AbortSignal,
    judge: Judge<Found>,
  ): Promise<Reading<Found> | undefined> {
    try {
      return await this.#read(conversation, source, signal, judge);
    } catch (error) {
      if (error instanceof UserError) return undefined;
      throw error;
    }
  }

  /**
   * A message that runs what it finds would be handled only after the step that runs, and run what that step wants to ask
   * about. So it is added without running anything, and then the agent is told to go on if nothing waits.
   */
  async #send(conversation: Conversation, message: NewMessage, signal: AbortSignal): Promise<Sent> {
    const { agents, where } = await this.#where(conversation, signal);
    if (where.status === 'sandboxStarting' && agents.queue)
      return {
        result: 'queued',
        position: await agents.queue(conversation.id, partsOf(message), { signal }),
      };
    if (where.status !== 'ready') return notReachable(where);
    const { steering } = where;
    const before = await this.#read(conversation, steering, signal, judgePending);
    signal.throwIfAborted();
    if (before.found.actions.length > 0) return { result: 'waits', actions: before.found.actions };
    const failure = await this.#add(conversation, message, steering, before.events);
    if (failure) return { result: 'unsure', failure };
    const { signal: untilRelease } = this.#untilRelease;
    const { found, events } = await this.#read(conversation, steering, untilRelease, judgePending);
    if (found.actions.length > 0) return { result: 'sent', waiting: found.actions };
    if (found.execution === 'running' || isReplied(events)) return { result: 'sent' };
    try {
      const notRun = await this.#run(conversation, steering, events);
      return { result: 'sent', ...(notRun && { notRun }) };
    } catch (error) {
      if (error instanceof ServiceError) return { result: 'sent', notRun: error };
      throw error;
    }
  }

  /** Why it is not known whether it was added; undefined if it was. */
  async #add(
    conversation: Conversation,
    message: NewMessage,
    steering: Steering,
    before: readonly AgentEvent[],
  ): Promise<ServiceError | undefined> {
    const parts = partsOf(message);
    const failure = await unknownOutcome(() => steering.add(conversation.id, parts));
    if (!failure) return undefined;
    const known = new Set(before.map(({ id }) => id));
    const text = parts.texts.join('\n');
    const isThere = await this.#isSeen(conversation, steering, (event) => {
      return (
        event.kind === 'message' && !known.has(event.id) && event.source === 'user' && event.text === text
      );
    });
    return isThere ? undefined : failure;
  }

  /** Why it is not known whether it goes on; undefined if it does. */
  async #run(
    conversation: Conversation,
    steering: Steering,
    before: readonly AgentEvent[],
  ): Promise<ServiceError | undefined> {
    const failure = await unknownOutcome(() => steering.run(conversation.id));
    if (!failure) return undefined;
    const known = new Set(before.map(({ id }) => id));
    const isSeen = await this.#isSeen(conversation, steering, (event) => {
      return event.kind === 'state' && event.execution === 'running' && !known.has(event.id);
    });
    return isSeen ? undefined : failure;
  }

  /** Looks for it a few times among the newest events. */
  async #isSeen(
    conversation: Conversation,
    steering: Steering,
    isIt: (event: AgentEvent) => boolean,
  ): Promise<boolean> {
    const { signal } = this.#untilRelease;
    for (const pause of lookedForAfterFailure) {
      await sleep(this.#clock, pause, signal);
      const judge: Judge<boolean> = (events, isAll) =>
        isAll || events.length >= page ? events.some(isIt) : events.some(isIt) || undefined;
      if ((await this.#readIfPossible(conversation, steering, signal, judge))?.found) return true;
    }
    return false;
  }

  async #answer(
    conversation: Conversation,
    shown: readonly WaitingAction[],
    answer: Answer,
    signal: AbortSignal,
  ): Promise<Answered> {
    signal.throwIfAborted();
    const steering = await this.#steering(conversation, signal);
    const reading = await this.#read(conversation, steering, signal, judgeWaiting);
    signal.throwIfAborted();
    const waiting = reading.found;
    if (waiting.status !== 'waits' || !areSame(shown, waiting.actions)) return notSent(shown, reading);
    const key = keyOf(conversation);
    const earlier = this.#onTheWay.get(key);
    if (earlier && earlier.until > this.#clock.now() && areSame(shown, earlier.actions))
      return { result: 'unsure', failure: earlier.failure, now: waiting };
    this.#onTheWay.delete(key);
    const failure = await unknownOutcome(() => steering.answer(conversation.id, answer));
    if (failure) {
      const until = this.#clock.now() + longestOnTheWay;
      this.#onTheWay.set(key, { actions: shown, failure, until });
    }
    return await this.#lookFor(conversation, shown, answer, steering, failure);
  }

  /** Whether the events show what was sent. */
  async #lookFor(
    conversation: Conversation,
    shown: readonly WaitingAction[],
    { accept }: Answer,
    steering: Steering,
    failure: ServiceError | undefined,
  ): Promise<Answered> {
    const { signal } = this.#untilRelease;
    let now: Waiting | undefined;
    for (const pause of failure ? lookedForAfterFailure : lookedForAfter) {
      await sleep(this.#clock, pause, signal);
      const reading = await this.#readIfPossible(conversation, steering, signal, judgeWaiting);
      if (!reading) continue;
      now = reading.found;
      if (now.status === 'waits' && areSame(shown, now.actions)) continue;
      // The service has said that it has done it.
      if (!failure) return { result: 'answered' };
      const fate = fateOf(shown, reading.events);
      const isOurs = fate === (accept ? 'accepted' : 'rejected');
      return isOurs ? { result: 'answered' } : notSent(shown, reading);
    }
    // What it has said is all that is known.
    if (!failure && now === undefined) return { result: 'answered' };
    return { result: 'unsure', failure, now };
  }

  async #isGone({ id }: Conversation, signal: AbortSignal): Promise<boolean> {
    try {
      const { conversations } = await this.#client.recognise({ signal });
      return (await conversations.find(id, { signal })) === undefined;
    } catch (error) {
      if (error instanceof ServiceError) return false;
      throw error;
    }
  }
}

function notSent(shown: readonly WaitingAction[], { found: waiting, events }: Reading): Answered {
  const fate = fateOf(shown, events);
  if (waiting.status === 'waits') return { result: 'changed', now: waiting.actions, fate };
  if (fate === 'accepted' || fate === 'rejected') return { result: 'answeredElsewhere', fate };
  return { result: 'noLongerWaits', fate, execution: waiting.execution };
}

/** Does what is not to be done twice. Undefined if it is done, and else why that is not known. */
async function unknownOutcome(act: () => Promise<void>): Promise<ServiceError | undefined> {
  try {
    await act();
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError && error.circumstances.outcomeUnknown) return error;
    throw error;
  }
}

function notReachable(where: Exclude<Where, { status: 'ready' }>): NotReachable {
  if (where.status === 'outOfReach') throw new UserError(where.why);
  if (where.status !== 'sandboxPaused') return { result: where.status };
  return { result: 'sandboxPaused', sandboxId: where.sandboxId };
}

/** Whether the agent has done something since the last message of the person. */
function isReplied(newestFirst: readonly AgentEvent[]): boolean {
  const last = newestFirst.find(({ kind, source }) => kind === 'action' || (kind === 'message' && source));
  return last !== undefined && last.source !== 'user';
}
