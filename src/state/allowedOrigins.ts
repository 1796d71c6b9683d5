/** The origins to which the user allows each service's sandbox keys to go, beside the host of the service. */
import type { Store } from '../base/store.ts';

const storeKey = 'allowedOrigins';

export class AllowedOrigins {
  readonly #store: Store;

  /** `store` is that of the machine. */
  constructor(store: Store) {
    this.#store = store;
  }

  of(service: string): readonly string[] {
    const all = this.#all[service];
    return Array.isArray(all) ? (all as unknown[]).filter((origin) => typeof origin === 'string') : [];
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
    return typeof stored === 'object' && stored !== null ? (stored as Record<string, unknown>) : {};
  }

  async #set(service: string, origins: readonly string[]): Promise<void> {
    // Undefined values are not kept.
    const now = { ...this.#all, [service]: origins.length > 0 ? origins : undefined };
    await this.#store.update(storeKey, JSON.parse(JSON.stringify(now)));
  }
}
