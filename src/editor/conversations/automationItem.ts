import { ThemeIcon, type TreeItem, TreeItemCollapsibleState } from 'vscode';
import { t } from '../../base/l10n.ts';
import { joinParts } from '../../base/parts.ts';
import type { Time } from '../../service/model/entities.ts';
import {
  type AutomationRow,
  isActiveRun,
} from '../../state/serviceAutomations.ts';
import { groupItem } from './listItems.ts';
import { activityIcons, finishedIcon } from '../ui/icons.ts';
import { rowCommand, treeItem } from '../ui/treeItem.ts';
import {
  automationLabel,
  automationName,
  automationTooltip,
  lastRunWords,
} from '../words/automationWords.ts';
import { rowTitle } from '../words/conversations/conversationWords.ts';

export function automationsItem(rows: readonly AutomationRow[]): TreeItem {
  const item = groupItem(t('Automations'), rows.length, false);
  item.collapsibleState = TreeItemCollapsibleState.Collapsed;
  const failed = rows.filter(({ run }) => run?.status === 'failed').length;
  if (failed > 0) {
    item.description = `${rows.length} · ${t('{0} failed', failed)}`;
    item.accessibilityInformation = {
      label: `${t('Automations')}, ${item.description}`,
    };
  }
  return item;
}

export function automationItem(
  row: AutomationRow,
  now: Time,
  service: string | undefined,
): TreeItem {
  const { key, automation, run } = row;
  return treeItem(rowTitle(automationName(row)), {
    description: joinParts(' · ', ...lastRunWords(row, now), service),
    tooltip: automationTooltip(row, now, service),
    iconPath: iconOf(row),
    context: [
      'automation',
      automation.isOn ? 'on' : 'off',
      run?.conversationId !== undefined && 'ran',
    ],
    spoken: joinParts(', ', automationLabel(row, now), service),
    command: rowCommand(
      'switchboard.automations.openLastRun',
      t('Open Last Run'),
      key,
    ),
  });
}

const runIcons: ReadonlyMap<string | undefined, ThemeIcon> = new Map([
  ['failed', activityIcons.error],
  ['running', activityIcons.working],
  ['pending', activityIcons.starting],
  ['completed', finishedIcon],
]);

const neverRun = new ThemeIcon('watch');

function iconOf({ automation, run }: AutomationRow): ThemeIcon {
  if (!automation.isOn && !isActiveRun(run)) return activityIcons.stopped;
  return runIcons.get(run?.status) ?? neverRun;
}
