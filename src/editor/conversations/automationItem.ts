import { ThemeIcon, TreeItem, TreeItemCollapsibleState } from 'vscode';
import { t } from '../../base/l10n.ts';
import type { Time } from '../../service/model/entities.ts';
import {
  type AutomationRow,
  isActiveRun,
} from '../../state/serviceAutomations.ts';
import type { CommandId } from '../manifest.ts';
import { activityIcons, finishedIcon } from '../ui/icons.ts';
import {
  automationDescription,
  automationLabel,
  automationName,
  automationTooltip,
} from '../words/automationWords.ts';
import { rowTitle } from '../words/conversations/conversationWords.ts';

export function automationsItem(rows: readonly AutomationRow[]): TreeItem {
  const item = new TreeItem(
    t('Automations'),
    TreeItemCollapsibleState.Collapsed,
  );
  const failed = rows.filter(({ run }) => run?.status === 'failed').length;
  item.description = [rows.length, failed > 0 && t('{0} failed', failed)]
    .filter(Boolean)
    .join(' · ');
  item.contextValue = 'automations';
  item.accessibilityInformation = {
    label: `${t('Automations')}, ${item.description}`,
  };
  return item;
}

export function automationItem(
  row: AutomationRow,
  now: Time,
  service: string | undefined,
): TreeItem {
  const { key, automation, run } = row;
  const item = new TreeItem(rowTitle(automationName(row)));
  item.description = automationDescription(row, now, service);
  item.tooltip = automationTooltip(row, now, service);
  item.iconPath = iconOf(row);
  item.accessibilityInformation = {
    label: automationLabel(row, now, service),
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
