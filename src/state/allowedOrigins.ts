/**
 * The origins besides the service's own host that may receive its sandbox keys,
 * as the user allowed.
 */
import type { Store } from '../base/store.ts';

const storeKey = 'allowedOrigins';

export class AllowedOrigins {
  readonly #store: Store;

  /** `store`: the machine's own. */
  constructor(store: Store) {
    this.#store = store;
  }

  of(service: string): readonly string[] {
    const all = this.#all[service];
    return Array.isArray(all)
      ? (all as unknown[]).filter((origin) => typeof origin === 'string')
      : [];
  }

  async allow(service: string, origin: string): Promise<void> {
    await this.#set(service, [...new Set([...this.of(service), origin])]);
  }

  async revoke(service: string, origin: string): Promise<void> {
    await this.#set(
      service,
      this.of(service).filter((other) => other !== origin),
    );
  }

  get #all(): Readonly<Record<string, unknown>> {
    const stored = this.#store.get(storeKey);
    return typeof stored === 'object' && stored !== null
      ? (stored as Record<string, unknown>)
      : {};
  }

  async #set(service: string, origins: readonly string[]): Promise<void> {
    // The store drops undefined values.
    const now = {
      ...this.#all,
      [service]: origins.length > 0 ? origins : undefined,
    };
    await this.#store.update(storeKey, JSON.parse(JSON.stringify(now)));
  }
}
