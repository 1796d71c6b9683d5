import assert from 'node:assert/strict';
import { withEdits, smallestEdit } from '../../../../src/mcp/text/withEdits.ts';

describe('the smallest edit between two texts', () => {
  for (const [before, after, edit] of [
    ['abcd', 'abXcd', { offset: 2, length: 0, content: 'X' }],
    ['abcd', 'ad', { offset: 1, length: 2, content: '' }],
    ['abcd', 'aXYd', { offset: 1, length: 2, content: 'XY' }],
    ['aaa', 'aa', { offset: 2, length: 1, content: '' }],
    ['a', 'a', { offset: 1, length: 0, content: '' }],
    ['', 'a', { offset: 0, length: 0, content: 'a' }],
  ] as const) {
    it(`turns ${JSON.stringify(before)} into ${JSON.stringify(after)}`, () => {
      assert.deepEqual(smallestEdit(before, after), edit);
      assert.equal(withEdits(before, [edit]), after);
    });
  }
});
