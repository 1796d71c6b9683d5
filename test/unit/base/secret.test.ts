import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { mask, Secret } from '../../../src/base/secret.ts';

describe('a secret', () => {
  const secret = new Secret('canary-value');

  it('prints as a mask of fixed length in strings, JSON and inspected values', () => {
    const other = new Secret('x');
    const prints: ((value: unknown) => string)[] = [
      String,
      (value) => JSON.stringify(value),
      (value) => inspect(value),
    ];
    for (const print of prints) {
      assert.doesNotMatch(print({ secret }), /canary/);
      assert.equal(print(secret), print(other));
      assert.ok(print(secret).includes(mask));
    }
    assert.equal(
      inspect(secret, { showHidden: true, depth: 9 }).includes('canary'),
      false,
    );
    assert.deepEqual(Object.keys(secret), []);
  });

  it('reveals its value on request', () => {
    assert.equal(secret.reveal(), 'canary-value');
  });
});
