import { Emitter } from '../../base/event.ts';
import { RecentValues } from '../../base/recentValues.ts';
import type { Store } from '../../base/store.ts';
import {
  type ConversationKey,
  isConversationKey,
} from '../../service/model/entities.ts';
import type { RemovedWorktree } from './worktreeRemoval.ts';

const maxRemoved = 500;

/** Removed worktrees of conversations, to be made again by Unarchive. */
export class RemovedWorktrees {
  readonly #values: RecentValues;
  readonly #changed = new Emitter<ConversationKey>();
  readonly onChange = this.#changed.on;

  constructor(store: Store) {
    this.#values = new RecentValues(store, 'removedWorktrees', maxRemoved);
  }

  get(key: ConversationKey): RemovedWorktree | undefined {
    const stored = this.#values.get(key);
    return isRemoved(stored) ? stored : undefined;
  }

  async remember(
    key: ConversationKey,
    removed: RemovedWorktree,
  ): Promise<void> {
    await this.#set(key, removed);
  }

  /** Forgets a worktree for all conversations that shared it. */
  async forget({ folder }: RemovedWorktree): Promise<void> {
    for (const [key, stored] of this.#values.all)
      if (
        isConversationKey(key) &&
        isRemoved(stored) &&
        stored.folder === folder
      )
        await this.#set(key, undefined);
  }

  async #set(
    key: ConversationKey,
    removed: RemovedWorktree | undefined,
  ): Promise<void> {
    await this.#values.set(key, removed);
    this.#changed.fire(key);
  }
}

function isRemoved(stored: unknown): stored is RemovedWorktree {
  const { repository, folder, branch, isDetached, hasFiles } = (stored ??
    {}) as Partial<Record<keyof RemovedWorktree, unknown>>;
  return (
    [repository, folder, branch].every((text) => typeof text === 'string') &&
    [isDetached, hasFiles].every((flag) => typeof flag === 'boolean')
  );
}
