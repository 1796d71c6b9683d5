/** One thing that happened in a conversation, as it is shown. */
import type { Execution, Time } from '../../service/model/entities.ts';
import type {
  ActionEvent,
  FileChange,
  HookEvent,
  MessageEvent,
  EventPicture,
} from '../../service/model/events.ts';

interface EntryBase {
  /** That of its event. */
  readonly id: string;
  readonly at: Time | undefined;
}

/** Texts are as they were written, and so not safe to show as they are. */
export type TranscriptEntry = EntryBase &
  (
    | {
        readonly kind: 'message';
        readonly role: MessageEvent['role'];
        readonly text: string;
        readonly reasoning: string | undefined;
        readonly images: readonly EventPicture[];
        /** It grows, and is replaced by the whole message, which has another id. */
        readonly isStreaming?: boolean;
        readonly leftOut?: LeftOutCount;
      }
    | {
        readonly kind: 'action';
        readonly action: ActionEvent;
        readonly isWaiting: boolean;
        /** Undefined until there is one. */
        readonly outcome?: Outcome;
        /** The time at which it began to run, which is after it was accepted; undefined until its outcome is known. */
        readonly startedAt?: Time | undefined;
        /** The characters left out of the action. An action that waits is always whole. */
        readonly leftOut?: LeftOutCount;
      }
    | { readonly kind: 'error'; readonly text: string }
    | LineEntry
    | {
        /** An event of a kind that has no form here. */
        readonly kind: 'other';
        readonly eventKind: string | undefined;
        /** The event, of several lines, every character of it safe to show. */
        readonly json: string;
        readonly leftOut?: LeftOutCount;
      }
  );

/** The number of characters that are not kept. `FollowedConversation.whole` asks for all of them. */
export type LeftOutCount = number;

export type Outcome = { readonly at: Time | undefined } & (
  | {
      readonly kind: 'result';
      /** The id of its event, for `whole`. */
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
  | { readonly what: 'paused' }
  | { readonly what: 'interrupted' }
  /** The agent keeps only this summary of earlier events. */
  | { readonly what: 'condensed'; readonly forgotten: number; readonly summary: string | undefined }
  /** It has come to a state that no other entry tells of. */
  | { readonly what: 'state'; readonly execution: Execution }
  /** A program of the person that was called automatically, and had something to say. */
  | {
      readonly what: 'hook';
      readonly hook: string | undefined;
      readonly outcome: HookEvent['outcome'];
      readonly reason: string | undefined;
      readonly command: string | undefined;
      readonly text: string;
    }
);

/** The difference from the change before. */
export interface TranscriptChange {
  /** At the end. */
  readonly added: readonly TranscriptEntry[];
  /** Older ones, at the start. */
  readonly before: readonly TranscriptEntry[];
  /** In their places. */
  readonly changed: readonly TranscriptEntry[];
  readonly removed: readonly string[];
  /** All of them are to be read again, and the rest of this is empty. */
  readonly isReset: boolean;
}
