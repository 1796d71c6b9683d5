import { models } from '../names.ts';
import { bare } from '../world.ts';
import type { FolderConversation } from './held.ts';
import { home, workingFolder } from './folders.ts';
import { metricsOf } from '../tokenUsage.ts';

export function heldConversation(held: FolderConversation) {
  const { id, title, model, tags, execution, policy, parentId, childIds } = held;
  const createdAt = date(held.createdAt);
  return {
    id,
    workspace: { working_dir: workingFolder(held), kind: 'LocalWorkspace' },
    ...constants,
    persistence_dir: `${home}/.agents/conversations/${bare(id)}`,
    execution_status: execution,
    confirmation_policy: policy,
    last_user_message_id: held.lastMessageId ?? null,
    leaf_event_id: held.leafId ?? null,
    stats: { usage_to_metrics: usages(model, held.tokens) },
    title,
    created_at: createdAt,
    updated_at: date(held.updatedAt),
    parent_conversation_id: parentId ?? null,
    sub_conversation_ids: childIds,
    tags,
    forked_from_conversation_id: held.forkedFrom?.id ?? null,
    forked_from_event_id: held.forkedFrom?.eventId ?? null,
    current_model_id: null,
    launched_agent_profile: {
      agent_profile_id: held.profileId,
      revision: 0,
      secret_refs: null,
      llm_profile_ref: null,
    },
    agent: agentWith(model, createdAt),
    client_tools: [],
    tool_module_qualnames: toolModules,
    runtime_info: null,
  };
}

/** Fields that are the same in all records. */
const constants = {
  max_iterations: 500,
  stuck_detection: true,
  security_analyzer: null,
  activated_knowledge_skills: [],
  invoked_skills: [],
  blocked_actions: {},
  blocked_messages: {},
  secret_registry: { secret_sources: {} },
  agent_state: {},
  hook_config: null,
  metrics: null,
  available_models: [],
  supports_runtime_model_switch: false,
};

function usages(model: string, tokens: number) {
  return Object.fromEntries(
    Object.entries(statistics(model, tokens)).map(([name, usage]) => {
      const { accumulated_token_usage: spent } = usage;
      const isUsed = spent.prompt_tokens > 0;
      const lists = {
        costs: [],
        response_latencies: isUsed ? [{ model, latency: 2.25, response_id: 'answer-1' }] : [],
        token_usages: isUsed ? [{ ...spent, response_id: 'answer-1' }] : [],
      };
      return [name, { ...usage, ...lists }];
    }),
  );
}

/** The metrics of a conversation as its events have them. */
export function statistics(model: string, tokens: number) {
  return { default: metricsOf(model, tokens), condenser: metricsOf(model, Math.round(tokens / 40)) };
}

function date(time: number): string {
  return new Date(time).toISOString();
}

const unset = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, null]));

function llm(model: string, usage: 'default' | 'condenser') {
  return {
    model,
    base_url: null,
    auth_type: 'api_key',
    ...unset('api_key', 'provider_connection_id', 'subscription_vendor', 'api_version'),
    ...unset('aws_access_key_id', 'aws_secret_access_key', 'aws_session_token', 'aws_region_name'),
    ...unset('aws_profile_name', 'aws_role_name', 'aws_session_name', 'aws_bedrock_runtime_endpoint'),
    openrouter_site_url: 'https://docs.example.com/',
    openrouter_app_name: 'Agents',
    num_retries: 5,
    retry_multiplier: 8,
    retry_min_wait: 8,
    retry_max_wait: 64,
    timeout: 300,
    stream_idle_timeout: 300,
    max_message_chars: 30_000,
    ...unset('temperature', 'top_p', 'top_k', 'max_input_tokens', 'max_output_tokens'),
    ...unset('model_canonical_name', 'extra_headers', 'input_cost_per_token', 'output_cost_per_token'),
    api_mode: 'auto',
    capability_overrides: {},
    ...unset('ollama_base_url', 'disable_vision', 'custom_tokenizer', 'force_string_serializer'),
    stream: usage === 'default',
    drop_params: true,
    disable_stop_word: false,
    caching_prompt: true,
    log_completions: false,
    log_completions_folder: 'logs/completions',
    native_tool_calling: true,
    ...unset('inline_image_urls', 'reasoning_summary', 'seed'),
    reasoning_effort: 'high',
    enable_encrypted_reasoning: true,
    prompt_cache_retention: '24h',
    extended_thinking_budget: 200_000,
    usage_id: usage,
    litellm_extra_body: {},
    is_subscription: false,
  };
}

const tools = ['terminal', 'file_editor', 'task_tracker', 'browser_tool_set'];

/** The agent that comes with each conversation: most of its kilobytes. */
export function agentWith(model: string, createdAt: string) {
  return {
    llm: llm(model, 'default'),
    tools: tools.map((name) => ({ name, params: {} })),
    mcp_config: {},
    filter_tools_regex: null,
    include_default_tools: ['FinishTool', 'ThinkTool', 'SwitchLLMTool'],
    agent_context: {
      skills: [],
      ...unset('system_message_suffix', 'user_message_suffix', 'secrets'),
      load_user_skills: false,
      load_public_skills: false,
      marketplace_path: 'marketplaces/default.json',
      registered_marketplaces: [],
      load_project_skills: true,
      load_memory: false,
      disabled_skills: [],
      current_datetime: createdAt,
    },
    system_prompt: null,
    system_prompt_filename: 'system_prompt.j2',
    security_policy_filename: 'security_policy.j2',
    system_prompt_kwargs: { llm_security_analyzer: true },
    condenser: {
      llm: llm(model, 'condenser'),
      max_size: 240,
      max_tokens: null,
      keep_first: 2,
      minimum_progress: 0.1,
      hard_context_reset_max_retries: 5,
      hard_context_reset_context_scaling: 0.8,
      kind: 'LLMSummarizingCondenser',
    },
    critic: null,
    tool_concurrency_limit: 1,
    persona: null,
    kind: 'Agent',
  };
}

const toolModules = Object.fromEntries(tools.map((name) => [name, `agents.tools.${name}.definition`]));

/** The profiles of agents. The first is active. */
export const profiles = [
  profile('5b0c1f6e-1d0a-4a57-9d0e-6a1f3c2b7d11', 'default', 3, models[0]),
  profile('8e4a9d52-7c33-4f0b-8a6d-2f9e1b5c4a22', 'careful reviewer', 1, models[2]),
  profile('c27f3b18-94de-4e61-b7a5-0d8c6e4f9b33', 'local model', 0, models[3]),
] as const;

/** Models under the names that a conversation can be switched to. */
export const modelProfiles = models.map((model) => ({
  name: model.slice(model.lastIndexOf('/') + 1),
  model,
  base_url: null,
  provider_connection_id: null,
  provider_connection_broken: false,
  api_key_set: true,
}));

function profile(id: string, name: string, revision: number, model: string) {
  return { id, name, agent_kind: 'openhands', revision, llm_profile_ref: model, mcp_server_refs: null };
}
