import type { Interface } from './types.ts';

/** What to list. Each interface filters by some of this and passes over the rest: see `filtersOf`. */
export interface ConversationQuery {
  readonly repository?: string | undefined;
  readonly trigger?: string | undefined;
  /** A part of the title. */
  readonly title?: string | undefined;
}

/** Which parts of a query an interface filters by. The others have to be looked for in what it lists. */
export const filtersOf: Readonly<Record<Interface, ReadonlySet<keyof ConversationQuery>>> = {
  v0: new Set(['repository', 'trigger']),
  v1: new Set(['title']),
};
