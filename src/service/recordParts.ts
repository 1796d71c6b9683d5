/** Parts that the records of V1 and of the Agent Server, and events, have in common. */
import type { ConfirmationPolicy, Conversation, Execution } from './entities.ts';
import { array, enumValue, identifier, isObject, shownLine, type WireRecord } from './wireValues.ts';

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

export function confirmationPolicy(policy: unknown): ConfirmationPolicy | undefined {
  return isObject(policy) ? enumValue(policies, policy.kind) : undefined;
}

/** The conversations that one has begun, where it has. */
export function childrenOf({ sub_conversation_ids: ids }: WireRecord): Pick<Conversation, 'childIds'> {
  const childIds = (Array.isArray(ids) ? (ids as unknown[]) : []).flatMap((id) => identifier(id) ?? []);
  return childIds.length > 0 ? { childIds } : {};
}

export function lastMessageOf({ last_user_message_id: id }: WireRecord): Pick<Conversation, 'lastMessageId'> {
  const lastMessageId = identifier(id);
  return lastMessageId === undefined ? {} : { lastMessageId };
}

const maxTags = 20;

/** The cost of one set of metrics. */
export function cost(metrics: unknown): number | undefined {
  return isObject(metrics) ? amount(metrics.accumulated_cost) : undefined;
}

export function tokens(metrics: unknown): Conversation['tokens'] {
  const usage = isObject(metrics) ? metrics.accumulated_token_usage : undefined;
  if (!isObject(usage)) return undefined;
  const [read, written] = [amount(usage.prompt_tokens), amount(usage.completion_tokens)];
  return read === undefined && written === undefined ? undefined : { read: read ?? 0, written: written ?? 0 };
}

/** The cost of all sets, which are named after the use of the model. */
export function totalCost(sets: unknown): number | undefined {
  const costs = metricsIn(sets)
    .map(cost)
    .filter((one) => one !== undefined);
  return costs.length === 0 ? undefined : costs.reduce((sum, one) => sum + one, 0);
}

export function totalTokens(sets: unknown): Conversation['tokens'] {
  const all = metricsIn(sets)
    .map(tokens)
    .filter((one) => one !== undefined);
  if (all.length === 0) return undefined;
  return all.reduce((sum, { read, written }) => ({ read: sum.read + read, written: sum.written + written }));
}

function metricsIn(sets: unknown): readonly unknown[] {
  return isObject(sets) ? array(Object.values(sets)) : [];
}

function amount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** The tags to show, and those that have a meaning here. */
export function tagParts(value: unknown): Pick<Conversation, 'tags' | 'isPinned' | 'isArchived'> {
  const { pinned, archived, ...others } = isObject(value) ? value : {};
  const tags = Object.entries(others)
    .slice(0, maxTags)
    .flatMap(
      ([name, text]) =>
        shownLine([name, text].filter((part) => typeof part === 'string' && part !== '').join(': ')) ?? [],
    );
  return { tags, isPinned: isSet(pinned), isArchived: isSet(archived) };
}

/** True for a tag that says yes, whatever its words. */
export function isSet(tag: unknown): boolean {
  return typeof tag === 'string' && tag !== 'false';
}
