/** Where a sandbox runs, the service may pause others without a word: that is asked before, and said afterwards. */
import { t } from '../../base/l10n.ts';
import type { Sandbox } from '../../service/entities.ts';
import type { ConnectedService } from '../../state/connectedService.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import { inMessage } from '../words/foreignText.ts';
import { sandboxName } from '../words/conversations/sandboxWords.ts';
import { confirm } from '../ui/messages.ts';

/** Whether the person goes on with what `button` says, although others may be paused for this one. */
export async function mayPauseOthers(
  { sandboxes, sandboxActions }: ConnectedService,
  button: string,
  id?: string,
): Promise<boolean> {
  if (sandboxes.asOf === undefined) await sandboxes.refresh();
  if (sandboxes.asOf === undefined && sandboxes.error) throw sandboxes.error;
  const running = sandboxActions.othersRunning(id);
  if (running.length === 0) return true;
  const message =
    running.length === 1
      ? t('Another sandbox is running. The service may pause it.')
      : t('{0} other sandboxes are running. The service may pause the oldest ones.', running.length);
  return await confirm(message, t('Everything in a paused sandbox stops until you resume it.'), button);
}

/** Says which ones the service has paused; undefined for none. */
export function pausedWords(switchboard: Switchboard, paused: readonly Sandbox[]): string | undefined {
  if (paused.length === 0) return undefined;
  const names = paused.map((sandbox) => sandboxInMessage(switchboard, sandbox)).join(', ');
  return t('The service paused {0} to make room.', names);
}

export function sandboxInMessage(switchboard: Switchboard, sandbox: Sandbox): string {
  const { name } = sandboxName(sandbox, switchboard.servedBy(sandbox));
  return inMessage(`${name} (${sandbox.id.slice(0, 12)})`);
}
