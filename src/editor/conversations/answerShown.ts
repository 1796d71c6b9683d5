/** Answers exactly the actions that a notification or a question has shown in full. */
import { t } from '../../base/l10n.ts';
import type { Conversation } from '../../service/entities.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import type { Answered } from '../../state/steering/steeringResults.ts';
import type { WaitingAction } from '../../state/transcript/waiting.ts';
import { noticeTitle } from '../words/conversations/noticeWords.ts';
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
  const answered = await withProgress(t('Answering “{0}”', title), (signal) =>
    service.steering.answer(conversation, shown, { accept }, signal),
  );
  void service.conversations.refresh();
  if (answered.result === 'changed') return true;
  tellAnswered(answered, title);
  return false;
}

function tellAnswered(answered: Answered, title: string): void {
  switch (answered.result) {
    case 'answered':
    case 'changed':
      return;
    case 'answeredElsewhere':
      void showInformation(
        answered.fate === 'accepted'
          ? t('“{0}” was accepted elsewhere. Nothing was sent.', title)
          : t('“{0}” was rejected elsewhere. Nothing was sent.', title),
      );
      return;
    case 'noLongerWaits':
      void showInformation(t('“{0}” no longer waits for an answer. Nothing was sent.', title));
      return;
    case 'unsure':
      void showWarning(
        t('Your answer to “{0}” may not have arrived. Check it in a minute before answering again.', title),
      );
  }
}
