import type { Tags } from '../world/names.ts';
import type { ExecutionStatus } from '../wire/wireTypes.ts';
import type { DemoApproval } from './policy.ts';

export interface FolderConversation {
  /** Has dashes. */
  readonly id: string;
  readonly position: number;
  /** Null until it is named. */
  readonly title: string | null;
  /**
   * The first message of the user, if a caller created the conversation with
   * one.
   */
  readonly message: string | undefined;
  readonly folder: string;
  /** True if the Agent Server is a process in a sandbox. */
  readonly isInSandbox: boolean;
  readonly profileId: string;
  readonly model: string;
  readonly tags: Tags;
  readonly execution: ExecutionStatus;
  /** Tokens that its model has read so far. */
  readonly tokens: number;
  /** True once earlier events have been summarized. */
  readonly isCompacted: boolean;
  readonly approval: DemoApproval;
  readonly lastMessageId: string | undefined;
  readonly leafId: string | undefined;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly parentId: string | undefined;
  readonly childIds: readonly string[];
  /** `eventId` is `undefined` for a fork from the last event. */
  readonly forkedFrom:
    { readonly id: string; readonly eventId: string | undefined } | undefined;
}
