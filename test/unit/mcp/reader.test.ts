import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parse, type ParseError } from 'jsonc-parser';
import { limits, readText } from '../../../src/mcp/reader.ts';
import { Refusal } from '../../../src/mcp/refusal.ts';
import { drawText, Tape } from '../../support/configTexts.ts';

function refusal(text: string): Refusal {
  try {
    readText(text);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error('It was read.');
}

describe('a text that is not JSON', () => {
  for (const [text, message] of [
    ['{', 'Line 1, column 2: the text ends here, and a name in double quotes is missing.'],
    ['{"a"', 'Line 1, column 5: the text ends here, and a colon is missing.'],
    ['{"a" 1}', 'Line 1, column 6: a colon is missing.'],
    ['{"a":', 'Line 1, column 6: the text ends here, and a value is missing.'],
    ['{"a":}', 'Line 1, column 6: a value is missing.'],
    ['{"a":[1 2]}', 'Line 1, column 9: a comma or "]" is missing.'],
    ['{"a":{"b":{"c":1 "d":2}}}', 'Line 1, column 18: a comma or "}" is missing.'],
    ['{"a":{"b":{1:2}}}', 'Line 1, column 12: a name in double quotes is missing.'],
    ['{"a":[1}', 'Line 1, column 8: a comma or "]" is missing.'],
    ['{"a":[,]}', 'Line 1, column 7: a value is missing.'],
    ['{,}', 'Line 1, column 2: a name in double quotes is missing.'],
    ['{"a":01}', 'Line 1, column 7: a comma or "}" is missing.'],
    ['{"a":nul}', 'Line 1, column 6: a value is missing.'],
    ['{"a":"b}', 'Line 1, column 6: this string has no end on its line, or a control character in it.'],
    ['{"a":"\t"}', 'Line 1, column 6: this string has no end on its line, or a control character in it.'],
    ['{"a":"\\x"}', 'Line 1, column 7: JSON has no such escape in a string.'],
    ['{"a":"\\u12"}', 'Line 1, column 7: JSON has no such escape in a string.'],
    ['{} x', 'Line 1, column 4: there is something behind the end of the configuration.'],
    ['{} /* x', 'Line 1, column 4: this comment has no end.'],
    ['{/}', 'Line 1, column 2: "/" cannot stand here.'],
    ['// only a comment', 'Line 1, column 18: the text ends here, and a value is missing.'],
    ['\uFEFF{\r\n\r\n  x', 'Line 3, column 3: a name in double quotes is missing.'],
    ['\uFEFF}', 'Line 1, column 1: a value is missing.'],
    ['{\r"a"\n1', 'Line 3, column 1: a colon is missing.'],
  ] as const) {
    it(`is refused with the place: ${JSON.stringify(text)}`, () => {
      const { kind, message: actual, position } = refusal(text);
      assert.equal(kind, 'syntax');
      assert.equal(actual, message);
      assert(position);
    });
  }

  it('is what jsonc-parser finds errors in, and nothing else', () => {
    const bytes = fc.uint8Array({ minLength: 8, maxLength: 300, size: 'max' });
    fc.assert(
      fc.property(
        bytes,
        fc.nat(),
        fc.constantFrom(...Array.from('{}[]",:/*\\ \t\n0-1e.tn'), '', '"a":1,'),
        (tape, at, sign) => {
          const whole = drawText(new Tape(tape)).replace(/^\uFEFF/, '');
          const place = at % whole.length;
          const text = whole.slice(0, place) + sign + whole.slice(place + (at % 3));
          const errors: ParseError[] = [];
          parse(text, errors, { allowTrailingComma: true });
          if (errors.length > 0 && text.trim() !== '') assert.equal(refusal(text).kind, 'syntax');
          else {
            try {
              readText(text);
            } catch (error) {
              assert.equal(error instanceof Refusal && error.kind, 'wrongType', JSON.stringify(text));
            }
          }
        },
      ),
      { numRuns: 3000 },
    );
  });
});

describe('a text that is too much', () => {
  it('is refused when it is too long', () => {
    assert.equal(refusal(' '.repeat(limits.characters + 1)).kind, 'tooBig');
  });

  for (const [what, deep] of [
    ['lists', '[1,'.repeat(10_000)],
    ['objects', '{"a":'.repeat(10_000)],
  ] as const) {
    it(`is refused when it is nested too deep, without an overflow: ${what}`, () => {
      const { kind, position } = refusal(`{"mcpServers":${deep}`);
      assert.equal(kind, 'tooDeep');
      assert.equal(position?.line, 1);
    });
  }

  it('is read up to a depth that nobody writes', () => {
    const depth = limits.depth - 3;
    readText(`{"mcpServers":{"a":${'['.repeat(depth)}${']'.repeat(depth)}}}`);
  });
});

describe('a text whose root is no object', () => {
  for (const text of ['[]', '1', '"mcpServers"', 'null', '[{"a":[1,2,],},]']) {
    it(`is refused: ${text}`, () => {
      const { kind, message } = refusal(text);
      assert.equal(kind, 'wrongType');
      assert.equal(message, 'Line 1, column 1: the configuration is not a JSON object.');
    });
  }
});
