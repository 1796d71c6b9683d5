import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  hasDuplicateKeys,
  parseExactly,
} from '../../../../src/service/http/exactJson.ts';

describe('exact JSON', () => {
  it('keeps numbers that JavaScript would round, character by character', () => {
    const numbers = [
      '1234567890123456789',
      '-9007199254740993',
      '1e400',
      '-1E+400',
      '1e-400',
    ];
    const more = [
      '0.1000000000000000055',
      '123456789.12345678901234567',
      '12345678901234567890e-3',
    ];
    for (const number of [...numbers, ...more]) {
      const text = `{"a":[${number},"x"],"__proto__":{"b":${number}}}`;
      assert.equal(JSON.stringify(parseExactly(text)), text);
    }
  });

  it('returns plain numbers for all others, however they are spelled', () => {
    const text =
      '{"a":[30.0,1E5,1e-07,0.30000000000000004,9007199254740991,1.5000000000000000000,1e100,-1.0e+105]}';
    assert.deepEqual(parseExactly(text), JSON.parse(text));
  });

  it('leaves strings alone, and is otherwise like JSON.parse', () => {
    const some = fc.constantFrom(
      '1234567890123456789',
      '1e400',
      '"',
      '\\',
      '\\"',
      ': ',
      '{',
      '[1e400]',
    );
    const text = fc
      .array(fc.oneof(some, fc.string({ maxLength: 3 })), { maxLength: 6 })
      .map((all) => all.join(''));
    const value = fc.oneof(
      text,
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
    );
    fc.assert(
      fc.property(fc.dictionary(text, fc.array(value)), (given) => {
        const json = JSON.stringify({ ...given, last: '1234567890123456789' });
        assert.deepEqual(parseExactly(json), JSON.parse(json));
      }),
      { numRuns: 1_000 },
    );
    for (const broken of [
      '01234567890123456789',
      '[1234567890123456789',
      '{"a":1.2.34567890123456789}',
      '"1e400',
    ])
      assert.throws(() => parseExactly(broken), SyntaxError, broken);
  });

  it('finds names that an object has twice', () => {
    for (const text of [
      '{"a":1,"a":1}',
      '[{"a":{"b":1,"\\u0062":2}}]',
      '{"a":"}","a":{}}',
    ])
      assert.equal(hasDuplicateKeys(text), true, text);
    for (const text of ['{"a":{"a":1},"b":":"}', '[1,"a\\":"]', '"a:"', '1'])
      assert.equal(hasDuplicateKeys(text), false, text);
  });
});
