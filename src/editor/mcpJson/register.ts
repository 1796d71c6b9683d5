/** Help for editing a configuration file by hand. It is loaded when such a file is opened. */
import { Disposable, type TextDocument, workspace } from 'vscode';
import type { ServerList } from '../../state/mcpServers/serverList.ts';
import type { ActiveServers } from '../../state/mcpServers/activeServers.ts';
import type { ConfigFile } from './configFile.ts';
import { isConfigFile } from './places.ts';

export function registerConfigurationHelp(
  config: ConfigFile,
  servers: ServerList,
  activeServers: ActiveServers,
): Disposable {
  const held: Pick<Disposable, 'dispose'>[] = [];
  let isOver = false;
  const end = () => {
    for (const disposable of held.splice(0)) disposable.dispose();
  };
  const load = async () => {
    end();
    const { ConfigurationHelp } = await import('./help.ts');
    if (!isOver) held.push(new ConfigurationHelp(config, servers, activeServers));
  };
  const isIt = ({ uri }: TextDocument) => isConfigFile(uri);
  const look = () => {
    if (held.length > 0 && workspace.textDocuments.some(isIt)) void load();
  };
  held.push(
    workspace.onDidOpenTextDocument((document) => {
      if (isIt(document)) void load();
    }),
    // The settings may name a file that is already open.
    config.onDidChange(look),
  );
  look();
  return new Disposable(() => {
    isOver = true;
    end();
  });
}
