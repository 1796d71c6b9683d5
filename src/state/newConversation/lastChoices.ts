import { RecentValues } from '../../base/recentValues.ts';
import type { Store } from '../../base/store.ts';
import type { NewConversation } from '../../service/agentService.ts';

type Choices = Omit<NewConversation, 'message' | 'attached' | 'sandboxId'>;

const maxServices = 20;

export class LastChoices {
  readonly #values: RecentValues;

  constructor(store: Store) {
    this.#values = new RecentValues(store, 'newConversationChoices', maxServices);
  }

  get address(): string | undefined {
    return this.#values.all[0]?.[0];
  }

  of(service: string): Choices {
    return { ...(this.#values.get(service) as Choices | undefined) };
  }

  async keep(service: string, change: Choices): Promise<void> {
    await this.#values.set(service, { ...this.of(service), ...change });
  }
}
