/**
 * Values in the records of services. Written from the contract, and not shared
 * with the client, which is tested against it.
 */

export type ConversationTrigger =
  | 'resolver'
  | 'gui'
  | 'suggested_task'
  | 'platform_api'
  | 'chat_tool_a'
  | 'microagent_management'
  | 'issue_tracker_a'
  | 'issue_tracker_a_dc'
  | 'issue_tracker_b';

export type ProviderType = 'github' | 'gitlab' | 'bitbucket';

export type WireSandboxStatus =
  'STARTING' | 'RUNNING' | 'PAUSED' | 'ERROR' | 'MISSING';

export type ExecutionStatus =
  | 'idle'
  | 'running'
  | 'paused'
  | 'waiting_for_confirmation'
  | 'finished'
  | 'error'
  | 'stuck'
  | 'deleting';

export const startTaskStatuses = [
  'WORKING',
  'WAITING_FOR_SANDBOX',
  'PREPARING_REPOSITORY',
  'RUNNING_SETUP_SCRIPT',
  'SETTING_UP_GIT_HOOKS',
  'SETTING_UP_SKILLS',
  'STARTING_CONVERSATION',
  'READY',
] as const;

export type StartTaskStatus = (typeof startTaskStatuses)[number] | 'ERROR';

export interface WireAgentEvent {
  readonly id: string;
  /** The local time of the machine, without a zone. */
  readonly timestamp: string;
  readonly source: 'user' | 'agent' | 'environment';
  readonly parent_id?: string;
  readonly kind: string;
}

export interface NamedPath {
  readonly name: string;
  readonly path: string;
}
