/** A conversation as the Agent Server sends it, without the agent and its keys that come with it. */
import type { Conversation } from '../entities.ts';
import { tags, totalCost, totalTokens } from '../usage.ts';
import { childrenOf, identifier, isObject, line, recordReader, time, title } from '../wireValues.ts';
import { confirmationPolicy } from '../readEvent.ts';
import { execution } from '../execution.ts';

export const readConversation = recordReader<Conversation>('id', (id, record, { service }) => {
  const { stats, workspace, agent } = record;
  const sets = isObject(stats) ? stats.usage_to_metrics : undefined;
  return {
    id,
    service,
    title: title(record.title),
    // Its machine is the service itself.
    status: 'running',
    runtime: undefined,
    execution: execution(record.execution_status),
    confirmation: confirmationPolicy(record.confirmation_policy),
    sandboxId: undefined,
    repository: undefined,
    branch: undefined,
    provider: undefined,
    trigger: undefined,
    pullRequests: [],
    connections: 0,
    model: line(record.current_model_id) ?? modelOf(agent),
    folder: isObject(workspace) ? line(workspace.working_dir) : undefined,
    cost: totalCost(sets),
    tokens: totalTokens(sets),
    tags: tags(record.tags),
    parentId: identifier(record.parent_conversation_id),
    ...childrenOf(record),
    link: undefined,
    createdAt: time(record.created_at),
    updatedAt: time(record.updated_at),
  };
});

function modelOf(agent: unknown): string | undefined {
  const llm = isObject(agent) ? agent.llm : undefined;
  return isObject(llm) ? line(llm.model) : undefined;
}
