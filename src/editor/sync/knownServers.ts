/** What commands are offered for depends on whether there are MCP servers: kept for windows that have not read the file. */
import { commands, type Memento } from 'vscode';
import { contextKeys } from '../manifest.ts';

const storeKey = 'hasServers';

/** `state` is that of the machine. */
export function recallServers(state: Memento): void {
  if (state.get(storeKey) === true) tell(contextKeys.hasServers, true);
}

export function rememberServers(state: Memento, hasFile: boolean, hasServers: boolean): void {
  tell(contextKeys.hasFile, hasFile);
  tell(contextKeys.hasServers, hasServers);
  if (state.get(storeKey, false) !== hasServers) void state.update(storeKey, hasServers);
}

function tell(key: string, value: boolean): void {
  void commands.executeCommand('setContext', key, value);
}
