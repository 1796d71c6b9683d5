import { UserError } from '../base/errors.ts';
import { t } from '../base/l10n.ts';
import { thisMachine, type Machine } from './machine.ts';
import { explained } from './fileErrors.ts';

/** Makes the configuration file readable and writable for its owner alone. A link stays; its target changes. */
export async function makePrivate(path: string, options: Partial<Machine> = {}): Promise<void> {
  const { disk, platform } = { ...thisMachine, ...options };
  // There a mode says only whether a file can be written.
  if (platform === 'win32') {
    throw new UserError(
      t('Windows keeps who may read a file in its own settings. Change them in the properties of {0}.', path),
    );
  }
  await explained(path, 'madePrivate', () => disk.chmod(path, 0o600));
}
