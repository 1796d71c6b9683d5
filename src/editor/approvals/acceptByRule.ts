import { t } from '../../base/l10n.ts';
import { type Conversation, keyOf } from '../../service/model/entities.ts';
import {
  type AcceptRule,
  ruleFolder,
} from '../../state/approvalRules/acceptRules.ts';
import { askModal } from '../ui/messages.ts';
import { noticeTitle } from '../words/conversations/noticeWords.ts';
import { notAWall, openRuleWord } from '../words/conversations/ruleWords.ts';
import { shownPath } from '../words/shownPath.ts';

/** Shows the rules, and returns them if the user agrees. */
export async function askForAcceptRules(
  conversation: Conversation,
  commands: readonly string[],
): Promise<readonly AcceptRule[] | undefined> {
  const folder = ruleFolder(conversation);
  const here = t('For This Conversation');
  const always = t('From Now On');
  const detail = [
    commands.some((command) => command.endsWith(' *')) && openRuleWord(),
    folder === undefined
      ? t('The rule holds for “{0}”.', noticeTitle(conversation))
      : t(
          'The rule holds for “{0}”, or from now on for all conversations in {1} at this service.',
          noticeTitle(conversation),
          shownPath(folder),
        ),
    t(
      'A line with several commands is accepted only if rules cover each of them, and never with redirections, substitutions or variables. What is on the list of what to ask for is always asked for.',
    ),
    t('The rule works while VS Code is open; otherwise the agent waits.'),
    notAWall(),
  ];
  const button = await askModal(
    t(
      "Accept, and don't ask again for {0}?",
      commands.map((command) => `“${command}”`).join(', '),
    ),
    detail,
    here,
    ...(folder === undefined ? [] : [always]),
  );
  if (button === undefined) return undefined;
  const where =
    button === here
      ? { conversation: keyOf(conversation) }
      : { folder, service: conversation.service };
  return commands.map((command) => ({ command, ...where }));
}
