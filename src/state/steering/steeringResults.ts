import type { UserError } from '../../base/errors.ts';
import type { Execution } from '../../service/model/entities.ts';
import type { ServiceError } from '../../service/http/serviceError.ts';
import type { Fate, Waiting, WaitingAction } from '../transcript/waiting.ts';

export type Answered =
  | { readonly result: 'answered' }
  /** Nothing was sent: these actions wait now. */
  | {
      readonly result: 'changed';
      readonly now: readonly WaitingAction[];
      readonly fate: Fate | undefined;
    }
  /**
   * Nothing was sent: the actions were already answered, by another client or
   * elsewhere in this window.
   */
  | { readonly result: 'answeredElsewhere'; readonly fate: Fate }
  /** Nothing was sent: the actions were canceled, or the agent stopped. */
  | {
      readonly result: 'noLongerWaits';
      readonly fate: Fate | undefined;
      readonly execution: Execution | undefined;
    }
  /**
   * The answer was sent, but the events do not show it. `failure` is undefined
   * if the service confirmed it. A failed answer is not sent again for a
   * minute, because it may still arrive.
   */
  | {
      readonly result: 'unsure';
      readonly failure: ServiceError | undefined;
      /** `undefined` if unreadable. */
      readonly now: Waiting | undefined;
    };

export type Stopped =
  | { readonly result: 'stopped' }
  /** The agent finished before it could be stopped. */
  | { readonly result: 'finished' }
  /**
   * Nothing was sent, because nothing runs: pending actions can be rejected.
   */
  | { readonly result: 'waits'; readonly actions: readonly WaitingAction[] };

/** Nothing was sent, because the agent cannot be reached. */
export type NotReachable =
  /** `sandboxId`: the sandbox to resume. */
  | { readonly result: 'sandboxPaused'; readonly sandboxId: string | undefined }
  | { readonly result: 'sandboxStarting' }
  | { readonly result: 'archived' }
  | { readonly result: 'gone' };

type NotSent =
  /**
   * Nothing was sent, because it would have run these actions. Call
   * `rejectAndSend` or `leave`.
   */
  | { readonly result: 'waits'; readonly actions: readonly WaitingAction[] }
  | NotReachable;

/** The request may or may not have arrived. */
interface Unsure {
  readonly result: 'unsure';
  readonly failure: ServiceError;
}

export type SendResult =
  | {
      readonly result: 'sent';
      /**
       * The agent was not run, because it would execute these actions. It reads
       * the message once they are answered.
       */
      readonly waiting?: readonly WaitingAction[];
      /**
       * The failure to run the agent, or the failure that leaves the outcome
       * unknown.
       */
      readonly notRun?: UserError;
    }
  /** The message is sent when the sandbox has started. */
  | { readonly result: 'queued'; readonly position: number | undefined }
  /** The message was not sent, because the agent was stopped before. */
  | { readonly result: 'stopped' }
  | NotSent
  | Unsure;

/** The result of `answer`; after the rejection, the result of `send`. */
export type RejectedAndSent =
  Exclude<Answered, { result: 'answered' }> | SendResult;

export type NotIdle = { readonly result: 'works' } | NotSent;

export type Compacted = { readonly result: 'compacted' } | NotIdle;

export type Resumed = { readonly result: 'resumed' } | Unsure | NotIdle;
