import type { ConversationKey } from '../../service/model/entities.ts';
import { Emitter } from '../../base/event.ts';

/**
 * The listed conversations that are marked as unread. A `Memory` keeps the
 * marks.
 */
export class UnreadConversations {
  readonly #keys = new Set<ConversationKey>();
  readonly #changed = new Emitter<ReadonlySet<ConversationKey>>();
  readonly onChange = this.#changed.on;

  has(key: ConversationKey): boolean {
    return this.#keys.has(key);
  }

  update(
    keys: Iterable<ConversationKey>,
    isUnread: (key: ConversationKey) => boolean,
  ): void {
    const changed = new Set(
      [...keys].filter((key) => isUnread(key) !== this.has(key)),
    );
    for (const key of changed) if (!this.#keys.delete(key)) this.#keys.add(key);
    if (changed.size > 0) this.#changed.fire(changed);
  }
}
