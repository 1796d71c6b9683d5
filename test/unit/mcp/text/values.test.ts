import assert from 'node:assert/strict';
import { readUnfinished } from '../../../../src/mcp/text/reader.ts';
import { readText } from '../../../../src/mcp/text/reader.ts';
import {
  sameValue,
  type Value,
  valueOf,
} from '../../../../src/mcp/text/values.ts';

const parseValue = (text: string): Value => {
  const [member] = readText(`{"value": ${text}}`).root.members;
  assert(member);
  return valueOf(member.value);
};
const same = (one: string, other: string) =>
  sameValue(parseValue(one), parseValue(other));

describe('a value', () => {
  it('keeps keys with any name, and the last of two equal keys', () => {
    assert.deepEqual(
      parseValue('{"__proto__": [1, {"a": null}], "b": 1, "b": "\\u0061", }'),
      new Map<string, unknown>([
        ['__proto__', [1, new Map([['a', null]])]],
        ['b', 'a'],
      ]),
    );
  });

  it('reads as null while it is missing', () => {
    const value = readUnfinished('{"a": }').root.members[0]?.value;
    assert(value);
    assert.equal(valueOf(value), null);
  });

  it('equals a value with the same members in another order', () => {
    assert(same('{"a":1,"b":[true,{}]}', '{"b":[true,{}],"a":1.0}'));
  });

  it('differs when a type, length, key or member differs', () => {
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
