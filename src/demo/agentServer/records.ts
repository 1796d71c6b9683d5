import { bare } from '../world.ts';
import { agentWith, toolModules } from './agent.ts';
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

/** BodyFields that are the same in all records. */
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
