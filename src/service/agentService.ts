/**
 * What one kind of agent service can do. An ability that a kind lacks is undefined. Views and commands ask for the
 * ability and never for the kind. Every function rejects with a ServiceError.
 */
import { t } from '../base/l10n.ts';
import type { PageRequest, Pager } from './pager.ts';
import type { CallOptions } from './transport.ts';
import type {
  AgentProfile,
  ConfirmationPolicy,
  Conversation,
  Folder,
  GitBranch,
  GitRepository,
  Link,
  Sandbox,
  SandboxSpec,
  StartTask,
  SuggestedTask,
} from './entities.ts';
import type { AgentEvent } from './events.ts';
import type { FileChanges } from './fileChanges.ts';
import type { ServiceError } from './serviceError.ts';
import type { SentServer, ServerChange, ServiceCheck, ServiceServer } from './serviceServer.ts';

/** The supported interfaces, one for each kind of service: types, checks and settings derive from this list. */
export const serviceInterfaces = ['v0', 'v1', 'agentServer'] as const;

export type ServiceInterface = (typeof serviceInterfaces)[number];

/** The name that users know. */
export function interfaceName(name: ServiceInterface): string {
  return name === 'agentServer' ? t('Agent Server') : name.toUpperCase();
}

export interface AgentService {
  readonly interface: ServiceInterface;
  readonly conversations: Conversations;
  readonly creation?: Creation;
  readonly sandboxes?: Sandboxes;
  /** Undefined where conversations cannot be changed. */
  readonly editing?: Editing;
  /** Undefined where what an agent does can neither be read nor steered. */
  readonly steering?: Agents;
  /** Undefined where the service lists no repositories. */
  readonly git?: GitHosts;
  /** Undefined where the service has no MCP servers of its own. */
  readonly toolServers?: ToolServers;
}

/** Which conversations are wanted. */
export interface ConversationQuery {
  readonly repository?: string | undefined;
  readonly trigger?: string | undefined;
  /** Part of the title. */
  readonly title?: string | undefined;
  /** By their last activity, the latest first. Otherwise the newest come first. */
  readonly order?: 'updated' | undefined;
}

export interface Conversations {
  /** The parts of a query that the service takes. It ignores the others. */
  readonly filters: ReadonlySet<keyof ConversationQuery>;
  /** `call` applies to every page, unless `next` overrides it. */
  list(query?: ConversationQuery, call?: PageRequest): Pager<Conversation>;
  /** Undefined if the service does not know it. */
  find(id: string, call?: CallOptions): Promise<Conversation | undefined>;
  /**
   * Where it costs less than listing again: what is different from these rows; undefined if so much has changed that it
   * does not. Among a hundred rows and less, what was deleted or has changed without the service noting it is found by the
   * second call at the latest; among more, what was deleted, and what agents do.
   */
  changes?(known: readonly Conversation[], call?: CallOptions): Promise<Changes | undefined>;
}

export interface Changes {
  /** New ones, and those that say something else now. */
  readonly changed: readonly Conversation[];
  /** The ids of those that are gone, as they were given. */
  readonly gone: readonly string[];
}

export interface NewConversation {
  readonly message: string;
  readonly repository?: string | undefined;
  readonly branch?: string | undefined;
  readonly provider?: string | undefined;
  /** A running sandbox; without it, the conversation gets a new one. */
  readonly sandboxId?: string | undefined;
  /** Where the agent works, and whether in a Git worktree of its own. */
  readonly folder?: string | undefined;
  readonly worktree?: boolean | undefined;
  /** Branch, tag or commit that the worktree starts at, `HEAD` for what is checked out; without it, the default branch. */
  readonly worktreeStart?: string | undefined;
  /** Without it, the active one. */
  readonly profileId?: string | undefined;
}

/** A service answers with a task that leads to the conversation, or with the conversation itself. */
export type Created =
  | { readonly kind: 'task'; readonly task: StartTask }
  | { readonly kind: 'conversation'; readonly conversation: Conversation };

export interface Creation {
  /** Where a conversation works in a folder of the machine of the service, and not on a repository in a sandbox. */
  readonly folders?: Folders;
  readonly profiles?: (call?: CallOptions) => Promise<readonly AgentProfile[]>;
  /** True if a worktree can start anywhere, and not only at the default branch. */
  readonly takesWorktreeStart?: (call?: CallOptions) => Promise<boolean>;
  create(wanted: NewConversation, call?: CallOptions): Promise<Created>;
  /** The current state of the task; undefined if the service does not know it, or has no tasks. */
  task(id: string, call?: CallOptions): Promise<StartTask | undefined>;
}

export interface Folders {
  /** Those that people work in, and the home folder. */
  suggested(call?: CallOptions): Promise<readonly Folder[]>;
  below(path: string, call?: PageRequest): Pager<Folder>;
}

/** What is at the Git providers that the service knows. Without a provider, it refuses all but `providers`. */
export interface GitHosts {
  /** Those that are set up. */
  providers(call?: CallOptions): Promise<readonly string[]>;
  /** Those of the person; with a text, all that it finds. */
  repositories(provider: string, text: string, call?: PageRequest): Pager<GitRepository>;
  branches(repository: GitRepository, text: string, call?: PageRequest): Pager<GitBranch>;
  /** What could be done next: issues, and pull requests that wait for something. */
  suggestedTasks(call?: PageRequest): Pager<SuggestedTask>;
}

