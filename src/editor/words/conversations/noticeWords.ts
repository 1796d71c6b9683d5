/**
 * The texts of notifications, and the rule for actions that can be answered
 * from one.
 */
import { t } from '../../../base/l10n.ts';
import { maskText } from '../../../base/masks/maskText.ts';
import { plainText } from '../../../base/plainText.ts';
import { joinParts } from '../../../base/parts.ts';
import type { Conversation } from '../../../service/model/entities.ts';
import type { Notice } from '../../../state/attention.ts';
import type { WaitingAction } from '../../../state/transcript/waiting.ts';
import { actionLine } from './actionSentences.ts';
import { inputOf, plainPhrase, terminalDefaults } from './actionWords.ts';
import { titleOf } from './conversationWords.ts';
import { inMessage, inPick } from '../foreignText.ts';
import { occasionWord } from '../stateWords.ts';

/** Characters that a notification shows in full. */
const maxCommandLength = 150;
const maxTitleLength = 60;
/**
 * Characters that a row to pick shows in full, even with the widest letters.
 */
const maxCommandInRowLength = 32;
const maxRowLength = 80;

/** The title in a notification: short, and without what looks like a secret. */
export function noticeTitle(
  conversation: Pick<Conversation, 'title' | 'id'>,
): string {
  const title = maskText(plainText(titleOf(conversation)));
  // Piled marks would cover the lines above.
  return inMessage(plainText(title, maxTitleLength)).replace(
    /(\p{M}{2})\p{M}+/gu,
    '$1',
  );
}

export function noticeText({
  occasion,
  conversation,
  actions,
}: Notice): string {
  const title = noticeTitle(conversation);
  switch (occasion) {
    case 'waits':
      return (
        wholeActionText(conversation, actions) ??
        t('“{0}” is waiting for you.', title)
      );
    case 'failed':
      return t('“{0}” failed.', title);
    case 'finished':
      return t('“{0}” has finished.', title);
    case 'limit':
      return t('“{0}” was stopped at its limit.', title);
  }
}

/**
 * The text of a question that shows everything that would be done; `undefined`
 * if a question cannot show it.
 */
export function wholeActionText(
  conversation: Pick<Conversation, 'title' | 'id'>,
  actions: readonly WaitingAction[] | undefined,
): string | undefined {
  const command = wholeCommand(actions);
  if (command === undefined) return undefined;
  return t(
    'An agent wants to run `{0}` in “{1}”.',
    command,
    noticeTitle(conversation),
  );
}

/** One message for several conversations. */
export function noticesText(notices: readonly Notice[]): string {
  const parts = (['waits', 'failed', 'finished'] as const).map((occasion) =>
    occasionWord(
      occasion,
      notices.filter((notice) => notice.occasion === occasion).length,
    ),
  );
  return `${joinParts(', ', ...parts)}.`;
}

/**
 * Describes pending actions in a row to pick. `isWhole`: the row shows all of
 * them, so they can be accepted from it.
 */
export function waitingRow(actions: readonly WaitingAction[] | undefined) {
  const command = wholeCommand(actions);
  if (
    command !== undefined &&
    command.length <= maxCommandInRowLength &&
    inPick(command) === command
  )
    return { detail: command, isWhole: true };
  return {
    detail: joinParts(
      ' · ',
      pendingText(actions, maxRowLength),
      t('Opens the conversation'),
    ),
    isWhole: false,
  };
}

/**
 * Describes pending actions in one line, without what looks like a secret.
 * Empty if they are not known.
 */
export function pendingText(
  actions: readonly WaitingAction[] | undefined,
  maxLength: number,
): string {
  const [first, ...restActions] = actions ?? [];
  const line = first
    ? plainPhrase(actionLine(first, 'waiting', undefined, undefined))
    : '';
  return joinParts(
    ' · ',
    plainText(maskText(plainText(line)), maxLength),
    restActions.length > 0 && t('{0} more', restActions.length),
  );
}

/**
 * The command of a waiting action, if a notification shows everything that it
 * would do: it is the only action, the command is its only input, and every
 * character is visible. `undefined` otherwise, and if the command may contain a
 * secret.
 */
export function wholeCommand(
  actions: readonly WaitingAction[] | undefined,
): string | undefined {
  const [action, ...more] = actions ?? [];
  if (!action || more.length > 0 || action.actionKind !== 'TerminalAction')
    return undefined;
  const { command, ...otherInputs } = inputOf(action) ?? {};
  const isAlone = Object.entries(otherInputs).every(
    ([name, value]) =>
      Object.hasOwn(terminalDefaults, name) && terminalDefaults[name] === value,
  );
  if (!isAlone || typeof command !== 'string' || !isSeenWhole(command))
    return undefined;
  return maskText(command) === command ? command : undefined;
}

/**
 * Accepts one line of plain letters from left to right. A backtick could look
 * like the end of the command, and the editor shows several blanks as one. Not
 * plain are ı, ĸ and ſ, which look like other letters.
 */
function isSeenWhole(command: string): boolean {
  const isPlain = /^[ -_a-~À-ÖØ-öø-İĲ-ķĹ-ž]*[!-_a-~À-ÖØ-öø-İĲ-ķĹ-ž]$/.test(
    command,
  );
  return (
    isPlain &&
    command.length <= maxCommandLength &&
    inMessage(command) === command
  );
}
