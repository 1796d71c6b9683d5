import type { Store } from '../../base/store.ts';

const key = 'limitsUsed';

/**
 * True while a conversation has a limit of its own. Read in every window before
 * anything is loaded.
 */
export function areLimitsUsed(store: Pick<Store, 'get'>): boolean {
  return store.get(key) === true;
}

export async function rememberLimits(
  store: Store,
  areUsed: boolean,
): Promise<void> {
  if (areLimitsUsed(store) !== areUsed) await store.update(key, areUsed);
}
