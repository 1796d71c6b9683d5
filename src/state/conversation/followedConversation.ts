/** One conversation that somebody looks at: what happened in it, what it waits for, and what can be done with it. */
import type { Clock } from '../../base/clock.ts';
import { Emitter, type Subscription } from '../../base/event.ts';
import { same } from '../../base/same.ts';
import type { Reach } from '../../service/agentService.ts';
import type { ServiceClient } from '../../service/client.ts';
import { type ConfirmationPolicy, type Conversation, type Execution, keyOf } from '../../service/entities.ts';
import type { AgentEvent } from '../../service/events.ts';
import type { CallOptions } from '../../service/transport.ts';
import type { AgentStates, Teller } from './agentStates.ts';
import { entryOfWhole } from '../transcript/entryOfEvent.ts';
import type { TranscriptEntry, TranscriptChange } from '../transcript/transcriptEntry.ts';
import { EventHistory } from './eventHistory.ts';
import { EventWatch, type FollowedState } from './eventWatch.ts';
import type { LiveSlots } from './liveSlots.ts';
import type { RemoteList } from '../lists/remoteList.ts';
import { Transcript } from '../transcript/transcript.ts';
import type { Waiting } from '../transcript/waiting.ts';

interface FollowOptions {
  readonly client: ServiceClient;
  readonly list: RemoteList<Conversation>;
  readonly clock: Clock;
  readonly slots: LiveSlots;
  readonly states: Pick<AgentStates, 'follow'>;
  readonly random?: () => number;
  readonly onReleased: () => void;
}

export class FollowedConversation {
  readonly #options: FollowOptions;
  readonly #transcript = new Transcript();
  readonly #history = new EventHistory(this.#transcript);
  readonly #watch: EventWatch;
  readonly #changed = new Emitter<TranscriptChange>();
  readonly #state = new Emitter();
  readonly #key: string;
  #conversation: Conversation;
  /** Tells the list what the events say, as long as somebody looks. */
  #teller: Teller | undefined;
  /** Whether the list had it when that was last looked at. */
  #isListed = false;
  #holders = 1;
  #told: object = {};
  readonly #subscription: Subscription;

  constructor(conversation: Conversation, options: FollowOptions) {
    this.#options = options;
    this.#conversation = conversation;
    this.#key = keyOf(conversation);
    const { list, client, clock, slots, random } = options;
    this.#watch = new EventWatch({
      id: conversation.id,
      client,
      clock,
      slots,
      random,
      transcript: this.#transcript,
      history: this.#history,
      isBusy: () => this.execution === 'running' || this.execution === 'waitingForConfirmation',
      onEvents: (events) => {
        this.#take(events);
      },
      onRead: (change) => {
        this.#tell(change);
      },
      onState: () => {
        this.#tellState();
      },
      readRecord: (call) => this.#readRecord(call),
    });
    this.#subscription = list.onChange(() => {
      this.#takeRow();
    });
    this.#takeRow();
  }

  /** The newest record, with what events tell of it. */
  get conversation(): Conversation {
    return this.#conversation;
  }

  /** The oldest first: those that are loaded. */
  get entries(): readonly TranscriptEntry[] {
    return this.#transcript.entries;
  }

  /** Whether none is loaded. */
  get isEmpty(): boolean {
    return this.#transcript.isEmpty;
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
    return this.#watch.connection;
  }

  /** When the agent asks a person; undefined where that is not known. */
  get confirmation(): ConfirmationPolicy | undefined {
    return this.#transcript.confirmation ?? this.#conversation.confirmation;
  }

  /** What can be done with it; undefined until that is known. */
  get reach(): Reach | undefined {
    return this.#watch.reach;
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
    return this.#watch.isOn;
  }

  set visible(visible: boolean) {
    if (visible === this.visible) return;
    this.#teller?.release();
    this.#teller = visible ? this.#options.states.follow(this.#conversation) : undefined;
    if (visible) {
      this.#watch.begin();
      return;
    }
    this.#tell(this.#transcript.endStream());
    this.#watch.end();
  }

  /** Asks for the page before the oldest entry. Rejects with a ServiceError. */
  async loadOlder(signal: AbortSignal): Promise<void> {
    if (!this.hasOlder) return;
    const source = await this.#watch.source({ signal });
    if (source) this.#tell(await this.#history.readOlder(source, this.#conversation.id, { signal }));
    this.#tellState();
  }

  /** All of an entry, or of an outcome, of which some is left out; undefined if the service does not have it any more. */
  async whole(eventId: string, signal: AbortSignal): Promise<TranscriptEntry | undefined> {
    const source = await this.#watch.source({ signal });
    const event = await source?.event(this.#conversation.id, eventId, { signal });
    return event && entryOfWhole(event, this.#transcript.entry(eventId));
  }

  /** Asks at once, and not only after the pause that follows a failure. */
  retry(): void {
    this.#watch.retry();
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
    this.#subscription.dispose();
    this.#watch.release();
    this.#options.onReleased();
  }

  #take(events: readonly AgentEvent[]): void {
    if (events.length === 0) return;
    const facts = events.flatMap((event) => (event.kind === 'state' ? [event.facts] : []));
    this.#conversation = facts.reduce<Conversation>((all, some) => ({ ...all, ...some }), this.#conversation);
    this.#tell(this.#transcript.add(events));
    // It is read again before it is followed live again.
    if (this.#transcript.isFull) this.#watch.lookAgain();
    this.#tellState();
  }

  /** False if the service does not have the conversation any more; true also if that cannot be determined. */
  async #readRecord(call: CallOptions): Promise<boolean> {
    const { client, clock, list } = this.#options;
    const { conversations } = await client.recognise(call);
    const askedAt = clock.now();
    const record = await conversations.find(this.#conversation.id, call);
    if (!record) return false;
    list.edit(this.#key, () => record, askedAt);
    this.#conversation = list.rows.get(this.#key) ?? record;
    this.#tellState();
    return true;
  }

  /** The list may have a newer record. */
  #takeRow(): void {
    const row = this.#options.list.rows.get(this.#key);
    const wasListed = this.#isListed;
    this.#isListed = row !== undefined;
    if (!row) {
      if (wasListed) this.#watch.checkRecord();
      return;
    }
    const { status } = this.#conversation;
    this.#conversation = row;
    // Its sandbox was paused, or runs again.
    if (row.status !== status) this.#watch.lookAgain();
    this.#tellState();
  }

  /** What the agent does, the events know better than the record. */
  #tellList(): void {
    // What was read before nobody looked may be old.
    if (this.connection.how === 'connecting') return;
    const { waiting } = this;
    const { execution } = this.#transcript;
    if (waiting) this.#teller?.tell(waiting);
    else if (execution !== undefined && execution !== 'waitingForConfirmation')
      this.#teller?.tell({ status: 'doesNotWait', execution });
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
}
