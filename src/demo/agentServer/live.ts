import type { Dice } from '../random.ts';
import type { Work } from './work.ts';

/** Why an action was executed that somebody else has accepted, without a request. */
export const elsewhere = 'accepted elsewhere';

const mostVisits = 1_000;

/**
 * Work that goes on by itself: as long as nobody else has asked for anything, a colleague accepts what waits and finds
 * something new to do, each time after 20 to 90 seconds.
 */
export class Live {
  readonly work: Work;
  readonly #dice: Dice;
  readonly #message: string;
  #visits: number;

  constructor(work: Work, dice: Dice, { message, isVisited }: { message: string; isVisited: boolean }) {
    this.work = work;
    this.#dice = dice;
    this.#message = message;
    this.#visits = isVisited ? 0 : mostVisits;
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
    return work.recorded.updatedAt + 1_000 * this.#dice.between(`visit ${this.#visits}`, 20, 90);
  }

  #visit(): void {
    this.#visits++;
    if (this.work.status === 'waiting_for_confirmation') this.work.answer(true, '', elsewhere);
    else this.work.send(this.#message, true, elsewhere);
  }
}
