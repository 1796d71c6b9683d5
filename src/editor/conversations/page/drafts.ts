import { RecentValues } from '../../../base/recentValues.ts';
import type { Store } from '../../../base/store.ts';

/** Unsent messages by conversation, all of them and whole. */
export class Drafts {
  readonly #texts: RecentValues;

  constructor(store: Store) {
    this.#texts = new RecentValues(store, 'drafts', Infinity);
  }

  get(conversation: string): string {
    const text = this.#texts.get(conversation);
    return typeof text === 'string' ? text : '';
  }

  async set(conversation: string, text: string): Promise<void> {
    if (this.get(conversation) === text) return;
    await this.#texts.set(conversation, text === '' ? undefined : text);
  }
}
