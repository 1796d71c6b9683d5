import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  chmod,
  mkdir,
  readdir,
  readFile,
  rm,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { noLog } from '../../../../src/base/log.ts';
import { SharedMemory } from '../../../../src/editor/background/sharedMemory.ts';
import { thisMachine } from '../../../../src/files/machine.ts';
import {
  type Conversation,
  keyOf,
} from '../../../../src/service/model/entities.ts';
import type { Sight } from '../../../../src/state/attention.ts';
import type { WaitingAction } from '../../../../src/state/transcript/waiting.ts';
import {
  childEnvironment,
  ended,
  scratchFolder,
} from '../../../support/files/scratch.ts';
import { SteppedClock } from '../../../support/steppedClock.ts';
import { conversation } from '../../state/support.ts';

describe('the memory that all windows share', () => {
  const folder = scratchFolder();
  let path: string;

  beforeEach(() => {
    path = folder.path('storage', 'seen.json');
  });

  const window = () => new SharedMemory(path, noLog);
  const sight = (
    change: Partial<Conversation>,
    at: number,
    waitsFor?: string,
  ): Sight => {
    const seen = conversation({ id: 'c0', title: 'Canary title', ...change });
    const actions =
      waitsFor === undefined ? undefined : [{ id: waitsFor } as WaitingAction];
    return { key: keyOf(seen), conversation: seen, actions, at };
  };
  const working = { execution: 'running' };
  const waiting = { execution: 'waitingForConfirmation' };
  const occasions = async (memory: SharedMemory, ...sights: readonly Sight[]) =>
    (await memory.add(sights)).map(({ occasion }) => occasion);

  it('reports an occasion only in the first window that sees it', async () => {
    const [one, other] = [window(), window()];
    assert.deepEqual(await occasions(one, sight(working, 1)), []);
    assert.deepEqual(await occasions(other, sight(working, 2)), []);
    assert.deepEqual(await occasions(other, sight(waiting, 3)), ['waits']);
    assert.deepEqual(await occasions(one, sight(waiting, 4)), []);
    // The first has not seen that it works again in between.
    assert.deepEqual(await occasions(other, sight(working, 5)), []);
    assert.deepEqual(await occasions(one, sight(waiting, 6)), ['waits']);
    assert.deepEqual(await occasions(other, sight(waiting, 7)), []);
  });

  it('keeps the marks of unread conversations for all windows', async () => {
    const [one, other] = [window(), window()];
    const { key } = sight(working, 1);
    await one.add([sight(working, 1)]);
    await one.add([sight(waiting, 2)]);
    assert.ok(one.isUnread(key));
    await other.add([]);
    assert.ok(other.isUnread(key));
    await other.mark([key], false);
    assert.ok(!other.isUnread(key));
    await one.add([sight(waiting, 3)]);
    assert.ok(!one.isUnread(key));
    await one.mark([key, 'not seen yet'], true);
    const next = window();
    await next.add([]);
    assert.ok(next.isUnread(key) && next.isUnread('not seen yet'));
  });

  it('loses no mark when two windows mark many conversations at once', async () => {
    const keys = Array.from(
      { length: 40 },
      (_, index) => `key ${index}` as const,
    );
    const [one, other] = [window(), window()];
    await Promise.all(
      keys.map((key, index) => (index % 2 ? one : other).mark([key], true)),
    );
    const next = window();
    await next.add([]);
    assert.deepEqual(
      keys.filter((key) => !next.isUnread(key)),
      [],
    );
  });

  it('reports in the next window what happened while no window was open', async () => {
    await occasions(window(), sight(working, 1));
    assert.deepEqual(await occasions(window(), sight(waiting, 100_000)), [
      'waits',
    ]);
    assert.deepEqual(await occasions(window(), sight(waiting, 200_000)), []);
  });

  it('reports the next action, and ignores an older answer that arrives late', async () => {
    const [one, other] = [window(), window()];
    await occasions(one, sight(working, 1));
    assert.deepEqual(await occasions(one, sight(waiting, 5, 'first')), [
      'waits',
    ]);
    assert.deepEqual(await occasions(other, sight(working, 4)), []);
    assert.deepEqual(await occasions(one, sight(waiting, 6, 'first')), []);
    assert.deepEqual(await occasions(other, sight(waiting, 7, 'second')), [
      'waits',
    ]);
  });

  it('reports the next occasion after a clock that was a year ahead', async () => {
    const clock = new SteppedClock();
    const ahead = clock.now() + 365 * 24 * 3_600_000;
    const window = () =>
      new SharedMemory(path, noLog, { ...thisMachine, clock });
    await occasions(window(), sight(working, ahead));
    clock.advance(10);
    const [one, other] = [window(), window()];
    assert.deepEqual(await occasions(one, sight(waiting, clock.now())), [
      'waits',
    ]);
    assert.deepEqual(await occasions(other, sight(waiting, clock.now())), []);
    assert.deepEqual(
      await occasions(other, sight(working, clock.now() - 1)),
      [],
      'late again',
    );
  });

  it('reports an occasion at most once when five processes see it together', async function () {
    this.timeout(180_000);
    const times = 30;
    const windows = Array.from({ length: 5 }, () =>
      spawn(
        process.execPath,
        [
          join(import.meta.dirname, 'noticeConversation.ts'),
          path,
          String(times),
        ],
        {
          stdio: ['ignore', 'pipe', 'inherit'],
          env: childEnvironment,
        },
      ),
    );
    let told = '';
    for (const one of windows)
      one.stdout.on('data', (part: Buffer) => (told += part.toString()));
    assert.deepEqual(await Promise.all(windows.map(ended)), [0, 0, 0, 0, 0]);
    assert.ok(told.length <= times, `${told.length} notices of ${times}`);
    assert.ok(told.length > 0);
    assert.deepEqual(
      await readdir(dirname(path)),
      ['seen.json'],
      'nothing is left beside it',
    );
  });

  it('stores no title, ID or address', async () => {
    await occasions(window(), sight(waiting, 1, 'action-1'));
    const text = await readFile(path, 'utf8');
    assert.match(text, /waitingForConfirmation/);
    const { id, service } = sight(waiting, 1).conversation;
    for (const secret of ['Canary', id, service, new URL(service).host])
      assert.ok(!text.includes(secret), secret);
  });

  it('forgets the oldest conversations beyond 2,000', async () => {
    const all = Array.from({ length: 2_500 }, (_, index) =>
      sight({ ...working, id: `c${index}` }, 1),
    );
    const memory = window();
    await memory.add(all);
    assert.equal(
      (JSON.parse(await readFile(path, 'utf8')) as unknown[]).length,
      2_000,
    );
    assert.deepEqual(
      await occasions(memory, sight({ ...waiting, id: 'c2499' }, 2)),
      ['waits'],
    );
    assert.deepEqual(
      await occasions(memory, sight({ ...waiting, id: 'c0' }, 2)),
      [],
    );
  });

  it('does not forget an unread conversation', async () => {
    const memory = window();
    await memory.mark(['s unread'], true);
    await memory.add(
      Array.from({ length: 2_500 }, (_, index) =>
        sight({ ...working, id: `c${index}` }, 1),
      ),
    );
    assert.ok(memory.isUnread('s unread'));
  });

  it('forgets the oldest unread conversations beyond 4,000', async () => {
    const memory = window();
    await memory.mark(['s oldest'], true);
    await memory.mark(
      Array.from({ length: 4_000 }, (_, index) => `s u${index}` as const),
      true,
    );
    assert.equal(
      (JSON.parse(await readFile(path, 'utf8')) as unknown[]).length,
      4_000,
    );
    assert.deepEqual(
      (['s oldest', 's u0', 's u3999'] as const).map((key) =>
        memory.isUnread(key),
      ),
      [false, true, true],
    );
  });

  it('starts over from an invalid file, and works per window without a folder', async () => {
    await mkdir(dirname(path));
    for (const text of [
      '',
      'x',
      '{}',
      '[1, null, ["a", "waiting", "", "", "x"]]',
      '[["a"',
    ]) {
      await writeFile(path, text);
      const memory = window();
      assert.deepEqual(await occasions(memory, sight(working, 1)), [], text);
      assert.deepEqual(
        await occasions(memory, sight(waiting, 2)),
        ['waits'],
        text,
      );
    }
    await rm(dirname(path), { recursive: true });
    await writeFile(dirname(path), 'not a folder');
    const [memory, other] = [window(), window()];
    for (const one of [memory, other]) {
      await occasions(one, sight(working, 1));
      assert.deepEqual(await occasions(one, sight(waiting, 2)), ['waits']);
      assert.deepEqual(await occasions(one, sight(waiting, 3)), []);
      const { key } = sight(waiting, 3);
      assert.ok(one.isUnread(key));
      await one.mark([key], false);
      assert.ok(!one.isUnread(key));
    }
    await chmod(dirname(path), 0o600);
  });
});
