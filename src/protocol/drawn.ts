/**
 * The contents of a conversation page. Sentences are ours; the page makes texts
 * of the service safe to show.
 */

/** A sentence whose foreign parts stand out. */
export type Phrase = readonly (
  string | { readonly code: string } | { readonly text: string }
)[];

export type DrawnPicture =
  | { readonly mediaType: string; readonly base64: string }
  /** Shown as text, and never loaded. */
  | { readonly address: string };

export type DrawnEntry = {
  readonly id: string;
  readonly time?: string | undefined;
} & (
  | {
      readonly kind: 'message';
      readonly by: 'person' | 'agent' | 'other';
      readonly name: string;
      /** Markdown. */
      readonly text: string;
      readonly pictures: readonly DrawnPicture[];
      readonly isStreaming: boolean;
      /** True for words of the agent that belong to the action after them. */
      readonly isThought?: boolean | undefined;
      readonly canFork?: boolean | undefined;
      /** Number of a message that the user can still change or remove. */
      readonly queued?: number | undefined;
      /** A note about text that is left out. */
      readonly leftOut?: string | undefined;
    }
  | {
      readonly kind: 'action' | 'error' | 'line' | 'other';
      readonly line: Phrase;
      /** True if the entry opens to details. */
      readonly hasDetails: boolean;
      /** Set for actions only, as `icon` is. */
      readonly state?: ActionState;
      readonly icon?: ActionIcon;
      /** The rule of the user that accepted the action. */
      readonly rule?: string | undefined;
      /** True for an error that another model, key or credit may solve. */
      readonly canChooseModel?: boolean | undefined;
      /** Neighbours with the same step belong together. */
      readonly step?: string | undefined;
    }
);

export type ActionState =
  'running' | 'waiting' | 'done' | 'failed' | 'rejected' | 'stopped';

export type ActionIcon =
  'terminal' | 'edit' | 'read' | 'browse' | 'think' | 'tasks' | 'tool';

/** Part of the details of an entry. */
export type DetailBlock =
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'code'; readonly label: string; readonly text: string }
  /** Terminal output, with colors and weights. */
  | { readonly kind: 'output'; readonly label: string; readonly text: string }
  | { readonly kind: 'prose'; readonly label: string; readonly text: string }
  | {
      readonly kind: 'change';
      readonly label: string;
      readonly before: string;
      readonly after: string;
    }
  | {
      readonly kind: 'picture';
      readonly label: string;
      readonly picture: DrawnPicture;
    }
  /** Has a button that loads the whole text. */
  | { readonly kind: 'leftOut'; readonly text: string };

export interface DrawnAction {
  readonly line: Phrase;
  readonly risk?:
    { readonly text: string; readonly isHigh: boolean } | undefined;
  /** The agent's own description. */
  readonly summary?: string | undefined;
  /** The rule that makes the agent ask. */
  readonly why?: string | undefined;
  /** Every input of the action. */
  readonly blocks: readonly DetailBlock[];
}

export interface DrawnWaiting {
  /** Version of the shown actions. An answer names it. */
  readonly shown: number;
  readonly heading: string;
  readonly actions: readonly DrawnAction[];
  /** The reason why the page cannot answer. */
  readonly obstacle?: string | undefined;
  /** The commands that a rule can accept from now on. */
  readonly rules?: readonly string[] | undefined;
}

export interface ConfirmationChoice {
  readonly value: string;
  readonly label: string;
}

interface DrawnTask {
  readonly title: string;
  readonly state: string;
  readonly isDone: boolean;
}

