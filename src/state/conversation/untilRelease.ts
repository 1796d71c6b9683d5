import { UserError } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';

/** Cancels what is under way at a service when it is disconnected. */
export class UntilRelease {
  #controller = new AbortController();

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Aborted by this one too. */
  with(signal: AbortSignal): AbortSignal {
    return AbortSignal.any([signal, this.signal]);
  }

  release(): void {
    this.#controller.abort(
      new UserError(t('The connection to the service was closed before the result was known.')),
    );
    this.#controller = new AbortController();
  }
}
