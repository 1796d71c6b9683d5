/** The message that an agent is writing, always the last entry. */
import type { PieceEvent } from '../../service/model/events.ts';
import type { TranscriptEntry, TranscriptChange } from './transcriptEntry.ts';

export type Streaming = TranscriptEntry & { readonly kind: 'message' };

/** Limit of the text shown before the message is complete. */
const maxStreamLength = 200_000;

export const nothing: TranscriptChange = {
  added: [],
  before: [],
  changed: [],
  removed: [],
  isReset: false,
};

export class Stream {
  #now: Streaming | undefined;
  #made = 0;

  get now(): Streaming | undefined {
    return this.#now;
  }

  /** `newest`: the stamp of the newest event. */
  add({ at, stamp, text, reasoning }: PieceEvent, newest = ''): void {
    // The piece arrived after its whole message.
    if (stamp !== undefined && stamp < newest) return;
    const before = this.#now;
    if (
      (before?.text.length ?? 0) + (before?.reasoning?.length ?? 0) >
      maxStreamLength
    )
      return;
    this.#now = {
      id: before?.id ?? this.#newId(),
      at: before?.at ?? at,
      kind: 'message',
      role: 'assistant',
      text: (before?.text ?? '') + text,
      reasoning: (before?.reasoning ?? '') + reasoning || undefined,
      images: [],
      isStreaming: true,
    };
  }

  end(): void {
    this.#now = undefined;
  }

  /**
   * Returns the difference since `before`. The message stays below all added
   * entries.
   */
  change(
    before: Streaming | undefined,
    isAdded: boolean,
  ): Pick<TranscriptChange, 'added' | 'changed' | 'removed'> {
    const now = this.#now;
    if (before === now && !isAdded) return nothing;
    if (now && before?.id === now.id && !isAdded)
      return { ...nothing, changed: [now] };
    const removed = before ? [before.id] : [];
    if (!now) return { ...nothing, removed };
    const last = before?.id === now.id ? { ...now, id: this.#newId() } : now;
    this.#now = last;
    return { ...nothing, added: [last], removed };
  }

  #newId(): string {
    return `streaming-${++this.#made}`;
  }
}
