/** One conversation that somebody looks at: what happened in it, what it waits for, and what can be done with it. */
import { Emitter } from '../base/event.ts';
import type { ConfirmationPolicy, Reach } from '../service/agentService.ts';
import type { Conversation, Execution } from '../service/entities.ts';
import type { ServiceError } from '../service/serviceError.ts';
import type { Entry, TranscriptChange } from './transcript.ts';
import type { Waiting } from './waiting.ts';

export interface FollowedState {
  readonly how: 'connecting' | 'live' | 'polling' | 'paused' | 'unreachable';
  /** Why it is neither live nor polled, or why the last attempt failed. */
  readonly error?: ServiceError;
}

export class FollowedConversation {
  /** The newest record. */
  conversation: Conversation;
  /** The oldest first: those that are loaded. */
  readonly entries: readonly Entry[] = [];
  readonly hasOlder: boolean = false;
  /** From events; undefined until they tell. */
  readonly waiting: Waiting | undefined;
  /** From events, and else as the record says. */
  readonly execution: Execution | undefined;
  readonly connection: FollowedState = { how: 'paused' };
  /** When the agent asks a person; undefined where that is not known. */
  readonly confirmation: ConfirmationPolicy | undefined;
  /** What can be done with it; undefined until that is known. */
  readonly reach: Reach | undefined;
  /** Nothing is asked for while nobody looks. */
  visible = false;
  readonly #changed = new Emitter<TranscriptChange>();
  readonly #state = new Emitter();

  constructor(conversation: Conversation) {
    this.conversation = conversation;
  }

  get onChange(): Emitter<TranscriptChange>['on'] {
    return this.#changed.on;
  }

  /** Fires when anything but the entries is different. */
  get onState(): Emitter['on'] {
    return this.#state.on;
  }

  /** Asks for the page before the oldest entry. Rejects with a ServiceError. */
  loadOlder(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    return Promise.resolve();
  }

  /** All of an entry, or of an outcome, of which some is left out; undefined if the service does not have it any more. */
  whole(eventId: string, signal: AbortSignal): Promise<Entry | undefined> {
    signal.throwIfAborted();
    return Promise.resolve(this.entries.find(({ id }) => id === eventId));
  }

  /** Looks at once, and not only after the pause that follows a failure. */
  retry(): void {
    this.visible = true;
  }

  release(): void {
    this.visible = false;
  }
}