export interface Sandboxes {
  list(call?: PageRequest): Pager<Sandbox>;
  specs(call?: PageRequest): Pager<SandboxSpec>;
  /** Starts one from this spec, or from the default one. */
  start(specId?: string, call?: CallOptions): Promise<Sandbox>;
  /** Resolves when the service has accepted the request; the state follows later. So does `resume`. */
  pause(id: string, call?: CallOptions): Promise<void>;
  resume(id: string, call?: CallOptions): Promise<void>;
  /** With everything in it. */
  remove(id: string, call?: CallOptions): Promise<void>;
}

/** Changes of conversations that there are. */
export interface Editing {
  rename(id: string, title: string, call?: CallOptions): Promise<void>;
  /** With everything in it. Of one that is gone already, this is done. */
  remove(id: string, call?: CallOptions): Promise<void>;
  /** A new conversation that goes on from where this one is. */
  readonly fork?: (id: string, title: string, call?: CallOptions) => Promise<Conversation>;
}

/** The MCP servers in the settings of the service. Agents that it starts later get them. */
export interface ToolServers {
  list(call?: CallOptions): Promise<readonly ServiceServer[]>;
  /** Undefined where they can only be read; `whyNot` says why, as a sentence. */
  readonly changing?: ToolServerChanges;
  readonly whyNot?: () => string;
  /** Starts or reaches a server from where the service runs, and keeps nothing of it. */
  readonly check?: (name: string, server: SentServer, call?: CallOptions) => Promise<ServiceCheck>;
  /** The same with one of its own, whose secrets stay secret. */
  readonly checkOwn?: (name: string, call?: CallOptions) => Promise<ServiceCheck>;
}

export interface ToolServerChanges {
  /** Fails if there is one of this name. */
  add(name: string, server: SentServer, enabled: boolean, call?: CallOptions): Promise<void>;
  change(name: string, change: ServerChange, call?: CallOptions): Promise<void>;
  /** Puts another in the place of this one, at once: if it fails, the one before is still there. */
  replace(before: ServiceServer, server: SentServer, enabled: boolean, call?: CallOptions): Promise<void>;
  /** With its secrets, which nobody can read back. Of one that is gone already, this is done. */
  remove(name: string, call?: CallOptions): Promise<void>;
}

/** What agents do, and where they can be steered. */
export interface Agents extends EventSource {
  /** Asks for the current location of the agent of a conversation. */
  where(id: string, call?: CallOptions): Promise<AgentLocation>;
  /** Keeps a message until its sandbox has started; the place in the queue, where that is known. */
  readonly queue?: (id: string, message: Message, call?: CallOptions) => Promise<number | undefined>;
}

export type AgentLocation =
  | {
      readonly status: 'ready';
      readonly steering: Steering;
      readonly changes: FileChanges;
      /** False once the user no longer allows its origin. */
      readonly isAllowed?: () => boolean;
    }
  /** `sandboxId`: what is to be resumed. */
  | { readonly status: 'sandboxPaused'; readonly sandboxId: string | undefined }
  | { readonly status: 'sandboxStarting' }
  /** Its sandbox is gone. */
  | { readonly status: 'archived' }
  | { readonly status: 'gone' }
  /** From here, or at all. `why` is a sentence. It could be reached if a person allowed its origin, where that is given. */
  | { readonly status: 'outOfReach'; readonly why: string; readonly origin?: string };

export interface EventSource {
  /** Events, the newest first. A cursor that is undefined says that the page has the very first. */
  events(id: string, call?: PageRequest): Pager<AgentEvent>;
  /** The cursor of a page that begins with this event, before which, from the newest on, there are so many, or one less. */
  cursorAt(eventId: string, count: number): string | undefined;
  /** One event; undefined if the service does not have it. */
  event(id: string, eventId: string, call?: CallOptions): Promise<AgentEvent | undefined>;
}

/**
 * What changes something is for `AgentSteering`, which reads right before what waits: nothing here looks at that. It is sent
 * once, whatever comes of it.
 */
export interface Steering extends EventSource {
  /** Cancels what the agent does now. False if the service cannot do that: then `pause`. */
  interrupt(id: string, call?: CallOptions): Promise<boolean>;
  /** Lets the agent end what it does now, which may take half a minute, and stops it then. */
  pause(id: string, call?: CallOptions): Promise<void>;
  /** Answers whatever waits when it arrives. */
  answer(id: string, answer: Answer, call?: CallOptions): Promise<void>;
  /** Adds a message, and runs nothing. */
  add(id: string, message: Message, call?: CallOptions): Promise<void>;
  /** Lets the agent go on, which executes whatever waits. One that works already goes on working. */
  run(id: string, call?: CallOptions): Promise<void>;
  setConfirmation(id: string, policy: ConfirmationPolicy, call?: CallOptions): Promise<void>;
  /** The page of the editor that runs beside the agent, opened at this folder; undefined if there is none. */
  editorPage(folder: string | undefined, call?: CallOptions): Promise<Link | undefined>;
  /** Gives what happens as it happens. Returns a function that ends that without telling. */
  live(id: string, listener: LiveListener): () => void;
}

export interface Answer {
  readonly accept: boolean;
  /** What the agent is told; only of a rejection. */
  readonly reason?: string | undefined;
}

export interface Message {
  /** What is written, part by part. */
  readonly texts: readonly string[];
  readonly pictures: readonly { readonly mediaType: string; readonly base64: string }[];
}

export interface LiveListener {
  /** From this moment on, as the service has it, and what happened then again. Without it, only what is new. */
  readonly since?: string | undefined;
  onOpen(): void;
  onEvents(events: readonly AgentEvent[]): void;
  /** It is over, and nothing more comes. */
  onEnd(end: LiveEnd): void;
}

export interface LiveEnd {
  /** `refused`: there was no connection at all, perhaps because of a proxy. */
  readonly reason: 'refused' | 'broken' | 'unauthorised' | 'gone';
  readonly error: ServiceError;
}
