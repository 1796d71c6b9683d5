/**
 * Answers exactly the actions that a notification or a question has shown in
 * full.
 */
import { t } from '../../base/l10n.ts';
import type { Conversation } from '../../service/model/entities.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import {
  actionsOf,
  type WaitingAction,
} from '../../state/transcript/waiting.ts';
import {
  noticeTitle,
  wholeActionText,
} from '../words/conversations/noticeWords.ts';
import { answeredWords } from '../words/conversations/outcomeWords.ts';
import { serviceOf } from '../ui/pickFromList.ts';
import {
  askModal,
  showInformation,
  showWarning,
  withProgress,
} from '../ui/messages.ts';

/** Returns true if other actions wait now, so nothing was sent. */
export async function hasChangedInstead(
  switchboard: Switchboard,
  conversation: Conversation,
  actions: readonly WaitingAction[],
  accept: boolean,
): Promise<boolean> {
  const title = noticeTitle(conversation);
  const service = serviceOf(switchboard, conversation);
  const answered = await withProgress(
    t('Answering “{0}”', title),
    async (signal) =>
      (await service.steering()).answer(
        conversation,
        actions,
        { accept },
        signal,
      ),
  );
  void service.conversations.refresh();
  if (answered.result !== 'answered' && answered.result !== 'changed') {
    const { text, tone } = answeredWords(answered, accept);
    void (tone === 'bad' ? showWarning : showInformation)(
      t('{0}: {1}', `“${title}”`, text),
    );
  }
  return answered.result === 'changed';
}

/**
 * Answers from a question that shows all of the pending action. Returns false
 * if the page must show it first.
 */
export async function answerInQuestion(
  switchboard: Switchboard,
  conversation: Conversation,
  accept: boolean,
): Promise<boolean> {
  const actions = actionsOf(switchboard.snapshot(conversation)?.waiting);
  const question = wholeActionText(conversation, actions);
  if (!actions || question === undefined) return false;
  const answer = accept ? t('Accept') : t('Reject');
  const open = t('Open Conversation');
  const button = await askModal(question, [], answer, open);
  if (button !== answer) return button !== open;
  return !(await hasChangedInstead(switchboard, conversation, actions, accept));
}
