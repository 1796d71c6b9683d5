import assert from 'node:assert/strict';
import {
  filterWords,
  groupingWords,
  groupLabel,
  sortingWords,
} from '../../../../../src/editor/words/conversations/arrangementWords.ts';
import {
  dayOf,
  type Filter,
  groupings,
  sortings,
} from '../../../../../src/state/lists/conversationRows.ts';

const now = new Date(2026, 0, 15, 10, 42).getTime();
const day = 24 * 60 * 60_000;

describe('an arrangement', () => {
  it('has a label for every grouping and sort order', () => {
    assert.deepEqual(
      groupings.map((grouping) => groupingWords[grouping]),
      ['Nothing', 'Service', 'Repository', 'State', 'Trigger', 'Day'],
    );
    assert.deepEqual(
      sortings.map((sorting) => sortingWords[sorting]),
      ['What Needs You, Then Creation', 'Creation', 'Last Activity'],
    );
  });
});

describe('a filter in words', () => {
  const words = (filter: Filter) => filterWords(filter, () => 'At home');

  it('describes every part of the filter', () => {
    assert.equal(
      words({
        text: 'fix',
        repository: 'octo/shop',
        activity: 'waiting',
        trigger: 'gui',
        tag: 'team: web',
        service: 'https://agents.example.com',
      }),
      '“fix” · Waiting for you · octo/shop · Web page · team: web · At home',
    );
    assert.equal(words({ trigger: 'new_thing' }), 'new_thing');
    assert.equal(words({ unread: true, archived: true }), 'Unread · Archived');
    assert.equal(words({ text: '' }), '');
    assert.equal(words({}), '');
  });
});

describe('the heading of a group', () => {
  it('shows the common value of its rows', () => {
    assert.equal(groupLabel('octo/shop', 'repository', now), 'octo/shop');
    assert.equal(groupLabel('waiting', 'state', now), 'Waiting for you');
    assert.equal(groupLabel('gui', 'trigger', now), 'Web page');
    assert.equal(groupLabel('constructor', 'trigger', now), 'constructor');
  });

  it('says which value its rows lack', () => {
    assert.equal(groupLabel('', 'repository', now), 'No repository');
    assert.equal(groupLabel('', 'trigger', now), 'Unknown trigger');
    assert.equal(groupLabel('', 'day', now), 'Unknown day');
    assert.equal(groupLabel('', 'none', now), '');
  });

  it('says Today, Yesterday or the date, at any hour and across clock changes', () => {
    for (const today of [
      new Date(2026, 0, 15),
      new Date(2026, 2, 29),
      new Date(2026, 9, 25),
    ]) {
      for (const hours of [0, 11, 23]) {
        const later = new Date(today).setHours(hours, 59);
        const ago = (days: number) =>
          dayOf(new Date(today).setDate(today.getDate() - days));
        assert.equal(groupLabel(ago(0), 'day', later), 'Today');
        assert.equal(groupLabel(ago(1), 'day', later), 'Yesterday');
        assert.match(
          groupLabel(ago(2), 'day', later),
          /^\w+day, \w+ \d+, 2026$/,
        );
        assert.match(
          groupLabel(ago(-1), 'day', later),
          /^\w+day, \w+ \d+, 2026$/,
        );
      }
    }
  });

  it('shows some text even for an impossible date', () => {
    for (const time of [
      8.64e15,
      -8.64e15,
      Date.UTC(99, 0, 1) - 1900 * 365 * day,
    ]) {
      assert.notEqual(groupLabel(dayOf(time), 'day', now), '');
    }
    assert.equal(groupLabel('nonsense', 'day', now), 'nonsense');
  });
});