export interface DrawnHead {
  readonly title: string;
  readonly state: {
    readonly text: string;
    readonly tone: Tone;
    /**
     * The time in milliseconds at which the agent began to work, and what it
     * does.
     */
    readonly work?:
      { readonly since: number; readonly line: Phrase } | undefined;
  };
  readonly connection: {
    readonly text: string;
    readonly tone: Tone;
    readonly reason?: string | undefined;
    readonly canRetry: boolean;
    readonly actions?: readonly HeadButton[];
  };
  readonly confirmation?:
    | {
        readonly value: string;
        readonly choices: readonly ConfirmationChoice[];
        readonly canChange: boolean;
      }
    | undefined;
  /**
   * Set while the service asks less than it must, with the policy to set again.
   */
  readonly lowered?:
    | { readonly text: string; readonly label: string; readonly policy: string }
    | undefined;
  /**
   * The use of the model's context, and the model, each with what can be done
   * about it.
   */
  readonly meters: readonly {
    readonly text: string;
    readonly button?: HeadButton | undefined;
  }[];
  readonly tasks?:
    | { readonly summary: string; readonly items: readonly DrawnTask[] }
    | undefined;
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly buttons: readonly HeadButton[];
  readonly menu: readonly HeadButton[];
  /** The parent conversation and the children, by key. */
  readonly related: readonly { readonly id: string; readonly label: string }[];
  /** True if the page has nothing but the facts. */
  readonly isOpenAtFirst: boolean;
  /** Limits of this conversation, with reasons. */
  readonly notes: readonly string[];
  /** Label of the button that lifts the limit in the notes. */
  readonly allow?: string | undefined;
}

export type Tone = 'plain' | 'good' | 'busy' | 'attention' | 'bad';

export interface HeadButton {
  readonly run: HeadAction;
  readonly label: string;
  /** Shown after the label, such as a number of files. */
  readonly count?: number | undefined;
  /** Shown after the number, such as `+12 −3`. */
  readonly lines?: string | undefined;
}

export const headActions = [
  'open',
  'openPullRequest',
  'showChanges',
  'takeOver',
  'openAgentEditor',
  'copyId',
  'copyUrl',
  'rename',
  'fork',
  'compact',
  'approvalRules',
  'setLimit',
  'switchModel',
  'delete',
  'copyAll',
  'cancelNew',
] as const;

export type HeadAction = (typeof headActions)[number];

export const sendingWays = [
  'send',
  'queue',
  'rejectAndSend',
  'resumeAndSend',
  'resume',
  'aside',
] as const;

export type SendingWay = (typeof sendingWays)[number];

/** Listed in the order of their buttons. */
export const choiceNames = [
  'service',
  'repository',
  'branch',
  'sandbox',
  'task',
  'folder',
  'worktree',
  'profile',
  'model',
  'approval',
  'maxSteps',
] as const;

export type ChoiceName = (typeof choiceNames)[number];

export interface InputState {
  /** The reason why nothing can be written. */
  readonly obstacle?: string | undefined;
  /** Shown above the text. */
  readonly hint?: string | undefined;
  /** The key that sends uses the first. */
  readonly ways: readonly {
    readonly how: SendingWay | 'create';
    readonly label: string;
  }[];
  /**
   * Set for a new conversation. A button with the current value leads to each
   * choice.
   */
  readonly choices?:
    | readonly { readonly name: ChoiceName; readonly label: string }[]
    | undefined;
  /** True if no way is safe enough for the key that sends. */
  readonly mustChoose?: boolean | undefined;
  /** Label of the button that stops the agent or cancels a message. */
  readonly stop?: string | undefined;
  readonly busy?: string | undefined;
}

export interface Attachment {
  readonly id: number;
  readonly name: string;
  readonly picture?: DrawnPicture | undefined;
  /** Parts of the source that it does not contain, each with the reason. */
  readonly leftOut?: readonly string[] | undefined;
}

/** A question that does not become part of the conversation. */
export interface DrawnAside {
  readonly id: number;
  readonly question: string;
  /** Markdown; undefined until the agent has answered. */
  readonly answer: string | undefined;
}

/** A target of the keyboard focus. */
export type PagePlace = 'waiting' | 'message';
