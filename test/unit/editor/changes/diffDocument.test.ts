import assert from 'node:assert/strict';
import {
  type ChangesAddress,
  documentBytes,
  effectOf,
  queryOf,
  readQuery,
  sidesOf,
} from '../../../../src/editor/changes/diffDocument.ts';
import type {
  ChangedFile,
  FileSide,
} from '../../../../src/service/abilities/fileChanges.ts';
import type { ChangedAgain } from '../../../../src/state/changes/changedFiles.ts';
import type { ChangesScope } from '../../../../src/state/changes/changesScope.ts';
import type { Baseline } from '../../../../src/state/changes/baselines.ts';
import type { FileReview } from '../../../../src/state/changes/fileReviews.ts';

const key = 'http://localhost:8000 c1';
const address: ChangesAddress = {
  key,
  since: 'start',
  side: 'after',
  path: 'a b/ü.txt',
  inWords: true,
};
const file = (fields: Partial<ChangedFile> = {}) =>
  ({ path: 'a.txt', status: 'modified', ...fields }) as ChangedFile;

describe('the address of a document of a diff', () => {
  it('survives a restart in its query, for every scope', () => {
    const scopes: readonly ChangesScope[] = [
      'start',
      'lastCommit',
      'reviewed',
      'message',
      'after:0123456789012345678901234567890123456789',
      { commit: 'abc' },
    ];
    for (const since of scopes)
      for (const side of ['before', 'after'] as const) {
        const one = { ...address, since, side };
        assert.deepEqual(readQuery(queryOf(one)), one);
      }
  });

  it('rejects a query of another format', () => {
    const fields = [key, 'start', 'after', 'a.txt', true];
    assert.ok(readQuery(JSON.stringify(fields)));
    for (const [index, value] of [
      [0, 'nokey'],
      [0, 1],
      [1, 'later'],
      [1, null],
      [2, 'beside'],
      [3, 3],
      [4, 'true'],
    ] as const)
      assert.equal(
        readQuery(JSON.stringify(fields.with(index, value as string))),
        undefined,
        String(value),
      );
    for (const query of ['', 'a', 'null', '{}', '[]'])
      assert.equal(readQuery(query), undefined, query);
  });
});

describe('the diff of a file', () => {
  const baseline: Baseline = {
    path: 'a.txt',
    status: 'updated',
    version: undefined,
    contents: undefined,
    kept: undefined,
  };
  const sides = (
    scope: ChangesScope,
    fields: Partial<ChangedFile>,
    state: 'new' | 'changedAgain' = 'new',
  ) => {
    const review: FileReview =
      state === 'new'
        ? { file: file(fields), state, baseline: undefined }
        : { file: file(fields), state, baseline };
    const { hasBefore, hasAfter, from } = sidesOf(scope, review);
    return [hasBefore, hasAfter, from];
  };

  it('leaves out a side that does not exist before or after the change', () => {
    assert.deepEqual(sides('start', {}), [true, true, undefined]);
    assert.deepEqual(sides('start', { status: 'added' }), [
      false,
      true,
      undefined,
    ]);
    assert.deepEqual(sides('start', { status: 'deleted' }), [
      true,
      false,
      undefined,
    ]);
  });

  it('compares an added file with what was reviewed of it', () => {
    const added = { status: 'added' } as const;
    assert.deepEqual(sides('reviewed', added, 'changedAgain')[0], true);
    assert.deepEqual(sides('message', added, 'changedAgain')[0], true);
    assert.deepEqual(sides('reviewed', added, 'new')[0], false);
    assert.deepEqual(sides('start', added, 'changedAgain')[0], false);
  });

  it('shows the former path until the file was reviewed', () => {
    const moved = { status: 'moved', from: 'old.txt' } as Partial<ChangedFile>;
    assert.equal(sides('start', moved)[2], 'old.txt');
    assert.equal(sides('reviewed', moved, 'changedAgain')[2], undefined);
  });
});

describe('a document of a diff', () => {
  const bytes = (content: string | Uint8Array): FileSide => ({
    kind: 'bytes',
    bytes: Buffer.from(content),
    exact: true,
  });
  const text = (side: FileSide, inWords: boolean) =>
    Buffer.from(documentBytes(side, inWords)).toString();

  it('has the content of the file, whole in a tab of its own', () => {
    const long = 'x'.repeat(1_000_001);
    for (const content of ['', 'a\n', 'a\0b', long])
      assert.equal(text(bytes(content), false), content);
    assert.equal(text(bytes('a\n'), true), 'a\n');
    assert.equal(text(bytes('x'.repeat(1_000_000)), true).length, 1_000_000);
  });

  it('describes a binary or large file among others, differently for each content', () => {
    const described = ['a\0b', 'a\0c', 'x'.repeat(1_000_001)].map((content) =>
      text(bytes(content), true),
    );
    assert.equal(new Set(described).size, 3);
    for (const words of described) assert.match(words, /[0-9a-f]{16}/);
    const lateNull = `${'x'.repeat(8_000)}\0`;
    assert.equal(text(bytes(lateNull), true), lateNull);
  });
});

describe('a reload of changes', () => {
  const change = (fields: Partial<ChangedAgain> = {}): ChangedAgain => ({
    key,
    since: 'start',
    different: new Set<string>(),
    more: [],
    ...fields,
  });
  const at = (
    path: string,
    fields: Partial<ChangesAddress> = {},
    hasFailed = false,
  ) => ({ address: { ...address, path, ...fields }, hasFailed });
  const stalePaths = (
    ...[news, documents]: Parameters<typeof effectOf<ReturnType<typeof at>>>
  ) => effectOf(news, documents).stale.map(({ address: { path } }) => path);

  it('renews the open documents that differ or show a failure', () => {
    const documents = [at('a'), at('b'), at('c', {}, true)];
    const different = new Set(['b', 'x']);
    assert.deepEqual(stalePaths(change({ different }), documents), ['b', 'c']);
  });

  it('renews nothing of another conversation or scope', () => {
    const different = new Set(['a']);
    const news = change({ different });
    assert.deepEqual(stalePaths(news, [at('a', { key: 'x y' })]), []);
    assert.deepEqual(stalePaths(news, [at('a', { since: 'lastCommit' })]), []);
    // These are compared with the start, too.
    assert.deepEqual(stalePaths(news, [at('a', { since: 'reviewed' })]), ['a']);
    const commit = { commit: 'abc' };
    assert.deepEqual(
      stalePaths(change({ different, since: { ...commit } }), [
        at('a', { since: commit }),
      ]),
      ['a'],
    );
  });

  it('has more files if one is not open and another one is', () => {
    const more = [file({ path: 'a' }), file({ path: 'b' })];
    const hasMore = (documents: Parameters<typeof effectOf>[1]) =>
      effectOf(change({ more }), documents).hasMoreFiles;
    assert.equal(hasMore([at('a')]), true);
    assert.equal(hasMore([at('a'), at('b')]), false);
    assert.equal(hasMore([]), false);
    assert.equal(hasMore([at('z', { key: 'x y' })]), false);
  });
});
