import { models } from '../world/names.ts';
import { recordedServers } from '../toolServers/agentServers.ts';
import type { FolderConversation } from './held.ts';
import { workingFolder } from './folders.ts';
import { metricsOf } from '../world/tokenUsage.ts';

export function heldConversation(held: FolderConversation) {
  const { id, title, model, tags, execution, approval, parentId, childIds } =
    held;
  return {
    id,
    workspace: { working_dir: workingFolder(held), kind: 'LocalWorkspace' },
    execution_status: execution,
    confirmation_policy: approval.policy,
    security_analyzer: approval.analyzer,
    last_user_message_id: held.lastMessageId ?? null,
    leaf_event_id: held.leafId ?? null,
    stats: {
      usage_to_metrics: statistics(model, held.tokens, held.isCompacted),
    },
    title,
    created_at: date(held.createdAt),
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
    agent: agentWith(model),
  };
}

/** The metrics of a conversation in the form of its events. */
export function statistics(
  model: string,
  tokens: number,
  isCompacted: boolean,
) {
  return {
    default: metricsOf(model, tokens, isCompacted),
    condenser: metricsOf(model, Math.round(tokens / 40)),
  };
}

function date(time: number): string {
  return new Date(time).toISOString();
}

/**
 * The agent in each record. Its long prompt stands for settings that no client
 * reads.
 */
export function agentWith(model: string) {
  return {
    llm: { model, usage_id: 'default' },
    system_prompt: 'You are a coding agent. '.repeat(120),
    mcp_config: recordedServers,
    kind: 'Agent',
  };
}

/** The profiles of agents. The first is active. */
export const profiles = [
  profile('5b0c1f6e-1d0a-4a57-9d0e-6a1f3c2b7d11', 'default', 3, models[0]),
  profile(
    '8e4a9d52-7c33-4f0b-8a6d-2f9e1b5c4a22',
    'careful reviewer',
    1,
    models[2],
  ),
  profile('c27f3b18-94de-4e61-b7a5-0d8c6e4f9b33', 'local model', 0, models[3]),
] as const;

export function modelProfileName(model: string): string {
  return model.slice(model.lastIndexOf('/') + 1).replace(':', '-');
}

function profile(id: string, name: string, revision: number, model: string) {
  return {
    id,
    name,
    agent_kind: 'openhands',
    revision,
    llm_profile_ref: modelProfileName(model),
    mcp_server_refs: null,
  };
}
