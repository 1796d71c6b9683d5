/** Context keys kept for windows that have neither read the file nor connected. */
import { commands, type Memento } from 'vscode';
import type { ContextKey } from '../manifest.ts';
import { enabledServices } from './enabledServices.ts';

const storeKey = 'hasServers';
const sandboxesKey = 'hasSandboxes';

export function recallServers(state: Memento): void {
  if (state.get(storeKey) === true) tell('switchboard.hasServers', true);
}

export function rememberServers(state: Memento, hasFile: boolean, hasServers: boolean): void {
  tell('switchboard.hasFile', hasFile);
  tell('switchboard.hasServers', hasServers);
  if (state.get(storeKey, false) !== hasServers) void state.update(storeKey, hasServers);
}

export function recallSandboxes(state: Memento): void {
  if (state.get(sandboxesKey) === true && enabledServices().length > 0)
    tell('switchboard.hasSandboxes', true);
}

export function rememberSandboxes(state: Memento, hasSandboxes: boolean): void {
  tell('switchboard.hasSandboxes', hasSandboxes);
  if (state.get(sandboxesKey, false) !== hasSandboxes) void state.update(sandboxesKey, hasSandboxes);
}

function tell(key: ContextKey, value: boolean): void {
  void commands.executeCommand('setContext', key, value);
}
