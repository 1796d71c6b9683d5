/**
 * What one kind of agent service can do. An ability that a kind lacks is undefined. Views and commands ask for the
 * ability and never for the kind. Every function rejects with a ServiceError.
 */
import type { PageRequest, Pages } from './pages.ts';
import type { CallOptions } from './transport.ts';
import type { Conversation, Sandbox, SandboxSpec, StartTask } from './entities.ts';

/** The supported interfaces, one for each kind of service. */
export type Interface = 'v0' | 'v1';

export interface AgentService {
  readonly interface: Interface;
  readonly conversations: Conversations;
  readonly creation?: Creation;
  readonly sandboxes?: Sandboxes;
}

/** Which conversations are wanted. */
export interface ConversationQuery {
  readonly repository?: string | undefined;
  readonly trigger?: string | undefined;
  /** Part of the title. */
  readonly title?: string | undefined;
}

export interface Conversations {
  /** The parts of a query that the service filters by. It ignores the others. */
  readonly filters: ReadonlySet<keyof ConversationQuery>;
  /** `call` applies to every page, unless `next` overrides it. */
  list(query?: ConversationQuery, call?: PageRequest): Pages<Conversation>;
  /** Undefined if the service does not know it. */
  find(id: string, call?: CallOptions): Promise<Conversation | undefined>;
}

export interface NewConversation {
  readonly message: string;
  readonly repository?: string | undefined;
  readonly branch?: string | undefined;
  readonly provider?: string | undefined;
  /** A running sandbox; without it, the conversation gets a new one. */
  readonly sandboxId?: string | undefined;
}

/** A service answers with a task that leads to the conversation, or with the conversation itself. */
export type Created =
  | { readonly kind: 'task'; readonly task: StartTask }
  | { readonly kind: 'conversation'; readonly conversation: Conversation };

export interface Creation {
  create(wanted: NewConversation, call?: CallOptions): Promise<Created>;
  /** The current state of the task; undefined if the service does not know it. */
  task(id: string, call?: CallOptions): Promise<StartTask | undefined>;
}

export interface Sandboxes {
  list(call?: PageRequest): Pages<Sandbox>;
  specs(call?: PageRequest): Pages<SandboxSpec>;
  /** Starts one from this spec, or from the default one. */
  start(specId?: string, call?: CallOptions): Promise<Sandbox>;
  /** Resolves when the service has accepted the request; the state follows later. So does `resume`. */
  pause(id: string, call?: CallOptions): Promise<void>;
  resume(id: string, call?: CallOptions): Promise<void>;
}
