import { t } from '../../../base/l10n.ts';
import type { Conversation } from '../../../service/model/entities.ts';
import type { Spent } from '../../../state/costs/limits.ts';
import { dollarsWord } from './conversationWords.ts';
import { noticeTitle } from './noticeWords.ts';

/** Dollars by which one click raises a limit. */
const moreDollars = 5;

/** Rounds up to whole cents. */
export function raisedLimit({ spent = 0, limit }: Spent): number {
  const dollars = Math.max(spent, limit) + moreDollars;
  return Math.ceil(Number((dollars * 100).toFixed(6))) / 100;
}

export function continueWord(): string {
  return t('Continue with {0} More', dollarsWord(moreDollars));
}

export function leaveStoppedWord(): string {
  return t('Leave Stopped');
}

/** `$1.20 of $5.00`. */
export function spentWord({ spent, limit }: Spent): string {
  return spent === undefined
    ? t('cost unknown, so the limit of {0} cannot stop it', dollarsWord(limit))
    : t('{0} of {1}', dollarsWord(spent), dollarsWord(limit));
}

export function stoppedAtLimitText(
  conversation: Conversation,
  spent: Spent,
): string {
  const title = noticeTitle(conversation);
  return spent.of === 'day'
    ? t(
        '“{0}” was stopped: the agents have spent {1} today.',
        title,
        spentWord(spent),
      )
    : t('“{0}” was stopped: it has spent {1}.', title, spentWord(spent));
}

export function nearLimitText(
  conversation: Conversation,
  spent: Spent,
): string {
  return spent.of === 'day'
    ? t('The agents have spent {0} today.', spentWord(spent))
    : t('“{0}” has spent {1}.', noticeTitle(conversation), spentWord(spent));
}

export function notStoppedText(
  conversation: Conversation,
  why: string,
): string {
  return t(
    '“{0}” has reached its limit, but could not be stopped: {1}',
    noticeTitle(conversation),
    why,
  );
}

/** The question before something that lets an agent go on at its limit. */
export function goOnQuestion(conversation: Conversation, spent: Spent): string {
  return spent.of === 'day'
    ? t(
        'The agents have spent {0} today. Let “{1}” continue?',
        spentWord(spent),
        noticeTitle(conversation),
      )
    : t(
        '“{0}” has spent {1}. Let it continue?',
        noticeTitle(conversation),
        spentWord(spent),
      );
}

/** The question before another agent begins at the limit of the day. */
export function beginQuestion(spent: Spent): string {
  return t(
    'The agents have spent {0} today. Start another one?',
    spentWord(spent),
  );
}

/** Says what a limit cannot promise. */
export function limitPromise(): string {
  return t(
    'The agent is stopped at the limit while its conversation is loaded in a VS Code that is open, and can spend up to one step more.',
  );
}
