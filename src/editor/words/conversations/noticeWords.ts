/** What a notification says of conversations, and whether it shows an action so that it can be answered there. */
import { t } from '../../../base/l10n.ts';
import { maskText } from '../../../base/maskText.ts';
import { plainText } from '../../../base/plainText.ts';
import type { Conversation } from '../../../service/entities.ts';
import type { Notice } from '../../../state/attention.ts';
import type { WaitingAction } from '../../../state/transcript/waiting.ts';
import { actionLine, plainPhrase } from './actionWords.ts';
import { titleOf } from './conversationWords.ts';
import { inMessage, inPick } from '../foreignText.ts';
import { occasionWord } from '../stateWords.ts';

/** A notification shows so much whole. */
const longestCommand = 150;
const longestTitle = 60;
/** A row to pick shows so much whole, even of the widest letters. */
const longestInRow = 32;
/** A row cuts longer actions here. */
const longestLine = 80;

/** The title in a notification: short, and without what looks like a secret. */
export function noticeTitle(conversation: Conversation): string {
  const title = maskText(plainText(titleOf(conversation)));
  // Marks can be piled up until they cover the lines above.
  return inMessage(plainText(title, longestTitle)).replace(/(\p{M}{2})\p{M}+/gu, '$1');
}

export function noticeText({ occasion, conversation, actions }: Notice): string {
  const title = noticeTitle(conversation);
  switch (occasion) {
    case 'waits': {
      const command = wholeCommand(actions);
      return command === undefined
        ? t('“{0}” is waiting for you.', title)
        : t('An agent wants to run `{0}` in “{1}”.', command, title);
    }
    case 'failed':
      return t('“{0}” failed.', title);
    case 'finished':
      return t('“{0}” has finished.', title);
  }
}

/** One message for several conversations. */
export function noticesText(notices: readonly Notice[]): string {
  const parts = (['waits', 'failed', 'finished'] as const).map((occasion) =>
    occasionWord(occasion, notices.filter((notice) => notice.occasion === occasion).length),
  );
  return `${parts.filter(Boolean).join(', ')}.`;
}

/** Describes pending actions in a row to pick. `isWhole`: the row shows all of them, so they can be accepted from it. */
export function waitingRow(actions: readonly WaitingAction[] | undefined): {
  readonly detail: string;
  readonly isWhole: boolean;
} {
  const command = wholeCommand(actions);
  if (command !== undefined && command.length <= longestInRow && inPick(command) === command)
    return { detail: command, isWhole: true };
  const [first, ...others] = actions ?? [];
  const line = first ? plainPhrase(actionLine(first, 'waiting', undefined, undefined)) : '';
  const parts = [
    plainText(maskText(plainText(line)), longestLine),
    others.length > 0 && t('{0} more', others.length),
    t('Opens the conversation'),
  ];
  return { detail: parts.filter(Boolean).join(' · '), isWhole: false };
}

/**
 * The command that waits for an answer, if a notification shows all of what would be done: there is no other action, the
 * command is all that the action has, and every character of it is seen as it is. Undefined otherwise, and where it may
 * contain a secret.
 */
export function wholeCommand(actions: readonly WaitingAction[] | undefined): string | undefined {
  const [action, ...others] = actions ?? [];
  if (!action || others.length > 0 || action.actionKind !== 'TerminalAction') return undefined;
  const command = onlyCommand(action.arguments);
  return command !== undefined && isSeenWhole(command) && maskText(command) === command ? command : undefined;
}

/** What else a command in a terminal has, and how it is where that says nothing. */
const saysNothing: Readonly<Record<string, unknown>> = { is_input: false, reset: false, timeout: null };

function onlyCommand(json: string): string | undefined {
  const all = parsed(json);
  if (typeof all !== 'object' || all === null || Array.isArray(all)) return undefined;
  const { command, ...others } = all as Readonly<Record<string, unknown>>;
  const isAlone = Object.entries(others).every(
    ([name, value]) => Object.hasOwn(saysNothing, name) && saysNothing[name] === value,
  );
  return isAlone && typeof command === 'string' ? command : undefined;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/**
 * One line of letters that stand for themselves and run from left to right. Of a backtick nobody could tell whether the
 * command ends there, and the editor shows several blanks as one.
 */
function isSeenWhole(command: string): boolean {
  const isPlain = /^[ -_a-~À-ÖØ-öø-ſ]*[!-_a-~À-ÖØ-öø-ſ]$/.test(command);
  return isPlain && command.length <= longestCommand && inMessage(command) === command;
}
