/** The steps that lead on from a check that failed, as buttons of its message and as links of its page. */
import { t } from '../../base/l10n.ts';
import type { Entry } from '../../mcp/entry.ts';
import { hasReference } from '../../mcp/variables.ts';
import { type FailureStep, wayOutOf } from '../../probe/failureSteps.ts';
import type { ProbeFailure } from '../../probe/probe.ts';
import type { CommandId } from '../manifest.ts';

interface FailureAction {
  /** On a button. */
  readonly label: string;
  /** On a page; undefined where it has such a link anyway. */
  readonly link: string | undefined;
  readonly command: CommandId | 'workbench.action.openSettings';
  readonly args: readonly string[];
}

export function failureActions(failure: ProbeFailure, entry: Entry): readonly FailureAction[] {
  return wayOutOf(failure).steps.flatMap((step) => actionOf(step, entry) ?? []);
}

function actionOf(step: FailureStep, { name, server }: Entry): FailureAction | undefined {
  switch (step.do) {
    case 'show':
      return {
        ...{ label: t('Show in the File'), link: t('Show the place in the file') },
        ...{ command: 'switchboard.mcp.reveal', args: [name, ...step.places] },
      };
    case 'changeUrl':
      // The values of variables do not belong into the file.
      if (server?.transport === 'stdio' || hasReference(server?.url ?? '')) return undefined;
      return {
        ...{ label: t('Change the URL'), link: t('Change the URL to where it leads') },
        ...{ command: 'switchboard.mcp.changeUrl', args: [name, step.to] },
      };
    case 'setting':
      return {
        ...{ label: t('Open Settings'), link: t('Open the setting') },
        ...{ command: 'workbench.action.openSettings', args: [step.name] },
      };
    case 'disable':
      return { label: t('Disable'), link: undefined, command: 'switchboard.mcp.disable', args: [name] };
    case 'again':
      return { label: t('Check Again'), link: undefined, command: 'switchboard.mcp.check', args: [name] };
  }
}
