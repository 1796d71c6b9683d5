import assert from 'node:assert/strict';
import fc from 'fast-check';
import { applyEdits, type Edit } from 'jsonc-parser';
import { EditRounds } from '../../../../src/mcp/problems/fixAll.ts';

describe('a series of edits in several rounds', () => {
  it('merges into few edits of the first text', () => {
    const rounds = new EditRounds('one two three');
    rounds.apply([{ offset: 4, length: 3, content: 'zwei' }]);
    rounds.apply([
      { offset: 0, length: 0, content: '(' },
      { offset: 14, length: 0, content: ')' },
    ]);
    rounds.apply([{ offset: 3, length: 3, content: 'e d' }]);
    assert.deepEqual(rounds.edits, [
      { offset: 0, length: 0, content: '(' },
      { offset: 2, length: 5, content: 'e dwei' },
      { offset: 13, length: 0, content: ')' },
    ]);
    assert.deepEqual(new EditRounds('').edits, []);
  });

  it('has the same result merged or one after the other', () => {
    const cut = fc.record({
      gap: fc.nat(5),
      length: fc.nat(5),
      content: fc.constantFrom('', 'x', 'yz', '-----'),
    });
    fc.assert(
      fc.property(
        fc.string({ maxLength: 30 }),
        fc.array(fc.array(cut, { maxLength: 4 }), { maxLength: 5 }),
        (text, all) => {
          const rounds = new EditRounds(text);
          let now = text;
          for (const cuts of all) {
            const edits: Edit[] = [];
            let at = 0;
            for (const { gap, length, content } of cuts) {
              const offset = at + gap;
              if (offset + length > now.length) break;
              edits.push({ offset, length, content });
              at = offset + length + 1;
            }
            rounds.apply(edits.toReversed());
            now = applyEdits(now, edits);
          }
          assert.equal(applyEdits(text, rounds.edits), now);
          let reached = -1;
          for (const { offset, length } of rounds.edits) {
            assert(offset > reached);
            reached = offset + length;
          }
        },
      ),
      { numRuns: 2000 },
    );
  });
});
