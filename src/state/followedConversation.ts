/** One conversation that somebody looks at: what happened in it, what it waits for, and what can be done with it. */
import { type Clock, sleep } from '../base/clock.ts';
import { Emitter } from '../base/event.ts';
import { t } from '../base/l10n.ts';
import { same } from '../base/same.ts';
import type { Agents, LiveEnd, Reach, Steering, Where } from '../service/agentService.ts';
import type { ServiceClient } from '../service/client.ts';
import { type ConfirmationPolicy, type Conversation, type Execution, keyOf } from '../service/entities.ts';
import type { AgentEvent } from '../service/events.ts';
import { isRefusal, ServiceError } from '../service/serviceError.ts';
import type { CallOptions } from '../service/transport.ts';
import type { AgentStates, Teller } from './agentStates.ts';
import { entryOfWhole } from './entries.ts';
import { EventHistory } from './eventHistory.ts';
import type { LiveSlots } from './liveSlots.ts';
import { outOfReach, reachOf } from './reach.ts';
import type { RemoteList } from './remoteList.ts';
import type { Entry, TranscriptChange } from './entry.ts';
import { Transcript } from './transcript.ts';
import type { Waiting } from './waiting.ts';

export interface FollowedState {
  readonly how: 'connecting' | 'live' | 'polling' | 'paused' | 'unreachable';
  /** Why it is not live, or why the last attempt has failed. */
  readonly error?: ServiceError;
}

export interface FollowOptions {
  readonly client: ServiceClient;
  readonly list: RemoteList<Conversation>;
  readonly clock: Clock;
  readonly slots: LiveSlots;
  readonly states: Pick<AgentStates, 'follow'>;
  readonly random?: () => number;
  readonly onReleased: () => void;
}

/** In milliseconds. What comes within it is told together. */
const together = 25;
/** Between two questions, while something happens and while nothing does. */
const busy = 3_000;
const calm = 10_000;
/** A rename and a deletion are not told live. */
const recordEvery = 30_000;
const shortestBackoff = 500;
const longestBackoff = 5 * 60_000;
/** A connection that has lasted so long was a good one. */
const lasting = 10_000;
/** What happened last is sent again by then, where the service sends again what it is asked for. */
const untilResent = 3_000;
/** So many events before the last one are sent again, in case that some of them came late. */
const overlap = 10;

type Ended = Pick<LiveEnd, 'reason'> & Partial<LiveEnd>;

export class FollowedConversation {
  readonly #options: FollowOptions;
  readonly #transcript = new Transcript();
  readonly #history = new EventHistory(this.#transcript);
  readonly #changed = new Emitter<TranscriptChange>();
  readonly #state = new Emitter();
  readonly #key: string;
  #conversation: Conversation;
  #connection: FollowedState = { how: 'paused' };
  #reach: Reach | undefined;
  /** Where what happened is read at the moment. */
  #agents: Agents | undefined;
  #steering: Steering | undefined;
  /** Aborted when nobody looks any more. */
  #stay: AbortController | undefined;
  /** Tells the list what the events say, as long as somebody looks. */
  #teller: Teller | undefined;
  /** Ends the pause that is under way. */
  #wake: () => void = () => undefined;
  #holders = 1;
  #failures = 0;
  #liveFailures = 0;
  #nextLive = 0;
  #told: object = {};
  readonly #stopListening: () => void;

  constructor(conversation: Conversation, options: FollowOptions) {
    this.#options = options;
    this.#conversation = conversation;
    this.#key = keyOf(conversation);
    const { list, slots } = options;
    const stops = [
      list.onChange(() => {
        this.#takeRow();
      }),
      slots.onFree(() => {
        if (this.#connection.how === 'polling') this.#wake();
      }),
    ];
    this.#stopListening = () => {
      for (const stop of stops) stop();
    };
    this.#takeRow();
  }

  /** The newest record, with what events tell of it. */
  get conversation(): Conversation {
    return this.#conversation;
  }

  /** The oldest first: those that are loaded. */
  get entries(): readonly Entry[] {
    return this.#transcript.entries;
  }

  get hasOlder(): boolean {
    return !this.#transcript.hasAll;
  }

  /** From events; undefined until they tell. */
  get waiting(): Waiting | undefined {
    const { waiting } = this.#transcript;
    return this.#transcript.size === 0 || waiting.status === 'unknown' ? undefined : waiting;
  }

  /** From events, and else as the record says. */
  get execution(): Execution | undefined {
    return this.#transcript.execution ?? this.#conversation.execution;
  }

  get connection(): FollowedState {
    return this.#connection;
  }

  /** When the agent asks a person; undefined where that is not known. */
  get confirmation(): ConfirmationPolicy | undefined {
    return this.#transcript.confirmation ?? this.#conversation.confirmation;
  }

  /** What can be done with it; undefined until that is known. */
  get reach(): Reach | undefined {
    return this.#reach;
  }

  get onChange(): Emitter<TranscriptChange>['on'] {
    return this.#changed.on;
  }

