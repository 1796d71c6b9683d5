import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Conversation } from '../../../../src/service/model/entities.ts';
import { dayOf } from '../../../../src/state/lists/conversationRows.ts';
import {
  knownCost,
  SpendingLedger,
} from '../../../../src/state/costs/spending.ts';
import { SteppedClock } from '../../../support/steppedClock.ts';
import { conversation } from '../support.ts';
import { testRounds } from '../../../support/testRounds.ts';

const dayMs = 86_400_000;
const service = 'https://agents.example.com';

describe('the ledger of what agents spend', () => {
  let folder: string;
  let path: string;
  let clock: SteppedClock;
  let files = 0;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'spending-'));
  });

  after(async () => {
    await rm(folder, { recursive: true });
  });

  beforeEach(() => {
    path = join(folder, `${++files}.json`);
    clock = new SteppedClock();
  });

  const openWindow = () => new SpendingLedger(clock, path);

  async function note(
    window: SpendingLedger,
    ...conversations: readonly Conversation[]
  ): Promise<void> {
    window.note(service, conversations);
    await window.read();
  }

  const created = (change: Partial<Conversation> = {}) =>
    conversation({ service, createdAt: clock.now(), ...change });

  it('adds 1,000,000 small amounts without drift', () => {
    const ledger = new SpendingLedger(clock);
    ledger.note(service, []);
    const one = created();
    let sum = 0;
    for (let count = 1; count <= 1_000_000; count++) {
      // The sum of the service drifts, as a sum of fractions does.
      sum += 0.000_001;
      ledger.note(service, [{ ...one, cost: sum }]);
    }
    assert.equal(ledger.today, 1);
    const many = new SpendingLedger(clock);
    many.note(service, []);
    for (let count = 1; count <= 100_000; count++)
      many.note(service, [created({ id: `${count}`, cost: 0.1 })]);
    assert.equal(many.today, 10_000);
  });

  it('counts what an older conversation spends after its first sight, and all of a new one', async () => {
    const window = openWindow();
    const old = created({ createdAt: clock.now() - 1, cost: 5 });
    await note(window, old);
    assert.equal(window.today, 0);
    assert.equal(window.since, clock.now());
    await note(window, { ...old, cost: 5.25 }, created({ cost: 0.5 }));
    assert.equal(window.today, 0.75);
    assert.deepEqual(window.days, [{ day: dayOf(clock.now()), dollars: 0.75 }]);
  });

  it('begins for a service when it is connected, not with the ledger', async () => {
    const window = openWindow();
    await note(window);
    clock.advance(dayMs);
    const other = 'https://other.example.com';
    const old = created({ createdAt: clock.now() - 1, cost: 9 });
    window.note(other, [{ ...old, service: other }]);
    assert.equal(window.today, 0);
  });

  it('does not count the cost that a fork has copied', async () => {
    const window = openWindow();
    const source = created({ cost: 2 });
    await note(window);
    await note(window, source);
    const fork = created({ cost: 2, forkedFrom: 'original' });
    await note(window, fork);
    assert.equal(window.today, 2);
    await note(window, { ...fork, cost: 2.5 });
    assert.equal(window.today, 2.5);
  });

  it('never subtracts, and counts nothing twice after a cost went down', async () => {
    const window = openWindow();
    await note(window);
    const one = created();
    for (const cost of [3, 1, 2, 3, undefined, 3.5])
      await note(window, { ...one, cost });
    assert.equal(window.today, 3.5);
  });

  it('counts what was spent while no window was open for the day of the last activity', async () => {
    const first = openWindow();
    const one = created();
    await note(first);
    await note(first, { ...one, cost: 1 });
    const monday = dayOf(clock.now());
    clock.advance(dayMs);
    const activeAt = clock.now();
    clock.advance(2 * dayMs);
    const second = openWindow();
    await note(second, { ...one, cost: 4, updatedAt: activeAt });
    assert.equal(second.today, 0);
    assert.deepEqual(second.days, [
      { day: monday, dollars: 1 },
      { day: dayOf(activeAt), dollars: 3 },
    ]);
    second.note(service, [{ ...one, cost: 5, updatedAt: activeAt }], () =>
      clock.now(),
    );
    assert.equal(second.today, 1);
  });

  it('knows the costs of other windows once they are read', async () => {
    const window = openWindow();
    const other = openWindow();
    await note(window);
    const one = created({ cost: 1 });
    await note(window, one);
    await other.read();
    assert.equal(other.today, 1);
    await note(other, one);
    assert.equal(other.today, 1);
  });

  it('forgets days after 400 days, and does not count a forgotten conversation again', async () => {
    const window = openWindow();
    await note(window);
    const old = created({ cost: 7 });
    await note(window, old);
    clock.advance(401 * dayMs);
    await note(window, created({ cost: 1 }));
    const later = openWindow();
    await note(later, { ...old, cost: 8 });
    assert.deepEqual(later.days, [{ day: dayOf(clock.now()), dollars: 1 }]);
    assert.equal(later.since, clock.now() - 400 * dayMs);
  });

  it('keeps a bounded file that tells neither address nor id', async () => {
    const window = openWindow();
    await note(window);
    await note(
      window,
      ...Array.from({ length: 6_000 }, (_, index) =>
        created({ id: `secret-${index}`, cost: 1 }),
      ),
    );
    assert.equal(window.today, 6_000);
    const text = await readFile(path, 'utf8');
    assert.doesNotMatch(text, /secret|example/);
    assert.ok(text.length < 250_000, `${text.length} bytes`);
    const later = openWindow();
    clock.advance(1);
    await note(later, created({ id: 'secret-0', createdAt: 0, cost: 1 }));
    assert.equal(later.today, 6_000);
  });

  it('starts again with a file of another format, and goes on without a usable file', async () => {
    await writeFile(path, '{"format":7,"days":[["2026-01-15",5]]}');
    const window = openWindow();
    const one = created({ createdAt: clock.now() - 1, cost: 1 });
    await note(window, one);
    await note(window, { ...one, cost: 3 });
    assert.equal(window.today, 2);
    assert.equal(openWindow().today, 0);
    const lost = new SpendingLedger(clock, join(path, 'not a folder'));
    lost.note(service, [one]);
    lost.note(service, [{ ...one, cost: 3 }]);
    await lost.read();
    assert.equal(lost.today, 2);
  });

  it('knows no cost where a service tells none, or 0 for tokens of an unpriced model', () => {
    const tokens = { read: 10, written: 2 };
    const costs = [
      { cost: undefined },
      { cost: 0, tokens },
      { cost: 0, tokens: { read: 0, written: 0 } },
      { cost: 0 },
      { cost: 0.2, tokens },
    ];
    assert.deepEqual(
      costs.map((change) => knownCost(conversation(change))),
      [undefined, undefined, 0, 0, 0.2],
    );
  });

  it('agrees with a simple model in random sequences of costs, forks, restarts and windows', async function () {
    this.timeout(300_000);
    const step = fc.record({
      what: fc.constantFrom(
        ...([
          'create',
          'createOld',
          'fork',
          'copy',
          'restart',
          'sleep',
        ] as const),
        ...(['spend', 'spend', 'spend', 'spend', 'drop'] as const),
      ),
      which: fc.nat(7),
      micros: fc.integer({ min: 1, max: 3_000_000 }),
      window: fc.nat(2),
      together: fc.boolean(),
    });
    const sequences = fc.sample(fc.array(step, { maxLength: 14 }), {
      numRuns: testRounds(250),
      seed: 47,
    });
    const run = async (steps: (typeof sequences)[number], name: string) => {
      const clock = new SteppedClock();
      const open = () => new SpendingLedger(clock, join(folder, name));
      const windows = [open(), open(), open()];
      await Promise.all(windows.map((window) => note(window)));
      /** Costs and what was counted, in microdollars. */
      const all: { row: Conversation; cost: number; mark: number }[] = [];
      const days = new Map<string, number>();
      for (const { what, which, micros, window, together } of steps) {
        clock.advance(1_000);
        let chosen = all[which % (all.length || 1)];
        if (what === 'restart') windows[window] = open();
        else if (what === 'sleep') clock.advance(dayMs / 3);
        else if (what === 'spend' && chosen) chosen.cost += micros;
        else if (what === 'drop' && chosen)
          chosen.cost = Math.floor(chosen.cost / 2);
        else if (what !== 'spend' && what !== 'drop') {
          const isOld = what === 'createOld';
          const isFork = what === 'copy' || what === 'fork';
          let cost = isOld ? micros : 0;
          if (what === 'copy') cost = chosen?.cost ?? 0;
          const createdAt = isOld ? 1 : clock.now();
          const row = created({
            ...(isFork && { forkedFrom: 'original' }),
            createdAt,
          });
          chosen = { row, cost, mark: cost };
          all.push(chosen);
        }
        if (!chosen || what === 'restart' || what === 'sleep') continue;
        const { row, cost, mark } = chosen;
        const day = dayOf(clock.now());
        if (cost > mark) days.set(day, (days.get(day) ?? 0) + cost - mark);
        chosen.mark = Math.max(cost, mark);
        const noting = together ? windows : windows.slice(window, window + 1);
        await Promise.all(
          noting.map((one) => note(one, { ...row, cost: cost / 1e6 })),
        );
      }
      const expected = [...days].map(([day, sum]) => ({
        day,
        dollars: sum / 1e6,
      }));
      for (const one of [...windows, open()]) {
        await one.read();
        assert.deepEqual(one.days, expected);
      }
    };
    // Many at a time, because each waits for the disk most of the time.
    while (sequences.length > 0)
      await Promise.all(
        sequences.splice(-50).map((steps) => run(steps, `${++files}.json`)),
      );
  });
});
