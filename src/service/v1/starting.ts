/** A sandbox is seen as failed until it answers for the first time, which takes half a minute. */
import type { Clock } from '../../base/clock.ts';
import type { StartTask, Time } from '../entities.ts';
import { type Source, time } from '../wireValues.ts';

/** In milliseconds. */
const youth = 60_000;

/** Whether it was made less than a minute ago; false where that is not known. */
export function isYoung(createdAt: unknown, { now }: Source): boolean {
  const at: Time | undefined = time(createdAt);
  return at !== undefined && now !== undefined && now - at < youth;
}

/** The state, or that it starts if it seems to have failed while it is young. */
export function whileStarting<T extends string>(
  status: T,
  createdAt: unknown,
  source: Source,
): T | 'starting' {
  return status === 'error' && isYoung(createdAt, source) ? 'starting' : status;
}

/** The sandboxes that start tasks wait for. They too seem to have failed until they answer, whatever their age. */
export class AwaitedSandboxes {
  readonly #clock: Clock;
  /** When a task was seen to wait for them. */
  readonly #seen = new Map<string, Time>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  note({ sandboxId, stage }: StartTask): void {
    if (sandboxId === undefined) return;
    if (stage === 'ready' || stage === 'error') this.#seen.delete(sandboxId);
    else this.#seen.set(sandboxId, this.#clock.now());
  }

  /** The row as it is, unless it only seems to have failed. */
  settle<T extends { readonly status: string }>(row: T, sandboxId: string | undefined): T {
    const seen = this.#seen.get(sandboxId ?? '');
    const isAwaited = seen !== undefined && this.#clock.now() - seen < youth;
    return row.status === 'error' && isAwaited ? { ...row, status: 'starting' } : row;
  }
}