  /** Fires when anything but the entries is different. */
  get onState(): Emitter['on'] {
    return this.#state.on;
  }

  /** Nothing is asked for while nobody looks. */
  get visible(): boolean {
    return this.#stay !== undefined;
  }

  set visible(visible: boolean) {
    if (visible === this.visible) return;
    this.#stay?.abort();
    this.#stay = undefined;
    this.#teller?.release();
    this.#teller = undefined;
    if (!visible) {
      this.#tell(this.#transcript.endStream());
      this.#connect('paused');
      return;
    }
    const stay = (this.#stay = new AbortController());
    this.#failures = this.#liveFailures = this.#nextLive = 0;
    this.#teller = this.#options.states.follow(this.#conversation);
    this.#connect('connecting');
    void this.#follow(stay.signal);
  }

  /** Asks for the page before the oldest entry. Rejects with a ServiceError. */
  async loadOlder(signal: AbortSignal): Promise<void> {
    if (!this.hasOlder) return;
    const source = this.#steering ?? this.#agents ?? (await this.#recognise({ signal }));
    if (source) this.#tell(await this.#history.readOlder(source, this.#conversation.id, { signal }));
    this.#tellState();
  }

  /** All of an entry, or of an outcome, of which some is left out; undefined if the service does not have it any more. */
  async whole(eventId: string, signal: AbortSignal): Promise<Entry | undefined> {
    const source = this.#steering ?? this.#agents ?? (await this.#recognise({ signal }));
    const event = await source?.event(this.#conversation.id, eventId, { signal });
    return event && entryOfWhole(event, this.#transcript.entry(eventId));
  }

  /** Asks at once, and not only after the pause that follows a failure. */
  retry(): void {
    this.#failures = this.#liveFailures = this.#nextLive = 0;
    if (!this.#stay) return;
    if (this.#connection.how === 'unreachable') {
      this.visible = false;
      this.visible = true;
    } else this.#wake();
  }

  /** For somebody else who releases it too. */
  share(): this {
    this.#holders++;
    return this;
  }

  release(): void {
    if (--this.#holders === 0) this.end();
  }

  /** Whoever still has it: the service is disconnected. */
  end(): void {
    this.visible = false;
    this.#stopListening();
    this.#options.onReleased();
  }

  async #recognise(call: CallOptions): Promise<Agents | undefined> {
    return (this.#agents = (await this.#options.client.recognise(call)).steering);
  }

  /** Goes on until nobody looks any more, or until a person has to do something. */
  async #follow(signal: AbortSignal): Promise<void> {
    let call: CallOptions = { signal };
    while (!signal.aborted) {
      let pause: number;
      try {
        const where = await this.#look(call);
        if (!where) return;
        call = { signal, priority: 'poll' };
        this.#failures = 0;
        const live = await this.#liveIfPossible(where, signal);
        if (isAborted(signal)) return;
        pause = live ?? this.#interval();
        if (live === undefined) this.#connect('polling', this.#connection.error);
      } catch (error) {
        if (isAborted(signal)) return;
        if (!(error instanceof ServiceError)) throw error;
        this.#connect('unreachable', error);
        // A person has to do something about it.
        if (isRefusal(error) || error.kind === 'notFound') return;
        pause = this.#backoff(++this.#failures + 1);
      }
      await this.#pause(pause, signal);
    }
  }

  /** Reads what is new, and where the agent can be steered; undefined where nothing can be read. */
  async #look(call: CallOptions): Promise<Where | undefined> {
    const agents = await this.#recognise(call);
    if (!agents) {
      this.#reach = outOfReach(t('This service does not tell what its agents do.'));
      this.#connect('paused');
      return undefined;
    }
    const { id } = this.#conversation;
    const where = await agents.where(id, call);
    call.signal?.throwIfAborted();
    this.#steering = where.status === 'ready' ? where.steering : undefined;
    this.#reach = reachOf(where, agents.queue !== undefined);
    const read = (change: TranscriptChange | undefined) => {
      call.signal?.throwIfAborted();
      this.#tell(change);
    };
    await this.#history.readNew(this.#steering ?? agents, id, call, read);
    this.#tellState();
    return where;
  }

  /** Follows it live until that ends. How long to wait then; undefined where it was not live at all. */
  async #liveIfPossible(where: Where, signal: AbortSignal): Promise<number | undefined> {
    const { clock, slots } = this.#options;
    if (where.status !== 'ready' || this.#nextLive > clock.now()) return undefined;
    const giveBack = slots.take();
    if (!giveBack) return undefined;
    const begin = clock.now();
    try {
      const end = await this.#live(where.steering, signal);
      if (!end) return undefined;
      if (clock.now() - begin > lasting) this.#liveFailures = 0;
      const isBroken = end.reason === 'broken';
      const backoff = this.#backoff(++this.#liveFailures + (isBroken ? 0 : 3));
      this.#nextLive = clock.now() + backoff;
      this.#tell(this.#transcript.endStream());
      const isShort = isBroken && this.#liveFailures <= 3;
      this.#connect(isShort ? 'connecting' : 'polling', end.error);
      return isShort ? backoff : 0;
    } finally {
      giveBack();
    }
  }

  /** Undefined if nobody looks any more. */
  #live(steering: Steering, signal: AbortSignal): Promise<Ended | undefined> {
    const { clock } = this.#options;
    const { id } = this.#conversation;
    return new Promise((resolve) => {
      const timers = new Map<string, () => void>();
      const after = (name: string, milliseconds: number, then: () => void) => {
        timers.get(name)?.();
        timers.set(name, clock.after(milliseconds, then));
      };
      let events: AgentEvent[] = [];
      let isResent = false;
      const flush = () => {
        const all = events;
        events = [];
        timers.delete('flush');
        this.#take(all);
      };
      const over = (end: Ended | undefined) => {
        signal.removeEventListener('abort', abort);
        for (const cancel of timers.values()) cancel();
        flush();
        resolve(end);
      };
      const abort = () => {
        close();
        over(undefined);
      };
      const lookBeside = (look: () => Promise<unknown>) => {
        look().catch((error: unknown) => {
          if (!(error instanceof ServiceError)) throw error;
        });
      };
      const lookAtRecord = () => {
        after('record', recordEvery, lookAtRecord);
        lookBeside(async () => {
          if (await this.#readRecord({ signal, priority: 'poll' })) return;
          if (signal.aborted) return;
          // The connection to what is deleted stays open and silent.
          close();
          over({ reason: 'gone' });
        });
      };
      const since = this.#transcript.stamp(overlap);
      signal.addEventListener('abort', abort, { once: true });
      const close = steering.live(id, {
        since,
        onOpen: () => {
          this.#connect('live');
          after('record', recordEvery, lookAtRecord);
          after('resent', untilResent, () => {
            const read = (change: TranscriptChange | undefined) => {
              this.#tell(change);
            };
            if (!isResent)
              lookBeside(() => this.#history.readNew(steering, id, { signal, priority: 'poll' }, read));
          });
        },
        onEvents: (given) => {
          isResent ||= given.some((event) => this.#transcript.has(event.id));
          events.push(...given);
          if (!timers.has('flush')) after('flush', together, flush);
        },
        onEnd: over,
      });
    });
  }

  #take(events: readonly AgentEvent[]): void {
    if (events.length === 0) return;
    const facts = events.flatMap((event) => (event.kind === 'state' ? [event.facts] : []));
    this.#conversation = facts.reduce<Conversation>((all, some) => ({ ...all, ...some }), this.#conversation);
    this.#tell(this.#transcript.add(events));
    this.#tellState();
  }

  /** False if the service does not have the conversation any more; true also where that cannot be found out. */
  async #readRecord(call: CallOptions): Promise<boolean> {
    const { conversations } = await this.#options.client.recognise(call);
    const record = await conversations.find(this.#conversation.id, call);
    if (!record) return false;
    this.#conversation = record;
    this.#options.list.edit(this.#key, () => record);
    this.#tellState();
    return true;
  }

  /** The list may have a newer record. */
  #takeRow(): void {
    const row = this.#options.list.rows.get(this.#key);
    if (!row) return;
    this.#conversation = row;
    this.#tellState();
  }

  /** What the agent does, the events know better than the record. */
  #tellList(): void {
    // What was read before nobody looked may be old.
    if (this.#connection.how === 'connecting') return;
    const { waiting } = this;
    const { execution } = this.#transcript;
    if (waiting) this.#teller?.tell(waiting);
    else if (execution !== undefined && execution !== 'waitingForConfirmation')
      this.#teller?.tell({ status: 'doesNotWait', execution });
  }

  #connect(how: FollowedState['how'], error?: ServiceError): void {
    this.#connection = { how, ...(error && { error }) };
    this.#tellState();
  }

  #tell(change: TranscriptChange | undefined): void {
    if (change) this.#changed.fire(change);
  }

  #tellState(): void {
    const { conversation, hasOlder, waiting, execution, connection, confirmation, reach } = this;
    const now = { conversation, hasOlder, waiting, execution, connection, confirmation, reach };
    if (same(now, this.#told)) return;
    this.#told = now;
    this.#state.fire();
    this.#tellList();
  }

  #interval(): number {
    return this.execution === 'running' || this.execution === 'waitingForConfirmation' ? busy : calm;
  }

  #backoff(failures: number): number {
    const { random = Math.random } = this.#options;
    return Math.min(shortestBackoff * 2 ** failures, longestBackoff) * (0.5 + random() / 2);
  }

  async #pause(milliseconds: number, signal: AbortSignal): Promise<void> {
    const woken = new AbortController();
    this.#wake = () => {
      woken.abort();
    };
    await sleep(this.#options.clock, milliseconds, AbortSignal.any([signal, woken.signal])).catch(
      () => undefined,
    );
    this.#wake = () => undefined;
  }
}

/** It changes while others work, which the compiler does not expect. */
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}
