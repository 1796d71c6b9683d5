import type { Dice } from '../random.ts';
import { readStory, type Story } from '../stories.ts';
import { stepsOf } from './script.ts';
import { elsewhere, type Work } from './work.ts';

const mostVisits = 1_000;

const minute = 60_000;

/** Milliseconds that the model takes for a step. */
const pace = 15_000;

/** Requests of the colleague, each with the work of the agent. */
const wishes: readonly [Story, ...Story[]] = [
  readStory(`Please rebase it on main. We've just released.
* Rebasing.
$ git fetch && git rebase origin/main
Successfully rebased and updated HEAD.
! No conflicts. Pushing this replaces the branch.
$ git push --force-with-lease origin HEAD
= Rebased on main and pushed.`),
  readStory(`Can you run everything again, including the end-to-end tests?
* Starting with the fast ones.
$ npm test
 42 passing (3s)
! The end-to-end tests run on staging, so I need your OK.
$ npm run test:e2e
 9 passing (41s)
= Everything passes, including the end-to-end tests.`),
  readStory(`Looks good. Please push it.
* Checking what there is to push.
$ git status --short --branch
## HEAD (no branch)
! Pushing.
$ git push origin HEAD
Everything up-to-date
= Pushed.`),
];

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
    else {
      const wish = this.#dice.pick(`wish ${this.#visits}`, wishes);
      this.work.send(wish.message, false, elsewhere);
      this.work.follow(stepsOf(wish, pace));
      this.work.run(elsewhere);
    }
  }
}
