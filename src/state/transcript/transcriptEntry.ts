/** An entry of a conversation's transcript. */
import type { Execution, Time } from '../../service/model/entities.ts';
import type {
  ActionEvent,
  FileChange,
  HookEvent,
  MessageEvent,
  EventPicture,
} from '../../service/model/events.ts';

interface EntryBase {
  /** The event's id. */
  readonly id: string;
  readonly at: Time | undefined;
  /** The number of characters left out. Pending actions are always whole. */
  readonly leftOut?: LeftOutCount;
}

/** Texts are raw and must be made safe before display. */
export type TranscriptEntry = EntryBase &
  (
    | {
        readonly kind: 'message';
        readonly role: MessageEvent['role'];
        readonly text: string;
        readonly reasoning: string | undefined;
        readonly images: readonly EventPicture[];
        /**
         * True while the message grows. The whole message replaces it under
         * another id.
         */
        readonly isStreaming?: boolean;
      }
    | {
        readonly kind: 'action';
        readonly action: ActionEvent;
        readonly isWaiting: boolean;
        readonly outcome?: Outcome;
        /**
         * Time at which the accepted action began to run; `undefined` until its
         * outcome is known.
         */
        readonly startedAt?: Time | undefined;
      }
    | {
        readonly kind: 'error';
        readonly text: string;
        readonly isAboutModel?: boolean;
      }
    | LineEntry
    | {
        /** An event of an unknown kind. */
        readonly kind: 'other';
        readonly eventKind: string | undefined;
        /** The event in several lines, safe to show. */
        readonly json: string;
      }
  );

/**
 * The number of characters left out. `FollowedConversation.whole` loads them.
 */
export type LeftOutCount = number;

export type Outcome = { readonly at: Time | undefined } & (
  | {
      readonly kind: 'result';
      /** The event's id, for `whole`. */
      readonly id: string;
      readonly text: string;
      readonly isError: boolean;
      readonly exitCode?: number;
      readonly change?: FileChange;
      readonly images: readonly EventPicture[];
      readonly leftOut?: LeftOutCount;
    }
  | { readonly kind: 'rejection'; readonly reason: string | undefined }
  | { readonly kind: 'error'; readonly text: string }
);

export type LineEntry = { readonly kind: 'line' } & (
  | { readonly what: 'paused' | 'interrupted' }
  /** The agent keeps only this summary of earlier events. */
  | {
      readonly what: 'condensed';
      readonly forgotten: number;
      readonly summary: string | undefined;
    }
  /** A state that no other entry shows. */
  | { readonly what: 'state'; readonly execution: Execution }
  /** An automatically called program of the user that had output. */
  | {
      readonly what: 'hook';
      readonly hook: string | undefined;
      readonly outcome: HookEvent['outcome'];
      readonly reason: string | undefined;
      readonly command: string | undefined;
      readonly text: string;
    }
);

/** The difference from the previous state. */
export interface TranscriptChange {
  /** Appended. */
  readonly added: readonly TranscriptEntry[];
  /** Older entries, prepended. */
  readonly before: readonly TranscriptEntry[];
  /** Replaced in place. */
  readonly changed: readonly TranscriptEntry[];
  readonly removed: readonly string[];
  /**
   * True if all entries must be read again; the other fields are then empty.
   */
  readonly isReset: boolean;
}
