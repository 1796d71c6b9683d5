/**
 * Messages on their way to an agent, shown after the entries until their events
 * arrive.
 */
import { t, words } from '../../../base/l10n.ts';
import type { DrawnEntry } from '../../../protocol/drawn.ts';
import {
  type NewMessage,
  partsOf,
  shownMessage,
} from '../../../service/model/newMessage.ts';
import type { QueuedMessage } from '../../../state/steering/queuedMessages.ts';
import type { TranscriptEntry } from '../../../state/transcript/transcriptEntry.ts';

export interface OutgoingMessage {
  readonly id: string;
  readonly message: NewMessage;
  /** Ids of the earlier entries. */
  readonly before: ReadonlySet<string>;
  /** Shown beside the message, such as "Sending…". */
  state: string;
  /**
   * The last entry when the service accepted the message; `undefined` until
   * then.
   */
  takenAfter?: { readonly id: string | undefined };
}

export class Outbox {
  readonly #entries: () => readonly TranscriptEntry[];
  #all: readonly OutgoingMessage[] = [];
  #last = 0;

  constructor(entries: () => readonly TranscriptEntry[]) {
    this.#entries = entries;
  }

  get isSending(): boolean {
    return this.#all.some(({ takenAfter }) => !takenAfter);
  }

  /** Messages without an entry of their own. */
  get drawn(): readonly DrawnEntry[] {
    const arrived = this.#arrived();
    return this.#all
      .filter((outgoing) => !arrived.has(outgoing))
      .map(messageEntry);
  }

  add(message: NewMessage, state: string): OutgoingMessage {
    const outgoing: OutgoingMessage = {
      id: `outgoing-${++this.#last}`,
      message,
      before: new Set(this.#entries().map(({ id }) => id)),
      state,
    };
    this.#all = [...this.#all, outgoing];
    return outgoing;
  }

  /** Marks a message as accepted by the service. Its event may arrive later. */
  sent(outgoing: OutgoingMessage): void {
    outgoing.takenAfter = { id: this.#entries().at(-1)?.id };
    outgoing.state = '';
  }

  drop(outgoing: OutgoingMessage): void {
    this.#all = this.#all.filter((other) => other !== outgoing);
  }

  /** Forgets accepted messages once any later entry arrives. */
  forgetArrived(): void {
    if (this.#all.length === 0) return;
    const arrived = this.#arrived();
    const last = this.#entries().at(-1)?.id;
    this.#all = this.#all.filter(
      (outgoing) =>
        !outgoing.takenAfter ||
        (!arrived.has(outgoing) && outgoing.takenAfter.id === last),
    );
  }

  #arrived(): ReadonlySet<OutgoingMessage> {
    const arrived = new Set<OutgoingMessage>();
    if (this.#all.length === 0) return arrived;
    const entries = this.#entries();
    const matchedIds = new Set<string>();
    for (const outgoing of this.#all) {
      const text = partsOf(outgoing.message).texts.join('\n');
      const entry = entries.find(
        (entry) =>
          entry.kind === 'message' &&
          entry.role === 'user' &&
          !outgoing.before.has(entry.id) &&
          !matchedIds.has(entry.id) &&
          (entry.leftOut === undefined
            ? entry.text === text
            : text.startsWith(entry.text)),
      );
      if (!entry) continue;
      matchedIds.add(entry.id);
      arrived.add(outgoing);
    }
    return arrived;
  }
}

/**
 * Draws a queued message. `queued` is left out while it is sent, so that the
 * page shows no buttons.
 */
export function queuedEntry({ id, message, state }: QueuedMessage): DrawnEntry {
  const entry = { id: `queued-${id}`, message, state: queueStates[state] };
  return { ...messageEntry(entry), ...(state !== 'sending' && { queued: id }) };
}

const queueStates = words({
  queued: 'Queued until the agent has finished',
  sending: 'Sending…',
  unsure: 'May not have arrived',
});

function messageEntry({
  id,
  message,
  state,
}: Pick<OutgoingMessage, 'id' | 'message' | 'state'>): DrawnEntry {
  return {
    id,
    kind: 'message',
    by: 'person',
    name: t('You'),
    ...shownMessage(message),
    isStreaming: false,
    time: state,
  };
}
