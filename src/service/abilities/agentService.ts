/**
 * Abilities of one kind of agent service. An ability that a kind lacks is
 * undefined. Views and commands ask for the ability and never for the kind.
 * Every function rejects with a ServiceError.
 */
import { t } from '../../base/l10n.ts';
import type { PageRequest, Pager } from '../http/pager.ts';
import type { CallOptions } from '../http/transport.ts';
import type {
  AgentProfile,
  Approval,
  AskRule,
  ConfirmationPolicy,
  Conversation,
  Folder,
  GitBranch,
  GitRepository,
  Link,
  MarkChange,
  ModelProfile,
  Sandbox,
  SandboxSpec,
  StartTask,
  SuggestedTask,
} from '../model/entities.ts';
import type { AgentEvent } from '../model/events.ts';
import type { FileChanges } from './fileChanges.ts';
import type { Automations } from './automations.ts';
import type { Models } from './models.ts';
import type { Attached, Message } from '../model/newMessage.ts';
import type { ServiceError } from '../http/serviceError.ts';
import type {
  SentServer,
  ServerChange,
  ServiceCheck,
  ServiceServer,
} from '../records/serviceServer.ts';

/**
 * The supported interfaces, one for each kind of service: types, checks and
 * settings derive from this list.
 */
export const serviceInterfaces = ['v0', 'v1', 'agentServer'] as const;

export type ServiceInterface = (typeof serviceInterfaces)[number];

export function interfaceName(name: ServiceInterface): string {
  return name === 'agentServer' ? t('Agent Server') : name.toUpperCase();
}

export interface AgentService {
  readonly interface: ServiceInterface;
  readonly conversations: Conversations;
  readonly creation?: Creation;
  readonly sandboxes?: Sandboxes;
  /** Absent if conversations cannot be changed. */
  readonly editing?: Editing;
  /** Absent if the events of agents cannot be read. */
  readonly agents?: Agents;
  /** Absent if the service lists no repositories. */
  readonly git?: GitHosts;
  /** Absent if the service has no MCP servers of its own. */
  readonly toolServers?: ToolServers;
  /** Absent if the models of the service cannot be changed. */
  readonly models?: Models;
  /**
   * Absent if no automation server can be beside the service. Whether there is
   * one is known once it was asked.
   */
  readonly automations?: Automations;
}

export interface ConversationQuery {
  readonly repository?: string | undefined;
  readonly trigger?: string | undefined;
  /** Part of the title. */
  readonly title?: string | undefined;
  /** `updated`: the last active first. Otherwise the newest first. */
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
   * The differences from these rows, if that costs less than listing again;
   * undefined if too much has changed. In a list of at most a hundred rows,
   * undated changes and deletions are found by the second call; in a longer
   * one, deletions and the states of agents.
   */
  changes?(
    rows: readonly Conversation[],
    call?: CallOptions,
  ): Promise<Changes | undefined>;
}

export interface Changes {
  readonly changed: readonly Conversation[];
  /** Ids of conversations that are gone, as they were given. */
  readonly gone: readonly string[];
}

export interface NewConversation {
  readonly message: string;
  readonly attached?: readonly Attached[] | undefined;
  readonly repository?: string | undefined;
  readonly branch?: string | undefined;
  readonly provider?: string | undefined;
  /** A running sandbox; without it, the conversation gets a new one. */
  readonly sandboxId?: string | undefined;
  /** The folder of the agent, and true for a Git worktree of its own. */
  readonly folder?: string | undefined;
  readonly worktree?: boolean | undefined;
  /**
   * Branch, tag or commit to start the worktree at; `HEAD` for the current one,
   * `upstream` for that of the current branch; by default the default branch.
   */
  readonly worktreeStart?: string | undefined;
  /** The active one by default. */
  readonly profile?: Omit<AgentProfile, 'active'> | undefined;
  /** The default of the service without a choice. Only with `takesApproval`. */
  readonly approval?: ConfirmationPolicy | undefined;
  /** The listed actions, for an approval that depends on ratings. */
  readonly askRules?: readonly AskRule[] | undefined;
  /** Steps after which the agent stops. Only with `takesMaxSteps`. */
  readonly maxSteps?: number | undefined;
}

/**
 * The answer of a service: a task that leads to the conversation, or the
 * conversation itself.
 */
export type Created =
  | { readonly kind: 'task'; readonly task: StartTask }
  | { readonly kind: 'conversation'; readonly conversation: Conversation };

export interface Creation {
  /**
   * Present if conversations work in folders of the service’s machine, and not
   * on repositories in sandboxes.
   */
  readonly folders?: Folders;
  readonly profiles?: (call?: CallOptions) => Promise<readonly AgentProfile[]>;
  /**
   * True if a conversation can be created with a choice of when its agent asks.
   */
  readonly takesApproval?: boolean;
  /** True if a conversation can be created with a limit of its steps. */
  readonly takesMaxSteps?: boolean;
  /** True if the service can rate the actions of a new conversation. */
  readonly ratesActions?: (call?: CallOptions) => Promise<boolean>;
  /**
   * True if a worktree can start anywhere, and not only at the default branch.
   */
  readonly takesWorktreeStart?: (call?: CallOptions) => Promise<boolean>;
  create(draft: NewConversation, call?: CallOptions): Promise<Created>;
  /**
   * The current state of the task; undefined if the service does not know it,
   * or has no tasks.
   */
  task(id: string, call?: CallOptions): Promise<StartTask | undefined>;
}

