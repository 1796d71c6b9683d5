/** The records as the service sends them. Written from the contract and not shared with the client, which is tested against it. */

export const conversationTriggers = [
  'resolver',
  'gui',
  'suggested_task',
  'platform_api',
  'chat_tool_a',
  'microagent_management',
  'issue_tracker_a',
  'issue_tracker_a_dc',
  'issue_tracker_b',
] as const;

export type ConversationTrigger = (typeof conversationTriggers)[number];

export const providerTypes = ['github', 'gitlab', 'bitbucket', 'enterprise_sso'] as const;

export type ProviderType = (typeof providerTypes)[number];

export type WireConversationStatus = 'STARTING' | 'RUNNING' | 'STOPPED' | 'ARCHIVED' | 'ERROR';

export type WireSandboxStatus = 'STARTING' | 'RUNNING' | 'PAUSED' | 'ERROR' | 'MISSING';

export type ExecutionStatus =
  'idle' | 'running' | 'paused' | 'waiting_for_confirmation' | 'finished' | 'error' | 'stuck' | 'deleting';

export type WireRuntimeStatus =
  | 'STATUS$STOPPED'
  | 'STATUS$BUILDING_RUNTIME'
  | 'STATUS$STARTING_RUNTIME'
  | 'STATUS$RUNTIME_STARTED'
  | 'STATUS$SETTING_UP_WORKSPACE'
  | 'STATUS$SETTING_UP_GIT_HOOKS'
  | 'STATUS$READY'
  | 'STATUS$ERROR'
  | 'STATUS$ERROR_RUNTIME_DISCONNECTED'
  | 'STATUS$ERROR_LLM_AUTHENTICATION'
  | 'STATUS$ERROR_LLM_SERVICE_UNAVAILABLE'
  | 'STATUS$ERROR_LLM_INTERNAL_SERVER_ERROR'
  | 'STATUS$ERROR_LLM_OUT_OF_CREDITS'
  | 'STATUS$ERROR_LLM_CONTENT_POLICY_VIOLATION'
  | 'CHAT_INTERFACE$AGENT_RATE_LIMITED_STOPPED_MESSAGE'
  | 'STATUS$GIT_PROVIDER_AUTHENTICATION_ERROR'
  | 'STATUS$LLM_RETRY'
  | 'STATUS$ERROR_MEMORY';

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

/** V0. */
export interface ConversationInfo {
  readonly conversation_id: string;
  readonly title: string;
  readonly last_updated_at: string | null;
  readonly status: WireConversationStatus;
  readonly runtime_status: WireRuntimeStatus | null;
  readonly selected_repository: string | null;
  readonly selected_branch: string | null;
  readonly git_provider: ProviderType | null;
  readonly trigger: ConversationTrigger | null;
  readonly num_connections: number;
  readonly url: string | null;
  readonly session_api_key: string | null;
  readonly created_at: string;
  readonly pr_number: readonly number[];
  readonly conversation_version: 'V0' | 'V1';
}

/** V1. */
export interface AppConversation {
  readonly id: string;
  readonly title: string;
  readonly sandbox_id: string;
  readonly sandbox_status: WireSandboxStatus;
  readonly execution_status: ExecutionStatus | null;
  readonly selected_repository: string | null;
  readonly selected_branch: string | null;
  readonly git_provider: ProviderType | null;
  readonly trigger: ConversationTrigger | null;
  readonly pr_number: readonly number[];
  readonly llm_model: string;
  readonly metrics: Metrics;
  readonly conversation_url: string | null;
  readonly session_api_key: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly created_by_user_id: null;
  readonly agent_kind: 'openhands';
  readonly parent_conversation_id: string | null;
  readonly sub_conversation_ids: readonly string[];
  readonly tags: Readonly<Record<string, string>>;
  readonly public: null;
  readonly acp_server: null;
  readonly launched_agent_profile: null;
}

export interface Metrics {
  readonly model_name: string;
  readonly accumulated_cost: number;
  readonly max_budget_per_task: null;
  readonly accumulated_token_usage: TokenUsage;
}

export interface TokenUsage {
  readonly model: string;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly cache_read_tokens: number;
  readonly cache_write_tokens: number;
  readonly reasoning_tokens: number;
  readonly context_window: number;
  readonly per_turn_token: number;
  readonly response_id: string;
}

export interface WireStartTask {
  readonly id: string;
  readonly status: StartTaskStatus;
  readonly app_conversation_id: string | null;
  readonly sandbox_id: string | null;
  readonly detail: string | null;
  readonly created_by_user_id: null;
  readonly agent_server_url: null;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface SandboxInfo {
  readonly id: string;
  readonly status: WireSandboxStatus;
  readonly sandbox_spec_id: string;
  readonly created_at: string;
  readonly session_api_key: string | null;
  readonly exposed_urls: readonly ExposedUrl[] | null;
  readonly created_by_user_id: null;
  /** Only where there is something to say. */
  readonly status_detail?: string;
}

export interface ExposedUrl {
  readonly name: string;
  readonly url: string;
  readonly port: number;
}

export interface SandboxSpecInfo {
  readonly id: string;
  readonly command: readonly string[];
  readonly working_dir: string;
  readonly initial_env: Readonly<Record<string, string>>;
  readonly created_at: string;
}

export interface ValidationError {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
  /** What was sent there; null where nothing was. */
  readonly input: unknown;
  readonly ctx?: Readonly<Record<string, unknown>>;
}
