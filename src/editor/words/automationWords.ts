import { t, words } from '../../base/l10n.ts';
import { plainText } from '../../base/plainText.ts';
import type { Time } from '../../service/model/entities.ts';
import type { AutomationRow } from '../../state/serviceAutomations.ts';
import { ageEnds, longAge, longAgeAndTime, shortAge } from './times.ts';

const runWords = words({
  pending: 'Waiting to start',
  running: 'Working',
  completed: 'Finished',
  failed: 'Failed',
  cancelled: 'Canceled',
  skipped: 'Skipped',
});

export function automationName({ automation }: AutomationRow): string {
  const { name, id } = automation;
  return name === '' ? t('Untitled {0}', plainText(id.slice(0, 8))) : name;
}

/** The state of the last run; `undefined` before the first. */
export function lastRunWord({ run }: AutomationRow): string | undefined {
  const status = run?.status;
  return status !== undefined && Object.hasOwn(runWords, status)
    ? runWords[status as keyof typeof runWords]
    : status;
}

export function automationDescription(
  row: AutomationRow,
  now: Time,
  service?: string,
): string {
  const { automation, run } = row;
  const parts = [
    !automation.isOn && t('Off'),
    lastRunWord(row),
    run?.at !== undefined && shortAge(run.at, now),
    service,
  ];
  return parts.filter(Boolean).join(' · ');
}

export function automationLabel(
  row: AutomationRow,
  now: Time,
  service?: string,
): string {
  const { automation, run } = row;
  const lastRun = lastRunWord(row);
  const parts = [
    automationName(row),
    t('automation'),
    !automation.isOn && t('Off'),
    lastRun !== undefined && t('last run: {0}', lastRun),
    run?.at !== undefined && longAge(run.at, now),
    service,
  ];
  return parts.filter(Boolean).join(', ');
}

export function automationTooltip(
  row: AutomationRow,
  now: Time,
  service?: string,
): string {
  const { automation, run } = row;
  const lastRun = [
    lastRunWord(row) ?? t('Has not run yet'),
    run?.at !== undefined && longAgeAndTime(run.at, now),
  ];
  const off = [t('Off'), automation.whyOff].filter(Boolean).join(': ');
  const lines = [
    automationName(row),
    lastRun.filter(Boolean).join(' · '),
    run?.error,
    !automation.isOn && off,
    automation.trigger,
    service,
  ];
  return lines.filter(Boolean).join('\n');
}

/** The time at which the words of a row change by themselves. */
export function automationRowEnds(
  row: AutomationRow | undefined,
  now: Time,
): Time {
  const at = row?.run?.at;
  return at === undefined ? Infinity : ageEnds(at, now);
}
