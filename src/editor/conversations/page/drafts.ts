import type { ConversationKey } from '../../../service/model/entities.ts';
import { RecentValues } from '../../../base/recentValues.ts';
import type { Store } from '../../../base/store.ts';
import type { NewConversation } from '../../../service/abilities/agentService.ts';
import type { Attached } from '../../../service/model/newMessage.ts';

export type Draft = Pick<NewConversation, 'message' | 'attached'>;

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

  get(conversation: ConversationKey) {
    const text = this.#texts.get(conversation);
    const stored = this.#attached.get(conversation);
    return {
      message: typeof text === 'string' ? text : '',
      attached: Array.isArray(stored) ? stored.filter(isAttached) : [],
    };
  }

  async set(
    conversation: ConversationKey,
    { message, attached }: Partial<Draft>,
  ): Promise<void> {
    await Promise.all([
      message !== undefined &&
        change(this.#texts, conversation, message === '' ? undefined : message),
      attached &&
        change(
          this.#attached,
          conversation,
          attached.length === 0 ? undefined : attached,
        ),
    ]);
  }
}

async function change(values: RecentValues, key: string, value: unknown) {
  if (values.get(key) !== value) await values.set(key, value);
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
