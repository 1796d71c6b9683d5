/** What the page of a conversation draws. Sentences are ours; texts of the service are as they were written, and the page makes them safe to show. */

/** A sentence, in which what comes from elsewhere stands out. */
export type Phrase = readonly (string | { readonly code: string } | { readonly text: string })[];

export type Picture =
  | { readonly mediaType: string; readonly base64: string }
  /** Shown as text, and never loaded. */
  | { readonly address: string };

interface EntryBase {
  readonly id: string;
  readonly time?: string | undefined;
}

export type DrawnEntry = EntryBase &
  (
    | {
        readonly kind: 'message';
        readonly by: 'person' | 'agent' | 'other';
        /** Who that is. */
        readonly name: string;
        /** Markdown. */
        readonly text: string;
        readonly pictures: readonly Picture[];
        readonly isStreaming: boolean;
        /** What it says before it acts, which belongs to what it does. */
        readonly isThought?: boolean | undefined;
        /** Says how much is left out, where something is. */
        readonly leftOut?: string | undefined;
      }
    | {
        readonly kind: 'action';
        readonly line: Phrase;
        readonly state: ActionState;
        readonly icon: Icon;
        /** Those that follow each other and have the same one belong together. */
        readonly step?: string | undefined;
      }
    | { readonly kind: 'error'; readonly text: string }
    | {
        readonly kind: 'line';
        readonly line: Phrase;
        readonly hasDetails: boolean;
      }
    | { readonly kind: 'other'; readonly line: Phrase }
  );

export type ActionState = 'running' | 'waiting' | 'done' | 'failed' | 'rejected';

export type Icon = 'terminal' | 'edit' | 'read' | 'browse' | 'think' | 'tasks' | 'tool';

/** Part of what an entry opens to. */
export type Block =
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'code'; readonly label: string; readonly text: string }
  /** Output of a program, with colours and weights. */
  | { readonly kind: 'output'; readonly label: string; readonly text: string }
  | { readonly kind: 'prose'; readonly label: string; readonly text: string }
  | { readonly kind: 'change'; readonly label: string; readonly before: string; readonly after: string }
  | { readonly kind: 'picture'; readonly label: string; readonly picture: Picture }
  /** Leads to the whole. */
  | { readonly kind: 'leftOut'; readonly text: string };

export interface DrawnAction {
  readonly line: Phrase;
  readonly risk?: { readonly text: string; readonly isHigh: boolean } | undefined;
  /** What the agent says about it. */
  readonly summary?: string | undefined;
  /** All of it. */
  readonly blocks: readonly Block[];
}

export interface DrawnWaiting {
  /** Of what is shown: an answer names it. */
  readonly shown: number;
  readonly heading: string;
  readonly actions: readonly DrawnAction[];
  /** Why it cannot be answered from here. */
  readonly obstacle?: string | undefined;
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

export interface Head {
  readonly title: string;
  readonly state: { readonly text: string; readonly tone: Tone };
  readonly connection: {
    readonly text: string;
    readonly tone: Tone;
    /** Why it is as it is. */
    readonly reason?: string | undefined;
    readonly canRetry: boolean;
    /** Other buttons beside it. */
    readonly actions?: readonly HeadButton[];
  };
  /** When the agent asks. */
  readonly confirmation?:
    { readonly value: string; readonly choices: readonly Choice[]; readonly canChange: boolean } | undefined;
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** Beside the title. */
  readonly buttons: readonly HeadButton[];
  readonly menu: readonly HeadButton[];
  /** The conversation that has begun this one, and those that it has begun itself: their keys. */
  readonly related: readonly { readonly id: string; readonly label: string }[];
  /** Whether the facts are all that there is. */
  readonly isOpenAtFirst: boolean;
  /** What is not possible here, and why. */
  readonly notes: readonly string[];
  /** The words on the button that allows what the notes say is not allowed. */
  readonly allow?: string | undefined;
}

export type Tone = 'plain' | 'good' | 'busy' | 'attention' | 'bad';

export interface HeadButton {
  readonly run: HeadAction;
  readonly label: string;
  /** Shown after the label, such as a number of files. */
  readonly count?: number | undefined;
}

export type HeadAction =
  | 'open'
  | 'openPullRequest'
  | 'showChanges'
  | 'takeOver'
  | 'openAgentEditor'
  | 'copyId'
  | 'copyUrl'
  | 'rename'
  | 'fork'
  | 'delete'
  | 'copyAll'
  /** For a conversation that is being created, or could not be. */
  | 'new'
  | 'cancelNew';

export type How = 'send' | 'leave' | 'rejectAndSend' | 'resumeAndSend' | 'resume';

/** What can be done with what one writes. */
export interface InputState {
  /** Why nothing can be written. */
  readonly obstacle?: string | undefined;
  /** What is said above the text. */
  readonly hint?: string | undefined;
  /** The first is done by the key that sends. */
  readonly ways: readonly { readonly how: How; readonly label: string }[];
  /** None of them is what one means in any case, so that a key chooses none. */
  readonly mustChoose?: boolean | undefined;
  /** The words on the button that stops what the agent does, or takes back what is being sent. */
  readonly stop?: string | undefined;
  /** What is under way. */
  readonly busy?: string | undefined;
}

export interface Attachment {
  readonly id: number;
  readonly name: string;
  readonly picture?: Picture | undefined;
}

/** A place on the page that can be gone to. */
export type PagePlace = 'waiting' | 'message';
