/** A conversation as V0 sends it. The key of its sandbox is dropped here. */
import type { Conversation, ConversationStatus, RuntimeStatus } from '../entities.ts';
import { enumValue, integer, integers, line, pageLink, recordReader, time, title } from '../wireValues.ts';
import { whileStarting } from '../v1/sandboxStates.ts';

export const readConversationV0 = recordReader<Conversation>('conversation_id', (id, record, source) => ({
  id,
  service: source.service,
  title: title(record.title),
  status: whileStarting(enumValue(statuses, record.status) ?? 'stopped', record.created_at, source),
  runtime: enumValue(runtimes, record.runtime_status),
  execution: undefined,
  sandboxId: undefined,
  repository: line(record.selected_repository),
  branch: line(record.selected_branch),
  provider: line(record.git_provider),
  trigger: line(record.trigger),
  pullRequests: integers(record.pr_number),
  connections: integer(record.num_connections) ?? 0,
  model: undefined,
  folder: undefined,
  cost: undefined,
  tokens: undefined,
  tags: [],
  parentId: undefined,
  link: pageLink(record.url, source),
  createdAt: time(record.created_at),
  updatedAt: time(record.last_updated_at),
}));

const statuses: Readonly<Record<string, ConversationStatus>> = {
  STARTING: 'starting',
  RUNNING: 'running',
  STOPPED: 'stopped',
  ARCHIVED: 'archived',
  ERROR: 'error',
};

const runtimes: Readonly<Record<string, RuntimeStatus>> = {
  STATUS$STOPPED: 'stopped',
  STATUS$BUILDING_RUNTIME: 'buildingRuntime',
  STATUS$STARTING_RUNTIME: 'startingRuntime',
  STATUS$RUNTIME_STARTED: 'runtimeStarted',
  STATUS$SETTING_UP_WORKSPACE: 'settingUpWorkspace',
  STATUS$SETTING_UP_GIT_HOOKS: 'settingUpGitHooks',
  STATUS$READY: 'ready',
  STATUS$ERROR: 'error',
  STATUS$ERROR_RUNTIME_DISCONNECTED: 'disconnected',
  STATUS$ERROR_LLM_AUTHENTICATION: 'modelAuthentication',
  STATUS$ERROR_LLM_SERVICE_UNAVAILABLE: 'modelUnavailable',
  STATUS$ERROR_LLM_INTERNAL_SERVER_ERROR: 'modelServerError',
  STATUS$ERROR_LLM_OUT_OF_CREDITS: 'outOfCredits',
  STATUS$ERROR_LLM_CONTENT_POLICY_VIOLATION: 'contentPolicyViolation',
  CHAT_INTERFACE$AGENT_RATE_LIMITED_STOPPED_MESSAGE: 'rateLimited',
  STATUS$GIT_PROVIDER_AUTHENTICATION_ERROR: 'gitAuthentication',
  STATUS$LLM_RETRY: 'modelRetry',
  STATUS$ERROR_MEMORY: 'outOfMemory',
};
