import assert from 'node:assert/strict';
import { noLog } from '../../../../src/base/log.ts';
import {
  Pager,
  type ReceivedPage,
} from '../../../../src/service/http/pager.ts';

/**
 * Pager over a service that answers with these, in this order; a string is a
 * failure.
 */
function over(...answers: (ReceivedPage<string> | string)[]) {
  const asked: (string | undefined)[] = [];
  const fetch = (cursor: string | undefined): Promise<ReceivedPage<string>> => {
    const answer = answers[asked.length] ?? 'asked too often';
    asked.push(cursor);
    return typeof answer === 'string'
      ? Promise.reject(new Error(answer))
      : Promise.resolve(answer);
  };
  return { asked, pages: new Pager(fetch, (item) => item, noLog) };
}

const page = (
  items: string,
  cursor?: string,
  skipped = 0,
): ReceivedPage<string> => ({
  items: items.split(' ').filter((item) => item !== ''),
  skipped,
  cursor,
});

async function all(pages: Pager<string>): Promise<string[]> {
  const items: string[] = [];
  for await (const page of pages) items.push(...page.items);
  return items;
}

describe('a list of pages', () => {
  it('follows the cursors to the end', async () => {
    const { pages, asked } = over(page('a b', '1'), page('c', '2'), page('d'));
    assert.deepEqual(await all(pages), ['a', 'b', 'c', 'd']);
    assert.deepEqual(asked, [undefined, '1', '2']);
  });

  it('reports whether there are more pages', async () => {
    const { pages } = over(page('a', '1'), page('b'));
    assert.deepEqual(await pages.next(), {
      done: false,
      value: { items: ['a'], skipped: 0, more: true },
    });
    assert.deepEqual(await pages.next(), {
      done: false,
      value: { items: ['b'], skipped: 0, more: false },
    });
    assert.deepEqual(await pages.next(), { done: true, value: undefined });
  });

  it('returns every row once', async () => {
    const { pages } = over(page('a b a', '1'), page('b c', '2'), page('c d'));
    assert.deepEqual(await all(pages), ['a', 'b', 'c', 'd']);
  });

  it('ends when a page has no new rows', async () => {
    const { pages, asked } = over(page('a b', '1'), page('b a', '2'));
    assert.deepEqual(await all(pages), ['a', 'b']);
    assert.equal(asked.length, 2);
  });

  it('ends when the last or an earlier cursor repeats', async () => {
    assert.deepEqual(await all(over(page('a', '1'), page('b', '1')).pages), [
      'a',
      'b',
    ]);
    assert.deepEqual(
      await all(over(page('a', '1'), page('b', '2'), page('c', '1')).pages),
      ['a', 'b', 'c'],
    );
  });

  it('skips empty pages', async () => {
    const { pages } = over(
      page('', '1'),
      page('', '2'),
      page('a', '3'),
      page(''),
    );
    assert.deepEqual(await all(pages), ['a']);
  });

  it('returns an empty page after 11 empty ones and continues from there', async () => {
    const empty = Array.from({ length: 11 }, (_, i) => page('', String(i)));
    const { pages, asked } = over(...empty, page('a'));
    assert.deepEqual(await pages.next(), {
      done: false,
      value: { items: [], skipped: 0, more: true },
    });
    assert.equal(asked.length, 11);
    assert.deepEqual(await pages.next(), {
      done: false,
      value: { items: ['a'], skipped: 0, more: false },
    });
  });

  it('ends after 10,000 pages', async () => {
    let asked = 0;
    const fetch = () => Promise.resolve(page(String(asked), String(++asked)));
    assert.equal(
      (await all(new Pager(fetch, (item) => item, noLog))).length,
      10_000,
    );
  });

  it('requests a failed page again without repeating the earlier ones', async () => {
    const { pages, asked } = over(page('a', '1'), 'broken', page('b'));
    await pages.next();
    await assert.rejects(pages.next(), /broken/);
    assert.deepEqual(await pages.next(), {
      done: false,
      value: { items: ['b'], skipped: 0, more: false },
    });
    assert.deepEqual(asked, [undefined, '1', '1']);
  });

  it('requests pages one after the other even if callers do not wait', async () => {
    const { pages, asked } = over(page('a', '1'), page('b', '2'), page('c'));
    const results = await Promise.all([
      pages.next(),
      pages.next(),
      pages.next(),
    ]);
    assert.deepEqual(
      results.map(({ value }) => value?.items),
      [['a'], ['b'], ['c']],
    );
    assert.deepEqual(asked, [undefined, '1', '2']);
  });

  it('counts the records that could not be read', async () => {
    const { pages } = over(page('', '1', 3), page('a', undefined, 1));
    assert.deepEqual(await pages.next(), {
      done: false,
      value: { items: ['a'], skipped: 4, more: false },
    });
  });

  it('ends when the caller stops', async () => {
    const { pages, asked } = over(page('a', '1'));
    await pages.next();
    await pages.return();
    assert.equal((await pages.next()).done, true);
    assert.equal(asked.length, 1);
  });
});
