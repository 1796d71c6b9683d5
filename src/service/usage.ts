/** What V1 and the Agent Server say alike about a conversation: what it has used, and its tags. */
import type { Conversation } from './entities.ts';
import { array, isObject, line } from './wireValues.ts';

const mostTags = 20;

/** Of one set of metrics; undefined where it says none. */
export function cost(metrics: unknown): number | undefined {
  return isObject(metrics) ? amount(metrics.accumulated_cost) : undefined;
}

export function tokens(metrics: unknown): Conversation['tokens'] {
  const usage = isObject(metrics) ? metrics.accumulated_token_usage : undefined;
  if (!isObject(usage)) return undefined;
  const [read, written] = [amount(usage.prompt_tokens), amount(usage.completion_tokens)];
  return read === undefined && written === undefined ? undefined : { read: read ?? 0, written: written ?? 0 };
}

/** Of several sets, by the name of what the model was used for. */
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

export function tags(value: unknown): readonly string[] {
  if (!isObject(value)) return [];
  return Object.entries(value)
    .slice(0, mostTags)
    .flatMap(
      ([name, text]) =>
        line([name, text].filter((part) => typeof part === 'string' && part !== '').join(': ')) ?? [],
    );
}
