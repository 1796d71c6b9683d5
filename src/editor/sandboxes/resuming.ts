/** Resuming a sandbox for something else that needs it. */
import { UserError } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import type { ConnectedService } from '../../state/connectedService.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import { mayPauseOthers, pausedWords } from './makingRoom.ts';
import { askModal, showInformation } from '../ui/messages.ts';

/** Whether the person wants that, although others may be paused for it. */
export async function wantsToResume(
  service: ConnectedService,
  id: string,
  question: string,
  button: string,
): Promise<boolean> {
  return (
    (await askModal(question, '', button)) === button && (await mayPauseOthers(service, t('Resume'), id))
  );
}

/** Waits until it runs, and says which others the service has paused for it. */
export async function resumeFirst(
  switchboard: Switchboard,
  service: ConnectedService,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  const { sandboxes } = await service.client.recognise({ signal });
  if (!sandboxes) throw new UserError(t('It is not known which sandbox to resume.'));
  const words = pausedWords(switchboard, await service.sandboxActions.resume(sandboxes, id, signal));
  if (words !== undefined) void showInformation(words);
}
