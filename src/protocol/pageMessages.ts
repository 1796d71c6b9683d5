/** The messages between the page of a conversation and the editor. */
import type {
  Attachment,
  DetailBlock,
  DrawnEntry,
  DrawnWaiting,
  DrawnHead,
  HeadAction,
  SendingWay,
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
  /** The page now belongs to the conversation with this key. */
  | { readonly type: 'key'; readonly key: string }
  | {
      readonly type: 'entries';
      /** True if all earlier entries are invalid. */
      readonly isReset: boolean;
      /** Older entries, for the start of the list. */
      readonly before: readonly DrawnEntry[];
      /** Newer entries, for the end of the list. */
      readonly added: readonly DrawnEntry[];
      readonly changed: readonly DrawnEntry[];
      readonly removed: readonly string[];
      readonly hasOlder: boolean;
      /** Shown in place of an empty list. */
      readonly empty: string | undefined;
    }
  | { readonly type: 'details'; readonly id: string; readonly blocks: readonly DetailBlock[] }
  | { readonly type: 'head'; readonly head: DrawnHead }
  | { readonly type: 'waiting'; readonly waiting: DrawnWaiting | undefined }
  | { readonly type: 'input'; readonly input: InputState }
  | { readonly type: 'attachments'; readonly attachments: readonly Attachment[] }
  /** Messages on their way, drawn after the entries. */
  | { readonly type: 'pending'; readonly entries: readonly DrawnEntry[] }
  /** Returns text that was not sent to the field. */
  | { readonly type: 'putBack'; readonly text: string }
  | { readonly type: 'told'; readonly text: string; readonly tone: Tone }
  /** Ids of the entries that contain the text, oldest first. `inDetails`: those that contain it only in their details. */
  | {
      readonly type: 'found';
      readonly query: string;
      readonly ids: readonly string[];
      readonly inDetails: readonly string[];
    }
  | { readonly type: 'olderEnded' }
  /** Moves the focus, now or as soon as the place exists. */
  | { readonly type: 'goTo'; readonly place: PagePlace };

export type FromPage =
  /** The script runs and has no state. `anchor`: the entry to show again. */
  | { readonly type: 'ready'; readonly anchor?: string | undefined }
  | { readonly type: 'older' }
  /** Asks for the details of an entry. */
  | { readonly type: 'open'; readonly id: string }
  /** Asks for the text that was left out of an entry. */
  | { readonly type: 'whole'; readonly id: string }
  | { readonly type: 'answer'; readonly shown: number; readonly accept: boolean }
  | {
      readonly type: 'send';
      readonly how: SendingWay;
      readonly text: string;
      readonly shown?: number | undefined;
    }
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
  /** Allows the origin that the head names. */
  | { readonly type: 'allowOrigin' }
  | { readonly type: 'retry' };

export type SendToEditor = (message: FromPage) => void;

/** State that the page keeps while it is hidden. Never contains drafts. */
export interface PageState {
  /** The key of the conversation. */
  readonly key: string;
  /** The first visible entry, and its distance above the edge; undefined at the end of the list. */
  readonly anchor?: { readonly id: string; readonly above: number } | undefined;
  readonly open: readonly string[];
  /** Undefined until the user folds or unfolds the head. */
  readonly headIsOpen?: boolean | undefined;
}
