import {
  type Attachment,
  choiceNames,
  type DetailBlock,
  type DrawnAside,
  type DrawnEntry,
  type DrawnHead,
  type DrawnWaiting,
  headActions,
  type InputState,
  type PagePlace,
  sendingWays,
  type Tone,
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
  | {
      readonly type: 'details';
      readonly id: string;
      readonly blocks: readonly DetailBlock[];
    }
  | { readonly type: 'head'; readonly head: DrawnHead }
  | { readonly type: 'waiting'; readonly waiting: DrawnWaiting | undefined }
  | { readonly type: 'input'; readonly input: InputState }
  | {
      readonly type: 'attachments';
      readonly attachments: readonly Attachment[];
    }
  | {
      readonly type: 'attached';
      readonly id: number;
      readonly content: DetailBlock;
    }
  | { readonly type: 'pending'; readonly entries: readonly DrawnEntry[] }
  /** Questions aside, drawn after the messages on their way. */
  | { readonly type: 'asides'; readonly asides: readonly DrawnAside[] }
  /** Returns text that was not sent to the field. */
  | { readonly type: 'putBack'; readonly text: string }
  | { readonly type: 'told'; readonly text: string; readonly tone: Tone }
  /**
   * Ids of the entries that contain the text, oldest first. `inDetails`: those
   * that contain it only in their details.
   */
  | {
      readonly type: 'found';
      readonly query: string;
      readonly ids: readonly string[];
      readonly inDetails: readonly string[];
    }
  | { readonly type: 'olderEnded' }
  /** Moves the focus, now or as soon as the place exists. */
  | { readonly type: 'goTo'; readonly place: PagePlace };

type Check<T> = (value: unknown) => value is T;

const text: Check<string> = (value) => typeof value === 'string';
const number: Check<number> = (value): value is number =>
  Number.isSafeInteger(value);
const flag: Check<boolean> = (value) => typeof value === 'boolean';
const texts: Check<readonly string[]> = (value) =>
  Array.isArray(value) && value.every(text);
const base64: Check<string> = (value): value is string =>
  text(value) && /^[A-Za-z0-9+/]+={0,2}$/.test(value);
const oneOf =
  <T extends string>(...all: readonly T[]): Check<T> =>
  (value): value is T =>
    all.includes(value as T);
const optional =
  <T>(check: Check<T>): Check<T | undefined> =>
  (value) =>
    value === undefined || check(value);

const pictureType: Check<string> = oneOf(
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
);

const forms = {
  /** The script runs and has no state. `anchor`: the entry to show again. */
  ready: { anchor: optional(text) },
  older: {},
  open: { id: text },
  /** Asks for the text that was left out of an entry. */
  whole: { id: text },
  answer: { shown: number, accept: flag },
  /** Accepts the actions, and makes a rule of them. */
  acceptByRule: { shown: number },
  send: { how: oneOf(...sendingWays), text, shown: optional(number) },
  create: { text },
  choose: { name: oneOf(...choiceNames) },
  stop: {},
  draft: { text },
  attach: { what: oneOf('file', 'selection', 'mention') },
  attachDropped: { addresses: texts },
  attachPicture: {
    name: text,
    mediaType: pictureType,
    base64,
  },
  attachText: { name: text, text },
  cannotAttach: { name: text },
  detach: { id: number },
  lookAt: { id: number },
  setConfirmation: { value: text },
  openLink: { address: text },
  openConversation: { id: text },
  run: { action: oneOf(...headActions) },
  copyEntry: { id: text },
  fork: { id: text, isBefore: flag },
  editQueued: { id: number },
  removeQueued: { id: number },
  copyAside: { id: number },
  /** Also cancels it. */
  removeAside: { id: number },
  find: { query: text },
  /** Allows the origin that the head names. */
  allowOrigin: {},
  retry: {},
};

type Forms = typeof forms;
type Checked<T> = T extends Check<infer Value> ? Value : never;

export type FromPage = {
  [Type in keyof Forms]: { readonly type: Type } & {
    readonly [Name in keyof Forms[Type]]: Checked<Forms[Type][Name]>;
  };
}[keyof Forms];

/**
 * Checks a message of a page, which draws text of agents and so is not trusted.
 * Returns `undefined` for an unknown form.
 */
export function readFromPage(message: unknown): FromPage | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  const { type } = message as { readonly type?: unknown };
  if (typeof type !== 'string' || !Object.hasOwn(forms, type)) return undefined;
  const fits = Object.entries<Check<unknown>>(forms[type as keyof Forms]).every(
    ([name, check]) =>
      check((message as Readonly<Record<string, unknown>>)[name]),
  );
  return fits ? (message as FromPage) : undefined;
}

/** State that the page keeps while it is hidden. Never contains drafts. */
export interface PageState {
  readonly key: string;
  /**
   * The first visible entry, and its distance above the edge; undefined at the
   * end of the list.
   */
  readonly anchor?: { readonly id: string; readonly above: number } | undefined;
  readonly open: readonly string[];
  /** Undefined until the user folds or unfolds the head. */
  readonly headIsOpen?: boolean | undefined;
}

export function readPageKey(state: unknown): string | undefined {
  const key =
    typeof state === 'object' && state !== null
      ? (state as Partial<PageState>).key
      : undefined;
  return typeof key === 'string' && key.includes(' ') ? key : undefined;
}
