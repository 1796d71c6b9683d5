import { ThemeIcon, TreeItem, TreeItemCollapsibleState } from 'vscode';
import { t } from '../../base/l10n.ts';
import type { Time } from '../../service/model/entities.ts';
import {
  type AutomationRow,
  isActiveRun,
} from '../../state/serviceAutomations.ts';
import type { CommandId } from '../manifest.ts';
import { groupItem } from './listItems.ts';
import { activityIcons, finishedIcon } from '../ui/icons.ts';
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
    const label = `${t('Automations')}, ${item.description}`;
    item.accessibilityInformation = { label };
  }
  return item;
}

export function automationItem(
  row: AutomationRow,
  now: Time,
  service: string | undefined,
): TreeItem {
  const { key, automation, run } = row;
  const item = new TreeItem(rowTitle(automationName(row)));
  item.description = [...lastRunWords(row, now), service]
    .filter(Boolean)
    .join(' · ');
  item.tooltip = automationTooltip(row, now, service);
  item.iconPath = iconOf(row);
  item.accessibilityInformation = {
    label: [automationLabel(row, now), service].filter(Boolean).join(', '),
  };
  item.contextValue = [
    'automation',
    automation.isOn ? 'on' : 'off',
    run?.conversationId !== undefined && 'ran',
  ]
    .filter(Boolean)
    .join(' ');
  const command: CommandId = 'switchboard.automations.openLastRun';
  item.command = { command, title: t('Open Last Run'), arguments: [key] };
  return item;
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
