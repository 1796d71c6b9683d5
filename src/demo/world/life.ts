import type { Opening } from './afternoon.ts';
import { Dice } from '../wire/random.ts';
import type { ExecutionStatus } from '../wire/wireTypes.ts';

/**
 * The state of an agent, its beginning, and the next state. Times are
 * milliseconds, on the scale of the caller.
 */
export interface Phase {
  readonly execution: ExecutionStatus;
  readonly since: number;
  readonly until: number;
  readonly next: ExecutionStatus;
}

const minute = 60_000;

/** The state of an agent at a time after its beginning. The last one stays. */
export function phaseAt(
  seed: number,
  conversation: number,
  time: number,
  opening: Opening,
): Phase {
  const dice = new Dice(seed, conversation);
  let since = 0;
  for (const [at, [execution, seconds]] of opening.entries()) {
    const next = opening[at + 1]?.[0];
    const until = next === undefined ? Infinity : since + 1_000 * seconds;
    const ago = at === 0 ? minute * dice.between('ago', 1, 14) : 0;
    if (time < until)
      return { execution, since: since - ago, until, next: next ?? execution };
    since = until;
  }
  throw new Error('The opening is empty.');
}

/** A new conversation shows activity soon. */
export function openingOfNew(seed: number, conversation: number): Opening {
  const dice = new Dice(seed, conversation);
  const length = (phase: number) => dice.between(`opening ${phase}`, 20, 90);
  const end = dice.below('fails', 6) === 0 ? 'error' : 'finished';
  return [
    ['running', length(0)],
    ['waiting_for_confirmation', length(1)],
    ['running', length(2)],
    [end, 10 * length(3)],
    ['idle', 10 * length(4)],
  ];
}
