/** A conversation as V1 sends it. The key of its sandbox is dropped here. */
import type { Conversation, ConversationStatus } from '../entities.ts';
import { execution } from '../execution.ts';
import { cost, tags, tokens } from '../usage.ts';
import {
  childrenOf,
  enumValue,
  identifier,
  integers,
  line,
  pageLink,
  recordReader,
  time,
  title,
  type Source,
  type WireRecord,
} from '../wireValues.ts';
import { isYoung, whileStarting } from './sandboxStates.ts';

export const readConversationV1 = recordReader<Conversation>('id', (id, record, source) => ({
  id,
  service: source.service,
  title: title(record.title),
  status: whileStarting(
    enumValue(statusOfSandbox, record.sandbox_status) ?? 'stopped',
    record.created_at,
    source,
  ),
  runtime: undefined,
  execution: isLost(record, source) ? 'lost' : execution(record.execution_status),
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
  ...childrenOf(record),
  link: pageLink(record.conversation_url, source),
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
  UNKNOWN: 'unknown',
};

/** Its sandbox runs and does not know it, although it has had the time to hear of it. */
function isLost({ sandbox_status, execution_status, created_at }: WireRecord, source: Source): boolean {
  return sandbox_status === 'RUNNING' && execution_status === null && !isYoung(created_at, source);
}