export interface Folders {
  /** Folders in use, and the home folder. */
  suggested(call?: CallOptions): Promise<readonly Folder[]>;
  below(path: string, call?: PageRequest): Pager<Folder>;
  /**
   * Runs a shell command at the service, in no folder of a conversation.
   * Returns its output, or throws if it fails.
   */
  runGit(command: string, call?: CallOptions): Promise<string>;
}

/** Git providers of the service. All calls but `providers` need a provider. */
export interface GitHosts {
  providers(call?: CallOptions): Promise<readonly string[]>;
  /** The user’s repositories, or all that match a text. */
  repositories(
    provider: string,
    text: string,
    call?: PageRequest,
  ): Pager<GitRepository>;
  branches(
    repository: GitRepository,
    text: string,
    call?: PageRequest,
  ): Pager<GitBranch>;
  /** Issues and pull requests that wait for something. */
  suggestedTasks(call?: PageRequest): Pager<SuggestedTask>;
}

export interface Sandboxes {
  list(call?: PageRequest): Pager<Sandbox>;
  specs(call?: PageRequest): Pager<SandboxSpec>;
  start(specId?: string, call?: CallOptions): Promise<Sandbox>;
  /**
   * Resolves when the service has accepted the request; the state follows
   * later. So does `resume`.
   */
  pause(id: string, call?: CallOptions): Promise<void>;
  resume(id: string, call?: CallOptions): Promise<void>;
  /** Deletes it with everything in it. */
  remove(id: string, call?: CallOptions): Promise<void>;
}

export interface Editing {
  rename(id: string, title: string, call?: CallOptions): Promise<void>;
  /** Deletes it with everything in it. Does nothing if it is gone. */
  remove(id: string, call?: CallOptions): Promise<void>;
  /**
   * Changes a tag, and keeps the others. Absent if conversations have no tags
   * that can be changed.
   */
  readonly mark?: (
    id: string,
    change: MarkChange,
    call?: CallOptions,
  ) => Promise<void>;
  /** Sets or removes the tag with its limit, in dollars. */
  readonly setLimit?: (
    id: string,
    limit: number | undefined,
    call?: CallOptions,
  ) => Promise<void>;
}

/**
 * The MCP servers in the settings of the service. Agents that it starts later
 * get them.
 */
export interface ToolServers {
  list(call?: CallOptions): Promise<readonly ServiceServer[]>;
  /**
   * Absent if they can only be read; `whyNot` gives the reason as a sentence.
   */
  readonly changing?: ToolServerChanges;
  readonly whyNot?: () => string;
  /**
   * Starts or reaches a server from the machine of the service, and saves
   * nothing.
   */
  readonly check?: (
    name: string,
    server: SentServer,
    call?: CallOptions,
  ) => Promise<ServiceCheck>;
  /** Checks one of its own, whose secrets stay secret. */
  readonly checkOwn?: (
    name: string,
    call?: CallOptions,
  ) => Promise<ServiceCheck>;
}

export interface ToolServerChanges {
  /** Fails if there is one of this name. */
  add(
    name: string,
    server: SentServer,
    enabled: boolean,
    call?: CallOptions,
  ): Promise<void>;
  change(name: string, change: ServerChange, call?: CallOptions): Promise<void>;
  /** Replaces a server at once: on failure, the old one is still there. */
  replace(
    before: ServiceServer,
    server: SentServer,
    enabled: boolean,
    call?: CallOptions,
  ): Promise<void>;
  /**
   * Removes it with its secrets, which cannot be read back. Does nothing if it
   * is gone.
   */
  remove(name: string, call?: CallOptions): Promise<void>;
}

/** Events of agents, and the way to steer them. */
export interface Agents extends EventSource {
  /** Locates the agent of this conversation at this moment. */
  locateAgent(id: string, call?: CallOptions): Promise<AgentLocation>;
  /**
   * Returns where the agent was in the newest record of its conversation, if
   * records tell that.
   */
  readonly listedAgent?: (id: string) => ReadyLocation | undefined;
  /**
   * Queues a message until its sandbox has started; resolves to its place in
   * the queue, if known.
   */
  readonly queue?: (
    id: string,
    message: Message,
    call?: CallOptions,
  ) => Promise<number | undefined>;
}

export interface ReadyLocation {
  readonly status: 'ready';
  readonly steering: Steering;
  readonly changes: FileChanges;
  /** False once the user no longer allows its origin. */
  readonly isAllowed?: () => boolean;
}

