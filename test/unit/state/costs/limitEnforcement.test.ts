import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import {
  type Conversation,
  type ConversationKey,
  keyOf,
} from '../../../../src/service/model/entities.ts';
import { LimitEnforcement } from '../../../../src/state/costs/limitEnforcement.ts';
import { Limits } from '../../../../src/state/costs/limits.ts';
import { SpendingLedger } from '../../../../src/state/costs/spending.ts';
import { until } from '../../../support/eventually.ts';
import { SteppedClock } from '../../../support/steppedClock.ts';
import { conversation } from '../support.ts';
import { testRounds } from '../../../support/testRounds.ts';

type Service = Parameters<LimitEnforcement['check']>[0];
type Stopped = Awaited<
  ReturnType<Awaited<ReturnType<Service['steering']>>['stop']>
>;

const address = 'https://agents.example.com';

/** Agents that spend when they are told to, with the list of them. */
class Agents {
  readonly rows = new Map<ConversationKey, Conversation>();
  readonly stops: ConversationKey[] = [];
  /** Called before an agent is stopped, unless it waits. */
  beforeStop = (): Promise<Stopped['result']> => Promise.resolve('stopped');

  begin(change: Partial<Conversation>, now: number): Conversation {
    const row = conversation({
      service: address,
      execution: 'running',
      cost: 0,
      createdAt: now,
      ...change,
    });
    this.rows.set(keyOf(row), row);
    return row;
  }

  change(key: ConversationKey, change: Partial<Conversation>): void {
    const row = this.rows.get(key);
    if (row) this.rows.set(key, { ...row, ...change });
  }

  /** Aborted for an agent that is no longer followed. */
  readonly follows: AbortSignal[] = [];
  service: Service = this.#connect();

  #connect(): Service {
    return {
      address,
      conversations: {
        rows: this.rows,
        unlisted: [],
        edit: () => undefined,
        refresh: () => Promise.resolve(),
      },
      locations: {
        useReady: (_, { signal }) => {
          this.follows.push(signal ?? assert.fail());
          return new Promise(() => undefined);
        },
      },
      steering: () =>
        Promise.resolve({
          stop: async (stopped) => {
            const key = keyOf(stopped);
            this.stops.push(key);
            const result = await this.beforeStop();
            if (result === 'waits') return { result, actions: [] };
            this.change(key, { execution: 'paused' });
            return { result };
          },
        }),
    };
  }
}

