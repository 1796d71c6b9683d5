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

/** The states after an opening, and their minutes. */
const round: readonly (readonly [
  ExecutionStatus,
  low: number,
  high: number,
])[] = [
  ['running', 4, 12],
  ['waiting_for_confirmation', 3, 15],
  ['running', 3, 12],
  ['finished', 8, 30],
  ['idle', 5, 30],
];

/**
 * The state of an agent at a time after its beginning: first that of its
 * opening, and then it runs, waits for a person, runs, has finished and is
 * idle, again and again, each for some minutes. Occasionally a round ends in an
 * error. All rounds of one conversation take equally long, so the phase can be
 * computed directly.
 */
export function phaseAt(
  seed: number,
  conversation: number,
  time: number,
  opening: Opening,
): Phase {
  const dice = new Dice(seed, conversation);
  let since = 0;
  for (const [at, [execution, seconds]] of opening.entries()) {
    const until = since + 1_000 * seconds;
    const next = opening[at + 1]?.[0] ?? 'running';
    const ago = at === 0 ? minute * dice.between('ago', 1, 14) : 0;
    if (time < until) return { execution, since: since - ago, until, next };
    since = until;
  }
  const lengths = round.map(
    ([, low, high], at) =>
      dice.between(`phase ${at}`, low * 60, high * 60) * 1_000,
  );
  const total = lengths.reduce((sum, length) => sum + length);
  const number = Math.floor((time - since) / total);
  since += number * total;
  const fails = new Dice(dice.bits('rounds'), number).below('fails', 6) === 0;
  const at = (index: number): ExecutionStatus => {
    const execution = round[index % round.length]?.[0] ?? 'idle';
    return execution === 'finished' && fails ? 'error' : execution;
  };
  for (const [index, length] of lengths.entries()) {
    const until = since + length;
    if (time < until || index === lengths.length - 1)
      return { execution: at(index), since, until, next: at(index + 1) };
    since = until;
  }
  return { execution: 'idle', since, until: since + total, next: 'running' };
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
