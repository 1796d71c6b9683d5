/** Answering an agent: all that waits is shown whole, and only there it is accepted or rejected. */
import { type QuickPickItem, window } from 'vscode';
import { t } from '../../base/l10n.ts';
import type { Conversation } from '../../service/entities.ts';
import type { ConnectedService } from '../../state/connectedService.ts';
import type { Answered } from '../../state/steering.ts';
import type { WaitingAction } from '../../state/waiting.ts';
import { showInformation, showWarning, withProgress } from '../asking/messages.ts';
import { askPick, back } from '../asking/steps.ts';
import { showText } from '../pages/previews.ts';
import { titleOf } from '../words/conversationWords.ts';
import { inMessage } from '../words/foreignText.ts';
import { waitingText } from '../words/waitingWords.ts';

type Choice = 'accept' | 'reject' | 'rejectWithReason';

export async function answerAgent(
  service: ConnectedService,
  conversation: Conversation,
  first: Choice = 'accept',
): Promise<void> {
  const title = titleOf(conversation);
  const reading = await withProgress(t('Reading what “{0}” waits for', title), (signal) =>
    service.steering.read(conversation, signal),
  );
  if (reading.status !== 'waits') {
    void showInformation(t('“{0}” does not wait for an answer.', inMessage(title)));
    void service.conversations.refresh();
    return;
  }
  for (let shown: readonly WaitingAction[] | undefined = reading.actions; shown;) {
    const answered = await ask(service, conversation, shown, first);
    if (!answered) return;
    void service.conversations.refresh();
    shown = answered.result === 'changed' ? answered.now : undefined;
    if (shown)
      void showInformation(t('What “{0}” waits for has changed. Nothing was sent.', inMessage(title)));
    else tell(answered, inMessage(title));
  }
}

/** Undefined if the person decides later. */
async function ask(
  service: ConnectedService,
  conversation: Conversation,
  actions: readonly WaitingAction[],
  first: Choice,
): Promise<Answered | undefined> {
  const title = titleOf(conversation);
  const shown = await showText(waitingText(title, actions), t('What the agent wants to do'));
  try {
    const choice = await choose(title, actions.length, first);
    if (choice === undefined) return undefined;
    const reason = choice === 'rejectWithReason' ? await askForReason(title) : '';
    if (reason === undefined) return undefined;
    const answer = { accept: choice === 'accept', reason: reason || undefined };
    return await withProgress(t('Answering “{0}”', title), (signal) =>
      service.steering.answer(conversation, actions, answer, signal),
    );
  } finally {
    shown.dispose();
  }
}

async function choose(title: string, count: number, first: Choice): Promise<Choice | undefined> {
  const all =
    count === 1 ? t('Does exactly what is shown') : t('Does exactly what is shown, all {0} actions', count);
  const items: (QuickPickItem & { readonly choice?: Choice })[] = [
    { label: t('Accept'), description: all, choice: 'accept' },
    { label: t('Reject'), description: t('Nothing is done, and the agent stops'), choice: 'reject' },
    {
      label: t('Reject with a Reason …'),
      description: t('The agent is told why'),
      choice: 'rejectWithReason',
    },
    { label: t('Decide Later'), description: t('Nothing is sent') },
  ];
  const answer = await askPick({
    title: t('What “{0}” wants to do is shown below', title),
    items,
    active: items.find(({ choice }) => choice === first),
    placeholder: t('Your answer'),
  });
  return answer === back ? undefined : answer?.choice;
}

async function askForReason(title: string): Promise<string | undefined> {
  return await window.showInputBox({
    title: t('Reject with a Reason'),
    prompt: t('What “{0}” should know', inMessage(title)),
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === '' ? t('Enter the reason, or press Escape.') : undefined),
  });
}

export function tell(answered: Answered, title: string): void {
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
        t(
          'It is not known whether “{0}” has got your answer. Look at it again in a minute before you answer once more.',
          title,
        ),
      );
  }
}
