/** Groups the events of each call from its begin to its end. */
import type { CallEvent } from '../../service/model/events.ts';

interface Run<Item> {
  /**
   * The items of the first and the last known call with this id, because ids
   * are reused.
   */
  readonly first: Item;
  readonly last: Item;
  /** The stamp of the newest event. */
  readonly stamp: string;
  readonly isOver: boolean;
}

export class Calls<Item> {
  readonly #runs = new Map<string, Run<Item>>();

  /**
   * Returns the item that shows the call: this one or its first. `isNews`: the
   * event is newer than the known ones.
   */
  add(
    event: CallEvent,
    item: Item,
  ): { readonly holder: Item; readonly isNews: boolean } {
    const { callId = event.id, isOver, stamp = '' } = event;
    const run = this.#runs.get(callId);
    if (run && stamp < run.stamp) return { holder: run.last, isNews: false };
    const isOfRun = run !== undefined && !run.isOver;
    const holder = isOfRun ? run.last : item;
    this.#runs.set(callId, {
      first: run?.first ?? item,
      last: holder,
      stamp,
      isOver,
    });
    return { holder, isNews: true };
  }

  /**
   * Returns the item that shows the call: this one or a newer one. Call newest
   * first.
   */
  addOlder(event: CallEvent, item: Item): Item {
    const { callId = event.id, isOver, stamp = '' } = event;
    const run = this.#runs.get(callId);
    if (run && !isOver) return run.first;
    this.#runs.set(
      callId,
      run
        ? { ...run, first: item }
        : { first: item, last: item, stamp, isOver },
    );
    return item;
  }

  /** Makes `item` the entry for the first call with this id. */
  moveFirst({ callId, id }: CallEvent, item: Item): void {
    const key = callId ?? id;
    const run = this.#runs.get(key);
    if (run)
      this.#runs.set(key, {
        ...run,
        first: item,
        last: run.last === run.first ? item : run.last,
      });
  }

  clear(): void {
    this.#runs.clear();
  }
}
