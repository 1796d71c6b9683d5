/**
 * Events of a conversation, in our own terms. Texts are as written, and not
 * safe to show without more.
 */
import type {
  Approval,
  ConfirmationPolicy,
  Conversation,
  Execution,
  OpenEnum,
  Time,
} from './entities.ts';

export interface EventBase {
  readonly id: string;
  /** Timestamp of the service, which sorts as text. */
  readonly stamp: string | undefined;
  /** Undefined if the time zone of the service is unknown. */
  readonly at: Time | undefined;
  readonly source:
    OpenEnum<'user' | 'agent' | 'environment' | 'hook'> | undefined;
}

export interface MessageEvent extends EventBase {
  readonly kind: 'message';
  readonly parentId?: string | undefined;
  readonly role: OpenEnum<'user' | 'assistant'> | undefined;
  readonly text: string;
  readonly reasoning: string | undefined;
  readonly images: readonly EventPicture[];
}

/**
 * A picture in the conversation can be shown. Another is only an address: never
 * load it.
 */
export type EventPicture =
  | { readonly mediaType: string; readonly base64: string }
  | { readonly address: string };

/** An action that an agent wants to do, or has done. */
export interface ActionEvent extends EventBase {
  readonly kind: 'action';
  readonly toolName: string | undefined;
  readonly toolCallId: string | undefined;
  /** The actions of one step are accepted or rejected together. */
  readonly stepId: string | undefined;
  readonly actionKind: string | undefined;
  /** The agent's own summary, which may be wrong. */
  readonly summary: string | undefined;
  /**
   * The agent's words before it acts. Only the first action of a step has them.
   */
  readonly thought: string;
  readonly reasoning: string | undefined;
  /**
   * The whole action, as JSON of several lines. Escapes invisible characters
   * and those that change the display of others, so it is exact, and safe to
   * show.
   */
  readonly arguments: string;
  /** The model's own rating. */
  readonly risk: Risk | undefined;
}

export type Risk = OpenEnum<'low' | 'medium' | 'high' | 'unknown'>;

/** The service's rating of actions, by their ids: it decides what waits. */
export interface RatingEvent extends EventBase {
  readonly kind: 'rating';
  readonly risks: Readonly<Record<string, Risk>>;
}

export interface ObservationEvent extends EventBase {
  readonly kind: 'observation';
  readonly actionId: string | undefined;
  readonly isError: boolean;
  readonly exitCode: number | undefined;
  /** Can have control sequences of a terminal. */
  readonly text: string;
  readonly images: readonly EventPicture[];
  readonly change: FileChange | undefined;
  readonly tasks?: readonly AgentTask[] | undefined;
}

export interface AgentTask {
  readonly title: string;
  readonly status: OpenEnum<'todo' | 'inProgress' | 'done'>;
}

/** The whole file before and after; undefined for a missing file. */
export interface FileChange {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export interface RejectionEvent extends EventBase {
  readonly kind: 'rejection';
  readonly actionId: string | undefined;
  readonly reason: string | undefined;
}

export interface ErrorEvent extends EventBase {
  readonly kind: 'error';
  /** The action that failed, if it was one. */
  readonly toolCallId: string | undefined;
  readonly text: string | undefined;
  /** True if another model, key or credit helps. */
  readonly isAboutModel?: boolean;
}

export interface StateEvent extends EventBase {
  readonly kind: 'state';
  readonly key: string | undefined;
  /** The state, if the key is `execution_status`. */
  readonly execution: Execution | undefined;
  /** Facts about the conversation, for any key. */
  readonly facts: Facts;
}

/**
 * Facts about a conversation beside its events. A missing one is unknown or
 * unchanged.
 */
export interface Facts extends Partial<
  Pick<
    Conversation,
    'tags' | 'isPinned' | 'isArchived' | 'limit' | 'lastMessageId'
  >
> {
  readonly title?: string;
  readonly cost?: number;
  readonly tokens?: NonNullable<Conversation['tokens']>;
  readonly context?: NonNullable<Conversation['context']>;
  readonly model?: string;
  readonly policy?: ConfirmationPolicy;
  readonly analyzer?: Approval['analyzer'];
}

/** The user stopped the agent at once, or after its step. */
interface StopEvent extends EventBase {
  readonly kind: 'stop';
  readonly isInterrupt: boolean;
}

/** The agent has replaced older events with a summary. */
interface CondensationEvent extends EventBase {
  readonly kind: 'condensation';
  readonly forgotten: number;
  readonly summary: string | undefined;
}

/**
 * The next piece of the text that the agent is writing. Sent only live: the
 * whole text follows the last piece.
 */
export interface PieceEvent extends EventBase {
  readonly kind: 'piece';
  readonly text: string;
  readonly reasoning: string;
}

/**
 * An action of another kind of agent, which does not ask: sent when it begins
 * and when it is over.
 */
export interface CallEvent extends EventBase {
  readonly kind: 'call';
  /** Used again for another call once this one is over. */
  readonly callId: string | undefined;
  readonly isOver: boolean;
  readonly action: ActionEvent;
  readonly result: ObservationEvent;
}

/** A program of the user was called because of an event. */
export interface HookEvent extends EventBase {
  readonly kind: 'hook';
  /** The occasion, such as `PreToolUse`. */
  readonly hook: string | undefined;
  readonly outcome: 'done' | 'blocked' | 'failed';
  readonly reason: string | undefined;
  readonly command: string | undefined;
  /** Output, with the control sequences of a terminal. */
  readonly text: string;
}

interface UntoldEvent extends EventBase {
  readonly kind: 'untold';
}

interface OtherEvent extends EventBase {
  readonly kind: 'other';
  readonly eventKind: string | undefined;
  /** The whole event as JSON of several lines that is safe to show. */
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
  | RatingEvent
  | HookEvent
  | UntoldEvent
  | OtherEvent;
