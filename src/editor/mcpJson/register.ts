/** Help for editing configuration files by hand, loaded when one is opened. */
import { Disposable } from 'vscode';
import { lazily } from '../../base/lazily.ts';
import type { ActiveServers } from '../../state/mcpServers/activeServers.ts';
import type { ConfigurationHelp } from './help.ts';
import { onConfigFileOpen } from './places.ts';

export function registerConfigurationHelp(activeServers: ActiveServers): Disposable {
  let help: ConfigurationHelp | undefined;
  let isOver = false;
  const load = lazily(async () => {
    const { ConfigurationHelp } = await import('./help.ts');
    if (!isOver) help = new ConfigurationHelp(activeServers);
  });
  const opening = onConfigFileOpen(() => void load());
  return new Disposable(() => {
    isOver = true;
    opening.dispose();
    help?.dispose();
  });
}
