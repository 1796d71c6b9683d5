import assert from 'node:assert/strict';
import { setLanguage, type Translate } from '../../../../src/base/l10n.ts';
import {
  dateAndTime,
  shortAge,
  ageEnds,
  clockTime,
  dayEnds,
  fullDate,
  longAge,
  longAgeAndTime,
} from '../../../../src/editor/words/times.ts';

const now = new Date(2026, 0, 15, 10, 42).getTime();
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const borders: readonly (readonly [number, string, string])[] = [
  [-day, 'now', 'just now'],
  [0, 'now', 'just now'],
  [minute - 1, 'now', 'just now'],
  [minute, '1 min', '1 minute ago'],
  [hour - 1, '59 min', '59 minutes ago'],
  [hour, '1 h', '1 hour ago'],
  [48 * hour - 1, '47 h', '47 hours ago'],
  [2 * day, '2 d', '2 days ago'],
  [60 * day - 1, '59 d', '59 days ago'],
  [60 * day, '2 mo', '2 months ago'],
  [91 * day, '3 mo', '3 months ago'],
  [730 * day - 1, '24 mo', '24 months ago'],
  [730 * day, '2 y', '2 years ago'],
  [3_650 * day, '10 y', '10 years ago'],
];

describe('an age', () => {
  it('has a short form for rows and a long one for screen readers', () => {
    for (const [passed, short, long] of borders) {
      assert.equal(shortAge(now - passed, now), short);
      assert.equal(longAge(now - passed, now), long);
    }
  });
});

describe('the end of an age', () => {
  it('comes exactly when its wording changes', () => {
    for (const [passed] of borders) {
      for (const time of [now - passed, now - passed - 17_001]) {
        const end = ageEnds(time, now);
        for (const moment of [now, now + (end - now) / 2, end - 1]) {
          assert.equal(
            shortAge(time, moment),
            shortAge(time, now),
            `${passed} ms`,
          );
          assert.equal(
            longAge(time, moment),
            longAge(time, now),
            `${passed} ms`,
          );
        }
        assert.notEqual(
          shortAge(time, end),
          shortAge(time, now),
          `${passed} ms`,
        );
      }
    }
  });
});

describe('the end of a day', () => {
  it('falls at midnight, even when the clock changes', () => {
    for (const today of [
      new Date(2026, 0, 15),
      new Date(2026, 2, 29),
      new Date(2026, 9, 25),
    ]) {
      const midnight = new Date(today).setDate(today.getDate() + 1);
      for (const hours of [0, 11, 23])
        assert.equal(dayEnds(new Date(today).setHours(hours, 59)), midnight);
    }
  });
});

describe('a time', () => {
  it('shows the 24-hour clock time today, and the date too on other days', () => {
    assert.equal(
      clockTime(new Date(2026, 0, 15, 0, 5).getTime(), now),
      '00:05',
    );
    assert.match(
      clockTime(now - 24 * 60 * 60_000, now),
      /^Jan 14, 2026, 10:42/,
    );
    assert.equal(clockTime(now, now), '10:42');
    assert.equal(
      clockTime(new Date(2026, 0, 15, 22, 7).getTime(), now),
      '22:07',
    );
  });

  it('shows the date in its full form', () => {
    assert.match(dateAndTime(now), /^Jan 15, 2026, 10:42\sAM$/);
  });
});

describe('an age or a time in another language', () => {
  const inGerman: Readonly<Record<string, string>> = {
    now: 'jetzt',
    '{0} h': '{0} Std.',
    'just now': 'gerade eben',
  };
  const english: Translate = (text, ...values) =>
    text.replace(/\{(\d+)\}/g, (_, index: string) =>
      String(values[Number(index)]),
    );

  before(() => {
    setLanguage('de', (text, ...values) =>
      english(inGerman[text] ?? text, ...values),
    );
  });

  after(() => {
    setLanguage('en', english);
  });

  it('uses the words and formats of that language', () => {
    assert.equal(shortAge(now, now), 'jetzt');
    assert.equal(shortAge(now - 3 * hour, now), '3 Std.');
    assert.equal(longAge(now, now), 'gerade eben');
    assert.equal(longAge(now - 5 * minute, now), 'vor 5 Minuten');
    assert.equal(dateAndTime(now), '15.01.2026, 10:42');
    assert.equal(
      longAgeAndTime(now - 3 * day, now),
      'vor 3 Tagen (12.01.2026, 10:42)',
    );
    assert.equal(clockTime(now, now), '10:42');
    assert.equal(fullDate(now), 'Donnerstag, 15. Januar 2026');
  });
});
