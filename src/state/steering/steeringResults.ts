import type { UserError } from '../../base/errors.ts';
import type { Execution } from '../../service/model/entities.ts';
import type { ServiceError } from '../../service/http/serviceError.ts';
import type { Fate, Waiting, WaitingAction } from '../transcript/waiting.ts';

export type Answered =
  | { readonly result: 'answered' }
  /** Nothing was sent: this waits now. */
  | { readonly result: 'changed'; readonly now: readonly WaitingAction[]; readonly fate: Fate | undefined }
  /** Nothing was sent: it is answered, by another window or program, or from elsewhere in this one. */
  | { readonly result: 'answeredElsewhere'; readonly fate: Fate }
  /** Nothing was sent: it was cancelled, or the agent stopped. */
  | {
      readonly result: 'noLongerWaits';
      readonly fate: Fate | undefined;
      readonly execution: Execution | undefined;
    }
  /**
   * It was sent, and the events do not show it; `failure` is undefined if the service has said that it is done. For a minute
   * after a failure it is not sent again, because it may still arrive.
   */
  | {
      readonly result: 'unsure';
      readonly failure: ServiceError | undefined;
      /** Undefined if it cannot be read. */
      readonly now: Waiting | undefined;
    };

export type Stopped =
  | { readonly result: 'stopped' }
  /** It had done everything before it could be stopped. */
  | { readonly result: 'finished' }
  /** Nothing was sent, because nothing runs: what waits can be rejected. */
  | { readonly result: 'waits'; readonly actions: readonly WaitingAction[] };

/** Nothing was sent, because of where the conversation runs. */
export type NotReachable =
  /** `sandboxId`: what is to be resumed. */
  | { readonly result: 'sandboxPaused'; readonly sandboxId: string | undefined }
  | { readonly result: 'sandboxStarting' }
  | { readonly result: 'archived' }
  | { readonly result: 'gone' };

type NotSent =
  /** Nothing was sent, because it would have run these: `rejectAndSend`, or `leave`. */
  { readonly result: 'waits'; readonly actions: readonly WaitingAction[] } | NotReachable;

/** It went out, and whether it has arrived cannot be known. */
interface Unsure {
  readonly result: 'unsure';
  readonly failure: ServiceError;
}

export type SendResult =
  | {
      readonly result: 'sent';
      /** The agent was not told to go on, because that would run these. It reads the message once they are answered. */
      readonly waiting?: readonly WaitingAction[];
      /** Why the agent could not be told to go on, or why that is not known. */
      readonly notRun?: UserError;
    }
  /** It is sent when the sandbox has started. */
  | { readonly result: 'queued'; readonly position: number | undefined }
  /** Nothing was sent, because the agent was stopped before. */
  | { readonly result: 'stopped' }
  | NotSent
  | Unsure;

/** The result of `answer`; after the rejection, the result of `send`. */
export type RejectedAndSent = Exclude<Answered, { result: 'answered' }> | SendResult;

export type NotIdle = { readonly result: 'works' } | NotSent;

export type Compacted = { readonly result: 'compacted' } | NotIdle;

export type Resumed = { readonly result: 'resumed' } | Unsure | NotIdle;
