import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import {
  entriesOf,
  hiddenName,
  SharedValue,
  withEntry,
} from '../../../src/files/sharedValue.ts';
import { contentOf, scratchFolder } from '../../support/files/scratch.ts';

type Counts = ReadonlyMap<string, number>;

const countsIn = (stored: unknown): Counts =>
  entriesOf(stored, (count) => typeof count === 'number');

describe('a value that windows share', () => {
  const folder = scratchFolder();
  const file = () => folder.path('inner', 'counts.json');
  const open = (path: string | undefined = file()) =>
    new SharedValue(path, countsIn);
  const put = (name: string, count: number | undefined) => (before: Counts) =>
    withEntry(before, name, count, 2);

  it('reaches another window at its next read', async () => {
    const [one, other] = [open(), open()];
    let changes = 0;
    other.onChange(() => changes++);
    await one.change(put('a', 1));
    assert.deepEqual([one.value.get('a'), other.value.size], [1, 0]);
    await other.read();
    await other.read();
    assert.deepEqual([...other.value], [['a', 1]]);
    assert.equal(changes, 1);
  });

  it('contains the changes of all windows that change it at once', async () => {
    const windows = Array.from({ length: 6 }, () => open());
    await Promise.all(
      windows.map((window) =>
        window.change((before) =>
          withEntry(before, 'sum', (before.get('sum') ?? 0) + 1, 1),
        ),
      ),
    );
    assert.equal(await contentOf(file()), '[["sum",6]]');
  });

  it('stays unwritten by a change that changes nothing', async () => {
    const window = open();
    await window.change((before) => before);
    await assert.rejects(contentOf(file()), { code: 'ENOENT' });
  });

  it('stays as it was if the file cannot be read', async () => {
    const window = open();
    await window.change(put('a', 1));
    await rm(file());
    await window.read();
    assert.equal(window.value.get('a'), 1);
  });

  it('becomes empty if the file is of another format', async () => {
    const window = open();
    await window.change(put('a', 1));
    await writeFile(file(), 'no JSON');
    await window.read();
    assert.equal(window.value.size, 0);
    await writeFile(file(), '[["a","x"],"b",["c",3],[4,5]]');
    await window.read();
    assert.deepEqual([...window.value], [['c', 3]]);
    await writeFile(file(), '{}');
    await window.read();
    assert.equal(window.value.size, 0);
    const unread = open(folder.path());
    await unread.read();
    assert.equal(unread.value.size, 0);
  });

  it('changes in this window alone if that is wanted, or without a file', async () => {
    const [window, other] = [open(), open()];
    let changes = 0;
    window.onChange(() => changes++);
    window.changeHere(put('a', 1));
    assert.equal(changes, 1);
    await other.read();
    assert.deepEqual([window.value.get('a'), other.value.size], [1, 0]);
    const alone = new SharedValue(undefined, countsIn);
    await alone.change(put('a', 1));
    await alone.read();
    assert.equal(alone.value.get('a'), 1);
  });

  it('rejects a change that other windows would not see', async () => {
    mkdirSync(file(), { recursive: true });
    const window = open();
    await assert.rejects(window.change(put('a', 1)));
    assert.equal(window.value.size, 0);
  });

  it('forgets the oldest entries, and deletes one without a value', () => {
    let counts: Counts = new Map();
    for (const [name, count] of [
      ['a', 1],
      ['b', 2],
      ['a', 3],
      ['c', 4],
    ] as const)
      counts = put(name, count)(counts);
    assert.deepEqual(
      [...counts],
      [
        ['a', 3],
        ['c', 4],
      ],
    );
    assert.deepEqual([...put('a', undefined)(counts)], [['c', 4]]);
  });

  it('has names that do not tell what they stand for', () => {
    // Names are remembered, so each key is a new one.
    const [one, other] = [randomUUID(), randomUUID()];
    assert.match(hiddenName(one), /^[\w-]{16}$/);
    assert.notEqual(hiddenName(one), hiddenName(other));
    assert.equal(hiddenName(one), hiddenName(one));
  });
});
