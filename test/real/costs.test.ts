/** Costs that a real Agent Server tells, and what the ledger makes of them. */
import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import type { Conversation } from '../../src/service/model/entities.ts';
import type { ConnectedService } from '../../src/state/connectedService.ts';
import { knownCost } from '../../src/state/costs/spending.ts';
import { Switchboard } from '../../src/state/switchboard.ts';
import { MemoryStore } from '../unit/state/support.ts';
import { clientOf } from './client.ts';
import { answers, type RealService, startService } from './services.ts';
import { until } from './until.ts';

describe('the cost of a conversation at a real Agent Server', function () {
  this.timeout(600_000);
  let real: RealService;
  let switchboard: Switchboard;
  let service: ConnectedService;

  beforeEach(async () => {
    real = await startService('agentServer');
    switchboard = new Switchboard({
      store: new MemoryStore(),
      clock: systemClock,
      pageSize: () => 90,
    });
    service = switchboard.connect({
      client: clientOf(real, {
        interface: 'agentServer',
        requestsPerSecond: Infinity,
      }),
      address: real.url,
      name: 'real',
      demo: false,
    });
    await service.refresh();
  });

  afterEach(() => {
    switchboard.dispose();
  });

  const steps = (folder: string) =>
    [1, 2, 3]
      .map((step) => `call: terminal {"command":"touch ${folder}/${step}"}`)
      .join('\n');

  /** The row once its agent has finished, and has this cost. */
  async function finished({ id }: Pick<Conversation, 'id'>, cost: number) {
    return await until(async () => {
      await service.conversations.refresh();
      const row = switchboard.conversation(id);
      return row?.execution === 'finished' && row.cost === cost
        ? row
        : undefined;
    });
  }

  async function runSteps(cost: number): Promise<Conversation> {
    const folder = await mkdtemp(join(real.home, 'work-'));
    const { creation } = await service.client.recognise();
    const created = await creation?.create({ message: steps(folder), folder });
    assert.ok(created?.kind === 'conversation');
    service.conversations.insertFirst(created.conversation);
    return await finished(created.conversation, cost);
  }

  async function fork({ id }: Conversation, resetsMetrics: boolean) {
    const body = JSON.stringify({ reset_metrics: resetsMetrics });
    const made = await answers<{ id: string }>(
      real.ask(`/api/conversations/${id}/fork`, { method: 'POST', body }),
      201,
    );
    await service.conversations.refresh();
    return switchboard.conversation(made.id) ?? assert.fail();
  }

  it('means unknown if it is 0 for a model without a price', async () => {
    const row = await runSteps(0);
    assert.ok((row.tokens?.read ?? 0) > 0);
    assert.equal(knownCost(row), undefined);
    assert.equal(switchboard.spending.today, 0);
  });

  it('counts once, also after a fork that copies them', async () => {
    const prices = { input_cost_per_token: 0.5, output_cost_per_token: 0.5 };
    const body = JSON.stringify({ agent_settings_diff: { llm: prices } });
    await answers(real.ask('/api/settings', { method: 'PATCH', body }));
    // Three steps, the end and the title, which the record may tell late.
    const cost = 5;
    const row = await runSteps(cost);
    assert.equal(switchboard.spending.today, cost);

    const reset = await fork(row, true);
    assert.equal(reset.forkedFrom, row.id);
    assert.equal(reset.cost ?? 0, 0);
    const copy = await fork(row, false);
    assert.deepEqual([copy.forkedFrom, copy.cost], [row.id, cost]);
    assert.equal(switchboard.spending.today, cost);
  });
});
