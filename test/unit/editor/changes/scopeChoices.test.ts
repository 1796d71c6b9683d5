import assert from 'node:assert/strict';
import {
  commitChoices,
  namedChoices,
} from '../../../../src/editor/changes/scopeChoices.ts';

describe('the choice of changes to show', () => {
  const history = { knowsMessage: true, progress: undefined, isOwn: true };
  const scopes = (fields: Partial<typeof history> = {}) =>
    namedChoices({ ...history, ...fields }).map(({ scope }) => scope);

  it('begins with what is left to review, and offers the last message only if it is known', () => {
    assert.deepEqual(scopes(), ['reviewed', 'start', 'message', 'lastCommit']);
    assert.deepEqual(scopes({ knowsMessage: false }), [
      'reviewed',
      'start',
      'lastCommit',
    ]);
  });

  it('says how much is left once a file was reviewed', () => {
    const [toReview] = namedChoices({
      ...history,
      progress: { left: 2, all: 3 },
    });
    assert.equal(toReview?.description, '2 of 3 to review');
    assert.equal(namedChoices(history)[0]?.description, '');
  });

  it('warns of earlier changes in a folder that others use', () => {
    const detail = (isOwn: boolean) =>
      namedChoices({ ...history, isOwn })[1]?.detail;
    assert.equal(detail(true), undefined);
    assert.match(detail(false) ?? '', /already uncommitted/);
  });

  it('has the commits since the conversation began, to the second', () => {
    const createdAt = 1_000_500;
    const at = (time: number | undefined) => ({
      sha: `${'a'.repeat(39)}${time === undefined ? 'x' : time % 10}`,
      subject: 'Fix `it` $(bell)',
      author: undefined,
      at: time,
    });
    const scopeOf = (sha: string) => ({ commit: sha });
    const choices = (times: readonly (number | undefined)[], from?: number) =>
      commitChoices(times.map(at), from, scopeOf);
    assert.equal(choices([999_499, 999_500, 2_000_000], createdAt).length, 2);
    assert.equal(choices([undefined], createdAt).length, 1);
    assert.equal(choices([1]).length, 1);
    const [choice] = choices([undefined]);
    assert.equal(choice?.description, 'aaaaaaaa');
    assert.doesNotMatch(choice.label, /\$\(bell\)/);
    assert.deepEqual(choice.scope, { commit: `${'a'.repeat(39)}x` });
  });
});
