/** What an agent wants to do, whole: for the text that is shown before anybody answers. */
import { t } from '../../base/l10n.ts';
import { plainText } from '../../base/plainText.ts';
import type { WaitingAction } from '../../state/waiting.ts';

export function waitingText(title: string, actions: readonly WaitingAction[]): string {
  const head =
    actions.length === 1
      ? t('“{0}” wants to do this:', title)
      : t('“{0}” wants to do these {1} things. Your answer counts for all of them:', title, actions.length);
  // The question covers the first lines.
  return ['', '', '', '', '', head, '', ...actions.map(actionText)].join('\n');
}

/** What is not seen, or changes how other characters are shown, is escaped in it. */
function actionText(
  { toolName, actionKind, risk, summary, arguments: all }: WaitingAction,
  index: number,
): string {
  const lines = [
    `${index + 1}. ${plainText(toolName ?? actionKind ?? t('A tool without a name'), 200)}`,
    risk === undefined || risk === 'unknown'
      ? undefined
      : t('Risk, as the service says: {0}', plainText(risk)),
    summary === undefined ? undefined : t('What the agent says about it: {0}', plainText(summary, 500)),
    all,
    '',
  ];
  return lines.filter((line) => line !== undefined).join('\n');
}
