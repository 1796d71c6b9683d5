/** The events of one conversation, oldest first. */
import { Dice } from '../wire/random.ts';
import { dashed } from '../world/world.ts';
import type { Content } from './contents.ts';
import type { WireAgentEvent } from '../wire/wireTypes.ts';

const notOnTheWay = 'ConversationStateUpdateEvent';

export class EventLog {
  readonly #idAt: (index: number) => string;
  readonly events: WireAgentEvent[];
  /** Time of the last event in microseconds: no two events share a time. */
  #last = 0;

  constructor(
    seed: number,
    position: number,
    before: readonly WireAgentEvent[] = [],
  ) {
    this.#idAt = (index) => eventId(seed, position, index);
    this.events = [...before];
  }

  /**
   * The id of the last event except state changes: the parent of the next
   * event.
   */
  get leaf(): string | undefined {
    return this.events.findLast(({ kind }) => kind !== notOnTheWay)?.id;
  }

  /** Returns the event's id. */
  add(at: number, content: Content): string {
    const id = this.#idAt(this.events.length);
    const parent_id = this.leaf;
    this.#last = Math.max(1_000 * at, this.#last + 1);
    this.events.push({
      id,
      timestamp: localTime(Math.floor(this.#last / 1_000), this.#last % 1_000),
      ...(parent_id !== undefined && { parent_id }),
      ...content,
    });
    return id;
  }

  /** Returns an event and all its ancestors; `undefined` for an unknown id. */
  wayTo(id: string): readonly WireAgentEvent[] | undefined {
    const byId = new Map(this.events.map((event) => [event.id, event]));
    const way: WireAgentEvent[] = [];
    for (
      let event = byId.get(id);
      event;
      event = byId.get(event.parent_id ?? '')
    )
      way.unshift(event);
    return way.length > 0 ? way : undefined;
  }
}

export function eventId(seed: number, position: number, index: number): string {
  return dashed(new Dice(seed, position).hex(`event ${index}`, 32));
}

/** Formats the machine's local time without a zone. */
export function localTime(time: number, microseconds = 0): string {
  const offset = new Date(time).getTimezoneOffset() * 60_000;
  return `${new Date(time - offset).toISOString().slice(0, -1)}${String(microseconds).padStart(3, '0')}`;
}
