import assert from 'node:assert/strict';
import { isEqual } from '../../../src/base/same.ts';
import { Secret } from '../../../src/base/secret.ts';

describe('the comparison of two values', () => {
  const alike: readonly (readonly [unknown, unknown])[] = [
    [1, 1],
    [NaN, NaN],
    [undefined, undefined],
    ['a', 'a'],
    [
      [1, [2, 3]],
      [1, [2, 3]],
    ],
    [
      { a: 1, b: { c: [null] } },
      { b: { c: [null] }, a: 1 },
    ],
    [new Secret('x'), new Secret('x')],
    [
      { link: { shown: 'a', full: new Secret('x') } },
      { link: { shown: 'a', full: new Secret('x') } },
    ],
  ];
  const different: readonly (readonly [unknown, unknown])[] = [
    [1, '1'],
    [null, undefined],
    [null, {}],
    [[], {}],
    [[1, 2], [1]],
    [{ a: undefined }, {}],
    [{ a: undefined }, { b: undefined }],
    [{ a: 1 }, { a: 1, b: undefined }],
    [{ toString: undefined }, { valueOf: undefined }],
    [new Secret('x'), new Secret('y')],
    [new Secret('x'), {}],
    [{}, new Secret('x')],
    [new Secret('x'), 'x'],
  ];

  it('treats values with equal data as equal', () => {
    for (const [a, b] of alike)
      assert.equal(isEqual(a, b), true, JSON.stringify([a, b]));
  });

  it('finds any difference, even inside a secret', () => {
    for (const [a, b] of different) {
      assert.equal(isEqual(a, b), false, JSON.stringify([a, b]));
      assert.equal(isEqual(b, a), false, JSON.stringify([b, a]));
    }
  });
});
