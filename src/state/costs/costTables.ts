/** Groups conversations, and adds up their costs. */
import type { Conversation } from '../../service/model/entities.ts';
import { dollarsIn, knownCost, nanosIn } from './spending.ts';

interface CostSum {
  /** `undefined` if no cost is known. */
  readonly dollars: number | undefined;
  readonly conversations: number;
  /** The number of conversations whose cost is unknown. */
  readonly unknown: number;
}

export interface CostRow extends CostSum {
  readonly name: string;
}

/**
 * Groups by name, or by another key. The most expensive group comes first.
 */
export function costsBy(
  conversations: readonly Conversation[],
  nameOf: (conversation: Conversation) => string,
  key = nameOf,
): readonly CostRow[] {
  return [...Map.groupBy(conversations, key).values()]
    .map((group) => ({
      name: group.map(nameOf)[0] ?? '',
      ...costOfAll(group),
    }))
    .sort((a, b) => (b.dollars ?? -1) - (a.dollars ?? -1));
}

export function costOfAll(conversations: readonly Conversation[]): CostSum {
  const costs = conversations
    .map(knownCost)
    .filter((cost) => cost !== undefined);
  const nanos = costs.reduce((sum, cost) => sum + nanosIn(cost), 0);
  return {
    dollars: costs.length === 0 ? undefined : dollarsIn(nanos),
    conversations: conversations.length,
    unknown: conversations.length - costs.length,
  };
}
