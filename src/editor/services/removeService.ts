import { UserError } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import { showInformation } from '../ui/messages.ts';
import { environmentNames, type ConfiguredService } from './configuredServices.ts';
import type { Connector } from './connector.ts';

/** Removes a service from the settings, and offers to put it back. Its key stays. */
export async function removeService(
  connector: Connector,
  { name, address, fromEnvironment }: ConfiguredService,
): Promise<void> {
  if (fromEnvironment) {
    const why = t(
      '{0} comes from the environment variable {1}. Remove it there, and start VS Code again.',
      name,
      environmentNames.url,
    );
    throw new UserError(why);
  }
  const putBack = await connector.remove(address);
  const undo = t('Undo');
  const told = showInformation(t('Removed {0}. Its key is kept.', name), undo);
  // The service is removed, however long the message stays.
  void told.then(async (answer) => {
    if (answer === undo) await putBack();
  });
}
