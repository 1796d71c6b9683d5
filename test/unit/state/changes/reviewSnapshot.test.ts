import assert from 'node:assert/strict';
import type {
  ChangedFile,
  ChangedFiles,
  FileSides,
} from '../../../../src/service/abilities/fileChanges.ts';
import {
  type Baseline,
  baselineOf,
  contentsOf,
} from '../../../../src/state/changes/baselines.ts';
import { asListed } from '../../../../src/state/changes/fileReviews.ts';
import {
  emptyReview,
  markStates,
  shownFile,
  withReviews,
} from '../../../../src/state/changes/reviewSnapshot.ts';

const fileAt = (path: string, version?: string): ChangedFile => ({
  path,
  status: 'updated',
  from: undefined,
  version,
  modes: { before: undefined, after: undefined },
  binary: false,
});

const listOf = (...files: readonly ChangedFile[]): ChangedFiles => ({
  since: 'start',
  files,
  root: '/work',
  patch: {
    bytes: new Uint8Array(),
    base: 'a'.repeat(40),
    head: undefined,
    branch: undefined,
  },
});

const sidesWith = (text: string, exact = true): FileSides => ({
  before: { kind: 'none' },
  after: { kind: 'bytes', bytes: Buffer.from(text), exact },
});

const keptOf = (...marks: readonly Baseline[]) => ({
  reviewed: new Map(marks.map((mark) => [mark.path, mark])),
  message: undefined,
});

const markOf = (file: ChangedFile, sides?: FileSides): Baseline =>
  baselineOf(listOf(file), file, sides) ?? assert.fail();

describe('the snapshot of a review', () => {
  it('claims nothing until the marks are read, and without a list', () => {
    const file = fileAt('a.ts', '1');
    const unread = withReviews(emptyReview, listOf(file));
    assert.deepEqual([unread.reviewed, unread.message], [[], []]);
    const kept = keptOf(markOf(file));
    const unlisted = withReviews({ ...emptyReview, kept }, undefined);
    assert.deepEqual([unlisted.reviewed, unlisted.message], [[], []]);
    assert.deepEqual(markStates(unlisted), []);
  });

  it('takes the version of a file or the contents that were read for proof, and nothing else', () => {
    const versioned = fileAt('a.ts', '1');
    const named = fileAt('b.ts');
    const kept = keptOf(markOf(versioned), markOf(named, sidesWith('B')));
    const states = (files: ChangedFiles, contents: readonly FileSides[] = []) =>
      withReviews(
        {
          ...emptyReview,
          kept,
          contents: new Map(
            contents.map((sides) => ['b.ts', contentsOf(named, sides)]),
          ),
        },
        files,
      ).reviewed.map(({ state }) => state);
    const files = listOf(versioned, named);
    assert.deepEqual(states(files), ['reviewed', 'changedAgain']);
    assert.deepEqual(states(files, [sidesWith('B')]), ['reviewed', 'reviewed']);
    assert.deepEqual(states(files, [sidesWith('evil')]), [
      'reviewed',
      'changedAgain',
    ]);
    assert.deepEqual(
      states(listOf(fileAt('a.ts', '2'), named), [sidesWith('B')]),
      ['changedAgain', 'reviewed'],
    );
  });

  it('keeps the files since a message apart from the marks', () => {
    const marked = fileAt('a.ts', '1');
    const sent = fileAt('b.ts', '1');
    const kept = {
      ...keptOf(markOf(marked)),
      message: { id: 'm1', files: [markOf(sent)] },
    };
    const snapshot = withReviews(
      { ...emptyReview, kept },
      listOf(marked, sent, fileAt('c.ts', '1')),
    );
    const states = (scope: 'reviewed' | 'message') =>
      snapshot[scope].map(({ state }) => state);
    assert.deepEqual(states('reviewed'), ['reviewed', 'new', 'new']);
    assert.deepEqual(states('message'), ['new', 'reviewed', 'new']);
    assert.deepEqual(markStates(snapshot), [['a.ts', 'reviewed']]);
  });

  it('has the states of marked files also when they are no longer changed', () => {
    const kept = keptOf(markOf(fileAt('a.ts', '1')));
    const snapshot = withReviews({ ...emptyReview, kept }, listOf());
    assert.deepEqual(markStates(snapshot), [['a.ts', 'changedBack']]);
  });

  it('has no version of a file whose contents were shown of another version', () => {
    const file = fileAt('a.ts', '1');
    const sides = sidesWith('A');
    const unproven = asListed({ ...file, version: undefined });
    assert.deepEqual(shownFile(file, sides, undefined), asListed(file));
    assert.deepEqual(shownFile(file, sides, file), asListed(file));
    assert.deepEqual(shownFile(file, sides, fileAt('a.ts', '2')), unproven);
    assert.deepEqual(shownFile(file, sidesWith('A', false), file), unproven);
    assert.deepEqual(
      shownFile(file, { ...sides, after: { kind: 'unknown' } }, file),
      unproven,
    );
  });
});
