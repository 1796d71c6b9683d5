import assert from 'node:assert/strict';
import { saltedDigest } from '../../../../src/mcp/format/saltedDigest.ts';

describe('a salted digest', () => {
  it('equals that of the same members in any order, and differs by value and by salt', () => {
    const digest = saltedDigest(
      new Map<string, string | string[]>([
        ['a', '1'],
        ['b', ['x']],
      ]),
      'salt',
    );
    assert.equal(
      saltedDigest(
        new Map<string, string | string[]>([
          ['b', ['x']],
          ['a', '1'],
        ]),
        'salt',
      ),
      digest,
    );
    assert.notEqual(saltedDigest(new Map([['a', '1']]), 'salt'), digest);
    assert.notEqual(
      saltedDigest(
        new Map<string, string | string[]>([
          ['a', '1'],
          ['b', ['x']],
        ]),
        'other',
      ),
      digest,
    );
  });
});
