/** Remembers for the next window that the demo runs. */
import { type Memento, type Uri, workspace } from 'vscode';

export interface DemoStores {
  readonly workspaceState: Memento;
  readonly globalState: Memento;
}

/** In the workspace state: the ports, which keep restored pages valid. */
const portsKey = 'demoPorts';

/** In the global state: the last demo repository. Its window starts the demo until it is stopped. */
const repositoryKey = 'demoRepository';

export function isDemoWanted({ workspaceState, globalState }: DemoStores): boolean {
  const repository = globalState.get(repositoryKey);
  const isOpen = workspace.workspaceFolders?.some(({ uri }) => uri.toString() === repository);
  return workspaceState.get(portsKey) !== undefined || isOpen === true;
}

export function demoPorts({ workspaceState }: DemoStores): readonly number[] {
  const kept: unknown = workspaceState.get(portsKey);
  return Array.isArray(kept) ? kept.filter((port) => typeof port === 'number') : [];
}

export async function rememberDemo({ workspaceState }: DemoStores, ports: readonly number[]): Promise<void> {
  await workspaceState.update(portsKey, ports);
}

export async function rememberDemoRepository({ globalState }: DemoStores, folder: Uri): Promise<void> {
  await globalState.update(repositoryKey, folder.toString());
}

export async function forgetDemo({ workspaceState, globalState }: DemoStores): Promise<void> {
  await workspaceState.update(portsKey, undefined);
  await globalState.update(repositoryKey, undefined);
}
