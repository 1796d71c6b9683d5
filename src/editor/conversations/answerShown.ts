/** Answers exactly the actions that a notification or a question has shown in full. */
import { t } from '../../base/l10n.ts';
import type { Conversation } from '../../service/entities.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import type { WaitingAction } from '../../state/transcript/waiting.ts';
import { noticeTitle } from '../words/conversations/noticeWords.ts';
import { answeredWords } from '../words/conversations/outcomeWords.ts';
import { showInformation, showWarning, withProgress } from '../ui/messages.ts';

/** Returns true if other actions wait now, so nothing was sent. */
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
  const answered = await withProgress(t('Answering “{0}”', title), async (signal) =>
    (await service.steering()).answer(conversation, shown, { accept }, signal),
  );
  void service.conversations.refresh();
  if (answered.result !== 'answered' && answered.result !== 'changed') {
    const { text, tone } = answeredWords(answered, accept);
    void (tone === 'bad' ? showWarning : showInformation)(t('{0}: {1}', `“${title}”`, text));
  }
  return answered.result === 'changed';
}
