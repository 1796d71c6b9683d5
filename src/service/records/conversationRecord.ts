/**
 * Conversations as each kind of service sends them. The keys that come with
 * them are dropped here.
 */
import {
  type Approval,
  approvalWith,
  type AskRule,
  type ConfirmationPolicy,
  type Conversation,
  type ConversationStatus,
  type Execution,
  type RuntimeStatus,
} from '../model/entities.ts';
import { isYoung, whileStarting } from './sandboxStates.ts';
import {
  array,
  enumValue,
  identifier,
  integer,
  integers,
  isObject,
  shownLine,
  pageLink,
  type Reader,
  recordReader,
  type Source,
  time,
  title,
  type WireRecord,
} from '../http/wireValues.ts';

/** Defaults of fields that some kinds of services lack. */
const untold = {
  runtime: undefined,
  execution: undefined,
  sandboxId: undefined,
  model: undefined,
  folder: undefined,
  cost: undefined,
  limit: undefined,
  tokens: undefined,
  parentId: undefined,
  link: undefined,
  updatedAt: undefined,
  tags: [],
  connections: 0,
};

/** Reads the fields that all kinds share, and those of this kind. */
function conversationReader(
  idField: string,
  readOthers: (
    record: WireRecord,
    source: Source,
  ) => Partial<Conversation> & Pick<Conversation, 'status'>,
): Reader<Conversation> {
  return recordReader(idField, (id, record, source) => ({
    ...untold,
    id,
    service: source.service,
    title: title(record.title),
    repository: shownLine(record.selected_repository),
    branch: shownLine(record.selected_branch),
    provider: shownLine(record.git_provider),
    trigger: shownLine(record.trigger),
    pullRequests: integers(record.pr_number),
    createdAt: time(record.created_at),
    ...readOthers(record, source),
  }));
}

function originalOf(record: WireRecord) {
  const forkedFrom = identifier(record.forked_from_conversation_id);
  return forkedFrom === undefined ? {} : { forkedFrom };
}

/** Reads the fields that V1 and the Agent Server share. */
function agentParts(record: WireRecord) {
  return {
    execution: execution(record.execution_status),
    ...tagParts(record.tags),
    parentId: identifier(record.parent_conversation_id),
    ...childrenOf(record),
    ...originalOf(record),
    ...lastMessageOf(record),
    updatedAt: time(record.updated_at),
  };
}

export const readConversationV0 = conversationReader(
  'conversation_id',
  (record, source) => ({
    status: whileStarting(
      enumValue(statusesV0, record.status) ?? 'stopped',
      record.created_at,
      source,
    ),
    runtime: enumValue(runtimesV0, record.runtime_status),
    connections: integer(record.num_connections) ?? 0,
    link: pageLink(record.url, source),
    updatedAt: time(record.last_updated_at),
  }),
);

const statusesV0: Readonly<Record<string, ConversationStatus>> = {
  STARTING: 'starting',
  RUNNING: 'running',
  STOPPED: 'stopped',
  ARCHIVED: 'archived',
  ERROR: 'error',
};

