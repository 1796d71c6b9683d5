import type { PastedBatch } from './batch.ts';
import type { ServerDraft } from './draft.ts';

/** The answers of flows that were given up. They may hold secrets, and are not kept anywhere else. */
export interface UnfinishedFlows {
  server?: ServerDraft | undefined;
  batch?: PastedBatch | undefined;
}
