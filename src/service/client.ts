/** The agent service, as the rest of the house sees it. One client a connection. */
import { type Clock, systemClock } from '../base/clock.ts';
import { type Log, noLog } from '../base/log.ts';
import { Conversations } from './conversations.ts';
import type { PageRequest, Pages } from './pages.ts';
import type { ConversationQuery } from './query.ts';
import { Sandboxes } from './sandboxes.ts';
import { type Created, type NewConversation, Starts } from './starts.ts';
import { type CallOptions, Transport, type TransportOptions } from './transport.ts';
import type { Conversation, Interface, Sandbox, SandboxSpec, StartTask } from './types.ts';

export interface ClientOptions extends Omit<TransportOptions, 'clock' | 'log'> {
  /** In `auto` the V0 search is used where it exists, and V1 otherwise. */
  readonly api: Interface | 'auto';
  readonly clock?: Clock;
  readonly log?: Log;
}

/** Every method rejects with a ServiceError. */
export interface ServiceClient {
  /** The interface that conversations are listed through; undefined until that is known. */
  readonly interface: Interface | undefined;
  /** Asks the service once, where it was not asked before, which interface it has. */
  detect(options?: CallOptions): Promise<Interface>;
  conversations(query?: ConversationQuery, options?: PageRequest): Pages<Conversation>;
  conversation(id: string, options?: CallOptions): Promise<Conversation | undefined>;
  createConversation(wanted: NewConversation, options?: CallOptions): Promise<Created>;
  startTask(id: string, options?: CallOptions): Promise<StartTask | undefined>;
  followStart(task: StartTask, options?: CallOptions): AsyncGenerator<StartTask, void>;
  sandboxes(options?: PageRequest): Pages<Sandbox>;
  sandbox(id: string, options?: CallOptions): Promise<Sandbox | undefined>;
  startSandbox(specId?: string, options?: CallOptions): Promise<Sandbox>;
  pauseSandbox(id: string, options?: CallOptions): Promise<void>;
  resumeSandbox(id: string, options?: CallOptions): Promise<void>;
  sandboxSpecs(options?: PageRequest): Pages<SandboxSpec>;
}

export function createClient({
  api,
  clock = systemClock,
  log = noLog,
  ...options
}: ClientOptions): ServiceClient {
  const transport = new Transport({ ...options, clock, log });
  const conversations = new Conversations(transport, api, log);
  const sandboxes = new Sandboxes(transport, log);
  const starts = new Starts(transport, clock);
  return {
    get interface() {
      return conversations.interface;
    },
    detect: (call = {}) => conversations.detect(call),
    conversations: (query = {}, call = {}) => conversations.search(query, call),
    conversation: (id, call = {}) => conversations.byId(id, call),
    createConversation: (wanted, call = {}) => starts.create(wanted, call),
    startTask: (id, call = {}) => starts.byId(id, call),
    followStart: (task, call = {}) => starts.follow(task, call),
    sandboxes: (call = {}) => sandboxes.search(call),
    sandbox: (id, call = {}) => sandboxes.byId(id, call),
    startSandbox: (specId, call = {}) => sandboxes.start(specId, call),
    pauseSandbox: (id, call = {}) => sandboxes.pause(id, call),
    resumeSandbox: (id, call = {}) => sandboxes.resume(id, call),
    sandboxSpecs: (call = {}) => sandboxes.specs(call),
  };
}
