import assert from 'node:assert/strict';
import { type CommentPlace, Reviews } from '../../../src/state/reviews.ts';
import { MemoryStore } from './support.ts';

const key = 'https://agents.example.com 1';

const place: CommentPlace = {
  key,
  since: 'start',
  side: 'after',
  path: 'src/cart.ts',
  lines: { first: 2, last: 3 },
  quote: 'two\nthree',
};

describe('comments that are not sent yet', () => {
  let store: MemoryStore;
  let reviews: Reviews;

  beforeEach(() => {
    store = new MemoryStore();
    reviews = new Reviews(store);
  });

  const texts = (from = reviews) => from.of(key).map(({ text }) => text);

  it('are kept for their conversation, in the order in which they were made, also after a reload', async () => {
    await reviews.add(place, 'First.');
    await reviews.add({ ...place, key: 'https://agents.example.com 2' }, 'Elsewhere.');
    const second = await reviews.add({ ...place, since: { commit: 'c0ffee' }, lines: undefined }, 'Second.');
    await reviews.edit(second.id, 'Better.');
    assert.deepEqual(texts(), ['First.', 'Better.']);
    const again = new Reviews(store);
    assert.equal(JSON.stringify(again.all), JSON.stringify(reviews.all));
    assert.deepEqual(texts(again), ['First.', 'Better.']);
  });

  it('that are stored in another form are left out', () => {
    const good = { ...place, id: 'a', text: 'Good.', outdated: false };
    const bad = [null, 7, { ...good, side: 'both' }, { ...good, since: {} }, { ...good, text: 1 }];
    const odd = { ...good, lines: { first: 1.5, last: 2 } };
    assert.deepEqual(texts(new Reviews(new MemoryStore({ reviews: [...bad, good, odd] }))), ['Good.']);
    assert.deepEqual(new Reviews(new MemoryStore({ reviews: 'nonsense' })).all, []);
  });

  it('come back to where they were when they are discarded by mistake, beside what was written since', async () => {
    const [one, two] = [await reviews.add(place, 'One.'), await reviews.add(place, 'Two.')];
    await reviews.add(place, 'Three.');
    const bringBack = await reviews.remove([one.id, two.id]);
    assert.deepEqual(texts(), ['Three.']);
    await reviews.add(place, 'Four.');
    await bringBack();
    assert.deepEqual(texts(), ['One.', 'Two.', 'Three.', 'Four.']);
    assert.deepEqual(texts(new Reviews(store)), texts());
  });

  it('tell which conversations are different, and nothing where nothing is', async () => {
    const told: string[][] = [];
    reviews.onChange((keys) => told.push([...keys]));
    const { id } = await reviews.add(place, 'One.');
    await reviews.place(id, 'one\ntwo\nthree\n');
    await reviews.edit(id, 'One.');
    await reviews.edit('another', 'One.');
    assert.deepEqual(told, [[key]]);
  });

  const now = async (text: string | undefined, change: Partial<CommentPlace> = {}) => {
    const { id } = await reviews.add({ ...place, ...change }, 'One.');
    await reviews.place(id, text);
    const { lines, outdated, quote } = reviews.get(id) ?? assert.fail();
    assert.equal(quote, change.quote ?? place.quote);
    return outdated ? 'outdated' : lines;
  };

  it('go with their lines when these move', async () => {
    assert.deepEqual(await now('one\ntwo\nthree\n'), { first: 2, last: 3 });
    assert.deepEqual(await now('one\r\ntwo\r\nthree\r\n'), { first: 2, last: 3 });
    assert.deepEqual(await now('new\nnew\none\ntwo\nthree\n'), { first: 4, last: 5 });
  });

  it('are outdated where their lines have changed, occur several times, or are gone, and keep what they were about', async () => {
    assert.equal(await now('one\ntwo\nanother\n'), 'outdated');
    assert.equal(await now('two\nthree\n\ntwo\nthree\n'), 'outdated');
    assert.equal(await now(''), 'outdated');
    assert.equal(await now(undefined), 'outdated');
    assert.equal(await now('one\nelse\n', { quote: '', lines: { first: 2, last: 2 } }), 'outdated');
  });

  it('are no longer outdated when their lines are back', async () => {
    const { id } = await reviews.add(place, 'One.');
    await reviews.place(id, undefined);
    await reviews.place(id, 'one\ntwo\nthree\n');
    assert.equal(reviews.get(id)?.outdated, false);
  });

  it('on a whole file are outdated only when it is gone', async () => {
    assert.equal(await now('anything', { lines: undefined, quote: '' }), undefined);
    assert.equal(await now(undefined, { lines: undefined, quote: '' }), 'outdated');
  });

  it('keep the beginning of very long lines, and know them again', async () => {
    const long = 'x'.repeat(15_000);
    const { id } = await reviews.add({ ...place, lines: { first: 1, last: 1 }, quote: long }, 'One.');
    await reviews.place(id, `new\n${long}\n`);
    const { quote, lines, outdated } = reviews.get(id) ?? assert.fail();
    assert.equal(quote.length, 10_000);
    assert.deepEqual([lines, outdated], [{ first: 2, last: 2 }, false]);
  });

  it('are kept in a number that does not grow for ever', async () => {
    const many = Array.from({ length: 499 }, (_, id) => ({
      ...{ ...place, id: String(id), text: String(id), outdated: false },
    }));
    reviews = new Reviews(new MemoryStore({ reviews: many }));
    await reviews.add(place, 'a');
    await reviews.add(place, 'b');
    assert.equal(reviews.all.length, 500);
    assert.deepEqual([texts()[0], texts().at(-1)], ['1', 'b']);
  });
});
