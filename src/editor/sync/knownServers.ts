/** Which commands are offered depends on whether there are MCP servers: kept for windows that have not read the file. */
import { commands, type Memento } from 'vscode';
import type { ContextKey } from '../manifest.ts';

const storeKey = 'hasServers';

/** `state` is that of the machine. */
export function recallServers(state: Memento): void {
  if (state.get(storeKey) === true) tell('switchboard.hasServers', true);
}

export function rememberServers(state: Memento, hasFile: boolean, hasServers: boolean): void {
  tell('switchboard.hasFile', hasFile);
  tell('switchboard.hasServers', hasServers);
  if (state.get(storeKey, false) !== hasServers) void state.update(storeKey, hasServers);
}

function tell(key: ContextKey, value: boolean): void {
  void commands.executeCommand('setContext', key, value);
}
