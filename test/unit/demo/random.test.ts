import assert from 'node:assert/strict';
import { deal, Dice } from '../../../src/demo/wire/random.ts';

describe('the random generator of the demo service', () => {
  it('repeats a value for the same seed, index and purpose, and changes it for any other', () => {
    const throws = (seed: number, index: number, purpose: string) =>
      new Dice(seed, index).hex(purpose, 24);
    assert.equal(throws(1, 2, 'a'), throws(1, 2, 'a'));
    const others = [
      throws(1, 2, 'a'),
      throws(2, 1, 'a'),
      throws(1, 3, 'a'),
      throws(1, -2, 'a'),
      throws(1, 2, 'b'),
    ];
    assert.equal(new Set(others).size, others.length);
    assert.match(others[0] ?? '', /^[0-9a-f]{24}$/);
  });

  it('returns every number of a range about equally often', () => {
    const counts = [0, 0, 0, 0, 0, 0];
    for (let index = 0; index < 6_000; index++) {
      const number = new Dice(1, index).between('die', 1, 6);
      counts[number - 1] = (counts[number - 1] ?? NaN) + 1;
    }
    assert.ok(
      counts.every((count) => count > 850 && count < 1_150),
      counts.join(),
    );
  });

  it('deals every card once per round, in changing order', () => {
    const pack = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const rounds = Array.from({ length: 50 }, (_, round) =>
      pack.map((_card, place) =>
        deal(1, round * pack.length + place, 'cards', pack),
      ),
    );
    for (const round of rounds) assert.deepEqual(round.toSorted(), pack);
    assert.ok(new Set(rounds.map((round) => round.join(''))).size > 20);
  });
});
