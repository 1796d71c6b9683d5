/**
 * Whether this workspace has ever shown a page of a conversation, or a document of what one has changed. The editor can
 * restore one only then, so most windows need not be ready for it.
 */
import type { Store } from '../state/store.ts';

const storeKey = 'hasShown';

/** `state` is that of the workspace. */
export function wasShown(state: Store): boolean {
  return state.get(storeKey) === true;
}

export function rememberShown(state: Store): void {
  if (!wasShown(state)) void state.update(storeKey, true);
}
