/** The ways in which asking the service can fail: a closed family, each with a sentence for a person. */
import { UserError } from '../base/errors.ts';

/** One parameter that the service did not accept. */
export interface FieldError {
  readonly name: string;
  readonly message: string;
}

export type Failure =
  | { readonly kind: 'unreachable'; readonly why: string }
  | { readonly kind: 'timedOut'; readonly seconds: number }
  | { readonly kind: 'unauthorised'; readonly withKey: boolean }
  | { readonly kind: 'forbidden'; readonly detail?: string | undefined }
  | { readonly kind: 'notFound'; readonly detail?: string | undefined }
  | {
      readonly kind: 'rejected';
      readonly fields: readonly FieldError[];
      readonly detail?: string | undefined;
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
  | { readonly kind: 'notUnderstood'; readonly why: string };

export interface Circumstances {
  /** Completes "Could not …". */
  readonly operation: string;
  /** The service, as it is shown to people. */
  readonly address: string;
  /** Something was to be changed, and it may or may not have been. */
  readonly outcomeUnknown?: boolean;
}

export class ServiceError extends UserError {
  readonly failure: Failure;
  readonly circumstances: Circumstances;

  constructor(failure: Failure, circumstances: Circumstances, options?: ErrorOptions) {
    super(sentence(failure, circumstances), options);
    this.failure = failure;
    this.circumstances = circumstances;
  }

  get kind(): Failure['kind'] {
    return this.failure.kind;
  }
}

/** Whether the service does not let us in, or not do this: asking again does not help. */
export function isRefusal({ kind }: ServiceError): boolean {
  return kind === 'unauthorised' || kind === 'forbidden';
}

/** What happened, to what, and what to do. */
function sentence(failure: Failure, { operation, address, outcomeUnknown }: Circumstances): string {
  const unknown = outcomeUnknown
    ? ' It is not known whether the service has done it: refresh before you try again.'
    : '';
  return `Could not ${operation}: ${explain(failure, address)}${unknown}`;
}

function explain(failure: Failure, address: string): string {
  switch (failure.kind) {
    case 'unreachable':
      return `${address} cannot be reached (${failure.why}). Check the address, the network and whether the service runs.`;
    case 'timedOut':
      return `${address} did not answer within ${failure.seconds} seconds. Try again later.`;
    case 'unauthorised':
      return failure.withKey
        ? `${address} did not accept the key. Set another one with "Switchboard: Set API Key", and check how it is sent.`
        : `${address} asks for a key. Set one with "Switchboard: Set API Key".`;
    case 'forbidden':
      return `${address} does not allow it${because(failure.detail)}. Use a key that may do this, or ask whoever runs the service.`;
    case 'notFound':
      return `${address} does not know it${because(failure.detail)}. It may be gone; refresh and look again.`;
    case 'rejected':
      return `${address} did not accept the request${because(rejection(failure))}. Change that and try again.`;
    case 'rateLimited':
      return `${address} gets too many requests. Try again ${inSeconds(failure.retryAfter)}.`;
    case 'serverFailed':
      return `${address} failed${because(failure.detail ?? `status ${failure.status}`)}. Try again ${inSeconds(failure.retryAfter)}; if it goes on, tell whoever runs the service.`;
    case 'notThisService':
      return `${address} does not answer as an agent service: ${failure.why}. Check the address.`;
    case 'cancelled':
      return 'it was cancelled.';
    case 'notUnderstood':
      return `the answer of ${address} could not be understood (${failure.why}). A newer version of Agent Switchboard may help.`;
  }
}

function because(detail: string | undefined): string {
  return detail === undefined ? '' : ` (${detail})`;
}

function rejection({ fields, detail }: Failure & { kind: 'rejected' }): string | undefined {
  return fields.length > 0 ? fields.map(({ name, message }) => `${name}: ${message}`).join('; ') : detail;
}

function inSeconds(milliseconds: number | undefined): string {
  if (milliseconds === undefined) return 'later';
  const seconds = Math.ceil(milliseconds / 1000);
  return seconds < 120
    ? `in ${seconds} second${seconds === 1 ? '' : 's'}`
    : `in ${Math.round(seconds / 60)} minutes`;
}
