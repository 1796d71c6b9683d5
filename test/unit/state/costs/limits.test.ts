import assert from 'node:assert/strict';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Limits } from '../../../../src/state/costs/limits.ts';
import { SteppedClock } from '../../../support/steppedClock.ts';
import { conversation } from '../support.ts';

const at = new Date(2026, 10, 28, 12).getTime();

describe('what an agent may spend', () => {
  let folder: string;
  let settings: { conversation: number | undefined; day: number | undefined };
  let today: number;
  let counted: number;
  let clock: SteppedClock;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'limits-'));
    settings = { conversation: undefined, day: undefined };
    today = counted = 0;
    clock = new SteppedClock(at);
  });

  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  const open = (isShared = true) =>
    new Limits(
      clock,
      () => settings,
      () => ({
        today,
        counted: () => counted,
        read: () => Promise.resolve(),
        isShared,
      }),
      join(folder, 'limits.json'),
    );

  it('has its own limit, or else that of all conversations, or none', () => {
    const limits = open();
    const row = conversation({ cost: 1.2 });
    assert.equal(limits.of(row), undefined);
    assert.ok(!limits.isArmed(row));
    settings.conversation = 5;
    assert.deepEqual(limits.of(row), {
      of: 'conversation',
      spent: 1.2,
      limit: 5,
    });
    assert.equal(limits.of({ ...row, limit: 2 })?.limit, 2);
  });

  it('comes near its limit at 80 %, and reaches it at 100 %', () => {
    const limits = open();
    settings.conversation = 5;
    for (const [cost, isNear, isReached] of [
      [3.99, false, false],
      [4, true, false],
      [4.99, true, false],
      [5, true, true],
      [7, true, true],
    ] as const) {
      const row = conversation({ cost });
      assert.equal(limits.near(row).length > 0, isNear, String(cost));
      assert.equal(limits.reached(row).length > 0, isReached, String(cost));
    }
  });

  it('counts what events have told, although the record is older', () => {
    const limits = open();
    settings.conversation = 5;
    counted = 5.5;
    for (const cost of [0, 4])
      assert.equal(limits.reached(conversation({ cost }))[0]?.spent, 5.5);
  });

  it('reaches a limit of 0 dollars from the start', () => {
    settings.conversation = 0;
    assert.ok(open().reached(conversation({ cost: 0 }))[0]);
  });

  it('never reaches a limit if the cost is not known, which is told', () => {
    const limits = open();
    settings.conversation = 1;
    for (const row of [
      conversation(),
      conversation({ cost: 0, tokens: { read: 9, written: 1 } }),
    ]) {
      assert.equal(limits.of(row)?.spent, undefined);
      assert.deepEqual(limits.reached(row), []);
      assert.ok(limits.isArmed(row));
    }
  });

  it('has a limit in all windows where the service keeps none', async () => {
    const [limits, other] = [open(), open()];
    const row = conversation({ cost: 1 });
    await limits.keepOwn(row, 2.5);
    await other.read();
    assert.equal(other.own(row), 2.5);
    await other.keepOwn(row, undefined);
    await limits.read();
    assert.equal(limits.own(row), undefined);
  });

  it('comes near its limit in one of several windows, and again once that is raised', async () => {
    const windows = Array.from({ length: 5 }, open);
    const row = conversation({ cost: 4.5 });
    for (const limit of [5, 10]) {
      const told = await Promise.all(
        windows.map((limits) =>
          limits.claimTelling(row, { of: 'conversation', spent: 9, limit }),
        ),
      );
      assert.equal(told.filter(Boolean).length, 1);
    }
  });

  it('locks its file only until a window has told that the limit is near', async () => {
    const limits = open();
    const row = conversation({ cost: 4.5 });
    const near = { of: 'conversation', spent: 4.5, limit: 5 } as const;
    assert.ok(await limits.claimTelling(row, near));
    const { mtimeNs } = await stat(folder, { bigint: true });
    assert.ok(!(await limits.claimTelling(row, near)));
    assert.equal((await stat(folder, { bigint: true })).mtimeNs, mtimeNs);
  });

  it('has a limit for all agents in a day, which can be raised for that day, but not by the demo', async () => {
    const limits = open();
    settings.day = 10;
    const row = conversation();
    today = 10;
    assert.deepEqual(limits.reached(row), [
      { of: 'day', spent: 10, limit: 10 },
    ]);
    await limits.raiseDay(row, 15);
    assert.deepEqual(limits.reached(row), []);
    const other = open();
    await other.read();
    assert.equal(other.day(row)?.limit, 15);
    const demo = open(false);
    await demo.read();
    assert.equal(demo.day(row)?.limit, 10);
    settings.day = 8;
    assert.equal(limits.day(row)?.limit, 8);
    settings.day = 10;
    clock.advance(86_400_000);
    assert.equal(limits.day(row)?.limit, 10);
  });
});
