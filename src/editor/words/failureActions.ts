import { t } from '../../base/l10n.ts';
import type { Entry } from '../../mcp/format/entry.ts';
import { hasReference } from '../../mcp/format/variables.ts';
import { type FailureStep, failureWords } from '../../probe/failureWords.ts';
import type { ProbeFailure } from '../../probe/probe.ts';
import type { CommandId } from '../manifest.ts';

interface FailureAction {
  readonly label: string;
  /** True if the page of every server has this action. */
  readonly isOnPage?: true;
  readonly command: CommandId | 'workbench.action.openSettings';
  readonly args: readonly string[];
}

export function failureActions(
  failure: ProbeFailure,
  entry: Entry,
): readonly FailureAction[] {
  return failureWords(failure).steps.flatMap(
    (step) => actionOf(step, entry) ?? [],
  );
}

function actionOf(
  step: FailureStep,
  { name, server }: Entry,
): FailureAction | undefined {
  switch (step.do) {
    case 'show':
      return {
        label: t('Show in the File'),
        command: 'switchboard.mcp.reveal',
        args: [name, ...step.places],
      };
    case 'changeUrl':
      // The file must not contain the values of variables.
      if (server?.transport === 'stdio' || hasReference(server?.url ?? ''))
        return undefined;
      return {
        label: t('Change the URL'),
        command: 'switchboard.mcp.changeUrl',
        args: [name, step.to],
      };
    case 'setting':
      return {
        label: t('Open Settings'),
        command: 'workbench.action.openSettings',
        args: [step.name],
      };
    case 'disable':
      return {
        label: t('Disable'),
        isOnPage: true,
        command: 'switchboard.mcp.disable',
        args: [name],
      };
    case 'again':
      return {
        label: t('Check Again'),
        isOnPage: true,
        command: 'switchboard.mcp.check',
        args: [name],
      };
  }
}
