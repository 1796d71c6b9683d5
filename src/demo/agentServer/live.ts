import type { Dice } from '../random.ts';
import { elsewhere, type Work } from './work.ts';

const mostVisits = 1_000;

const minute = 60_000;

const wishes = [
  'Please add a test for that as well.',
  'Rebase it on main, please: there was a release.',
  'Can you say in the changelog what is different now?',
  'Look at it once more: is there a simpler way?',
  'The build complains about one line. Can you have a look?',
] as const;

/**
 * Work that goes on without requests: as long as nobody else has asked for anything, a colleague accepts what waits and
 * finds something new to do, each time after some minutes.
 */
export class Live {
  readonly work: Work;
  readonly #dice: Dice;
  readonly #visitedFrom: number;
  #visits: number;

  /** `visitedFrom`: when a colleague first looks at it; nobody does if it is undefined. */
  constructor(work: Work, dice: Dice, visitedFrom: number | undefined) {
    this.work = work;
    this.#dice = dice;
    this.#visitedFrom = visitedFrom ?? 0;
    this.#visits = visitedFrom === undefined ? mostVisits : 0;
  }

  advance(now: number): void {
    const { work } = this;
    for (let at = this.#nextAt(); at !== undefined && at <= now; at = this.#nextAt()) {
      const isVisit = !work.isRunning;
      work.advance(at);
      if (isVisit) this.#visit();
    }
    work.advance(now);
  }

  /** From now on, it is left to those who send requests. */
  leave(): void {
    this.#visits = mostVisits;
  }

  #nextAt(): number | undefined {
    const { work } = this;
    if (work.isRunning) return work.nextAt;
    if (this.#visits >= mostVisits) return undefined;
    const from = Math.max(work.recorded.updatedAt, this.#visitedFrom);
    return from + minute * this.#dice.between(`visit ${this.#visits}`, 8, 30);
  }

  #visit(): void {
    this.#visits++;
    if (this.work.status === 'waiting_for_confirmation') this.work.answer(true, '', elsewhere);
    else this.work.send(this.#dice.pick(`wish ${this.#visits}`, wishes), true, elsewhere);
  }
}