const runtimesV0: Readonly<Record<string, RuntimeStatus>> = {
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

export const readConversationV1 = conversationReader('id', (record, source) => {
  const { sandbox_status, metrics } = record;
  const status = enumValue(statusOfSandbox, sandbox_status) ?? 'stopped';
  return {
    ...agentParts(record),
    status: whileStarting(status, record.created_at, source),
    ...(isLost(record, source) && { execution: 'lost' }),
    sandboxId: shownLine(record.sandbox_id),
    model: shownLine(record.llm_model),
    cost: cost(metrics),
    tokens: tokens(metrics),
    link: pageLink(record.conversation_url, source),
  };
});

/** V1 gives the status of the sandbox; this is how V0 translates it. */
const statusOfSandbox: Readonly<Record<string, ConversationStatus>> = {
  STARTING: 'starting',
  RUNNING: 'running',
  PAUSED: 'stopped',
  ERROR: 'error',
  MISSING: 'archived',
  UNKNOWN: 'unknown',
};

/**
 * True if the sandbox runs, had time to start the conversation, and does not
 * know it.
 */
function isLost(
  { sandbox_status, execution_status, created_at }: WireRecord,
  source: Source,
): boolean {
  return (
    sandbox_status === 'RUNNING' &&
    execution_status === null &&
    !isYoung(created_at, source)
  );
}

export const readAgentServerConversation = conversationReader(
  'id',
  (record) => {
    const { stats, workspace, agent } = record;
    const sets = isObject(stats) ? stats.usage_to_metrics : undefined;
    const llm = isObject(agent) && isObject(agent.llm) ? agent.llm : undefined;
    const context = contextOf(sets, identifier(llm?.usage_id));
    const forkedAt = identifier(record.forked_from_event_id);
    return {
      ...agentParts(record),
      // The service itself is the machine of the conversation.
      status: 'running',
      ...approvalOf(record),
      model: shownLine(record.current_model_id) ?? shownLine(llm?.model),
      folder: isObject(workspace)
        ? shownLine(workspace.working_dir)
        : undefined,
      cost: totalCost(sets),
      tokens: totalTokens(sets),
      ...(context && { context }),
      ...(isObject(agent) &&
        'condenser' in agent && { canCompact: isObject(agent.condenser) }),
      ...(forkedAt !== undefined && { forkedAt }),
    };
  },
);

const executions: Readonly<Record<string, Execution>> = {
  idle: 'idle',
  running: 'running',
  paused: 'paused',
  waiting_for_confirmation: 'waitingForConfirmation',
  finished: 'finished',
  error: 'error',
  stuck: 'stuck',
  deleting: 'deleting',
};

export function execution(value: unknown): Execution | undefined {
  return enumValue(executions, value);
}

const policies: Readonly<Record<string, ConfirmationPolicy>> = {
  AlwaysConfirm: 'always',
  ConfirmRisky: 'risky',
  NeverConfirm: 'never',
};

export function confirmationPolicy(
  policy: unknown,
): ConfirmationPolicy | undefined {
  return isObject(policy) ? enumValue(policies, policy.kind) : undefined;
}

/** Begins the id of each pattern that this product sends. */
export const patternIdPrefix = 'switchboard.';

export function analyzerOf({
  security_analyzer: analyzer,
}: WireRecord): Approval['analyzer'] {
  if (!isObject(analyzer)) return analyzer === null ? null : undefined;
  const kind = shownLine(analyzer.kind) ?? '';
  if (kind !== 'EnsembleSecurityAnalyzer') return { kind };
  const parts = array(analyzer.analyzers).map(ratingPart);
  const [listed, ...otherParts] = parts;
  if (!listed?.rules || otherParts.includes(undefined)) return { kind };
  const isOnlyRules = otherParts.length === 0;
  return { kind, rules: listed.rules, ...(isOnlyRules && { isOnlyRules }) };
}

/** Returns `undefined` for a part that this product does not send. */
function ratingPart(
  part: unknown,
): { readonly rules?: readonly AskRule[] } | undefined {
  if (!isObject(part)) return undefined;
  const { kind, high_patterns: patterns } = part;
  if (kind === 'PolicyRailSecurityAnalyzer' || kind === 'LLMSecurityAnalyzer')
    return {};
  if (kind !== 'PatternSecurityAnalyzer') return undefined;
  if (!Array.isArray(patterns)) return {};
  const ids = patterns.map((pattern) => String(array(pattern)[2]));
  if (ids.every((id) => id.startsWith(patternIdPrefix)))
    return { rules: patterns.flatMap(askRule) };
  // The patterns of the service itself.
  return ids.every((id) => id.startsWith('exec.')) ? {} : undefined;
}

function askRule(wirePattern: unknown): AskRule | readonly [] {
  const [pattern, sentence] = array(wirePattern);
  return typeof pattern === 'string'
    ? { sentence: shownLine(sentence) ?? '', pattern }
    : [];
}

function approvalOf(record: WireRecord): Pick<Conversation, 'approval'> {
  const policy = confirmationPolicy(record.confirmation_policy);
  return policy === undefined
    ? {}
    : { approval: approvalWith(policy, analyzerOf(record)) };
}

function childrenOf({
  sub_conversation_ids: ids,
}: WireRecord): Pick<Conversation, 'childIds'> {
  const childIds = (Array.isArray(ids) ? (ids as unknown[]) : []).flatMap(
    (id) => identifier(id) ?? [],
  );
  return childIds.length > 0 ? { childIds } : {};
}

export function lastMessageOf({
  last_user_message_id: id,
}: WireRecord): Pick<Conversation, 'lastMessageId'> {
  const lastMessageId = identifier(id);
  return lastMessageId === undefined ? {} : { lastMessageId };
}

const maxTags = 20;

function cost(metrics: unknown): number | undefined {
  return isObject(metrics) ? amount(metrics.accumulated_cost) : undefined;
}

function tokens(metrics: unknown): Conversation['tokens'] {
  const usage = isObject(metrics) ? metrics.accumulated_token_usage : undefined;
  if (!isObject(usage)) return undefined;
  const read = amount(usage.prompt_tokens);
  const written = amount(usage.completion_tokens);
  return read === undefined && written === undefined
    ? undefined
    : { read: read ?? 0, written: written ?? 0 };
}

/**
 * The cost of all sets of metrics, which are named after the use of the model.
 */
export function totalCost(sets: unknown): number | undefined {
  const costs = metricsIn(sets)
    .map(cost)
    .filter((amount) => amount !== undefined);
  return costs.length === 0
    ? undefined
    : costs.reduce((sum, one) => sum + one, 0);
}

export function totalTokens(sets: unknown): Conversation['tokens'] {
  const all = metricsIn(sets)
    .map(tokens)
    .filter((one) => one !== undefined);
  if (all.length === 0) return undefined;
  return all.reduce((sum, { read, written }) => ({
    read: sum.read + read,
    written: sum.written + written,
  }));
}

/**
 * The context of the model for this use; without a name, that of the only model
 * that works for the agent.
 */
export function contextOf(
  sets: unknown,
  usage?: string,
): Conversation['context'] {
  if (!isObject(sets)) return undefined;
  const uses = Object.keys(sets).filter(
    (name) => name !== 'condenser' && name !== 'ask-agent-llm',
  );
  const metrics = sets[usage ?? (uses.length === 1 ? (uses[0] ?? '') : '')];
  const tokens = isObject(metrics)
    ? metrics.accumulated_token_usage
    : undefined;
  if (!isObject(tokens)) return undefined;
  const used = amount(tokens.per_turn_token);
  const available = amount(tokens.context_window);
  return used && available ? { used, available } : undefined;
}

function metricsIn(sets: unknown): readonly unknown[] {
  return isObject(sets) ? array(Object.values(sets)) : [];
}

function amount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
    ? value
    : undefined;
}

