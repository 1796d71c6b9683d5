/** Automations of the real server that Agent Canvas puts beside an Agent Server. */
import assert from 'node:assert/strict';
import { systemClock } from '../../src/base/clock.ts';
import { keyOf } from '../../src/service/model/entities.ts';
import { OwnMemory, sightsOf } from '../../src/state/attention.ts';
import type { ConnectedService } from '../../src/state/connectedService.ts';
import { Switchboard } from '../../src/state/switchboard.ts';
import { MemoryStore } from '../unit/state/support.ts';
import { type RealAutomations, startAutomations } from './automations.ts';
import { clientOf } from './client.ts';
import { startProxy } from './proxy.ts';
import { type RealService, realService } from './services.ts';
import { until } from './until.ts';

const { signal } = new AbortController();

describe('the automations beside a real Agent Server', function () {
  this.timeout(300_000);
  let real: RealService;
  let automations: RealAutomations;
  let switchboard: Switchboard;

  before(async () => {
    real = await realService('agentServer');
    automations = await startAutomations(real);
  });

  after(async () => {
    await automations.proxy.stop();
  });

  afterEach(() => {
    switchboard.dispose();
  });

  function connect(url: string): ConnectedService {
    switchboard = new Switchboard({
      store: new MemoryStore(),
      clock: systemClock,
      pageSize: () => 20,
    });
    return switchboard.connect({
      client: clientOf({ url, key: real.key }),
      address: url,
      name: 'real',
      demo: false,
    });
  }

  it('lists them, runs them now, and notifies of the run that failed', async () => {
    const workingId = await automations.create('Triage', 'COMPLETED');
    const failingId = await automations.create('Update', 'FAILED');
    const { proxy } = automations;
    const service = connect(proxy.url);
    const memory = new OwnMemory();
    const notices = async () =>
      (
        await memory.add([
          ...sightsOf(service.conversations),
          ...service.automations.sights,
        ])
      ).filter(({ automation }) => automation !== undefined);
    const row = (id: string) =>
      service.automations.rows.find(({ automation }) => automation.id === id) ??
      assert.fail(id);

    await service.refresh();
    assert.deepEqual(await notices(), []);
    const { automation, run } = row(workingId);
    assert.equal(automation.name, 'Triage');
    assert.equal(automation.trigger, '0 9 * * 1 UTC');
    assert.equal(automation.isOn, true);
    assert.equal(run, undefined);

    for (const id of [workingId, failingId])
      await service.automations.change((all) => all.runNow(id));
    assert.match(row(workingId).run?.status ?? '', /pending|running/);

    const seen: Awaited<ReturnType<typeof notices>>[number][] = [];
    await until(async () => {
      const before = proxy.passed.length;
      await service.refresh('poll');
      const asked = proxy.passed
        .slice(before)
        .filter((request) => request.includes('/automation/'));
      assert.equal(asked.length, 1, asked.join(', '));
      seen.push(...(await notices()));
      const states = [workingId, failingId].map((id) => row(id).run?.status);
      return states.join() === 'completed,failed' ? true : undefined;
    });
    assert.deepEqual(
      seen.map((notice) => [notice.occasion, notice.conversation.title]),
      [['failed', 'Automation: Update']],
    );
    for (const id of [workingId, failingId]) {
      const conversationId = row(id).run?.conversationId ?? assert.fail();
      const key = keyOf({ service: proxy.url, id: conversationId });
      assert.ok(await switchboard.find(key, signal));
    }
    assert.equal(row(failingId).run?.error, 'No access to the repository');
  });

  it('turns one off, which another program sees, and on', async () => {
    const id = await automations.create('Turned', 'COMPLETED');
    const service = connect(automations.proxy.url);
    await service.refresh();
    for (const isOn of [false, true]) {
      await service.automations.change((all) => all.turn(id, isOn));
      const { body } = await automations.ask<{ readonly enabled: boolean }>(
        `/api/automation/v1/${id}`,
      );
      assert.equal(body.enabled, isOn);
      const { automation } =
        service.automations.rows.find((row) => row.automation.id === id) ?? {};
      assert.equal(automation?.isOn, isOn);
      assert.equal(automation.whyOff, undefined);
    }
  });

  it('asks an Agent Server without them once', async () => {
    const proxy = await startProxy(real.url);
    try {
      const service = connect(proxy.url);
      for (let count = 0; count < 4; count++) {
        await service.refresh();
        await service.refresh('poll');
      }
      assert.deepEqual(
        proxy.passed.filter((request) => request.includes('/automation/')),
        ['GET /api/automation/v1?limit=100'],
      );
      assert.deepEqual(switchboard.automations, []);
    } finally {
      await proxy.stop();
    }
  });
});
