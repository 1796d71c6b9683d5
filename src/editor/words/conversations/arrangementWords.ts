import { t, words } from '../../../base/l10n.ts';
import { joinParts } from '../../../base/parts.ts';
import type { Time } from '../../../service/model/entities.ts';
import type { Activity } from '../../../state/lists/activity.ts';
import type {
  Filter,
  Grouping,
} from '../../../state/lists/conversationRows.ts';
import { activityWords, triggerWord } from '../stateWords.ts';
import { fullDate } from '../times.ts';

export const groupingWords = words({
  none: 'Nothing',
  service: 'Service',
  repository: 'Repository',
  state: 'State',
  trigger: 'Trigger',
  day: 'Day',
});

export const sortingWords = words({
  urgent: 'What Needs You, Then Creation',
  created: 'Creation',
  updated: 'Last Activity',
});

export function filterWords(
  {
    repository,
    trigger,
    activity,
    text,
    service,
    tag,
    unread,
    archived,
  }: Filter,
  nameOf: (address: string) => string,
): string {
  return joinParts(
    ' · ',
    text && t('“{0}”', text),
    activity && activityWords[activity],
    unread && t('Unread'),
    archived && t('Archived'),
    repository,
    trigger && triggerWord(trigger),
    tag,
    service && nameOf(service),
  );
}

/** Headings of groups whose rows have no value. */
const withoutWords: Readonly<Partial<Record<Grouping, string>>> = words({
  repository: 'No repository',
  trigger: 'Unknown trigger',
  day: 'Unknown day',
});

export function groupLabel(key: string, grouping: Grouping, now: Time): string {
  if (key === '') return withoutWords[grouping] ?? '';
  if (grouping === 'state') return activityWords[key as Activity];
  if (grouping === 'trigger') return triggerWord(key);
  if (grouping !== 'day') return key;
  const day = new Date(`${key}T12:00:00`);
  // A service can send dates beyond the range of `Date`.
  if (Number.isNaN(day.getTime())) return key;
  const days = Math.round(
    (new Date(now).setHours(12, 0, 0, 0) - day.getTime()) / 86_400_000,
  );
  if (days === 0) return t('Today');
  if (days === 1) return t('Yesterday');
  return fullDate(day);
}
