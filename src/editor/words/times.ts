/** Times and ages, as they are shown and as they are said, in the language of the person. */
import { language, t } from '../../base/l10n.ts';
import type { Time } from '../../service/entities.ts';
import { dayOf } from '../../state/conversationRows.ts';

function formatsOf(spoken: string) {
  return {
    spoken,
    relative: new Intl.RelativeTimeFormat(spoken, { numeric: 'auto' }),
    dateAndTime: new Intl.DateTimeFormat(spoken, { dateStyle: 'medium', timeStyle: 'short' }),
    hourAndMinute: new Intl.DateTimeFormat(spoken, {
      hour: '2-digit',
      minute: '2-digit',
      // Not `hour12: false`, which has midnight as 24:00.
      hourCycle: 'h23',
    }),
    fullDate: new Intl.DateTimeFormat(spoken, { dateStyle: 'full' }),
  };
}

/** Kept, because they are needed for each row and slow to make. */
let kept: ReturnType<typeof formatsOf> | undefined;

function formats(): ReturnType<typeof formatsOf> {
  const spoken = language();
  if (kept?.spoken !== spoken) kept = formatsOf(spoken);
  return kept;
}

/** How long ago, as short as a row needs it. */
export function age(time: Time, now: Time): string {
  const minutes = Math.floor((now - time) / 60_000);
  if (minutes < 1) return t('now');
  if (minutes < 60) return t('{0} min', minutes);
  if (minutes < 48 * 60) return t('{0} h', Math.floor(minutes / 60));
  const days = Math.floor(minutes / 60 / 24);
  if (days < 60) return t('{0} d', days);
  return days < 730 ? t('{0} mo', Math.round(days / 30.4)) : t('{0} y', Math.floor(days / 365));
}

/** How long ago in full words, for a sentence and for a screen reader. */
export function longAge(time: Time, now: Time): string {
  const { relative } = formats();
  const minutes = Math.floor((now - time) / 60_000);
  if (minutes < 1) return t('just now');
  if (minutes < 60) return relative.format(-minutes, 'minute');
  if (minutes < 48 * 60) return relative.format(-Math.floor(minutes / 60), 'hour');
  const days = Math.floor(minutes / 60 / 24);
  if (days < 60) return relative.format(-days, 'day');
  return days < 730
    ? relative.format(-Math.round(days / 30.4), 'month')
    : relative.format(-Math.floor(days / 365), 'year');
}

export function absolute(time: Time): string {
  return formats().dateAndTime.format(time);
}

/** Both for a reader: how long ago, and when that was. */
export function longAgeAndTime(time: Time, now: Time): string {
  return `${longAge(time, now)} (${absolute(time)})`;
}

/** When something was so: the time of today, or the day as well. */
export function clockTime(time: Time, now: Time): string {
  return dayOf(time) === dayOf(now) ? formats().hourAndMinute.format(time) : absolute(time);
}

/** A day with its name. */
export function fullDate(time: Time | Date): string {
  return formats().fullDate.format(time);
}
