/** Help for editing configuration files by hand, loaded when one is opened. */
import { Disposable } from 'vscode';
import { lazily } from '../../base/lazily.ts';
import { onConfigFileOpen, onConfiguredFileChange } from './places.ts';

export function registerConfigurationHelp(): Disposable {
  let help: Disposable | undefined;
  let isOver = false;
  const provide = async () => {
    const { provideHelp } = await import('./help.ts');
    help?.dispose();
    if (isOver) return;
    help = Disposable.from(
      provideHelp(),
      onConfiguredFileChange(() => void provide()),
    );
  };
  const load = lazily(provide);
  const opening = onConfigFileOpen(() => void load());
  return new Disposable(() => {
    isOver = true;
    opening.dispose();
    help?.dispose();
  });
}
