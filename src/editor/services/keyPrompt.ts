import { Disposable } from 'vscode';
import { t } from '../../base/l10n.ts';
import type { ConnectedService } from '../../state/connectedService.ts';
import type { ListChange } from '../../state/lists/remoteList.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import { offerAction, showWarning } from '../ui/messages.ts';
import { runOwnCommand } from '../ui/runOwnCommand.ts';

/** Asks for a key when a service refuses us, once for each connection. */
export function askForKeyOnce(switchboard: Switchboard): Disposable {
  const askedFor = new WeakSet<ConnectedService>();
  const look = () => {
    for (const service of switchboard.services) {
      const { refused } = service;
      if (!refused || askedFor.has(service)) continue;
      askedFor.add(service);
      void offerAction(showWarning, refused.message, t('Set API Key'), () =>
        runOwnCommand('switchboard.setApiKey', service.address),
      );
    }
  };
  const onChange = ({ state }: ListChange) => {
    if (state.has('error')) look();
  };
  return Disposable.from(
    switchboard.conversations.onChange(onChange),
    switchboard.sandboxes.onChange(onChange),
  );
}
