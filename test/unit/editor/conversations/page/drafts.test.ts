import assert from 'node:assert/strict';
import { Drafts } from '../../../../../src/editor/conversations/page/drafts.ts';

function store(content?: unknown) {
  let value = content;
  return {
    get: () => value,
    update: (_: string, next: unknown) => {
      value = JSON.parse(JSON.stringify(next));
      return Promise.resolve();
    },
  };
}

describe('the store of drafts', () => {
  it('keeps a draft per conversation, and forgets one that is cleared', async () => {
    const kept = store();
    const drafts = new Drafts(kept);
    await drafts.set('a', 'one');
    await drafts.set('b', 'two');
    assert.deepEqual(
      ['a', 'b', 'c'].map((key) => new Drafts(kept).get(key)),
      ['one', 'two', ''],
    );
    await drafts.set('a', '');
    assert.equal(drafts.get('a'), '');
    assert.equal(JSON.stringify(kept.get()).includes('one'), false);
  });

  it('keeps the drafts of the last 50 conversations', async () => {
    const kept = store();
    const drafts = new Drafts(kept);
    for (let index = 0; index < 60; index++) await drafts.set(`c${index}`, `draft ${index}`);
    assert.equal((kept.get() as unknown[]).length, 50);
    assert.equal(drafts.get('c9'), '');
    assert.equal(drafts.get('c10'), 'draft 10');
    await drafts.set('c10', 'changed');
    await drafts.set('c60', 'one more');
    assert.equal(drafts.get('c10'), 'changed');
  });

  it('ignores invalid stored data', async () => {
    for (const odd of [null, 'x', {}, [1, ['a'], ['a', 2], ['b', 'kept']]]) {
      const drafts = new Drafts(store(odd));
      assert.equal(drafts.get('a'), '');
      await drafts.set('a', 'one');
      assert.equal(drafts.get('a'), 'one');
    }
  });
});
