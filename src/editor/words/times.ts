import { formats, t } from '../../base/l10n.ts';
import type { Time } from '../../service/model/entities.ts';
import { dayOf } from '../../state/lists/conversationRows.ts';

const times = formats((language) => ({
  relative: new Intl.RelativeTimeFormat(language, { numeric: 'auto' }),
  dateAndTime: new Intl.DateTimeFormat(language, {
    dateStyle: 'medium',
    timeStyle: 'short',
  }),
  hourAndMinute: new Intl.DateTimeFormat(language, {
    hour: '2-digit',
    minute: '2-digit',
    // `hour12: false` would show midnight as 24:00.
    hourCycle: 'h23',
  }),
  fullDate: new Intl.DateTimeFormat(language, { dateStyle: 'full' }),
}));

const shortAges = {
  minute: (count: number) => t('{0} min', count),
  hour: (count: number) => t('{0} h', count),
  day: (count: number) => t('{0} d', count),
  month: (count: number) => t('{0} mo', count),
  year: (count: number) => t('{0} y', count),
};

/** An age in its largest unit. Ages below a minute are 0 minutes. */
function ageOf(
  time: Time,
  now: Time,
): { readonly count: number; readonly unit: keyof typeof shortAges } {
  const minutes = Math.floor((now - time) / 60_000);
  if (minutes < 60) return { count: Math.max(0, minutes), unit: 'minute' };
  if (minutes < 48 * 60)
    return { count: Math.floor(minutes / 60), unit: 'hour' };
  const days = Math.floor(minutes / 60 / 24);
  if (days < 60) return { count: days, unit: 'day' };
  return days < 730
    ? { count: Math.round(days / 30.4), unit: 'month' }
    : { count: Math.floor(days / 365), unit: 'year' };
}

export function shortAge(time: Time, now: Time): string {
  const { count, unit } = ageOf(time, now);
  return count === 0 ? t('now') : shortAges[unit](count);
}

/** An age in full words, for sentences and screen readers. */
export function longAge(time: Time, now: Time): string {
  const { count, unit } = ageOf(time, now);
  return count === 0 ? t('just now') : times().relative.format(-count, unit);
}

/** The time at which `shortAge` and `longAge` change. */
export function ageEnds(time: Time, now: Time): Time {
  const minutes = Math.floor((now - time) / 60_000);
  return time + Math.max(1, minutesUntilChange(minutes)) * 60_000;
}

/** The number of minutes at which the age changes next. */
function minutesUntilChange(minutes: number): number {
  if (minutes < 60) return minutes + 1;
  if (minutes < 48 * 60) return (Math.floor(minutes / 60) + 1) * 60;
  const days = Math.floor(minutes / 60 / 24);
  if (days < 60) return (days + 1) * 24 * 60;
  const months = Math.round(days / 30.4);
  const next =
    days < 730
      ? Math.min(730, Math.ceil((months + 0.5) * 30.4))
      : (Math.floor(days / 365) + 1) * 365;
  return next * 24 * 60;
}

export function dayEnds(now: Time): Time {
  return new Date(now).setHours(24, 0, 0, 0);
}

export function dateAndTime(time: Time): string {
  return times().dateAndTime.format(time);
}

export function longAgeAndTime(time: Time, now: Time): string {
  return `${longAge(time, now)} (${dateAndTime(time)})`;
}

/** The time for today, else the date and the time. */
export function clockTime(time: Time, now: Time): string {
  return dayOf(time) === dayOf(now)
    ? times().hourAndMinute.format(time)
    : dateAndTime(time);
}

/** A date with its weekday. */
export function fullDate(time: Time | Date): string {
  return times().fullDate.format(time);
}
