/** Calls that are told several times, from their begin to their end: which of what is told belongs together. */
import type { CallEvent } from '../../service/model/events.ts';

interface Run<Item> {
  /** The items that show the first and the last known call with this id: ids are used again. */
  readonly first: Item;
  readonly last: Item;
  /** The stamp of the newest event. */
  readonly stamp: string;
  readonly isOver: boolean;
}

export class Calls<Item> {
  readonly #runs = new Map<string, Run<Item>>();

  /** Returns the item that shows it: this one, or that of its begin; and true if it says more than before. */
  add(event: CallEvent, item: Item): { readonly holder: Item; readonly isNews: boolean } {
    const { callId = event.id, isOver, stamp = '' } = event;
    const run = this.#runs.get(callId);
    if (run && stamp < run.stamp) return { holder: run.last, isNews: false };
    const isOfRun = run !== undefined && !run.isOver;
    const holder = isOfRun ? run.last : item;
    this.#runs.set(callId, { first: run?.first ?? item, last: holder, stamp, isOver });
    return { holder, isNews: true };
  }

  /** Returns the item that shows it: this one, or a newer one. Call newest first. */
  addOlder(event: CallEvent, item: Item): Item {
    const { callId = event.id, isOver, stamp = '' } = event;
    const run = this.#runs.get(callId);
    if (run && !isOver) return run.first;
    this.#runs.set(callId, run ? { ...run, first: item } : { first: item, last: item, stamp, isOver });
    return item;
  }

  /** Makes `item` the entry for the first call with this id. */
  moveFirst({ callId, id }: CallEvent, item: Item): void {
    const key = callId ?? id;
    const run = this.#runs.get(key);
    if (run) this.#runs.set(key, { ...run, first: item, last: run.last === run.first ? item : run.last });
  }

  clear(): void {
    this.#runs.clear();
  }
}
