/**
 * Hides false failures: the service reports ERROR for each sandbox whose agent
 * server does not answer at once.
 */
import type { Clock } from '../../base/clock.ts';
import type { StartTask, Time } from '../model/entities.ts';
import { type Source, time } from '../http/wireValues.ts';
import { BriefStates } from './briefStates.ts';

/**
 * A sandbox seems to have failed until it first answers, which takes half a
 * minute.
 */
const youthMs = 60_000;

/**
 * A sandbox that is being paused, or is too busy to answer, seems to have
 * failed for some seconds.
 */
const errorPatienceMs = 30_000;

/**
 * True if the sandbox was made less than a minute ago; false if its age is
 * unknown.
 */
export function isYoung(createdAt: unknown, { now }: Source): boolean {
  const at: Time | undefined = time(createdAt);
  return at !== undefined && now !== undefined && now - at < youthMs;
}

/** The state, or `starting` for a young sandbox that seems to have failed. */
export function whileStarting<T extends string>(
  status: T,
  createdAt: unknown,
  source: Source,
): T | 'starting' {
  return status === 'error' && isYoung(createdAt, source) ? 'starting' : status;
}

/** States of the sandboxes of one service over time, by id. */
export class SandboxStates {
  readonly #clock: Clock;
  /**
   * Last time that a start task waited for a sandbox: that one too seems to
   * have failed until it answers.
   */
  readonly #awaitedAt = new Map<string, Time>();
  readonly #failures = new BriefStates(errorPatienceMs);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  note({ sandboxId, stage }: StartTask): void {
    if (sandboxId === undefined) return;
    if (stage === 'ready' || stage === 'error')
      this.#awaitedAt.delete(sandboxId);
    else this.#awaitedAt.set(sandboxId, this.#clock.now());
  }

  /**
   * Expects a sandbox to change its state, which may make it look failed for a
   * while.
   */
  expectChange(sandboxId: string): void {
    this.#failures.end(sandboxId);
  }

  /**
   * The row of a sandbox or of a conversation in it, unless it may only seem to
   * have failed: then it is starting or unknown. A failure with a reason, or of
   * a sandbox that was never seen before, is one.
   */
  settle<
    T extends { readonly status: string; readonly detail?: string | undefined },
  >(row: T, sandboxId: string | undefined): T {
    if (sandboxId === undefined) return row;
    const { status, detail } = row;
    if (status === 'running' || status === 'paused' || status === 'stopped')
      this.#failures.end(sandboxId);
    if (status !== 'error') return row;
    const now = this.#clock.now();
    if (now - (this.#awaitedAt.get(sandboxId) ?? -Infinity) < youthMs)
      return { ...row, status: 'starting' };
    if (detail !== undefined) this.#failures.believe(sandboxId);
    return this.#failures.lasts(sandboxId, now)
      ? row
      : { ...row, status: 'unknown' };
  }
}
