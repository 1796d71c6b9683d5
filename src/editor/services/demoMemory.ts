/** Remembers for the next window that the demo runs. */
import { type Memento, workspace } from 'vscode';

export interface DemoStores {
  readonly workspaceState: Memento;
  readonly globalState: Memento;
}

/** In the workspace state: the ports, which keep restored pages valid. */
export const demoPortsKey = 'demoPorts';

/** In the global state: the last demo repository. Its window starts the demo until it is stopped. */
export const demoRepositoryKey = 'demoRepository';

export function isDemoWanted({ workspaceState, globalState }: DemoStores): boolean {
  const repository = globalState.get(demoRepositoryKey);
  const isOpen = workspace.workspaceFolders?.some(({ uri }) => uri.toString() === repository);
  return workspaceState.get(demoPortsKey) !== undefined || isOpen === true;
}
