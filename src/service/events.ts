/** What happens in a conversation, in our own terms. */
import type { ConfirmationPolicy, Conversation, Execution, Open, Time } from './entities.ts';

export interface EventBase {
  readonly id: string;
  /** When it happened, as the service has it: it sorts as text. Undefined where it has none. */
  readonly stamp: string | undefined;
  /** Undefined where the zone of the service is not known. */
  readonly at: Time | undefined;
  readonly source: Open<'user' | 'agent' | 'environment' | 'hook'> | undefined;
}

export interface MessageEvent extends EventBase {
  readonly kind: 'message';
  readonly role: Open<'user' | 'assistant'> | undefined;
  /** As it was written: not safe to show as it is. */
  readonly text: string;
  /** What its model was thinking. */
  readonly reasoning: string | undefined;
  readonly images: readonly EventPicture[];
}

/** One that is in the conversation itself can be shown. Another one is only an address, as it was written: never load it. */
export type EventPicture =
  { readonly mediaType: string; readonly base64: string } | { readonly address: string };

/** What an agent wants to do, or has done. */
export interface ActionEvent extends EventBase {
  readonly kind: 'action';
  readonly toolName: string | undefined;
  /** As the service spells it. */
  readonly toolCallId: string | undefined;
  /** The actions of one step are accepted or rejected together. */
  readonly stepId: string | undefined;
  readonly actionKind: string | undefined;
  /** What the agent itself calls it: not what it does. */
  readonly summary: string | undefined;
  /** What it says before it acts, as it was written. Only the first action of a step has it. */
  readonly thought: string;
  readonly reasoning: string | undefined;
  /**
   * All of what it does, as JSON of several lines in which what is not seen, or changes how other characters are shown, is
   * escaped. So it says the same as the service has, and is safe to show.
   */
  readonly arguments: string;
  readonly risk: Open<'low' | 'medium' | 'high' | 'unknown'> | undefined;
}

export interface ObservationEvent extends EventBase {
  readonly kind: 'observation';
  readonly actionId: string | undefined;
  readonly isError: boolean;
  readonly exitCode: number | undefined;
  /** As it was written, also with the control sequences of a terminal. */
  readonly text: string;
  readonly images: readonly EventPicture[];
  readonly change: FileChange | undefined;
}

/** The whole file before and after; undefined where there was none. */
export interface FileChange {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export interface RejectionEvent extends EventBase {
  readonly kind: 'rejection';
  readonly actionId: string | undefined;
  /** As it was written. */
  readonly reason: string | undefined;
}

export interface ErrorEvent extends EventBase {
  readonly kind: 'error';
  /** The action that failed, if it was one. */
  readonly toolCallId: string | undefined;
  /** As it was written. */
  readonly text: string | undefined;
}

export interface StateEvent extends EventBase {
  readonly kind: 'state';
  readonly key: string | undefined;
  /** For the key `execution_status`. */
  readonly execution: Execution | undefined;
  /** What it says about the conversation, whatever its key. */
  readonly facts: Facts;
}

/** What is known of a conversation beside what happens in it. What is missing is not known, or has not changed. */
export interface Facts {
  readonly title?: string;
  readonly cost?: number;
  readonly tokens?: NonNullable<Conversation['tokens']>;
  readonly tags?: readonly string[];
  readonly confirmation?: ConfirmationPolicy;
}

/** A person has stopped the agent: at once, or after what it was doing. */
interface StopEvent extends EventBase {
  readonly kind: 'stop';
  readonly isInterrupt: boolean;
}

/** The agent has forgotten some of what happened, and remembers a summary. */
interface CondensationEvent extends EventBase {
  readonly kind: 'condensation';
  readonly forgotten: number;
  readonly summary: string | undefined;
}

/** The next piece of what the agent is writing. It comes only live: the whole comes after the last piece. */
export interface PieceEvent extends EventBase {
  readonly kind: 'piece';
  readonly text: string;
  readonly reasoning: string;
}

/** What an agent of another kind does without asking: it is told when it begins, and again when it is over. */
export interface CallEvent extends EventBase {
  readonly kind: 'call';
  /** Used again for another call once this one is over. */
  readonly callId: string | undefined;
  readonly isOver: boolean;
  readonly action: ActionEvent;
  /** What has come of it so far. */
  readonly result: ObservationEvent;
}

/** A program of the person was called because of something that happened. */
export interface HookEvent extends EventBase {
  readonly kind: 'hook';
  /** What it was called for, such as `PreToolUse`. */
  readonly hook: string | undefined;
  readonly outcome: 'done' | 'blocked' | 'failed';
  readonly reason: string | undefined;
  readonly command: string | undefined;
  /** What it has written, with the control sequences of a terminal. */
  readonly text: string;
}

/** Nothing that is told to a person. */
interface UntoldEvent extends EventBase {
  readonly kind: 'untold';
}

/** Of a kind that we have no form for, or not an event at all. */
interface OtherEvent extends EventBase {
  readonly kind: 'other';
  readonly eventKind: string | undefined;
  /** All of it, as JSON of several lines that is safe to show, like `arguments` of an action. */
  readonly json: string;
}

export type AgentEvent =
  | MessageEvent
  | ActionEvent
  | ObservationEvent
  | RejectionEvent
  | ErrorEvent
  | StateEvent
  | StopEvent
  | CondensationEvent
  | PieceEvent
  | CallEvent
  | HookEvent
  | UntoldEvent
  | OtherEvent;
