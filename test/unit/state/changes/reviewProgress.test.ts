import assert from 'node:assert/strict';
import { copyFile, readdir, readFile, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Conversation,
  keyOf,
} from '../../../../src/service/model/entities.ts';
import type {
  ChangedFile,
  FileSide,
} from '../../../../src/service/abilities/fileChanges.ts';
import type { AgentLocations } from '../../../../src/state/conversation/agentLocations.ts';
import { ConversationChanges } from '../../../../src/state/changes/changedFiles.ts';
import { BaselineStore } from '../../../../src/state/changes/baselines.ts';
import type { ChangesScope } from '../../../../src/state/changes/changesScope.ts';
import {
  asListed,
  type FileReview,
  isLeft,
  progressOf,
} from '../../../../src/state/changes/fileReviews.ts';
import { ReviewProgress } from '../../../../src/state/changes/reviewProgress.ts';
import { Dice } from '../../../../src/demo/wire/random.ts';
import { ChangingFolder, tooLarge } from '../../../support/changingFolder.ts';
import { scratchFolder } from '../../../support/files/scratch.ts';
import { MemoryStore } from '../support.ts';
import { testRounds } from '../../../support/testRounds.ts';

const conversation = {
  service: 'http://service',
  id: 'one',
  updatedAt: 1,
} as unknown as Conversation;
const key = keyOf(conversation);
const call = { signal: new AbortController().signal };
const text = (side: FileSide | undefined) =>
  side?.kind === 'bytes' ? Buffer.from(side.bytes).toString() : side?.kind;

const leftOf = (reviews: readonly FileReview[]): readonly ChangedFile[] =>
  reviews.filter(isLeft).map(({ file }) => file);

