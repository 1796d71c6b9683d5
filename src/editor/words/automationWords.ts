import { t } from '../../base/l10n.ts';
import { plainText } from '../../base/plainText.ts';
import { joinParts } from '../../base/parts.ts';
import type { Time } from '../../service/model/entities.ts';
import type { AutomationRow } from '../../state/serviceAutomations.ts';
import { runWord } from './stateWords.ts';
import { ageEnds, longAge, longAgeAndTime, shortAge } from './times.ts';

export function automationName({
  automation: { name, id },
}: AutomationRow): string {
  return name === '' ? t('Untitled {0}', plainText(id.slice(0, 8))) : name;
}

/** The state of the last run, with its age. */
export function lastRunWords(
  { automation, run }: AutomationRow,
  now: Time,
  age = shortAge,
): string[] {
  const never = automation.triggeredAt === undefined && t('Has not run yet');
  return [
    !automation.isOn && t('Off'),
    run ? runWord(run.status) : never,
    run?.at !== undefined && age(run.at, now),
  ].filter((word) => typeof word === 'string');
}

export function automationLabel(row: AutomationRow, now: Time): string {
  return [
    automationName(row),
    t('automation'),
    ...lastRunWords(row, now, longAge),
  ].join(', ');
}

export function automationTooltip(
  row: AutomationRow,
  now: Time,
  service?: string,
): string {
  const { automation, run } = row;
  return joinParts(
    '\n',
    automationName(row),
    lastRunWords(row, now, longAgeAndTime).join(' · '),
    run?.error,
    automation.isOn ? undefined : automation.whyOff,
    automation.trigger,
    service,
  );
}

/** The time at which the words of a row change by themselves. */
export function automationRowEnds(
  row: AutomationRow | undefined,
  now: Time,
): Time {
  const at = row?.run?.at;
  return at === undefined ? Infinity : ageEnds(at, now);
}
