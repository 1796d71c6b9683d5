/** Answering exactly what a notification or a question has shown in full. */
import { t } from '../../base/l10n.ts';
import type { Conversation } from '../../service/entities.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import type { WaitingAction } from '../../state/transcript/waiting.ts';
import { noticeTitle } from '../words/conversations/noticeWords.ts';
import { showInformation, withProgress } from '../ui/messages.ts';
import { tellAnswered } from './tellAnswered.ts';

/** True if something else waits now, so nothing was sent. */
export async function hasChangedInstead(
  switchboard: Switchboard,
  conversation: Conversation,
  shown: readonly WaitingAction[],
  accept: boolean,
): Promise<boolean> {
  const title = noticeTitle(conversation);
  const service = switchboard.service(conversation.service);
  if (!service) {
    void showInformation(t('The service of this conversation is no longer connected.'));
    return false;
  }
  const { steeringOf } = await import('../../state/steering/followAndSteer.ts');
  const answered = await withProgress(t('Answering “{0}”', title), (signal) =>
    steeringOf(service).answer(conversation, shown, { accept }, signal),
  );
  void service.conversations.refresh();
  if (answered.result === 'changed') return true;
  tellAnswered(answered, title);
  return false;
}