describe('the review of what an agent changes', () => {
  const folder = scratchFolder();
  const stored = () => folder.path('reviewed');

  /** A window, perhaps after others were closed. */
  const open = (agent: ChangingFolder) =>
    new ReviewProgress(
      agent.changes(),
      new BaselineStore(stored()),
      () => agent.locations(),
      new MemoryStore(),
    );

  async function statesIn(
    window: ReviewProgress,
  ): Promise<Record<string, string>> {
    const reviews = await window.readReviews(conversation, call);
    return Object.fromEntries(
      reviews.map(({ file, state }) => [file.path, state]),
    );
  }

  /** Marks files as listed, without a look at their contents. */
  async function mark(
    window: ReviewProgress,
    files: readonly ChangedFile[],
  ): Promise<readonly ChangedFile[]> {
    return await window.mark(conversation, files.map(asListed), call);
  }

  async function markAll(window: ReviewProgress): Promise<readonly unknown[]> {
    return await mark(
      window,
      leftOf(await window.readReviews(conversation, call)),
    );
  }

  function agentWith(
    changed: Readonly<Record<string, string>>,
  ): ChangingFolder {
    const agent = new ChangingFolder({ 'a.ts': 'a\n', 'b.ts': 'b\n' });
    for (const [path, content] of Object.entries(changed))
      agent.now.set(path, { text: content });
    return agent;
  }

  it('keeps marks for the next window, and counts what is left', async () => {
    const agent = agentWith({ 'a.ts': 'A\n', 'b.ts': 'B\n' });
    const [first] = await open(agent).readReviews(conversation, call);
    await mark(open(agent), [first?.file ?? assert.fail()]);
    const next = open(agent);
    assert.deepEqual(await statesIn(next), {
      'a.ts': 'reviewed',
      'b.ts': 'new',
    });
    assert.deepEqual(progressOf(next.snapshot(key)?.reviewed), {
      left: 1,
      all: 2,
    });
    await next.unmark(key, ['a.ts']);
    assert.equal(progressOf(next.snapshot(key)?.reviewed), undefined);
    assert.equal(progressOf(undefined), undefined);
  });

  it('tells of reviews only when they are different, so that no list is redrawn under the pointer', async () => {
    const agent = agentWith({ 'a.ts': 'A\n', 'b.ts': 'B\n' });
    const window = open(agent);
    const told: string[] = [];
    window.onChange((of) => void told.push(of));
    const [first] = await window.readReviews(conversation, call);
    await window.readReviews(conversation, call);
    assert.deepEqual(told, []);
    await mark(window, [first?.file ?? assert.fail()]);
    assert.deepEqual(told, [key]);
    await window.readReviews(conversation, call);
    assert.deepEqual(told, [key]);
    await mark(
      open(agent),
      await window.readReviews(conversation, call).then(leftOf),
    );
    await window.readReviews(conversation, call);
    assert.deepEqual(told, [key, key]);
    await window.unmark(key, ['a.ts', 'b.ts']);
    assert.deepEqual(told, [key, key, key]);
  });

  it('shows only what changed since the mark when a file changes again', async () => {
    const agent = agentWith({ 'a.ts': 'A\n' });
    const window = open(agent);
    await markAll(window);
    agent.now.set('a.ts', { text: 'A\nmore\n' });
    assert.deepEqual(await statesIn(window), { 'a.ts': 'changedAgain' });
    const sides = await window.readSides(
      conversation,
      'reviewed',
      'a.ts',
      call,
    );
    assert.deepEqual(
      [text(sides?.before), text(sides?.after)],
      ['A\n', 'A\nmore\n'],
    );
    assert.equal(
      text(
        (await window.readSides(conversation, 'start', 'a.ts', call))?.before,
      ),
      'a\n',
    );
    assert.equal(
      await window.readSides(conversation, 'reviewed', 'none.ts', call),
      undefined,
    );
  });

  it('shows the changes since a commit as the service lists them', async () => {
    const agent = agentWith({ 'a.ts': 'A\n' });
    const window = open(agent);
    await markAll(window);
    const scopes: ChangesScope[] = [];
    const contents = agent.contents.bind(agent);
    agent.contents = (id, files, file) => {
      scopes.push(files.since);
      return contents(id, files, file);
    };
    await window.readSides(conversation, 'lastCommit', 'a.ts', call);
    assert.deepEqual(scopes, ['lastCommit']);
  });

  it('renews no mark of a file that is too large to compare', async () => {
    const agent = agentWith({ 'a.ts': `${tooLarge} 1` });
    const window = open(agent);
    await markAll(window);
    assert.deepEqual(await statesIn(window), { 'a.ts': 'reviewed' });
    agent.now.set('a.ts', { text: `${tooLarge} 2` });
    await window.readReviews(conversation, call);
    await window.readSides(conversation, 'reviewed', 'a.ts', call);
    assert.deepEqual(await statesIn(window), { 'a.ts': 'changedAgain' });
  });

  it('takes a moved file for changed again, and compares it with what was reviewed', async () => {
    const agent = agentWith({ 'a.ts': 'A\n' });
    const window = open(agent);
    await markAll(window);
    agent.now.delete('a.ts');
    agent.now.set('c.ts', { text: 'A\n', from: 'a.ts' });
    assert.deepEqual(await statesIn(window), { 'c.ts': 'changedAgain' });
    const sides = await window.readSides(
      conversation,
      'reviewed',
      'c.ts',
      call,
    );
    assert.equal(text(sides?.before), 'A\n');
  });

  it('lists a reviewed file that has changed back until that is reviewed, too', async () => {
    const agent = agentWith({ 'a.ts': 'A\n', 'new.ts': 'new\n' });
    const window = open(agent);
    await markAll(window);
    agent.now.set('a.ts', { text: 'a\n' });
    agent.now.delete('new.ts');
    assert.deepEqual(await statesIn(window), {
      'a.ts': 'changedBack',
      'new.ts': 'changedBack',
    });
    const [one, other] = await Promise.all(
      ['a.ts', 'new.ts'].map((path) =>
        window.readSides(conversation, 'reviewed', path, call),
      ),
    );
    assert.deepEqual([text(one?.before), text(one?.after)], ['A\n', 'a\n']);
    assert.deepEqual(
      [text(other?.before), text(other?.after)],
      ['new\n', 'none'],
    );
    const back = (await window.readReviews(conversation, call)).find(
      ({ file }) => file.path === 'new.ts',
    );
    assert.deepEqual(back?.file, {
      ...{
        path: 'new.ts',
        status: 'changedBack',
        from: undefined,
        version: undefined,
        binary: false,
      },
      modes: { before: undefined, after: undefined },
    });
    await markAll(window);
    assert.deepEqual(await statesIn(window), {});
    await window.undoMark(key, ['a.ts']);
    assert.deepEqual(await statesIn(window), { 'a.ts': 'changedBack' });
  });

  it('asks the service for no contents of a file that is nowhere any more', async () => {
    const agent = agentWith({
      'new.ts': 'new\n',
      'large.ts': 'x'.repeat(1_000_001),
    });
    agent.now.delete('a.ts');
    agent.now.set('moved.ts', { text: 'a\n', from: 'a.ts' });
    const window = open(agent);
    await markAll(window);
    for (const path of ['new.ts', 'large.ts', 'moved.ts'])
      agent.now.delete(path);
    agent.now.set('a.ts', { text: 'a\n' });
    await window.readReviews(conversation, call);
    agent.read.length = 0;
    const before = async (path: string) => {
      const sides = await window.readSides(
        conversation,
        'reviewed',
        path,
        call,
      );
      assert.deepEqual(sides?.after, { kind: 'none' });
      return text(sides.before);
    };
    assert.deepEqual(
      [
        await before('new.ts'),
        await before('large.ts'),
        await before('moved.ts'),
      ],
      ['new\n', 'none', 'a\n'],
    );
    assert.deepEqual(agent.read, []);
  });

  it('marks nothing that has changed since it was shown', async () => {
    const agent = agentWith({ 'a.ts': 'A\n' });
    const window = open(agent);
    const [shown] = await window.readReviews(conversation, call);
    agent.now.set('a.ts', { text: 'B\n' });
    await window.readReviews(conversation, call);
    const notMarked = await mark(window, [shown?.file ?? assert.fail()]);
    assert.deepEqual(
      notMarked.map(({ path }) => path),
      ['a.ts'],
    );
    assert.deepEqual(await statesIn(window), { 'a.ts': 'new' });
  });

  it('marks no file whose status or former path was another when it was shown', async () => {
    const agent = agentWith({ 'a.ts': 'A\n' });
    const window = open(agent);
    const [file = assert.fail()] = leftOf(
      await window.readReviews(conversation, call),
    );
    const [otherStatus, otherPath] = [
      { ...file, status: 'added' } as const,
      { ...file, from: 'b.ts' },
    ];
    assert.deepEqual(await mark(window, [otherStatus]), [otherStatus]);
    assert.deepEqual(await mark(window, [otherPath]), [otherPath]);
    assert.deepEqual(await mark(window, [file]), []);
  });

  it('marks no file that was new when it was shown and is no longer changed', async () => {
    const agent = agentWith({ 'a.ts': 'A\n' });
    const window = open(agent);
    const files = leftOf(await window.readReviews(conversation, call));
    agent.now.set('a.ts', { text: 'a\n' });
    await window.readReviews(conversation, call);
    assert.deepEqual(await mark(window, files), files);
  });

  it('keeps the mark of a file that changes again while it is marked as changed back', async () => {
    const names = Array.from({ length: 6 }, (_, at) => `file${at}.ts`);
    const agent = agentWith({ 'z.ts': 'z\n' });
    const window = open(agent);
    await markAll(window);
    agent.now.delete('z.ts');
    for (const name of names) agent.now.set(name, { text: name });
    const files = leftOf(await window.readReviews(conversation, call));
    assert.equal(files.at(-1)?.status, 'changedBack');
    const contents = agent.contents.bind(agent);
    agent.contents = async (...request) => {
      agent.now.set('z.ts', { text: 'evil\n' });
      await window.readReviews(conversation, call);
      return await contents(...request);
    };
    const notMarked = await mark(window, files);
    assert.deepEqual(notMarked, files.slice(-1));
    const { 'z.ts': state } = await statesIn(window);
    assert.equal(state, 'changedAgain');
  });

  it('marks a reviewed file no second time, so that unmarking it leaves none', async () => {
    const agent = agentWith({ 'a.ts': 'A\n' });
    const window = open(agent);
    const files = leftOf(await window.readReviews(conversation, call));
    for (let time = 0; time < 2; time++)
      assert.deepEqual(await mark(window, files), []);
    await window.unmark(key, ['a.ts']);
    assert.deepEqual(await statesIn(window), { 'a.ts': 'new' });
  });

  it('marks nothing by contents that a stash has replaced since the list, and shows the true ones after it', async () => {
    const agent = agentWith({ 'a.ts': 'evil\n' });
    const window = open(agent);
    const [review] = await window.readReviews(conversation, call);
    agent.now.set('a.ts', { text: 'a\n' });
    const shownText = async () =>
      text(
        (await window.readSides(conversation, 'reviewed', 'a.ts', call))?.after,
      );
    assert.equal(await shownText(), 'a\n');
    const notMarked = await mark(window, [review?.file ?? assert.fail()]);
    assert.equal(notMarked.length, 1);
    agent.now.set('a.ts', { text: 'evil\n' });
    assert.deepEqual(await statesIn(window), { 'a.ts': 'new' });
    assert.equal(await shownText(), 'evil\n');
  });

  it('renews a mark for all windows once the same contents are shown on a rewritten branch', async () => {
    const agent = agentWith({ 'a.ts': 'A\n' });
    const window = open(agent);
    await markAll(window);
    agent.baseCommit = 'b'.repeat(40);
    assert.deepEqual(await statesIn(window), { 'a.ts': 'changedAgain' });
    const announced: string[] = [];
    window.onChange((of) => void announced.push(of));
    await window.readSides(conversation, 'reviewed', 'a.ts', call);
    assert.deepEqual(announced, [key]);
    agent.read.length = 0;
    assert.deepEqual(await statesIn(open(agent)), { 'a.ts': 'reviewed' });
    assert.deepEqual(agent.read, []);
  });

  it('makes no mark of a file that is as it was at the last message', async () => {
    const agent = agentWith({ 'a.ts': 'A\n' });
    const window = open(agent);
    await window.readSides(conversation, 'start', 'a.ts', call);
    await window.beforeMessage(conversation)?.('m1');
    agent.baseCommit = 'b'.repeat(40);
    await window.readReviews(conversation, call);
    await window.readSides(conversation, 'message', 'a.ts', call);
    const [review] = window.snapshot(key)?.message ?? [];
    assert.equal(review?.state, 'reviewed');
    assert.deepEqual(await statesIn(window), { 'a.ts': 'new' });
  });

  it('writes no mark when a reviewed file is shown', async () => {
    const agent = agentWith({ 'a.ts': 'A\n' });
    const window = open(agent);
    await markAll(window);
    const name = (await readdir(stored(), { recursive: true })).find(
      (name) => name.length > 43,
    );
    const path = join(stored(), name ?? assert.fail());
    const yesterday = Math.floor(Date.now() / 1_000) - 24 * 3_600;
    await utimes(path, yesterday, yesterday);
    await window.readSides(conversation, 'reviewed', 'a.ts', call);
    assert.equal((await stat(path)).mtimeMs, yesterday * 1_000);
  });

  it('renews no mark by contents that a stash has replaced since the list', async () => {
    const agent = agentWith({ 'a.ts': 'A\n' });
    const window = open(agent);
    await markAll(window);
    agent.now.set('a.ts', { text: 'evil\n' });
    await window.readReviews(conversation, call);
    agent.now.set('a.ts', { text: 'A\n' });
    await window.readSides(conversation, 'reviewed', 'a.ts', call);
    agent.now.set('a.ts', { text: 'evil\n' });
    assert.deepEqual(await statesIn(window), { 'a.ts': 'changedAgain' });
    assert.deepEqual(await statesIn(open(agent)), { 'a.ts': 'changedAgain' });
  });

  it('marks a file as its contents were shown last, not as it was listed since', async () => {
    const agent = agentWith({ 'a.ts': 'A\n', 'b.ts': 'B\n' });
    const window = open(agent);
    await window.readSides(conversation, 'start', 'a.ts', call);
    agent.now.set('a.ts', { text: 'evil\n' });
    agent.now.set('b.ts', { text: 'not opened\n' });
    const files = leftOf(await window.readReviews(conversation, call)).map(
      (file) => window.asShown(key, file),
    );
    const notMarked = await window.mark(conversation, files, call);
    assert.deepEqual(
      notMarked.map(({ path }) => path),
      ['a.ts'],
    );
    await window.readSides(conversation, 'start', 'a.ts', call);
    const [again] = leftOf(await window.readReviews(conversation, call));
    assert.equal(
      (
        await window.mark(
          conversation,
          [window.asShown(key, again ?? assert.fail())],
          call,
        )
      ).length,
      0,
    );
  });

  it('marks no contents without a version that differ from those that were shown', async () => {
    const agent = agentWith({ 'a.ts': 'A\n', 'b.ts': 'B\n' });
    agent.tellsVersions = false;
    const window = open(agent);
    const asShown = async () =>
      leftOf(await window.readReviews(conversation, call)).map((file) =>
        window.asShown(key, file),
      );
    const show = (scope: ChangesScope) =>
      window.readSides(conversation, scope, 'a.ts', call);
    await window.readReviews(conversation, call);
    await show('start');
    agent.now.set('a.ts', { text: 'evil\n' });
    agent.now.set('b.ts', { text: 'not opened\n' });
    const captured = await asShown();
    await show('start');
    const notMarked = await window.mark(conversation, captured, call);
    assert.deepEqual(
      notMarked.map(({ path }) => path),
      ['a.ts'],
    );
    assert.deepEqual(
      await window.mark(conversation, await asShown(), call),
      [],
    );
    agent.now.set('a.ts', { text: 'more\n' });
    await window.readReviews(conversation, call);
    assert.equal(text((await show('reviewed'))?.before), 'evil\n');
    assert.deepEqual(
      await window.mark(conversation, await asShown(), call),
      [],
    );
    assert.deepEqual(await statesIn(window), {
      'a.ts': 'reviewed',
      'b.ts': 'reviewed',
    });
  });

  it('marks no file without a version that was shown as too large', async () => {
    const agent = agentWith({ 'a.ts': tooLarge });
    agent.tellsVersions = false;
    const window = open(agent);
    await window.readSides(conversation, 'start', 'a.ts', call);
    agent.now.set('a.ts', { text: 'evil\n' });
    const [listed = assert.fail()] = leftOf(
      await window.readReviews(conversation, call),
    );
    const file = window.asShown(key, listed);
    assert.deepEqual(await window.mark(conversation, [file], call), [listed]);
  });

  it('does not take a part of the changes for all of them that were shown', async () => {
    const agent = agentWith({ 'a.ts': 'A\n' });
    const window = open(agent);
    await window.readSides(conversation, 'start', 'a.ts', call);
    agent.now.set('a.ts', { text: 'A\nmore\n' });
    const [listed = assert.fail()] = leftOf(
      await window.readReviews(conversation, call),
    );
    await window.readSides(conversation, 'lastCommit', 'a.ts', call);
    const latest = window.asShown(key, listed);
    assert.notEqual(latest.file.version, listed.version);
    assert.equal((await window.mark(conversation, [latest], call)).length, 1);
  });

  it('does not take back a mark that another window has made since', async () => {
    const agent = agentWith({ 'a.ts': 'A\n' });
    const [window, other] = [open(agent), open(agent)];
    await markAll(window);
    agent.now.set('a.ts', { text: 'B\n' });
    await markAll(other);
    await window.undoMark(key, ['a.ts']);
    assert.deepEqual(await statesIn(window), { 'a.ts': 'reviewed' });
    await open(agent).undoMark(key, ['a.ts']);
    agent.now.set('b.ts', { text: 'B\n' });
    const third = open(agent);
    await markAll(third);
    await third.undoMark(key, ['a.ts', 'b.ts']);
    assert.deepEqual(await statesIn(window), {
      'a.ts': 'reviewed',
      'b.ts': 'new',
    });
    await other.undoMark(key, ['a.ts']);
    assert.deepEqual(await statesIn(window), {
      'a.ts': 'changedAgain',
      'b.ts': 'new',
    });
  });

  it('reads no mark that a killed window has left unfinished, and removes it after a minute', async () => {
    const agent = agentWith({ 'a.ts': 'A\n' });
    await markAll(open(agent));
    const names = await readdir(stored(), { recursive: true });
    const mark = names.find((name) => name.length > 43) ?? assert.fail();
    const temporary = join(stored(), `${mark}.1.tmp`);
    await copyFile(join(stored(), mark), temporary);
    await open(agent).unmark(key, ['a.ts']);
    assert.deepEqual(await statesIn(open(agent)), { 'a.ts': 'new' });
    await utimes(temporary, Date.now() / 1_000 - 120, Date.now() / 1_000 - 120);
    await statesIn(open(agent));
    await assert.rejects(readFile(temporary), /ENOENT/);
  });

  it('brings back the earlier mark when a file is unmarked', async () => {
    const agent = agentWith({ 'a.ts': 'A\n' });
    const window = open(agent);
    await markAll(window);
    agent.now.set('a.ts', { text: 'B\n' });
    await markAll(window);
    await window.unmark(key, ['a.ts']);
    assert.deepEqual(await statesIn(window), { 'a.ts': 'changedAgain' });
    await window.unmark(key, ['a.ts']);
    assert.deepEqual(await statesIn(window), { 'a.ts': 'new' });
  });

  it('keeps the marks of two windows that review at once', async () => {
    const names = Array.from({ length: 20 }, (_, at) => `file${at}.ts`);
    const agent = agentWith(
      Object.fromEntries(names.map((name) => [name, name])),
    );
    const windows = [open(agent), open(agent)] as const;
    const lists = await Promise.all(
      windows.map((window) => window.readReviews(conversation, call)),
    );
    await Promise.all(
      names.map((_, at) =>
        mark(windows[at % 2 ? 1 : 0], [lists[0]?.[at]?.file ?? assert.fail()]),
      ),
    );
    const states = await statesIn(windows[0]);
    assert.deepEqual(new Set(Object.values(states)), new Set(['reviewed']));
    assert.equal(Object.keys(states).length, 20);
  });

  it('knows that a file above 1 MB has changed, and then shows all of it', async () => {
    const agent = agentWith({ 'a.ts': 'A'.repeat(1_000_001) });
    const window = open(agent);
    await markAll(window);
    assert.deepEqual(await statesIn(open(agent)), { 'a.ts': 'reviewed' });
    agent.now.set('a.ts', { text: 'B' });
    assert.deepEqual(await statesIn(window), { 'a.ts': 'changedAgain' });
    assert.equal(
      text(
        (await window.readSides(conversation, 'reviewed', 'a.ts', call))
          ?.before,
      ),
      'a\n',
    );
  });

  it('refuses to mark a file whose changes it could not notice', async () => {
    const agent = agentWith({ 'a.ts': tooLarge });
    agent.tellsVersions = false;
    const window = open(agent);
    assert.equal((await markAll(window)).length, 1);
    assert.deepEqual(await statesIn(window), { 'a.ts': 'new' });
  });

  it('reads only marked files, and only where the list does not tell their versions', async () => {
    const agent = agentWith({ 'a.ts': 'A\n', 'b.ts': 'B\n' });
    const [first] = await open(agent).readReviews(conversation, call);
    await mark(open(agent), [first?.file ?? assert.fail()]);
    agent.read.length = 0;
    await open(agent).readReviews(conversation, call);
    assert.deepEqual(agent.read, []);
    agent.now.set('a.ts', { text: 'A\nmore\n' });
    await open(agent).readReviews(conversation, call);
    assert.deepEqual(agent.read, []);
    agent.now.set('a.ts', { text: 'A\n' });
    agent.tellsVersions = false;
    assert.deepEqual(await statesIn(open(agent)), {
      'a.ts': 'reviewed',
      'b.ts': 'new',
    });
    assert.deepEqual(agent.read, ['a.ts']);
  });

  it('knows a file by its contents when the service tells its version only since it was marked', async () => {
    const agent = agentWith({ 'a.ts': 'A\n' });
    agent.tellsVersions = false;
    await markAll(open(agent));
    agent.tellsVersions = true;
    assert.deepEqual(await statesIn(open(agent)), { 'a.ts': 'reviewed' });
  });

  it('asks the service for nothing while the changes are loaded', async () => {
    const agent = agentWith({ 'a.ts': 'A\n', 'b.ts': 'B\n' });
    const [first] = await open(agent).readReviews(conversation, call);
    await mark(open(agent), [first?.file ?? assert.fail()]);
    const changes = agent.changes();
    const window = new ReviewProgress(
      changes,
      new BaselineStore(stored()),
      () => agent.locations(),
      new MemoryStore(),
    );
    await changes.load(conversation, 'start', call);
    agent.list = () => assert.fail();
    const reviews = await window.readReviewsOnce(conversation, call);
    assert.deepEqual(
      reviews.map(({ state }) => state),
      ['reviewed', 'new'],
    );
  });

  it('publishes a new snapshot for each difference and changes no earlier one', async () => {
    const agent = agentWith({ 'a.ts': 'A\n' });
    const changes = agent.changes();
    const window = new ReviewProgress(
      changes,
      new BaselineStore(stored()),
      () => agent.locations(),
      new MemoryStore(),
    );
    await changes.load(conversation, 'start', call);
    assert.equal(window.snapshot(key), undefined);
    await markAll(window);
    const before = window.snapshot(key) ?? assert.fail();
    assert.equal(window.snapshot(key), before);
    const copy = structuredClone(before);
    agent.now.set('a.ts', { text: 'B\n' });
    await changes.load(conversation, 'start', call);
    const after = window.snapshot(key) ?? assert.fail();
    assert.deepEqual(
      [before, after].map(({ reviewed }) => reviewed[0]?.state),
      ['reviewed', 'changedAgain'],
    );
    await markAll(window);
    await window.readSides(conversation, 'reviewed', 'a.ts', call);
    assert.deepEqual(before, copy);
  });

  it('has the new reviews when a load tells of its differences', async () => {
    const agent = agentWith({ 'a.ts': 'A\n' });
    const changes = agent.changes();
    const window = new ReviewProgress(
      changes,
      new BaselineStore(stored()),
      () => agent.locations(),
      new MemoryStore(),
    );
    await markAll(window);
    const states: unknown[] = [];
    changes.onChange(() =>
      states.push(window.snapshot(key)?.reviewed.map(({ state }) => state)),
    );
    agent.now.set('a.ts', { text: 'B\n' });
    await changes.load(conversation, 'start', call);
    assert.deepEqual(states, [['changedAgain']]);
  });

  it('takes no contents for proof of a list that was loaded while they were read', async () => {
    const agent = agentWith({ 'a.ts': 'A\n' });
    agent.tellsVersions = false;
    await markAll(open(agent));
    const changes = agent.changes();
    const window = new ReviewProgress(
      changes,
      new BaselineStore(stored()),
      () => agent.locations(),
      new MemoryStore(),
    );
    await changes.load(conversation, 'start', call);
    const contents = agent.contents.bind(agent);
    agent.contents = async (...request) => {
      const sides = await contents(...request);
      agent.now.set('a.ts', { text: 'evil\n' });
      await changes.load(conversation, 'start', call);
      return sides;
    };
    await window.readSides(conversation, 'reviewed', 'a.ts', call);
    const [review] = window.snapshot(key)?.reviewed ?? [];
    assert.equal(review?.state, 'changedAgain');
  });

  it('keeps how a file was shown when its changes are dropped from memory', async () => {
    const agent = agentWith({ 'a.ts': 'A\n' });
    const changes = new ConversationChanges(() => agent.locations(), 1_000);
    const window = new ReviewProgress(
      changes,
      new BaselineStore(stored()),
      () => agent.locations(),
      new MemoryStore(),
    );
    await window.readReviews(conversation, call);
    await window.readSides(conversation, 'start', 'a.ts', call);
    agent.patchBytes = 600;
    for (const id of ['two', 'three'])
      await changes.load({ ...conversation, id }, 'start', call);
    assert.equal(window.snapshot(key), undefined);
    agent.now.set('a.ts', { text: 'evil\n' });
    const [listed = assert.fail()] = leftOf(
      await window.readReviews(conversation, call),
    );
    const latest = window.asShown(key, listed);
    assert.deepEqual(await window.mark(conversation, [latest], call), [
      latest.file,
    ]);
  });

  it('forgets a deleted conversation, and what is older than 30 days', async () => {
    const agent = agentWith({ 'a.ts': 'A\n' });
    await markAll(open(agent));
    const files = async () =>
      (
        await readdir(stored(), { recursive: true, withFileTypes: true })
      ).filter((each) => each.isFile());
    const [file] = await files();
    const path = join(file?.parentPath ?? '', file?.name ?? '');
    const old = Date.now() / 1_000 - 31 * 24 * 3_600;
    await utimes(path, old, old);
    assert.deepEqual(await statesIn(open(agent)), { 'a.ts': 'new' });
    await markAll(open(agent));
    await open(agent).forget(key);
    assert.deepEqual(await files(), []);
  });

  it('knows nothing of a conversation that was forgotten, and announces its first mark again', async () => {
    const agent = agentWith({ 'a.ts': 'A\n' });
    const window = open(agent);
    await markAll(window);
    agent.now.set('a.ts', { text: 'B\n' });
    await markAll(window);
    await window.forget(key);
    assert.equal(window.snapshot(key)?.reviewed, undefined);
    await window.unmark(key, ['a.ts']);
    assert.deepEqual(await statesIn(window), { 'a.ts': 'new' });
    await markAll(window);
    await window.forget(key);
    const announced: string[] = [];
    window.onChange((of) => void announced.push(of));
    await markAll(window);
    assert.deepEqual(announced, [key]);
  });

  it('stores neither the address nor the paths of a conversation in names', async () => {
    await markAll(open(agentWith({ 'a.ts': 'secret text\n' })));
    const names = await readdir(stored(), { recursive: true });
    assert.ok(
      names.every((name) =>
        /^[\w-]{43}(\/[\w-]{43})?$/.test(name.replaceAll('\\', '/')),
      ),
      names.join(),
    );
    const file = names.find((name) => name.length > 43) ?? assert.fail();
    assert.doesNotMatch(
      await readFile(join(stored(), file), 'utf8'),
      /secret text/,
    );
  });

  it('shows what changed since a message that was sent with the changes loaded', async () => {
    const agent = agentWith({ 'a.ts': 'A\n', 'b.ts': 'B\n' });
    const changes = agent.changes();
    const window = new ReviewProgress(
      changes,
      new BaselineStore(stored()),
      () => agent.locations(),
      new MemoryStore(),
    );
    assert.equal(window.beforeMessage(conversation), undefined);
    await window.readReviews(conversation, call);
    await window.readSides(conversation, 'reviewed', 'a.ts', call);
    const worked = { ...conversation, updatedAt: 2 };
    assert.equal(window.beforeMessage(worked), undefined);
    await window.beforeMessage(conversation)?.('m1');
    agent.now.set('a.ts', { text: 'A2\n' });
    agent.now.set('c.ts', { text: 'C\n' });
    const since = (
      await window.readReviews(conversation, call, 'message')
    ).filter(isLeft);
    assert.deepEqual(
      since.map(({ file, state }) => [file.path, state]),
      [
        ['a.ts', 'changedAgain'],
        ['c.ts', 'new'],
      ],
    );
    assert.equal(
      text(
        (await window.readSides(conversation, 'message', 'a.ts', call))?.before,
      ),
      'A\n',
    );
  });

  it('shows changes since a message only while that is the last one, even if another has the same text', async () => {
    const agent = agentWith({ 'a.ts': 'A\n' });
    const window = open(agent);
    await window.readReviews(conversation, call);
    agent.messageIds.push('m1');
    await window.beforeMessage(conversation)?.('m1');
    await window.chooseScope(key, 'message');
    assert.equal(await window.scopeOf(conversation, call), 'message');
    agent.messageIds.push('sent elsewhere');
    assert.equal(await window.scopeOf(conversation, call), 'start');
    assert.equal(await window.knowsLastMessage(conversation, call), false);
    await markAll(window);
    assert.equal(await window.scopeOf(conversation, call), 'reviewed');
  });

  it('knows by their contents which files have not changed since a message', async () => {
    const agent = agentWith({ 'a.ts': 'A\n', 'b.ts': 'B\n' });
    agent.tellsVersions = false;
    const window = open(agent);
    await window.readReviews(conversation, call);
    for (const path of ['a.ts', 'b.ts'])
      await window.readSides(conversation, 'start', path, call);
    await window.beforeMessage(conversation)?.('m1');
    agent.now.set('b.ts', { text: 'B2\n' });
    const reviews = await window.readReviews(conversation, call, 'message');
    assert.deepEqual(
      reviews.map(({ state }) => state),
      ['reviewed', 'changedAgain'],
    );
  });

  it('takes a file for new that could not be read before the message', async () => {
    const agent = agentWith({ 'a.ts': 'A\n' });
    agent.tellsVersions = false;
    const window = open(agent);
    await window.readReviews(conversation, call);
    await window.beforeMessage(conversation)?.('m1');
    const reviews = await window.readReviews(conversation, call, 'message');
    assert.deepEqual(
      reviews.map(({ state, baseline }) => [state, baseline]),
      [['new', undefined]],
    );
  });

  describe('the scope of the changes', () => {
    const message = (id: string, source: string) => ({
      id,
      kind: 'message',
      source,
      text: 'Go on',
    });
    let agent: ChangingFolder;
    let window: ReviewProgress;
    let locations: AgentLocations | undefined;
    /** The newest first. */
    let events: readonly object[];
    let status: 'ready' | 'sandboxPaused';

    beforeEach(async () => {
      agent = agentWith({ 'a.ts': 'A\n' });
      const unasked = { events: () => ({ fetch: () => assert.fail() }) };
      const source = {
        events: () => ({
          fetch: () => Promise.resolve({ items: events, cursor: undefined }),
        }),
      };
      const use: AgentLocations['use'] = (_, __, work) =>
        work(
          {
            status,
            changes: agent,
            steering: status === 'ready' ? source : unasked,
          } as never,
          (status === 'ready' ? unasked : source) as never,
        );
      locations = { use } as unknown as AgentLocations;
      status = 'ready';
      events = [];
      window = new ReviewProgress(
        agent.changes(),
        new BaselineStore(stored()),
        () => locations,
        new MemoryStore({ changesScopes: [[key, 'message']] }),
      );
      await window.readReviews(conversation, call);
    });

    const scope = () => window.scopeOf(conversation, call);

    it('stays that since the last message while the events tell that this is from here, wherever they are', async () => {
      await window.beforeMessage(conversation)?.('m1');
      events = [
        message('m2', 'agent'),
        { id: 's1', kind: 'state', source: 'user' },
        message('m1', 'user'),
      ];
      assert.equal(await scope(), 'message');
      status = 'sandboxPaused';
      assert.equal(await scope(), 'message');
      events = [message('m3', 'user'), ...events];
      assert.equal(await scope(), 'start');
    });

    it('falls back without a message from here, without a service, and while the events cannot be read', async () => {
      events = [message('m1', 'user')];
      assert.equal(await window.knowsLastMessage(conversation, call), false);
      await window.beforeMessage(conversation)?.('m1');
      events = [];
      assert.equal(await window.knowsLastMessage(conversation, call), false);
      locations = {
        use: () => Promise.reject(new Error('Not now')),
      } as unknown as AgentLocations;
      assert.equal(await scope(), 'start');
      locations = undefined;
      assert.equal(await window.knowsLastMessage(conversation, call), false);
    });

    it('stays the one that the user chose, whoever sent the last message', async () => {
      await markAll(window);
      assert.equal(await scope(), 'reviewed');
      await window.chooseScope(key, 'lastCommit');
      assert.equal(await scope(), 'lastCommit');
    });
  });

  it('drops the oldest changes when patches and contents exceed the memory for them', async () => {
    const agent = agentWith({
      'a.ts': 'x'.repeat(600),
      'b.ts': 'y'.repeat(600),
    });
    const changes = new ConversationChanges(() => agent.locations(), 1_000);
    const second = { ...conversation, id: 'two' };
    await changes.load(conversation, 'start', call);
    await changes.readSides(conversation, 'start', 'a.ts', call);
    await changes.load(second, 'start', call);
    await changes.readSides(second, 'start', 'a.ts', call);
    assert.ok(changes.known(key) && changes.known(keyOf(second)));
    await changes.readSides(conversation, 'start', 'a.ts', call);
    await changes.readSides(second, 'start', 'a.ts', call);
    assert.deepEqual(agent.read, ['a.ts', 'a.ts', 'a.ts']);
    agent.patchBytes = 1_200;
    await changes.load(second, 'start', call);
    assert.equal(changes.known(key), undefined);
    assert.ok(changes.known(keyOf(second)));
  });

  it('shows exactly what is left in random sequences of changes, marks and restarts', async function () {
    this.timeout(120_000);
    const count = testRounds(250);
    const seen: Record<string, number> = {};
    for (let seed = 0; seed < count; seed++) await runSequence(seed, seen);
    for (const state of ['new', 'changedAgain', 'changedBack', 'reviewed'])
      assert.ok((seen[state] ?? 0) >= 0.3 * count, JSON.stringify(seen));
  });

  interface Marked {
    readonly file: ChangedFile;
    readonly texts: string;
    readonly hadVersion: boolean;
    readonly base: string;
  }

  async function runSequence(
    seed: number,
    seen: Record<string, number>,
  ): Promise<void> {
    const dice = new Dice(7, seed);
    const names = ['a', 'b', 'c', 'd'];
    const contents = ['1\n', '2\n', '3\n', '\u0000bin', tooLarge];
    const agent = new ChangingFolder({ a: '1\n', b: '2\n' });
    agent.tellsVersions = dice.below('versions', 3) > 0;
    const store = folder.path(`sequence${seed}`);
    const openIt = () =>
      new ReviewProgress(
        agent.changes(),
        new BaselineStore(store),
        () => agent.locations(),
        new MemoryStore(),
      );
    const windows = [openIt(), openIt()];
    const marks = new Map<string, Marked>();
    const textsOf = ({ path, from, status }: ChangedFile) =>
      JSON.stringify([
        status,
        from,
        agent.base.get(from ?? path),
        agent.now.get(path)?.text,
      ]);
    const isKnown = (texts: string) => !texts.includes(tooLarge);
    const isReviewed = (file: ChangedFile) => {
      const mark = marks.get(file.path);
      const texts = textsOf(file);
      if (mark?.texts !== texts) return false;
      return (
        isKnown(texts) ||
        (mark.hadVersion &&
          agent.tellsVersions &&
          mark.base === agent.baseCommit)
      );
    };
    const expected = () => {
      const { files } = agent;
      const listed = new Set(
        files.flatMap(({ path, from = path }) => [path, from]),
      );
      const back = [...marks.keys()].filter((path) => !listed.has(path));
      return [
        ...files.filter((file) => !isReviewed(file)).map(({ path }) => path),
        ...back,
      ].sort();
    };
    for (let step = 0; step < 12; step++) {
      const draw = <T>(what: string, from: readonly T[]) =>
        dice.pick(`${what} ${step}`, from);
      const at = dice.below(`window ${step}`, 2);
      const window = windows[at] ?? assert.fail();
      const path = draw('path', names);
      switch (
        draw('what', [
          'edit',
          'edit',
          'edit',
          'delete',
          'move',
          'restore',
          'rewrite',
          'mark',
          'mark',
          'all',
          'unmark',
          'restart',
        ])
      ) {
        case 'edit':
          agent.now.set(path, {
            ...agent.now.get(path),
            text: draw('text', contents),
          });
          break;
        case 'delete':
          agent.now.delete(path);
          break;
        case 'move': {
          const to = draw('to', names);
          const source = agent.now.get(path);
          if (
            !source ||
            source.from !== undefined ||
            !agent.base.has(path) ||
            agent.now.has(to)
          )
            break;
          if (agent.base.has(to)) break;
          agent.now.delete(path);
          agent.now.set(to, { text: source.text, from: path });
          break;
        }
        case 'restore': {
          const base = agent.base.get(path);
          if (base === undefined) agent.now.delete(path);
          else agent.now.set(path, { text: base });
          break;
        }
        case 'rewrite':
          agent.base = new Map(
            [...agent.base].map(([each, was]) => [
              each,
              each === path ? draw('text', contents) : was,
            ]),
          );
          agent.baseCommit = `${step}`.padStart(40, '0');
          break;
        case 'unmark': {
          // Earlier marks that come back are another test.
          const other = openIt();
          await other.unmark(key, [path]);
          marks.delete(path);
          break;
        }
        case 'restart':
          windows[at] = openIt();
          break;
        case 'mark':
        case 'all': {
          const left = (await window.readReviews(conversation, call))
            .filter(isLeft)
            .map(({ file }) => file);
          const chosen = step % 2 ? left : left.slice(0, 1);
          const notMarked = await mark(window, chosen);
          for (const file of chosen) {
            if (notMarked.includes(file)) continue;
            if (file.status === 'changedBack') marks.delete(file.path);
            else {
              const [hadVersion, base] = [
                agent.tellsVersions,
                agent.baseCommit,
              ];
              marks.set(file.path, {
                file,
                texts: textsOf(file),
                hadVersion,
                base,
              });
            }
          }
          for (const file of notMarked)
            assert.ok(
              !agent.tellsVersions && !isKnown(textsOf(file)),
              `${seed}: ${file.path} was refused`,
            );
        }
      }
      // A file that moved back and forth is in one place only.
      for (const [each, { from }] of agent.now)
        if (from !== undefined && agent.now.has(from))
          agent.now.set(each, { text: agent.now.get(each)?.text ?? '' });
      const look = windows[dice.below(`looks ${step}`, 2)] ?? assert.fail();
      const paths = async () =>
        (await look.readReviews(conversation, call))
          .filter(isLeft)
          .map(({ file }) => file.path);
      const left = await paths();
      for (const each of expected())
        assert.ok(
          left.includes(each),
          `${seed}.${step}: ${each} is shown as reviewed`,
        );
      for (const each of left)
        await look.readSides(conversation, 'reviewed', each, call);
      const shown = (look.snapshot(key)?.reviewed ?? [])
        .filter(isLeft)
        .map(({ file }) => file.path);
      assert.deepEqual(shown.sort(), expected(), `${seed}.${step}`);
      for (const { state } of look.snapshot(key)?.reviewed ?? [])
        seen[state] = (seen[state] ?? 0) + 1;
    }
  }
});
