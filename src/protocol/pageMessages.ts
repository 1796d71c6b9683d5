/** The messages between the page of a conversation and the editor. */
import type {
  Attachment,
  Block,
  DrawnEntry,
  DrawnWaiting,
  Head,
  HeadAction,
  How,
  InputState,
  PagePlace,
  Tone,
} from './drawn.ts';
import type { PageWords } from './pageWords.ts';

export type ToPage =
  | {
      readonly type: 'start';
      readonly words: PageWords;
      readonly language: string;
      readonly enterSends: boolean;
      readonly draft: string;
    }
  /** The page is now that of the conversation with this key. */
  | { readonly type: 'key'; readonly key: string }
  | {
      readonly type: 'entries';
      /** Nothing of what was drawn before is valid. */
      readonly isReset: boolean;
      /** Older ones, at the start. */
      readonly before: readonly DrawnEntry[];
      /** At the end. */
      readonly added: readonly DrawnEntry[];
      readonly changed: readonly DrawnEntry[];
      readonly removed: readonly string[];
      readonly hasOlder: boolean;
      /** Why there is nothing, where there is nothing. */
      readonly empty: string | undefined;
    }
  | { readonly type: 'details'; readonly id: string; readonly blocks: readonly Block[] }
  | { readonly type: 'head'; readonly head: Head }
  | { readonly type: 'waiting'; readonly waiting: DrawnWaiting | undefined }
  | { readonly type: 'input'; readonly input: InputState }
  | { readonly type: 'attachments'; readonly attachments: readonly Attachment[] }
  /** Messages on their way, drawn after the entries. */
  | { readonly type: 'pending'; readonly entries: readonly DrawnEntry[] }
  /** Returns text that was not sent to the field. */
  | { readonly type: 'putBack'; readonly text: string }
  | { readonly type: 'told'; readonly text: string; readonly tone: Tone }
  /** The ids of the entries in which it was found, the oldest first, and of those that have it only in their details. */
  | {
      readonly type: 'found';
      readonly query: string;
      readonly ids: readonly string[];
      readonly inDetails: readonly string[];
    }
  | { readonly type: 'olderEnded' }
  /** The keyboard is wanted there, also if it comes later. */
  | { readonly type: 'goTo'; readonly place: PagePlace };

export type FromPage =
  /** It is there, and knows nothing; it wants to show this entry again. */
  | { readonly type: 'ready'; readonly anchor?: string | undefined }
  | { readonly type: 'older' }
  /** Its details are wanted, now and when they change. */
  | { readonly type: 'open'; readonly id: string }
  | { readonly type: 'close'; readonly id: string }
  /** What is left out of it is wanted. */
  | { readonly type: 'whole'; readonly id: string }
  | { readonly type: 'answer'; readonly shown: number; readonly accept: boolean }
  | { readonly type: 'send'; readonly how: How; readonly text: string; readonly shown?: number | undefined }
  | { readonly type: 'stop' }
  | { readonly type: 'draft'; readonly text: string }
  | { readonly type: 'attach'; readonly what: 'file' | 'selection' }
  | { readonly type: 'attachDropped'; readonly addresses: readonly string[] }
  | {
      readonly type: 'attachPicture';
      readonly name: string;
      readonly mediaType: string;
      readonly base64: string;
    }
  | { readonly type: 'attachText'; readonly name: string; readonly text: string }
  | { readonly type: 'cannotAttach'; readonly name: string }
  | { readonly type: 'detach'; readonly id: number }
  | { readonly type: 'setConfirmation'; readonly value: string }
  | { readonly type: 'openLink'; readonly address: string }
  | { readonly type: 'openConversation'; readonly id: string }
  | { readonly type: 'run'; readonly action: HeadAction }
  | { readonly type: 'copyEntry'; readonly id: string }
  | { readonly type: 'find'; readonly query: string }
  /** The one that the head names. */
  | { readonly type: 'allowOrigin' }
  | { readonly type: 'retry' };

/** What the page keeps for when it is shown again. Nothing that anybody has written. */
export interface PageState {
  /** The key of the conversation. */
  readonly key: string;
  /** The first entry that is seen, and how far it is above the edge; undefined at the end. */
  readonly anchor?: { readonly id: string; readonly above: number } | undefined;
  readonly open: readonly string[];
  /** Undefined until the person has folded or unfolded it. */
  readonly headIsOpen?: boolean | undefined;
}
