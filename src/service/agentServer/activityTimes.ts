import { type Conversation, idKey, type Time } from '../model/entities.ts';
import { identifier, isObject } from '../http/wireValues.ts';

const maxConversations = 20_000;

interface Activity {
  /** The last event and the state, which only activity changes. */
  readonly evidence: string;
  readonly at: Time | undefined;
}

/**
 * Dates the last activity of conversations. A new title or new tags move
 * `updated_at` too, but leave the last event and the state as they were. The
 * first record of a conversation has nothing to be compared with.
 */
export class ActivityTimes {
  readonly #known = new Map<string, Activity>();

  dated(row: Conversation, record: unknown): Conversation {
    const { execution, updatedAt: changedAt } = row;
    const lastEventId = isObject(record)
      ? identifier(record.leaf_event_id)
      : undefined;
    if (changedAt === undefined || lastEventId === undefined) return row;
    const evidence = `${lastEventId} ${execution}`;
    const key = idKey(row.id);
    const activity = this.#known.get(key);
    const updatedAt = activity?.evidence === evidence ? activity.at : changedAt;
    const [oldest] = this.#known.keys();
    if (
      !activity &&
      this.#known.size >= maxConversations &&
      oldest !== undefined
    )
      this.#known.delete(oldest);
    this.#known.set(key, { evidence, at: updatedAt });
    return { ...row, updatedAt, changedAt };
  }
}
