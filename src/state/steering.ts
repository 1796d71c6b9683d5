/** Acting on the conversations of one service. Nothing is answered but exactly what was shown, and that once. */
import { type Clock, sleep } from '../base/clock.ts';
import { UserError } from '../base/errors.ts';
import { t } from '../base/l10n.ts';
import { plainText } from '../base/plainText.ts';
import type { Answer, ConfirmationPolicy, Editing, Steering } from '../service/agentService.ts';
import type { ServiceClient } from '../service/client.ts';
import { type Conversation, type Execution, keyOf, type Time } from '../service/entities.ts';
import type { AgentEvent } from '../service/events.ts';
import { ServiceError } from '../service/serviceError.ts';
import type { RemoteList } from './remoteList.ts';
import { areSame, type Fate, fateOf, type Waiting, type WaitingAction, waitingOf } from './waiting.ts';

export type Answered =
  | { readonly result: 'answered' }
  /** Nothing was sent: this waits now. */
  | {
      readonly result: 'changed';
      readonly now: readonly WaitingAction[];
      readonly fate: Fate | undefined;
    }
  /** Nothing was sent: it is answered, by another window or program, or from elsewhere in this one. */
  | { readonly result: 'answeredElsewhere'; readonly fate: Fate }
  /** Nothing was sent: it was cancelled, or the agent stopped. */
  | {
      readonly result: 'noLongerWaits';
      readonly fate: Fate | undefined;
      readonly execution: Execution | undefined;
    }
  /**
   * It was sent, and the events do not show it; `failure` is undefined if the service has said that it is done. For a minute
   * after a failure it is not sent again, because it may still arrive.
   */
  | {
      readonly result: 'unsure';
      readonly failure: ServiceError | undefined;
      /** Undefined if it cannot be read. */
      readonly now: Waiting | undefined;
    };

export type Stopped =
  | { readonly result: 'stopped' }
  /** Nothing was sent, because nothing runs: what waits can be rejected. */
  | { readonly result: 'waits'; readonly actions: readonly WaitingAction[] };

export interface NewMessage {
  readonly text: string;
  /** PNG, JPEG, GIF or WebP, in Base64. */
  readonly pictures?: readonly { readonly mediaType: string; readonly base64: string }[];
  /** Their content is sent with the message, each under its name. */
  readonly files?: readonly { readonly name: string; readonly text: string }[];
}

/** Nothing was sent, because of where the conversation runs. */
export type NotReachable =
  /** `sandboxId`: what is to be resumed. */
  | { readonly result: 'sandboxPaused'; readonly sandboxId: string | undefined }
  | { readonly result: 'sandboxStarting' }
  | { readonly result: 'archived' }
  | { readonly result: 'gone' };

export type Sent =
  | { readonly result: 'sent' }
  /** Nothing was sent, because it would have run these: `rejectAndSend`, or `leave`. */
  | { readonly result: 'waits'; readonly actions: readonly WaitingAction[] }
  /** It is sent when the sandbox has started. */
  | { readonly result: 'queued'; readonly position: number | undefined }
  | NotReachable
  /** It went out, and whether it has arrived cannot be known. */
  | { readonly result: 'unsure'; readonly failure: ServiceError };

/** As from `answer`, unless it is rejected: then as from `send`. */
export type RejectedAndSent = Exclude<Answered, { result: 'answered' }> | Sent;

export type Resumed =
  | { readonly result: 'resumed' }
  /** Nothing was sent, because it works already. */
  | { readonly result: 'works' }
  /** Nothing was sent, because it would have run these. */
  | { readonly result: 'waits'; readonly actions: readonly WaitingAction[] }
  | NotReachable;

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

