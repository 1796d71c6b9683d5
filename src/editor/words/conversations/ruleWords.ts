import { t } from '../../../base/l10n.ts';
import { maskText } from '../../../base/masks/maskText.ts';
import { plainText } from '../../../base/plainText.ts';
import {
  type Approval,
  type AskRule,
  isRated,
} from '../../../service/model/entities.ts';
import {
  type AcceptRule,
  type ApprovalRules,
  coversCommand,
  expressionOf,
  matchingRule,
  proposedCommands,
  textOf,
} from '../../../state/approvalRules/acceptRules.ts';
import { plainCommands } from '../../../state/approvalRules/plainCommands.ts';
import type { Switchboard } from '../../../state/switchboard.ts';
import type { WaitingAction } from '../../../state/transcript/waiting.ts';
import { shownPath } from '../shownPath.ts';
import { titleOf } from './conversationWords.ts';

/** Rules for more commands would be hard to judge in a question. */
const maxProposed = 3;
/** Characters of the commands that a question shows in full. */
const maxProposedLength = 300;

/** Said where rules are set. */
export function notAWall(): string {
  return t(
    'Rules are a convenience, not a wall: a command can be written so that no pattern finds it. The wall is a container or a virtual machine.',
  );
}

export function openRuleWord(): string {
  return t('* stands for any further words.');
}

export function listOfSentences(rules: readonly AskRule[]): string {
  return rules.length === 0
    ? t('nothing')
    : rules.map(({ sentence }) => plainText(sentence, 80)).join('; ');
}

/** Why the agent asks about an action, if a rule of its service tells. */
export function whyAsked(
  action: WaitingAction,
  approval: Approval | undefined,
): string | undefined {
  if (!approval || !isRated(approval.policy)) return undefined;
  const { rules = [] } = approval.analyzer ?? {};
  // A pattern that only the service understands may or may not fit.
  const readable = rules.filter(({ pattern }) => expressionOf(pattern));
  const rule = matchingRule(textOf(action), readable);
  return rule
    ? t('On the list of what to ask for: {0}', plainText(rule.sentence, 80))
    : undefined;
}

/**
 * The commands of rules that would accept the actions, if the user can be
 * offered that.
 */
export function offeredRules(
  actions: readonly WaitingAction[],
  { ask }: ApprovalRules,
): readonly string[] | undefined {
  const proposed = proposedCommands(actions, ask);
  return proposed &&
    proposed.length <= maxProposed &&
    proposed.join('').length <= maxProposedLength &&
    proposed.every((command) => maskText(command) === command)
    ? proposed
    : undefined;
}

/** Names the place where a rule holds. */
export function whereRuleHolds(
  { conversation: key, folder = '' }: AcceptRule,
  switchboard: Pick<Switchboard, 'conversation'>,
): string {
  if (key === undefined) return shownPath(folder);
  const conversation = switchboard.conversation(key);
  return conversation
    ? t('only in “{0}”', titleOf(conversation))
    : t('only in one conversation, which is not listed');
}

/** The result of trying a command, as a sentence. */
export function triedWords(
  line: string,
  { ask, accept }: ApprovalRules,
): string {
  const rule = matchingRule(line.replace(/\s+/g, ' '), ask);
  if (rule)
    return t('Would ask: yes, because of “{0}”.', plainText(rule.sentence, 80));
  const commands = plainCommands(line) ?? [];
  const used = commands.flatMap((words) => ruleFor(words, accept) ?? []);
  if (used.length > 0 && used.length === commands.length)
    return t(
      'Would ask: no. Accepted where these rules hold: {0}.',
      used.map((command) => `“${plainText(command, 80)}”`).join(', '),
    );
  return t(
    'Would ask: no if only the list counts, because nothing on it fits. No rule accepts it.',
  );
}

function ruleFor(
  words: readonly string[],
  accept: readonly AcceptRule[],
): string | undefined {
  return accept.find((rule) => coversCommand(rule, words))?.command;
}
