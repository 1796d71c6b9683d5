/** A conversation as V1 sends it. The key of its sandbox is dropped here. */
import type { Conversation, ConversationStatus } from '../entities.ts';
import { execution } from '../execution.ts';
import { cost, tags, tokens } from '../usage.ts';
import { enumValue, identifier, integers, line, link, recordReader, time, title } from '../wireValues.ts';

export const readConversationV1 = recordReader<Conversation>('id', (id, record, { service }) => ({
  id,
  service,
  title: title(record.title),
  status: enumValue(statusOfSandbox, record.sandbox_status) ?? 'stopped',
  runtime: undefined,
  execution: execution(record.execution_status),
  sandboxId: line(record.sandbox_id),
  repository: line(record.selected_repository),
  branch: line(record.selected_branch),
  provider: line(record.git_provider),
  trigger: line(record.trigger),
  pullRequests: integers(record.pr_number),
  connections: 0,
  model: line(record.llm_model),
  folder: undefined,
  cost: cost(record.metrics),
  tokens: tokens(record.metrics),
  tags: tags(record.tags),
  parentId: identifier(record.parent_conversation_id),
  link: link(record.conversation_url),
  createdAt: time(record.created_at),
  updatedAt: time(record.updated_at),
}));

/** V1 gives the status of the sandbox; this is how V0 translates it. */
const statusOfSandbox: Readonly<Record<string, ConversationStatus>> = {
  STARTING: 'starting',
  RUNNING: 'running',
  PAUSED: 'stopped',
  ERROR: 'error',
  MISSING: 'archived',
};
