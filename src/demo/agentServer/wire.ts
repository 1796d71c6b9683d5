/** The records as an Agent Server sends them. Written from what real ones send, and not shared with the client. */
import type { Tags } from '../names.ts';
import type { ExecutionStatus, Metrics } from '../wireTypes.ts';

export const executionStatuses = [
  'idle',
  'running',
  'paused',
  'waiting_for_confirmation',
  'finished',
  'error',
  'stuck',
  'deleting',
] as const satisfies readonly ExecutionStatus[];

export const sortOrders = ['CREATED_AT', 'UPDATED_AT', 'CREATED_AT_DESC', 'UPDATED_AT_DESC'] as const;

export type SortOrder = (typeof sortOrders)[number];

/** Each carries its whole agent, so it is several kilobytes long. */
export interface HeldConversation {
  readonly id: string;
  readonly title: string | null;
  readonly execution_status: ExecutionStatus;
  readonly workspace: { readonly working_dir: string; readonly kind: 'LocalWorkspace' };
  readonly tags: Tags;
  readonly stats: { readonly usage_to_metrics: Readonly<Record<string, Metrics>> };
  readonly parent_conversation_id: string | null;
  readonly sub_conversation_ids: readonly string[];
  readonly current_model_id: string | null;
  readonly agent: { readonly llm: { readonly model: string } };
  readonly created_at: string;
  readonly updated_at: string;
  /** What no caller needs. */
  readonly [more: string]: unknown;
}

export const eventOrders = ['TIMESTAMP', 'TIMESTAMP_DESC'] as const;

export interface WireAgentEvent {
  readonly id: string;
  /** Of this machine, without a zone. */
  readonly timestamp: string;
  readonly source: 'user' | 'agent' | 'environment';
  readonly parent_id?: string;
  readonly kind: string;
}

export interface Profile {
  readonly id: string;
  readonly name: string;
  readonly agent_kind: 'openhands';
  readonly revision: number;
  readonly llm_profile_ref: string;
  readonly mcp_server_refs: null;
}

export interface NamedPath {
  readonly name: string;
  readonly path: string;
}
