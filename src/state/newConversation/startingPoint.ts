/** From where a conversation starts, as far as it is known before anything is looked at. */
import type { FailedTest } from './firstMessage.ts';

export type StartingPoint =
  /** The active editor. */
  | { readonly from: 'editor' }
  | {
      readonly from: 'problem';
      readonly address: string;
      readonly range: readonly [number, number, number, number];
    }
  | {
      readonly from: 'test';
      readonly test: FailedTest;
      readonly address?: string | undefined;
      readonly line: number;
    }
  /** All that is not committed in a repository, or these files. */
  | {
      readonly from: 'changes';
      readonly root?: string | undefined;
      readonly addresses?: readonly string[] | undefined;
    };
