import { RecentValues } from '../../../base/recentValues.ts';
import type { Store } from '../../../base/store.ts';
import type { Attached } from '../../../service/model/newMessage.ts';

/**
 * Unsent messages by conversation, without a limit on their number or length.
 */
export class Drafts {
  readonly #texts: RecentValues;
  readonly #attached: RecentValues;

  constructor(store: Store) {
    this.#texts = new RecentValues(store, 'drafts', Infinity);
    this.#attached = new RecentValues(store, 'draftAttachments', Infinity);
  }

  get(conversation: string): string {
    const text = this.#texts.get(conversation);
    return typeof text === 'string' ? text : '';
  }

  async set(conversation: string, text: string): Promise<void> {
    if (this.get(conversation) === text) return;
    await this.#texts.set(conversation, text === '' ? undefined : text);
  }

  attached(conversation: string): readonly Attached[] {
    const stored = this.#attached.get(conversation);
    return Array.isArray(stored) ? stored.filter(isAttached) : [];
  }

  async setAttached(
    conversation: string,
    attached: readonly Attached[],
  ): Promise<void> {
    if (attached.length === 0 && this.#attached.get(conversation) === undefined)
      return;
    await this.#attached.set(
      conversation,
      attached.length === 0 ? undefined : attached,
    );
  }
}

function isAttached(stored: unknown): stored is Attached {
  const { id, name, text, picture } = (stored ?? {}) as Partial<Attached>;
  const isPicture =
    typeof picture?.base64 === 'string' &&
    typeof picture.mediaType === 'string';
  return (
    typeof id === 'number' &&
    typeof name === 'string' &&
    (typeof text === 'string' || isPicture)
  );
}
