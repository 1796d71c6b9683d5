/** Unsent messages, kept only in the workspace. */
import type { Store } from '../../../base/store.ts';

const storeKey = 'drafts';
/** Older drafts are deleted. */
const maxDrafts = 50;
const maxDraftLength = 100_000;

export class Drafts {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  get(conversation: string): string {
    return this.#all.find(([key]) => key === conversation)?.[1] ?? '';
  }

  async set(conversation: string, text: string): Promise<void> {
    if (this.get(conversation) === text) return;
    const others = this.#all.filter(([key]) => key !== conversation).slice(1 - maxDrafts);
    const draft = [conversation, text.slice(0, maxDraftLength)] as const;
    await this.#store.update(storeKey, text === '' ? others : [...others, draft]);
  }

  get #all(): readonly (readonly [conversation: string, text: string])[] {
    const stored = this.#store.get(storeKey);
    return Array.isArray(stored) ? stored.filter(isDraft) : [];
  }
}

function isDraft(value: unknown): value is readonly [string, string] {
  return Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string');
}
