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

/** The context of the model for this use; without a name, that of the only model that works for the agent. */
export function contextOf(sets: unknown, usage?: string): Conversation['context'] {
  if (!isObject(sets)) return undefined;
  const uses = Object.keys(sets).filter((name) => name !== 'condenser' && name !== 'ask-agent-llm');
  const metrics = sets[usage ?? (uses.length === 1 ? (uses[0] ?? '') : '')];
  const tokens = isObject(metrics) ? metrics.accumulated_token_usage : undefined;
  if (!isObject(tokens)) return undefined;
  const [used, available] = [amount(tokens.per_turn_token), amount(tokens.context_window)];
  return used && available ? { used, available } : undefined;
}

function metricsIn(sets: unknown): readonly unknown[] {
  return isObject(sets) ? array(Object.values(sets)) : [];
}

function amount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

export function tags(value: unknown): readonly string[] {
  if (!isObject(value)) return [];
  return Object.entries(value)
    .slice(0, maxTags)
    .flatMap(
      ([name, text]) =>
        shownLine([name, text].filter((part) => typeof part === 'string' && part !== '').join(': ')) ?? [],
    );
}
