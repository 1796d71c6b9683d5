import { Dice } from './random.ts';
import type { ExecutionStatus } from './wire.ts';

/** What an agent is doing, and since when. */
export interface Phase {
  readonly execution: ExecutionStatus;
  /** Milliseconds, on the scale that was asked about. */
  readonly since: number;
}

const round: readonly ExecutionStatus[] = [
  'idle',
  'running',
  'waiting_for_confirmation',
  'running',
  'finished',
];

/**
 * What the agent of a conversation is doing at a given time: idle, running, waiting for a person, running and finished,
 * again and again, each for 20 to 90 seconds. Occasionally a round ends in an error. All rounds of one conversation take
 * equally long, so the phase can be computed directly. At time 0 an agent is anywhere in its round, or begins to run if
 * it is `fresh`.
 */
export function phaseAt(seed: number, conversation: number, time: number, fresh = false): Phase {
  const dice = new Dice(seed, conversation);
  const lengths = round.map((_, at) => dice.between(`phase ${at}`, 20, 90) * 1_000);
  const total = lengths.reduce((sum, length) => sum + length);
  const shift = fresh ? (lengths[0] ?? 0) : dice.below('shift', total);
  const number = Math.floor((time + shift) / total);
  let since = number * total - shift;
  let at = 0;
  for (const length of lengths.slice(0, -1)) {
    if (time < since + length) break;
    since += length;
    at++;
  }
  const execution = round[at] ?? 'idle';
  const fails = new Dice(dice.bits('rounds'), number).below('fails', 6) === 0;
  return {
    execution: execution === 'finished' && fails ? 'error' : execution,
    since,
  };
}
