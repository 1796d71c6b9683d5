import assert from 'node:assert/strict';
import { SearchAfterTyping } from '../../../src/base/searchAfterTyping.ts';
import { SteppedClock } from '../../support/steppedClock.ts';

describe('a search for typed text', () => {
  let clock: SteppedClock;
  let typing: SearchAfterTyping;
  let searched: string[];
  let search: (typed: string) => Promise<readonly string[]>;

  beforeEach(() => {
    clock = new SteppedClock(0);
    typing = new SearchAfterTyping(clock);
    searched = [];
    search = typing.search((typed) => {
      searched.push(typed);
      return Promise.resolve([`found ${typed}`]);
    });
  });

  it('searches once for quickly typed keys, and finds nothing for the earlier ones', async () => {
    const results = ['d', 'da', 'dat'].map((typed) => {
      const finding = search(typed);
      clock.advance(249);
      return finding;
    });
    assert.deepEqual(searched, []);
    clock.advance(1);
    assert.deepEqual(await Promise.all(results), [[], [], ['found dat']]);
    assert.deepEqual(searched, ['dat']);
    assert.equal(clock.pending, 0);
  });

  it('searches at once without typed text', async () => {
    assert.deepEqual(await search(''), ['found ']);
  });

  it('tells why it failed, but not after it was stopped', async () => {
    const failing = typing.search(() =>
      Promise.reject(new Error('The service is down.')),
    );
    await assert.rejects(failing(''), /The service is down/);
    const stopped = failing('');
    typing.stop();
    assert.deepEqual(await stopped, []);
  });

  it('searches no more once the question has ended', async () => {
    const finding = search('d');
    typing.stop();
    assert.equal(clock.pending, 0);
    assert.deepEqual(await finding, []);
    assert.deepEqual(searched, []);
  });
});
