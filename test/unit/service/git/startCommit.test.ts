import assert from 'node:assert/strict';
import { startCommit } from '../../../../src/service/git/startCommit.ts';

const minute = 60_000;
const createdAt = Date.UTC(2026, 0, 1);
const now = createdAt + 60 * minute;

describe('the commit at which a conversation began', () => {
  /** Commits, the newest first, by minutes since the creation. */
  const startOf = (...minutes: readonly (number | undefined)[]) =>
    startCommit(
      minutes.map((since, index) => ({
        sha: String(index),
        subject: '',
        author: undefined,
        at: since === undefined ? undefined : createdAt + since * minute,
      })),
      createdAt,
      now,
    )?.sha;

  it('precedes the commits made since then', () => {
    assert.equal(startOf(20, 10, -10, -20), '2');
    assert.equal(startOf(-10, -20), '0');
    assert.equal(startOf(10, 0), '1');
  });

  it('lies below an older commit that the agent picked', () => {
    assert.equal(startOf(-500, 10, -10), '2');
    assert.equal(startOf(20, -500, -400, 10, -10), '4');
  });

  it('stays above a commit of a machine whose clock was ahead', () => {
    assert.equal(startOf(10, -10, 20_000_000, -20), '1');
  });

  it('stays unknown if no listed commit is older', () => {
    assert.equal(startOf(20, 10), undefined);
    assert.equal(startOf(undefined, undefined), undefined);
    assert.equal(startOf(), undefined);
  });
});
