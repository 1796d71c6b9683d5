/** Remembers for the next window that the demo runs. */
import { type Memento, workspace } from 'vscode';

export interface DemoStores {
  readonly workspaceState: Memento;
  readonly globalState: Memento;
}

/** Key of the ports in the workspace state. They keep restored pages valid. */
export const demoPortsKey = 'demoPorts';

/**
 * Key of the last demo repository in the global state. Its window starts the
 * demo until it is stopped.
 */
export const demoRepositoryKey = 'demoRepository';

export function isDemoWanted({
  workspaceState,
  globalState,
}: DemoStores): boolean {
  const repository = globalState.get(demoRepositoryKey);
  const isOpen = workspace.workspaceFolders?.some(
    ({ uri }) => uri.toString() === repository,
  );
  return workspaceState.get(demoPortsKey) !== undefined || isOpen === true;
}
