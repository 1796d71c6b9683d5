import type { Store } from './store.ts';

type Entry = readonly [key: string, value: unknown];

/** Values by key. A store keeps the last `max` ones. */
export class RecentValues {
  readonly #store: Store;
  readonly #name: string;
  readonly #max: number;

  constructor(store: Store, name: string, max: number) {
    this.#store = store;
    this.#name = name;
    this.#max = max;
  }

  /** Newest first. */
  get all(): readonly Entry[] {
    const stored = this.#store.get(this.#name);
    return Array.isArray(stored) ? stored.filter(isEntry) : [];
  }

  get(key: string): unknown {
    return this.all.find(([entryKey]) => entryKey === key)?.[1];
  }

  /** Deletes the entry if the value is `undefined`. */
  async set(key: string, value: unknown): Promise<void> {
    const otherEntries = this.all
      .filter(([entryKey]) => entryKey !== key)
      .slice(0, this.#max - 1);
    await this.#store.update(
      this.#name,
      value === undefined ? otherEntries : [[key, value], ...otherEntries],
    );
  }
}

function isEntry(stored: unknown): stored is Entry {
  return (
    Array.isArray(stored) &&
    stored.length === 2 &&
    typeof stored[0] === 'string'
  );
}
