import { reason, UserError } from '../base/errors.ts';

/** The exit code when a command is done, but its answer could not be written. */
export const unwritten = 3;

/** The answer could not be written, which is said on standard error with what was done all the same. */
export class OutputError extends UserError {
  constructor(cause: unknown, done = '') {
    const why = `The answer could not be written: ${reason(cause)}.`;
    super(done === '' ? why : `${why} ${done}`, { cause });
  }
}
