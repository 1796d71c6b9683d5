import assert from 'node:assert/strict';
import {
  isReviewScope,
  readScope,
  sinceOf,
} from '../../../../src/state/changes/changesScope.ts';

describe('a stored scope of changes', () => {
  const sha = 'c0ffee00'.repeat(5);

  it('keeps its value if it is one', () => {
    for (const scope of [
      'start',
      'lastCommit',
      'reviewed',
      'message',
      `after:${sha}`,
    ])
      assert.equal(readScope(scope), scope);
    assert.deepEqual(readScope({ commit: sha, more: 1 }), { commit: sha });
  });

  it('reads nothing else', () => {
    for (const odd of [
      undefined,
      null,
      '',
      'all',
      'after:',
      `after:${sha}x`,
      1,
      {},
      { commit: 1 },
    ])
      assert.equal(readScope(odd), undefined, JSON.stringify(odd));
  });

  it('covers all changes where it leaves out what was seen', () => {
    assert.deepEqual(
      (['reviewed', 'message', 'start', 'lastCommit'] as const).map((scope) => [
        isReviewScope(scope),
        sinceOf(scope),
      ]),
      [
        [true, 'start'],
        [true, 'start'],
        [false, 'start'],
        [false, 'lastCommit'],
      ],
    );
  });
});