export type AgentLocation =
  | ReadyLocation
  /** `sandboxId`: the sandbox to resume. */
  | { readonly status: 'sandboxPaused'; readonly sandboxId: string | undefined }
  | { readonly status: 'sandboxStarting' }
  | { readonly status: 'archived' }
  | { readonly status: 'gone' }
  /**
   * Unreachable. `why` is a sentence; `origin` is the one that the user can
   * allow to make it reachable.
   */
  | {
      readonly status: 'outOfReach';
      readonly why: string;
      readonly origin?: string;
    };

export interface EventSource {
  /**
   * Events, newest first. A page without a cursor ends with the very first
   * event.
   */
  events(id: string, call?: PageRequest): Pager<AgentEvent>;
  /**
   * A cursor for the page starting at `eventId`; `count`: newer events (may be
   * one too many).
   */
  cursorAt(eventId: string, count: number): string | undefined;
  event(
    id: string,
    eventId: string,
    call?: CallOptions,
  ): Promise<AgentEvent | undefined>;
}

/**
 * Changes of a running agent. Nothing here looks at the actions that wait, so
 * only `AgentSteering` may call them, right after it has read those. Each is
 * sent once.
 */
export interface Steering extends EventSource {
  /**
   * Cancels the current work of the agent. False if the service cannot do that:
   * then `pause`.
   */
  interrupt(id: string, call?: CallOptions): Promise<boolean>;
  /** Stops the agent after its current step, which may take half a minute. */
  pause(id: string, call?: CallOptions): Promise<void>;
  /** Answers the actions that wait when the answer arrives. */
  answer(id: string, answer: Answer, call?: CallOptions): Promise<void>;
  add(id: string, message: Message, call?: CallOptions): Promise<void>;
  /**
   * Continues the agent, which executes the waiting actions. False if it runs,
   * or is just being stopped.
   */
  run(id: string, call?: CallOptions): Promise<boolean>;
  /**
   * Reads when the agent asks. Right only once the service has loaded the
   * conversation, as reading its events does.
   */
  approval(id: string, call?: CallOptions): Promise<Approval>;
  setConfirmation(
    id: string,
    policy: ConfirmationPolicy,
    call?: CallOptions,
  ): Promise<void>;
  /** Has the service rate the risk of each action as the policy needs it. */
  rateActions(
    id: string,
    policy: ConfirmationPolicy,
    rules: readonly AskRule[],
    call?: CallOptions,
  ): Promise<void>;
  /**
   * Makes a new conversation that continues this one, from an event of it or
   * from its end. It has the waiting actions.
   */
  fork(
    id: string,
    title: string,
    eventId?: string,
    call?: CallOptions,
  ): Promise<Conversation>;
  /**
   * Has the service list a fork, and returns its row there. Absent if the
   * service does so by itself.
   */
  listFork?(
    id: string,
    title: string,
    call?: CallOptions,
  ): Promise<Conversation>;
  /**
   * Runs a shell command in the agent's folder, even while the agent works.
   * Returns its output, or throws if it fails.
   */
  runGit(id: string, command: string, call?: CallOptions): Promise<string>;
  askAside(id: string, question: string, call?: CallOptions): Promise<string>;
  /**
   * Replaces older events in the agent's context with a summary. Executes the
   * waiting actions instead if there are some.
   */
  compact(id: string, call?: CallOptions): Promise<void>;
  /**
   * The MCP servers of this conversation, which may differ from the current
   * settings of the service.
   */
  toolServers(id: string, call?: CallOptions): Promise<AgentToolServers>;
  profiles(call?: CallOptions): Promise<readonly ModelProfile[]>;
  switchProfile(id: string, name: string, call?: CallOptions): Promise<void>;
  /**
   * The page of the editor that runs beside the agent, opened at this folder;
   * undefined if there is none.
   */
  editorPage(
    folder: string | undefined,
    call?: CallOptions,
  ): Promise<Link | undefined>;
  /**
   * Follows the events as they happen. Returns a function that ends it
   * silently.
   */
  live(id: string, listener: LiveListener): () => void;
}

export interface AgentToolServers {
  /**
   * Servers it was created with, disabled ones included, without their secrets.
   */
  readonly servers: readonly ServiceServer[];
  /**
   * Tools of MCP servers, by the names that its agent knows; `undefined` before
   * it was given any prompt.
   */
  readonly tools: readonly string[] | undefined;
}

export interface Answer {
  readonly accept: boolean;
  /** Reason that the agent gets; only for a rejection. */
  readonly reason?: string | undefined;
}

export interface LiveListener {
  /**
   * Sends the events since this moment, by the clock of the service, again.
   * Without it, only new ones.
   */
  readonly since?: string | undefined;
  onOpen(): void;
  onEvents(events: readonly AgentEvent[]): void;
  /** Called once, as the last call. */
  onEnd(end: LiveEnd): void;
}

export interface LiveEnd {
  /** `refused`: there was no connection at all, perhaps because of a proxy. */
  readonly reason: 'refused' | 'broken' | 'unauthorised' | 'gone';
  readonly error: ServiceError;
}
