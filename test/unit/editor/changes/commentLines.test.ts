import assert from 'node:assert/strict';
import {
  isSameDocument,
  selectedLines,
} from '../../../../src/editor/changes/commentLines.ts';
import type { ChangesAddress } from '../../../../src/editor/changes/diffDocument.ts';
import type { CommentPlace } from '../../../../src/state/changes/reviews.ts';

describe('the place of a comment', () => {
  it('has the lines of the selection, without the line after it', () => {
    for (const [start, end, lines] of [
      [
        [2, 0],
        [2, 0],
        [2, 2],
      ],
      [
        [2, 3],
        [2, 9],
        [2, 2],
      ],
      [
        [2, 3],
        [4, 1],
        [2, 4],
      ],
      [
        [2, 3],
        [4, 0],
        [2, 3],
      ],
      [
        [2, 0],
        [4, 0],
        [2, 4],
      ],
    ] as const) {
      const selection = {
        start: { line: start[0], character: start[1] },
        end: { line: end[0], character: end[1] },
      };
      const { first, last } = selectedLines(selection);
      assert.deepEqual([first, last], lines, JSON.stringify(selection));
    }
  });
});

describe('a comment beside a document', () => {
  const address: ChangesAddress = {
    key: 'http://localhost:8000 c1',
    since: 'start',
    side: 'after',
    path: 'a.txt',
    inWords: true,
  };
  const isBeside = (
    comment: Partial<Pick<CommentPlace, 'since' | 'side' | 'path'>>,
    fields: Partial<ChangesAddress> = {},
  ) =>
    isSameDocument(
      { since: 'start', side: 'after', path: 'a.txt', ...comment },
      { ...address, ...fields },
    );

  it('belongs to the same side of the same file', () => {
    assert.equal(isBeside({}), true);
    assert.equal(isBeside({ path: 'b.txt' }), false);
    assert.equal(isBeside({ side: 'before' }), false);
    assert.equal(isBeside({ side: 'before' }, { side: 'before' }), true);
  });

  it('appears in every diff that ends at the present files', () => {
    assert.equal(isBeside({ since: 'lastCommit' }), true);
    assert.equal(isBeside({ since: 'reviewed' }, { since: 'message' }), true);
    const before = { side: 'before' } as const;
    assert.equal(isBeside({ ...before, since: 'lastCommit' }, before), false);
  });

  it('stays with its own commit', () => {
    const commit = { commit: 'abc' };
    assert.equal(isBeside({ since: commit }, { since: { ...commit } }), true);
    assert.equal(isBeside({ since: commit }), false);
    assert.equal(
      isBeside({ since: commit }, { since: { commit: 'd' } }),
      false,
    );
  });
});
