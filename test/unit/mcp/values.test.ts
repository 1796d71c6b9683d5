import assert from 'node:assert/strict';
import { readUnfinished } from '../../../src/mcp/reader.ts';
import { parseValue, sameValue, valueOf } from '../../../src/mcp/values.ts';

const same = (one: string, other: string) => sameValue(parseValue(one), parseValue(other));

describe('a value', () => {
  it('can have objects with any name, of which the last counts', () => {
    assert.deepEqual(
      parseValue('{"__proto__": [1, {"a": null}], "b": 1, "b": "\\u0061", }'),
      new Map<string, unknown>([
        ['__proto__', [1, new Map([['a', null]])]],
        ['b', 'a'],
      ]),
    );
  });

  it('is null while it is missing', () => {
    const value = readUnfinished('{"a": }').root.members[0]?.value;
    assert(value);
    assert.equal(valueOf(value), null);
  });

  it('is the same as one with the same members in another order', () => {
    assert(same('{"a":1,"b":[true,{}]}', '{"b":[true,{}],"a":1.0}'));
  });

  it('differs when anything differs', () => {
    for (const [one, other] of [
      ['1', '2'],
      ['1', '"1"'],
      ['[]', '{}'],
      ['{}', '[]'],
      ['{}', 'null'],
      ['[1]', '[1,2]'],
      ['[1]', '[2]'],
      ['{"a":1}', '{"b":1}'],
      ['{"a":1}', '{"a":2}'],
      ['{"a":1}', '{"a":1,"b":1}'],
    ] as const) {
      assert(!same(one, other), `${one} and ${other}`);
    }
  });
});
