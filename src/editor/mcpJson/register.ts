/** Help for editing configuration files by hand, loaded when one is opened. */
import { Disposable } from 'vscode';
import { lazily } from '../../base/lazily.ts';
import type { ActiveServers } from '../../state/mcpServers/activeServers.ts';
import { onConfigFileOpen, onConfiguredFileChange } from './places.ts';

export function registerConfigurationHelp(activeServers: ActiveServers): Disposable {
  let help: Disposable | undefined;
  let isOver = false;
  const provide = async () => {
    const { provideHelp } = await import('./help.ts');
    help?.dispose();
    help = isOver ? undefined : provideHelp(activeServers);
  };
  const load = lazily(provide);
  const following = Disposable.from(
    onConfigFileOpen(() => void load()),
    onConfiguredFileChange(() => {
      if (load.ifMade()) void provide();
    }),
  );
  return new Disposable(() => {
    isOver = true;
    following.dispose();
    help?.dispose();
  });
}
