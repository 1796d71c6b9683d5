/** Context keys, some of which are kept for the next window. */
import { commands, type Memento } from 'vscode';
import type { ContextKey } from '../manifest.ts';

export function setContext(key: ContextKey, value: boolean): void {
  void commands.executeCommand('setContext', key, value);
}

export function recallContext(state: Memento, key: ContextKey): void {
  if (state.get(key) === true) setContext(key, true);
}

export async function rememberContext(
  state: Memento,
  key: ContextKey,
  value: boolean,
): Promise<void> {
  setContext(key, value);
  if (state.get(key, false) !== value) await state.update(key, value);
}
