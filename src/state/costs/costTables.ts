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

/** The most expensive group comes first. */
export function costsBy(
  conversations: readonly Conversation[],
  nameOf: (conversation: Conversation) => string,
): readonly CostRow[] {
  return byCost(
    [...Map.groupBy(conversations, nameOf)].map(([name, group]) => ({
      name,
      ...costOfAll(group),
    })),
  );
}

/** Has a row for each conversation, also for those of the same name. */
export function costsOfEach(
  conversations: readonly Conversation[],
  nameOf: (conversation: Conversation) => string,
): readonly CostRow[] {
  return byCost(
    conversations.map((conversation) => ({
      name: nameOf(conversation),
      ...costOfAll([conversation]),
    })),
  );
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

function byCost(rows: readonly CostRow[]): readonly CostRow[] {
  return rows.toSorted((a, b) => (b.dollars ?? -1) - (a.dollars ?? -1));
}
