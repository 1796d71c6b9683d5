import assert from 'node:assert/strict';
import { joinParts, present } from '../../../src/base/parts.ts';

describe('a text of parts', () => {
  it('leaves out missing and empty ones', () => {
    assert.equal(joinParts(' · ', 'a', undefined, false, '', 'b'), 'a · b');
    assert.equal(joinParts(', '), '');
  });
});

describe('a list of parts', () => {
  it('leaves out missing ones, and keeps empty texts', () => {
    assert.deepEqual(present('a', undefined, false, ''), ['a', '']);
  });
});
