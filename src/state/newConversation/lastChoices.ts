/** The values that the user picked last for a new conversation, of each service. */
import type { Store } from '../../base/store.ts';
import type { NewConversation } from '../../service/agentService.ts';

type Choices = Omit<NewConversation, 'message' | 'attached' | 'sandboxId'>;

const storeKey = 'newConversationChoices';
const maxServices = 20;

export class LastChoices {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** The service that was picked or used last. */
  get address(): string | undefined {
    return this.#all[0]?.[0];
  }

  of(service: string): Choices {
    return this.#all.find(([address]) => address === service)?.[1] ?? {};
  }

  async keep(service: string, change: Choices): Promise<void> {
    const others = this.#all.filter(([address]) => address !== service).slice(0, maxServices - 1);
    await this.#store.update(storeKey, [[service, { ...this.of(service), ...change }], ...others]);
  }

  get #all(): readonly (readonly [address: string, Choices])[] {
    const stored = this.#store.get(storeKey);
    return Array.isArray(stored) ? stored.filter(isKept) : [];
  }
}

function isKept(value: unknown): value is readonly [string, Choices] {
  return Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'object';
}