describe('an agent whose limit is enforced', () => {
  let folder: string;
  let files = 0;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'enforcement-'));
  });

  after(async () => {
    await rm(folder, { recursive: true });
  });

  function desk() {
    const clock = new SteppedClock();
    const agents = new Agents();
    const settings: Record<'conversation' | 'day', number | undefined> = {
      conversation: undefined,
      day: undefined,
    };
    const path = join(folder, String(++files));
    const reports: string[] = [];
    const openWindow = () => {
      const ledger = new SpendingLedger(clock, `${path}.spending`);
      const limits = new Limits(
        clock,
        () => settings,
        () => ledger,
        `${path}.limits`,
      );
      const enforcement = new LimitEnforcement(limits, {
        stopped: ({ id }) => reports.push(`stopped ${id}`),
        near: ({ id }) => reports.push(`near ${id}`),
        failed: (_, why) => assert.fail(why),
      });
      const look = async (isLeading = true) => {
        ledger.note(address, agents.rows.values());
        await ledger.read();
        await enforcement.check(agents.service, isLeading);
        // The agents are stopped by then.
        await limits.read();
      };
      return { limits, look, enforcement };
    };
    return { clock, agents, settings, reports, openWindow };
  }

  it('stops once, whoever looks, and again at a raised limit', async () => {
    const { clock, agents, settings, reports, openWindow } = desk();
    settings.conversation = 5;
    const [leading, other] = [openWindow(), openWindow()];
    await leading.look();
    const { id } = agents.begin({}, clock.now());
    const key = keyOf({ service: address, id });
    agents.change(key, { cost: 5 });
    await other.look(false);
    assert.deepEqual(agents.stops, []);
    await leading.look();
    // The record is older than the stop.
    agents.change(key, { execution: 'running' });
    await leading.look();
    assert.deepEqual(reports, [`stopped ${id}`]);
    agents.change(key, { limit: 6 });
    await leading.look();
    await until(() => reports.includes(`near ${id}`) || undefined);
    agents.change(key, { cost: 6.5 });
    await leading.look();
    assert.deepEqual(agents.stops, [key, key]);
  });

  it('stops again once it has spent more, if nobody saw it at rest', async () => {
    const { clock, agents, settings, reports, openWindow } = desk();
    settings.conversation = 5;
    const { look } = openWindow();
    await look();
    const { id } = agents.begin({}, clock.now());
    const key = keyOf({ service: address, id });
    const runsOn = async (cost: number) => {
      agents.change(key, { execution: 'running', cost });
      await look();
    };
    agents.beforeStop = async () => {
      // Its last step costs something.
      await runsOn(5.5);
      return 'stopped';
    };
    await runsOn(5);
    await until(() => reports.length === 1);
    await runsOn(5.5);
    await runsOn(5.4);
    assert.deepEqual(agents.stops, [key]);
    agents.beforeStop = () => Promise.resolve('stopped');
    await runsOn(6);
    assert.deepEqual(reports, [`stopped ${id}`, `stopped ${id}`]);
  });

  it('stops once it runs although an action waited when it was to be stopped', async () => {
    const { clock, agents, settings, reports, openWindow } = desk();
    settings.conversation = 5;
    const { look } = openWindow();
    await look();
    const { id } = agents.begin({}, clock.now());
    agents.change(keyOf({ service: address, id }), { cost: 5 });
    agents.beforeStop = () => Promise.resolve('waits');
    await look();
    assert.deepEqual([agents.stops.length, reports], [1, []]);
    agents.beforeStop = () => Promise.resolve('stopped');
    await look();
    assert.deepEqual(reports, [`stopped ${id}`]);
  });

  it('loses its live connection with its service, and gets one at the next', async () => {
    const { clock, agents, settings, openWindow } = desk();
    settings.conversation = 5;
    const { look, enforcement } = openWindow();
    agents.begin({}, clock.now());
    await look();
    const { service, follows } = agents;
    agents.service = { ...service };
    await look();
    enforcement.keepOnly([agents.service]);
    await look();
    assert.deepEqual(
      follows.map(({ aborted }) => aborted),
      [true, false],
    );
    enforcement.keepOnly([]);
    assert.ok(follows[1]?.aborted);
  });

  it('comes near two limits, and both are told', async () => {
    const { clock, agents, settings, reports, openWindow } = desk();
    settings.conversation = settings.day = 5;
    const window = openWindow();
    await window.look();
    const { id } = agents.begin({ cost: 4.5 }, clock.now());
    await window.look();
    await until(() => reports.length === 2 || undefined);
    assert.deepEqual(reports, [`near ${id}`, `near ${id}`]);
    assert.deepEqual(agents.stops, []);
  });

  it('stops at its limit and not before, in random sequences of costs, limits, forks and restarts', async function () {
    this.timeout(300_000);
    const step = fc.oneof(
      fc.record({ spends: fc.nat(9), cents: fc.nat(300) }),
      fc.record({ limits: fc.nat(9), dollars: fc.option(fc.nat(8)) }),
      fc.record({ all: fc.option(fc.nat(8)), day: fc.option(fc.nat(30)) }),
      fc.record({ forks: fc.nat(9) }),
      fc.constant('restarts' as const),
      fc.constant('another day' as const),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const { clock, agents, settings, openWindow } = desk();
        let window = openWindow();
        await window.look();
        agents.begin({}, clock.now());
        agents.begin({}, clock.now());
        // The model: cents, because fractions drift.
        let today = 0;
        const at = (index: number) => {
          const all = [...agents.rows.keys()];
          return all[index % all.length] ?? assert.fail();
        };
        for (const one of steps) {
          if (one === 'restarts') window = openWindow();
          else if (one === 'another day') {
            clock.advance(86_400_000);
            today = 0;
          } else if ('spends' in one) {
            const key = at(one.spends);
            const { cost = 0, execution } =
              agents.rows.get(key) ?? assert.fail();
            if (execution === 'running') {
              const cents = Math.round(cost * 100) + one.cents;
              agents.change(key, {
                cost: cents / 100,
                updatedAt: clock.now(),
              });
              today += one.cents;
            }
          } else if ('limits' in one)
            agents.change(at(one.limits), { limit: one.dollars ?? undefined });
          else if ('forks' in one) {
            const { cost } = agents.rows.get(at(one.forks)) ?? assert.fail();
            agents.begin({ cost, forkedFrom: 'original' }, clock.now());
          } else {
            settings.conversation = one.all ?? undefined;
            settings.day = one.day ?? undefined;
          }
          const working = [...agents.rows.values()].filter(
            ({ execution }) => execution === 'running',
          );
          agents.stops.length = 0;
          await window.look();
          const expected = working.filter(({ cost = 0, limit }) => {
            const own = limit ?? settings.conversation;
            return (
              (own !== undefined && Math.round(cost * 100) >= own * 100) ||
              (settings.day !== undefined && today >= settings.day * 100)
            );
          });
          assert.deepEqual(
            new Set(agents.stops),
            new Set(expected.map(keyOf)),
            JSON.stringify(one),
          );
        }
      }),
      { numRuns: testRounds(250) },
    );
  });
});
