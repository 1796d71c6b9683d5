/** Kinds of failed requests, each with a sentence for the user. */
import { UserError } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';

/** A parameter that the service rejected. */
export interface FieldError {
  readonly name: string;
  readonly message: string;
}

export type Failure =
  | {
      readonly kind: 'unreachable';
      readonly why: string;
      /** The connection was made, and closed before the answer. */
      readonly closed: boolean;
      /** True if no part of an answer had arrived. */
      readonly unanswered?: boolean;
    }
  | {
      readonly kind: 'timedOut';
      readonly seconds: number;
      /** True if the service kept answering, but the task did not finish. */
      readonly answering?: boolean;
    }
  | {
      readonly kind: 'unauthorised';
      readonly withKey: boolean;
      /** The key was not sent, because a header cannot contain it. */
      readonly unsendable?: boolean;
    }
  | { readonly kind: 'forbidden'; readonly detail?: string | undefined }
  | { readonly kind: 'notFound'; readonly detail?: string | undefined }
  | {
      readonly kind: 'rejected';
      readonly fields: readonly FieldError[];
      readonly detail?: string | undefined;
      readonly status?: number;
    }
  | { readonly kind: 'rateLimited'; readonly retryAfter?: number | undefined }
  | {
      readonly kind: 'serverFailed';
      readonly status: number;
      readonly detail?: string | undefined;
      readonly retryAfter?: number | undefined;
    }
  | { readonly kind: 'notThisService'; readonly why: string }
  | { readonly kind: 'cancelled' }
  | {
      readonly kind: 'notUnderstood';
      readonly why: string;
      /** True if the answer exceeds the limit. */
      readonly tooLarge?: boolean;
    };

interface FailureContext {
  /** The beginning of the sentence. */
  readonly couldNot: string;
  /** The service, for display. */
  readonly address: string;
  /** True if the change may have been made. */
  readonly outcomeUnknown?: boolean;
}

export class ServiceError extends UserError {
  readonly failure: Failure;
  readonly circumstances: FailureContext;

  constructor(
    failure: Failure,
    circumstances: FailureContext,
    options?: ErrorOptions,
  ) {
    super(sentence(failure, circumstances), options);
    this.failure = failure;
    this.circumstances = circumstances;
  }

  get kind(): Failure['kind'] {
    return this.failure.kind;
  }
}

/**
 * True if the service refuses access or the request: asking again does not
 * help.
 */
export function isRefusal({ kind }: ServiceError): boolean {
  return kind === 'unauthorised' || kind === 'forbidden';
}

/** Failures that may be over soon. */
const briefFailures: ReadonlySet<Failure['kind']> = new Set([
  'unreachable',
  'timedOut',
  'rateLimited',
  'serverFailed',
]);

export function isBrief({ kind }: ServiceError): boolean {
  return briefFailures.has(kind);
}

function sentence(
  failure: Failure,
  { couldNot, address, outcomeUnknown }: FailureContext,
): string {
  const unknown = outcomeUnknown
    ? ` ${t('The service may have done this already. Refresh before trying again.')}`
    : '';
  return `${couldNot}: ${explain(failure, address)}${unknown}`;
}

function explain(failure: Failure, address: string): string {
  switch (failure.kind) {
    case 'unreachable':
      return t(
        'Cannot reach {0}: {1}. Check the address and that the service is running.',
        address,
        failure.why,
      );
    case 'timedOut':
      return failure.answering
        ? t(
            '{0} did not finish within {1} minutes. Refresh to see the current state.',
            address,
            Math.round(failure.seconds / 60),
          )
        : t(
            '{0} did not answer within {1} seconds. Try again later.',
            address,
            failure.seconds,
          );
    case 'unauthorised':
      if (failure.unsendable) {
        return t(
          'the key for {0} contains a character that cannot be sent, perhaps an invisible one. Set another key with "Switchboard: Set API Key".',
          address,
        );
      }
      return failure.withKey
        ? t(
            '{0} did not accept the key. Set another key with "Switchboard: Set API Key", and check how it is sent.',
            address,
          )
        : t(
            '{0} requires a key. Set one with "Switchboard: Set API Key".',
            address,
          );
    case 'forbidden':
      return t(
        '{0} does not allow this{1}. Use a key with the necessary permissions, or ask the administrator of the service.',
        address,
        because(failure.detail),
      );
    case 'notFound':
      return t(
        '{0} could not find it{1}. It may no longer exist: refresh and look again.',
        address,
        because(failure.detail),
      );
    case 'rejected':
      return t(
        '{0} did not accept the request{1}. Correct it and try again.',
        address,
        because(rejection(failure)),
      );
    case 'rateLimited':
      return t(
        '{0} is receiving too many requests. Try again {1}.',
        address,
        inSeconds(failure.retryAfter),
      );
    case 'serverFailed':
      return t(
        '{0} failed ({1}). Try again {2}. If it keeps failing, tell the administrator of the service.',
        address,
        failure.detail ?? t('status {0}', failure.status),
        inSeconds(failure.retryAfter),
      );
    case 'notThisService':
      return t(
        '{0} does not answer like an agent service: {1}. Check the address.',
        address,
        failure.why,
      );
    case 'cancelled':
      return t('it was canceled.');
    case 'notUnderstood':
      return t(
        'the answer from {0} could not be understood ({1}). A newer version of Agent Switchboard may help.',
        address,
        failure.why,
      );
  }
}

/** The detail in brackets, or nothing. */
function because(detail: string | undefined): string {
  return detail === undefined ? '' : ` (${detail})`;
}

function rejection({
  fields,
  detail,
}: Failure & { kind: 'rejected' }): string | undefined {
  return fields.length > 0
    ? fields.map(({ name, message }) => `${name}: ${message}`).join('; ')
    : detail;
}

function inSeconds(milliseconds: number | undefined): string {
  if (milliseconds === undefined) return t('later');
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds <= 0) return t('now');
  if (seconds === 1) return t('in 1 second');
  return seconds < 120
    ? t('in {0} seconds', seconds)
    : t('in {0} minutes', Math.round(seconds / 60));
}
