/**
 * Sends a message to an agent from outside its page, with the same questions.
 */
import { window } from 'vscode';
import { t } from '../../base/l10n.ts';
import type { Conversation } from '../../service/model/entities.ts';
import type { ConnectedService } from '../../state/connectedService.ts';
import type { SendResult } from '../../state/steering/steeringResults.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import { serviceOf } from '../ui/pickFromList.ts';
import {
  type Actions,
  askModal,
  offerActions,
  showInformation,
  showWarning,
  unlessCancelled,
} from '../ui/messages.ts';
import {
  resumeAndWait,
  sendOnceStarted,
  showPaused,
  wantsToResume,
} from '../sandboxes/sandboxQuestions.ts';
import type { ConversationPages } from '../conversations/page/conversationPages.ts';
import { titleOf } from '../words/conversations/conversationWords.ts';
import {
  queuedWords,
  sentWords,
  type OutcomeNotice,
} from '../words/conversations/outcomeWords.ts';
import { inQuestion } from '../words/foreignText.ts';

export interface SendingParts {
  readonly switchboard: Switchboard;
  readonly conversationPages: () => Promise<ConversationPages>;
}

/**
 * True if the message was sent or queued. Shows the outcome, and offers more
 * actions if it is good.
 */
export async function sendToAgent(
  parts: SendingParts,
  conversation: Conversation,
  text: string,
  offer: Actions = {},
): Promise<boolean> {
  const result = await sendOrAsk(
    parts,
    serviceOf(parts.switchboard, conversation),
    conversation,
    text,
  );
  if (result === undefined) return false;
  const outcome = result === 'queuedHere' ? queuedWords() : sentWords(result);
  void tell(parts, conversation, outcome, offer);
  return (
    result === 'queuedHere' ||
    result.result === 'sent' ||
    result.result === 'queued'
  );
}

/** Undefined if the user gave up or was shown the waiting actions. */
async function sendOrAsk(
  parts: SendingParts,
  service: ConnectedService,
  conversation: Conversation,
  text: string,
): Promise<SendResult | 'queuedHere' | undefined> {
  const title = titleOf(conversation);
  const sending = t('Sending the message to “{0}”', title);
  const send = (signal: AbortSignal) =>
    sendOnceStarted(service, conversation, { text }, signal);
  const sent = await unlessCancelled(sending, send);
  if (sent?.result === 'waits') {
    // Waiting actions are answered only on the page, which shows all of them.
    const show = t('Show Pending Action');
    const queue = t('Queue Message');
    const choice = await askModal(
      t(
        '“{0}” is waiting for your answer. Sending now would run the pending action.',
        title,
      ),
      t(
        'Answer it first, or queue the message: it is sent when the agent has finished.',
      ),
      show,
      queue,
    );
    if (choice === show)
      await (await parts.conversationPages()).show(conversation, 'waiting');
    if (choice !== queue) return undefined;
    parts.switchboard.queuedMessages.add(conversation, { text });
    return 'queuedHere';
  }
  if (sent?.result !== 'sandboxPaused') return sent;
  const id = sent.sandboxId ?? conversation.sandboxId;
  if (id === undefined) return sent;
  const question = t(
    'The sandbox of “{0}” is paused. Resume it and send the message?',
    title,
  );
  if (!(await wantsToResume(service, id, question, t('Resume and Send'))))
    return undefined;
  return await unlessCancelled(
    t('Resuming the sandbox. Your message will be sent after that.'),
    async (signal) => {
      showPaused(parts.switchboard, await resumeAndWait(service, id, signal));
      return await send(signal);
    },
  );
}

async function tell(
  { conversationPages }: SendingParts,
  conversation: Conversation,
  outcome: OutcomeNotice | undefined,
  offer: Actions,
) {
  const message =
    outcome?.text ?? t('The message was sent to “{0}”.', titleOf(conversation));
  const isGood = outcome === undefined || outcome.tone === 'good';
  await offerActions(isGood ? showInformation : showWarning, message, {
    [t('Show')]: async () => (await conversationPages()).show(conversation),
    ...(isGood && offer),
  });
}

export async function askForPullRequest(
  parts: SendingParts,
  conversation: Conversation,
): Promise<void> {
  const text = await window.showInputBox({
    title: t('Ask for a Pull Request'),
    prompt: t(
      'Message to the agent of “{0}”',
      inQuestion(titleOf(conversation)),
    ),
    value: t(
      'Commit what you have changed to a branch of its own, push it, open a pull request, and tell me its address.',
    ),
    ignoreFocusOut: true,
    validateInput: (value) =>
      value.trim() === '' ? t('Write a message, or press Escape.') : undefined,
  });
  if (text !== undefined) await sendToAgent(parts, conversation, text);
}
