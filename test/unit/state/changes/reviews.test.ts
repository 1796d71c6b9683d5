import assert from 'node:assert/strict';
import {
  type CommentPlace,
  Reviews,
} from '../../../../src/state/changes/reviews.ts';
import { MemoryStore } from '../support.ts';

const key = 'https://agents.example.com 1';

const place: CommentPlace = {
  key,
  since: 'start',
  side: 'after',
  path: 'src/cart.ts',
  lines: { first: 2, last: 3 },
  quote: 'two\nthree',
};

describe('the store of unsent comments', () => {
  let store: MemoryStore;
  let reviews: Reviews;

  beforeEach(() => {
    store = new MemoryStore();
    reviews = new Reviews(store);
  });

  const texts = (from = reviews) => from.of(key).map(({ text }) => text);

  it('keeps comments per conversation in the order they were added, also after a reload', async () => {
    await reviews.add(place, 'First.');
    await reviews.add(
      { ...place, key: 'https://agents.example.com 2' },
      'Elsewhere.',
    );
    const second = await reviews.add(
      { ...place, since: { commit: 'c0ffee' }, lines: undefined },
      'Second.',
    );
    await reviews.edit(second.id, 'Better.');
    assert.deepEqual(texts(), ['First.', 'Better.']);
    const again = new Reviews(store);
    assert.equal(JSON.stringify(again.all), JSON.stringify(reviews.all));
    assert.deepEqual(texts(again), ['First.', 'Better.']);
  });

  it('ignores stored comments in another format', () => {
    const good = { ...place, id: 'a', text: 'Good.', outdated: false };
    const bad = [
      null,
      7,
      { ...good, side: 'both' },
      { ...good, since: {} },
      { ...good, text: 1 },
    ];
    const odd = { ...good, lines: { first: 1.5, last: 2 } };
    const before = { ...good, id: 'b', side: 'before', text: 'Old.' };
    const stored = new MemoryStore({ reviews: [...bad, good, odd, before] });
    assert.deepEqual(texts(new Reviews(stored)), ['Good.', 'Old.']);
    assert.deepEqual(
      new Reviews(new MemoryStore({ reviews: 'nonsense' })).all,
      [],
    );
  });

  it('restores discarded comments in their old order, next to comments added since', async () => {
    const [one, two] = [
      await reviews.add(place, 'One.'),
      await reviews.add(place, 'Two.'),
    ];
    await reviews.add(place, 'Three.');
    const bringBack = await reviews.remove([one.id, two.id]);
    assert.deepEqual(texts(), ['Three.']);
    await reviews.add(place, 'Four.');
    await bringBack();
    assert.deepEqual(texts(), ['One.', 'Two.', 'Three.', 'Four.']);
    assert.deepEqual(texts(new Reviews(store)), texts());
  });

  it('leaves all other comments as they are when it restores some', async () => {
    const one = await reviews.add(place, 'One.');
    const two = await reviews.add(place, 'Two.');
    const three = await reviews.add(place, 'Three.');
    const bringBack = await reviews.remove([one.id]);
    await reviews.edit(two.id, 'Better.');
    await reviews.remove([three.id]);
    await bringBack();
    assert.deepEqual(texts(), ['One.', 'Better.']);
    assert.equal(reviews.all.length, 2);
  });

  it('keeps the first 20,000 characters of a comment', async () => {
    const text = `${'x'.repeat(20_000)}y`;
    const { id } = await reviews.add(place, text);
    assert.equal(reviews.get(id)?.text, text.slice(0, -1));
    await reviews.edit(id, `y${text}`);
    assert.equal(reviews.get(id)?.text, `y${text.slice(0, -2)}`);
  });

  it('reports only conversations whose comments have changed', async () => {
    const told: string[][] = [];
    reviews.onChange((keys) => told.push([...keys]));
    const { id } = await reviews.add(place, 'One.');
    await reviews.place(id, 'one\ntwo\nthree\n');
    await reviews.edit(id, 'One.');
    await reviews.edit('another', 'One.');
    await reviews.place('another', '');
    assert.deepEqual(told, [[key]]);
    await reviews.edit(id, 'Two.');
    assert.deepEqual(told.splice(0), [[key], [key]]);
    const another = await reviews.add(
      { ...place, key: 'service another' },
      'Three.',
    );
    const bringBack = await reviews.remove([another.id]);
    await bringBack();
    assert.deepEqual(told, [
      ['service another'],
      ['service another'],
      ['service another'],
    ]);
  });

  const now = async (
    text: string | undefined,
    change: Partial<CommentPlace> = {},
  ) => {
    const { id } = await reviews.add({ ...place, ...change }, 'One.');
    await reviews.place(id, text);
    const { lines, outdated, quote } = reviews.get(id) ?? assert.fail();
    assert.equal(quote, change.quote ?? place.quote);
    return outdated ? 'outdated' : lines;
  };

  it('moves a comment along with its lines', async () => {
    assert.deepEqual(await now('one\ntwo\nthree\n'), { first: 2, last: 3 });
    assert.deepEqual(await now('one\r\ntwo\r\nthree\r\n'), {
      first: 2,
      last: 3,
    });
    assert.deepEqual(await now('new\nnew\none\ntwo\nthree\n'), {
      first: 4,
      last: 5,
    });
  });

  it('leaves a comment at its lines although others are the same', async () => {
    assert.deepEqual(await now('one\ntwo\nthree\ntwo\nthree\n'), {
      first: 2,
      last: 3,
    });
  });

  it('marks a comment as outdated when its lines are changed, repeated or gone, and keeps its quote', async () => {
    assert.equal(await now('one\ntwo\nanother\n'), 'outdated');
    assert.equal(await now('two\nthree\n\ntwo\nthree\n'), 'outdated');
    assert.equal(await now(''), 'outdated');
    assert.equal(await now(undefined), 'outdated');
    for (const quote of ['', '  '])
      assert.equal(
        await now(`one\nelse\n${quote}`, {
          quote,
          lines: { first: 2, last: 2 },
        }),
        'outdated',
      );
  });

  it('clears the outdated mark when the lines are back', async () => {
    const { id } = await reviews.add(place, 'One.');
    await reviews.place(id, undefined);
    await reviews.place(id, 'one\ntwo\nthree\n');
    assert.equal(reviews.get(id)?.outdated, false);
  });

  it('marks a comment on a whole file as outdated only when the file is gone', async () => {
    assert.equal(
      await now('anything', { lines: undefined, quote: '' }),
      undefined,
    );
    assert.equal(
      await now(undefined, { lines: undefined, quote: '' }),
      'outdated',
    );
  });

  it('keeps the first 10,000 characters of a long line, and still finds the line', async () => {
    const long = 'x'.repeat(15_000);
    const { id } = await reviews.add(
      { ...place, lines: { first: 1, last: 1 }, quote: long },
      'One.',
    );
    await reviews.place(id, `new\n${long}\n`);
    const { quote, lines, outdated } = reviews.get(id) ?? assert.fail();
    assert.equal(quote.length, 10_000);
    assert.deepEqual([lines, outdated], [{ first: 2, last: 2 }, false]);
  });

  it('finds several lines of which the last one is cut, if the others are the same', async () => {
    const long = `${'x'.repeat(15_000)}y`;
    const { id } = await reviews.add(
      { ...place, quote: `two\n${long}` },
      'One.',
    );
    const linesIn = async (text: string) => {
      await reviews.place(id, text);
      const { lines, outdated } = reviews.get(id) ?? assert.fail();
      return outdated ? 'outdated' : lines;
    };
    assert.deepEqual(await linesIn(`one\ntwo\n${long}`), { first: 2, last: 3 });
    assert.deepEqual(await linesIn(`new\none\ntwo\n${long}\n`), {
      first: 3,
      last: 4,
    });
    for (const text of [
      `one\ntwo more\n${long}`,
      `one\ntwo\ny${long}`,
      'one\ntwo',
    ])
      assert.equal(await linesIn(text), 'outdated');
  });

  it('keeps the newest 500 comments', async () => {
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
