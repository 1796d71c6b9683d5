/** Calls that are told several times, from their begin to their end: which of what is told belongs together. */
import type { CallEvent } from '../../service/events.ts';
import type { Item } from './transcriptParts.ts';

interface Run {
  /** What shows the first one of this id that is known, and the last: ids are used again. */
  readonly first: Item;
  readonly last: Item;
  /** Of the newest that was told. */
  readonly stamp: string;
  readonly isOver: boolean;
}

export class Calls {
  readonly #runs = new Map<string, Run>();

  /** What shows it: this item, or that of its begin; and whether it says more than what was told before. */
  add(event: CallEvent, item: Item): { readonly shown: Item; readonly isNews: boolean } {
    const { callId = event.id, isOver, stamp = '' } = event;
    const run = this.#runs.get(callId);
    if (run && stamp < run.stamp) return { shown: run.last, isNews: false };
    const isOfRun = run !== undefined && !run.isOver;
    const shown = isOfRun ? run.last : item;
    this.#runs.set(callId, { first: run?.first ?? item, last: shown, stamp, isOver });
    return { shown, isNews: true };
  }

  /** What shows it: this item, or that of what was told later. They come from the newest to the oldest. */
  addOlder(event: CallEvent, item: Item): Item {
    const { callId = event.id, isOver, stamp = '' } = event;
    const run = this.#runs.get(callId);
    if (run && !isOver) return run.first;
    this.#runs.set(callId, run ? { ...run, first: item } : { first: item, last: item, stamp, isOver });
    return item;
  }

  /** What has shown the first one is shown by this item instead. */
  moveFirst({ callId, id }: CallEvent, item: Item): void {
    const key = callId ?? id;
    const run = this.#runs.get(key);
    if (run) this.#runs.set(key, { ...run, first: item, last: run.last === run.first ? item : run.last });
  }

  clear(): void {
    this.#runs.clear();
  }
}
