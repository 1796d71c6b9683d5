/** Help for whoever edits a configuration file by hand. */
import { Disposable } from 'vscode';
import type { ServerList } from '../../state/serverList.ts';
import type { ServerStarts } from '../../state/serverStarts.ts';
import type { ConfigFile } from './configFile.ts';

export function registerConfigurationHelp(
  config: ConfigFile,
  servers: ServerList,
  starts: ServerStarts,
): Disposable {
  const parts = [config, servers, starts];
  return new Disposable(() => {
    parts.length = 0;
  });
}