export function tagParts(
  value: unknown,
): Pick<Conversation, 'tags' | 'isPinned' | 'isArchived' | 'limit'> {
  const {
    pinned,
    archived,
    [limitTag]: limitText,
    ...unmarked
  } = isObject(value) ? value : {};
  const limit = limitIn(limitText);
  const otherTags =
    limitText === undefined || limit !== undefined
      ? unmarked
      : { ...unmarked, [limitTag]: limitText };
  const tags = Object.entries(otherTags)
    .slice(0, maxTags)
    .flatMap(
      ([name, text]) =>
        shownLine(
          [name, text]
            .filter((part) => typeof part === 'string' && part !== '')
            .join(': '),
        ) ?? [],
    );
  return { tags, isPinned: isSet(pinned), isArchived: isSet(archived), limit };
}

/** The tag with the dollars that a conversation may spend. */
export const limitTag = 'costlimit';

/** Reads `5`, `$5.00` and `5 USD`, which other programs may write. */
function limitIn(text: unknown): number | undefined {
  if (typeof text !== 'string') return undefined;
  const [, dollars] =
    /^\s*(?:\$|USD)?\s*(\d{1,7}(?:\.\d{1,6})?)\s*(?:\$|USD)?\s*$/i.exec(text) ??
    [];
  return dollars === undefined ? undefined : Number(dollars);
}

/** True for any text but `false`. */
export function isSet(tag: unknown): boolean {
  return typeof tag === 'string' && tag !== 'false';
}
