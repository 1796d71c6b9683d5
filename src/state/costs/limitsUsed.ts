import type { Store } from '../../base/store.ts';

const key = 'limitsUsed';

/**
 * True once a conversation with a limit of its own was seen on this machine.
 * Read in every window before anything is loaded.
 */
export function areLimitsUsed(store: Pick<Store, 'get'>): boolean {
  return store.get(key) === true;
}

export async function rememberLimits(store: Store): Promise<void> {
  if (!areLimitsUsed(store)) await store.update(key, true);
}