interface Reading {
  readonly waiting: Waiting;
  readonly events: readonly AgentEvent[];
}

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
  /** By the key of the conversation: one answer is given after the other. */
  readonly #answering = new Map<string, Promise<unknown>>();
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
    return (await this.#read(conversation, await this.#steering(all), all)).waiting;
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
    const key = keyOf(conversation);
    const before = this.#answering.get(key) ?? Promise.resolve();
    const all = this.#untilReleased(signal);
    const answered = before.then(() => this.#answer(conversation, shown, answer, all));
    const ended = answered.catch(() => undefined);
    this.#answering.set(key, ended);
    try {
      return await answered;
    } finally {
      if (this.#answering.get(key) === ended) this.#answering.delete(key);
    }
  }

  /** Cancels what runs. */
  async stop(conversation: Conversation, signal: AbortSignal): Promise<Stopped> {
    const all = this.#untilReleased(signal);
    const steering = await this.#steering(all);
    const waiting = await this.#readIfPossible(conversation, steering, all);
    all.throwIfAborted();
    if (waiting?.waiting.status === 'waits') return { result: 'waits', actions: waiting.waiting.actions };
    await steering.stop(conversation.id, { signal: all });
    return { result: 'stopped' };
  }

  /** Sends a message, on which the agent works. Nothing is sent while something waits. */
  send(conversation: Conversation, message: NewMessage, signal: AbortSignal): Promise<Sent> {
    signal.throwIfAborted();
    throw this.#cannot();
  }

  /** Adds a message, which the agent reads when it goes on. It runs nothing. */
  leave(conversation: Conversation, message: NewMessage, signal: AbortSignal): Promise<Sent> {
    signal.throwIfAborted();
    throw this.#cannot();
  }

  /** Rejects these actions if exactly they still wait, with the text as the reason, and then sends the message. */
  rejectAndSend(
    conversation: Conversation,
    shown: readonly WaitingAction[],
    message: NewMessage,
    signal: AbortSignal,
  ): Promise<RejectedAndSent> {
    signal.throwIfAborted();
    throw this.#cannot();
  }

  /** Lets the agent go on. Nothing is sent while something waits. */
  resume(conversation: Conversation, signal: AbortSignal): Promise<Resumed> {
    signal.throwIfAborted();
    throw this.#cannot();
  }

  /** When it asks from now on. What waits goes on waiting. */
  setConfirmation(conversation: Conversation, policy: ConfirmationPolicy, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    throw this.#cannot();
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
  async fork(conversation: Conversation, signal: AbortSignal): Promise<Conversation> {
    const all = this.#untilReleased(signal);
    const { fork } = await this.#editing(all);
    if (!fork) throw this.#cannot();
    const made = await fork(conversation.id, { signal: all });
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

  async #steering(signal: AbortSignal): Promise<Steering> {
    const { steering } = await this.#client.recognise({ signal });
    if (!steering) throw this.#cannot();
    return steering;
  }

  async #editing(signal: AbortSignal): Promise<Editing> {
    const { editing } = await this.#client.recognise({ signal });
    if (!editing) throw this.#cannot();
    return editing;
  }

  #cannot(): UserError {
    return new UserError(t('This service offers no way to do that. Open the conversation in its own app.'));
  }

  async #read(conversation: Conversation, steering: Steering, signal: AbortSignal): Promise<Reading> {
    const { fetch } = steering.events(conversation.id, { signal });
    let { items: events, cursor } = await fetch(undefined, { size: firstPage });
    /** Whether more has come since the newest of them were read. */
    let mayBeOld = false;
    for (let more = 0; more < mostPages && events.length < mostEvents; more++) {
      signal.throwIfAborted();
      const waiting = waitingOf(events, cursor === undefined);
      if (waiting.status === 'unknown') {
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
      } else return { waiting, events };
    }
    throw new UserError(
      t(
        'Could not find out what the agent waits for: its last {0} events do not tell. Open the conversation in the app of the service.',
        mostEvents,
      ),
    );
  }

  async #readIfPossible(
    conversation: Conversation,
    steering: Steering,
    signal: AbortSignal,
  ): Promise<Reading | undefined> {
    try {
      return await this.#read(conversation, steering, signal);
    } catch (error) {
      if (error instanceof UserError) return undefined;
      throw error;
    }
  }

  async #answer(
    conversation: Conversation,
    shown: readonly WaitingAction[],
    answer: Answer,
    signal: AbortSignal,
  ): Promise<Answered> {
    signal.throwIfAborted();
    const steering = await this.#steering(signal);
    const reading = await this.#read(conversation, steering, signal);
    signal.throwIfAborted();
    const { waiting } = reading;
    if (waiting.status !== 'waits' || !areSame(shown, waiting.actions)) return notSent(shown, reading);
    const key = keyOf(conversation);
    const earlier = this.#onTheWay.get(key);
    if (earlier && earlier.until > this.#clock.now() && areSame(shown, earlier.actions))
      return { result: 'unsure', failure: earlier.failure, now: waiting };
    this.#onTheWay.delete(key);
    let failure: ServiceError | undefined;
    try {
      await steering.answer(conversation.id, answer);
    } catch (error) {
      if (!(error instanceof ServiceError) || !error.circumstances.outcomeUnknown) throw error;
      failure = error;
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
      const reading = await this.#readIfPossible(conversation, steering, signal);
      if (!reading) continue;
      now = reading.waiting;
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

function notSent(shown: readonly WaitingAction[], { waiting, events }: Reading): Answered {
  const fate = fateOf(shown, events);
  if (waiting.status === 'waits') return { result: 'changed', now: waiting.actions, fate };
  if (fate === 'accepted' || fate === 'rejected') return { result: 'answeredElsewhere', fate };
  return { result: 'noLongerWaits', fate, execution: waiting.execution };
}
