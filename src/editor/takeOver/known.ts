/** Undoing is offered where something was taken over: kept for windows that have done nothing of that yet. */
import { commands, type Memento } from 'vscode';
import type { ContextKey } from '../manifest.ts';

/** Where it is kept what there was. */
export interface TakenOver {
  /** A folder for all workspaces. */
  readonly folder: string;
  /** That of the workspace. */
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
