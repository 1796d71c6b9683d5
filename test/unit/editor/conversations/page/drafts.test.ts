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
    await drafts.set('s a', { message: 'one' });
    await drafts.set('s b', { message: 'two' });
    assert.deepEqual(
      (['s a', 's b', 's c'] as const).map(
        (key) => new Drafts(kept).get(key).message,
      ),
      ['one', 'two', ''],
    );
    await drafts.set('s a', { message: '' });
    assert.equal(drafts.get('s a').message, '');
    assert.equal(JSON.stringify(kept.get()).includes('one'), false);
  });

  it('keeps the drafts of all conversations whole, however many and long they are', async () => {
    const kept = store();
    const drafts = new Drafts(kept);
    for (let index = 0; index < 120; index++)
      await drafts.set(`s c${index}`, { message: `draft ${index}` });
    const long = `${'x'.repeat(600_000)} the task`;
    await drafts.set('s c60', { message: long });
    assert.equal(drafts.get('s c0').message, 'draft 0');
    assert.equal(drafts.get('s c60').message, long);
  });

  it('keeps the attachments of a message until they are sent, and ignores invalid ones', async () => {
    const kept = store();
    const attached = [
      { id: 1, name: 'a.txt', text: 'a' },
      { id: 2, name: '', picture: { mediaType: 'image/png', base64: 'AAAA' } },
    ];
    await new Drafts(kept).set('s a', { attached });
    assert.deepEqual(new Drafts(kept).get('s a').attached, attached);
    assert.deepEqual(new Drafts(kept).get('s b').attached, []);
    await new Drafts(kept).set('s a', { attached: [] });
    assert.deepEqual(kept.get(), []);
    for (const odd of [
      'x',
      [
        null,
        1,
        { id: 1 },
        { id: 1, name: 'a' },
        { id: 1, name: 'a', picture: {} },
      ],
    ])
      assert.deepEqual(
        new Drafts(store([['s a', odd]])).get('s a').attached,
        [],
      );
  });

  it('ignores invalid stored data', async () => {
    for (const odd of [null, 'x', {}, [1, ['a'], ['s a', 2], ['b', 'kept']]]) {
      const drafts = new Drafts(store(odd));
      assert.equal(drafts.get('s a').message, '');
      await drafts.set('s a', { message: 'one' });
      assert.equal(drafts.get('s a').message, 'one');
    }
  });
});
