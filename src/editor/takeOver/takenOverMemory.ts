/** A context key for Undo, kept for the next window. */
import { commands, type Memento } from 'vscode';
import type { ContextKey } from '../manifest.ts';

export interface TakenOver {
  /** The storage of backups, shared by all workspaces. */
  readonly folder: string;
  readonly state: Memento;
}

const storeKey = 'hasTakenOver';
const contextKey: ContextKey = 'switchboard.takenOver';

export function recallTakenOver({ state }: Pick<TakenOver, 'state'>): void {
  if (state.get(storeKey) === true) tell(true);
}

export async function rememberTakenOver({ state }: TakenOver, hasTakenOver: boolean): Promise<void> {
  tell(hasTakenOver);
  await state.update(storeKey, hasTakenOver || undefined);
}

function tell(value: boolean): void {
  void commands.executeCommand('setContext', contextKey, value);
}
