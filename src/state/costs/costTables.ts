/** Groups conversations, and adds up their costs. */
import type { Conversation } from '../../service/model/entities.ts';
import { dollarsIn, knownCost, nanosIn } from './spending.ts';

export interface CostGroup {
  readonly key: string;
  /** `undefined` if no cost in the group is known. */
  readonly dollars: number | undefined;
  readonly conversations: number;
  /** The number of conversations whose cost is unknown. */
  readonly unknown: number;
}

/** The most expensive group comes first. */
export function costsBy(
  conversations: readonly Conversation[],
  keyOf: (conversation: Conversation) => string,
): readonly CostGroup[] {
  return [...Map.groupBy(conversations, keyOf)]
    .map(([key, group]) => ({ key, ...costOfAll(group) }))
    .sort((a, b) => (b.dollars ?? -1) - (a.dollars ?? -1));
}

export function costOfAll(
  conversations: readonly Conversation[],
): Omit<CostGroup, 'key'> {
  const costs = conversations
    .map(knownCost)
    .filter((cost) => cost !== undefined);
  return {
    dollars:
      costs.length === 0
        ? undefined
        : dollarsIn(costs.reduce((sum, cost) => sum + nanosIn(cost), 0)),
    conversations: conversations.length,
    unknown: conversations.length - costs.length,
  };
}
