import type { ProbeFailure } from './probeResult.ts';

/** Ends a probe with what the failure is. */
export class Failed extends Error {
  readonly failure: ProbeFailure;

  constructor(failure: ProbeFailure) {
    super(failure.reason);
    this.failure = failure;
  }
}
