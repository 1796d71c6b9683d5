import { window } from 'vscode';
import { t } from '../../base/l10n.ts';
import type { Conversation } from '../../service/entities.ts';
import { type SendingParts, sendToAgent } from './sendToAgent.ts';
import { titleOf } from '../words/conversations/conversationWords.ts';
import { inQuestion } from '../words/foreignText.ts';

/** Sends the message that asks for one, after the person has seen it. */
export async function askForPullRequest(parts: SendingParts, conversation: Conversation): Promise<void> {
  const text = await window.showInputBox({
    title: t('Ask for a Pull Request'),
    prompt: t('Message to the agent of “{0}”', inQuestion(titleOf(conversation))),
    value: t(
      'Commit what you have changed to a branch of its own, push it, open a pull request, and tell me its address.',
    ),
    ignoreFocusOut: true,
    validateInput: (value) => (value.trim() === '' ? t('Write a message, or press Escape.') : undefined),
  });
  if (text !== undefined) await sendToAgent(parts, conversation, text);
}
