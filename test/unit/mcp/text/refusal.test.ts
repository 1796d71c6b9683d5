import assert from 'node:assert/strict';
import { positionAt, positionsIn } from '../../../../src/mcp/text/refusal.ts';

describe('a place in a text', () => {
  const text = '{\r\n  "a": 1,\r  "b": 2\n\n}';

  it('has the line and the column that editors show', () => {
    const position = positionsIn(text);
    const places = ['{', '"a"', '1', '"b"', '\n\n', '}'].map((part) =>
      position(text.indexOf(part)),
    );
    assert.deepEqual(
      places.map(({ line, column }) => [line, column]),
      [
        [1, 1],
        [2, 3],
        [2, 8],
        [3, 3],
        [3, 9],
        [5, 1],
      ],
    );
  });

  it('gives the same result for a single place as for many', () => {
    const position = positionsIn(text);
    for (let offset = 0; offset <= text.length; offset++) {
      // Within a line break of two characters, there is no place.
      if (text.slice(offset - 1, offset + 1) === '\r\n') continue;
      assert.deepEqual(
        positionAt(text, offset),
        position(offset),
        String(offset),
      );
    }
  });

  it('does not count a byte order mark as a column', () => {
    assert.deepEqual(positionAt('\uFEFF{}', 1), {
      offset: 1,
      line: 1,
      column: 1,
    });
  });
});
