import assert from 'node:assert/strict';
import { firstAutomationIds } from '../../../src/demo/agentServer/storedAutomations.ts';
import { keyOf } from '../../../src/service/model/entities.ts';
import {
  OwnMemory,
  sightsOf,
  withoutRepeats,
} from '../../../src/state/attention.ts';
import type { ConnectedService } from '../../../src/state/connectedService.ts';
import { Switchboard } from '../../../src/state/switchboard.ts';
import {
  type MisbehavingDemo,
  startMisbehavingDemo,
} from '../../support/demo/faults/misbehavingDemo.ts';
import { requestCounts } from '../../support/requestCounts.ts';
import { SteppedClock } from '../../support/steppedClock.ts';
import { clientOf, key, MemoryStore } from './support.ts';

const list = 'GET /api/automation/v1';
const runs = 'GET /api/automation/v1/*/runs';
const runMs = 6_000;

describe('the automations of a service', () => {
  let demo: MisbehavingDemo;
  let clock: SteppedClock;
  let service: ConnectedService;
  let switchboard: Switchboard;

  const connect = async (
    options: Parameters<typeof startMisbehavingDemo>[0] = {},
  ) => {
    clock = new SteppedClock();
    demo = await startMisbehavingDemo({
      interface: 'agentServer',
      key,
      clock,
      automations: true,
      ...options,
    });
    switchboard = new Switchboard({
      store: new MemoryStore(),
      clock,
      pageSize: () => 20,
    });
    service = switchboard.connect({
      client: clientOf(demo, clock),
      address: demo.url,
      name: 'Demo',
      demo: false,
    });
  };

  afterEach(async () => {
    switchboard.dispose();
    await demo.stop();
  });

  /** Requests for automations, by kind. */
  const asked = async (action: () => Promise<unknown>) =>
    Object.fromEntries(
      Object.entries(await requestCounts(demo, action)).filter(([kind]) =>
        kind.includes('automation'),
      ),
    );
  const poll = () => service.refresh('poll');
  const states = () =>
    switchboard.automations.map(({ automation, run }) => [
      automation.name,
      automation.isOn,
      run?.status,
    ]);
  const [failingId, workingId] = firstAutomationIds;
  const keyAt = (id: string) => keyOf({ service: demo.url, id });
  const runNow = (id: string) =>
    service.automations.change((automations) => automations.runNow(id));
  const turn = (isOn: boolean) =>
    service.automations.change((automations) =>
      automations.turn(failingId, isOn),
    );

  it('lists them with their last runs when a person refreshes', async () => {
    await connect();
    assert.deepEqual(await asked(() => service.refresh()), {
      [list]: 1,
      [runs]: 2,
    });
    assert.deepEqual(states(), [
      ['Update dependencies', true, 'failed'],
      ['Triage new issues', true, 'completed'],
    ]);
    const [first] = switchboard.automations;
    assert.equal(first?.automation.trigger, '0 6 * * 1 UTC');
    assert.match(first.run?.error ?? '', /npm install failed/);
    const { conversationId = '' } = first.run ?? {};
    assert.ok(switchboard.conversation(conversationId));
    assert.deepEqual(await asked(() => service.refresh()), { [list]: 1 });
  });

  it('sends at most one request in each poll', async () => {
    await connect();
    assert.deepEqual(await asked(poll), { [list]: 1 });
    assert.deepEqual(await asked(poll), { [runs]: 1 });
    assert.deepEqual(await asked(poll), { [runs]: 1 });
    assert.deepEqual(
      states().map(([, , status]) => status),
      ['failed', 'completed'],
    );
    for (let count = 0; count < 5; count++)
      assert.deepEqual(await asked(poll), { [list]: 1 });
  });

  it('asks once in a session where there are none', async () => {
    await connect({ automations: false });
    assert.deepEqual(await asked(() => service.refresh()), { [list]: 1 });
    for (let count = 0; count < 5; count++) {
      assert.deepEqual(await asked(poll), {});
      assert.deepEqual(await asked(() => service.refresh()), {});
    }
    assert.deepEqual(switchboard.automations, []);
  });

  it('asks a service of another kind for none', async () => {
    await connect({ interface: 'v0' });
    assert.deepEqual(await asked(() => service.refresh()), {});
  });

  it('runs one now, and follows the run until it has ended', async () => {
    await connect();
    await service.refresh();
    const before = switchboard.automations[1]?.run?.id;
    assert.deepEqual(await asked(() => runNow(workingId)), {
      'POST /api/automation/v1/*/dispatch': 1,
      [list]: 1,
      [runs]: 1,
    });
    assert.equal(states()[1]?.[2], 'running');
    assert.notEqual(switchboard.automations[1]?.run?.id, before);
    assert.equal(await poll(), 'inTransition');
    assert.deepEqual(await asked(poll), { [runs]: 1 });
    assert.equal(states()[1]?.[2], 'running');
    clock.advance(runMs);
    await poll();
    await poll();
    assert.equal(states()[1]?.[2], 'completed');
    assert.equal(await poll(), 'steady');
  });

  it('turns one off and on', async () => {
    await connect();
    await service.refresh();
    await turn(false);
    assert.deepEqual(states()[0], ['Update dependencies', false, 'failed']);
    await turn(true);
    assert.equal(states()[0]?.[1], true);
  });

  it('keeps the last rows when the service stops answering', async () => {
    await connect();
    await service.refresh();
    const before = states();
    demo.misbehave({ unavailable: { retryAfter: undefined, times: Infinity } });
    await service.automations.refresh('poll');
    assert.deepEqual(states(), before);
    demo.misbehave({});
    assert.deepEqual(await asked(() => service.automations.refresh('poll')), {
      [list]: 1,
    });
  });

  it('notifies of a failed run once if its conversation fails too', async () => {
    await connect();
    const memory = new OwnMemory(clock);
    const look = async () => {
      const notices = await memory.add([
        ...sightsOf(service.conversations),
        ...service.automations.sights,
      ]);
      return withoutRepeats(notices, service.conversations.rows, memory).length;
    };
    await service.refresh();
    assert.equal(await look(), 0);
    const { conversationId = '' } = switchboard.automations[0]?.run ?? {};
    const row = switchboard.conversation(conversationId) ?? assert.fail();
    for (const [isUnread, count] of [
      [true, 0],
      [false, 1],
    ] as const) {
      await memory.mark([keyOf(row)], isUnread);
      await runNow(failingId);
      clock.advance(runMs);
      await service.refresh();
      assert.equal(await look(), count);
    }
  });

  it('notifies of each failed run once, under the name of the automation', async () => {
    await connect();
    const memory = new OwnMemory(clock);
    const look = async () =>
      (
        await memory.add([
          ...sightsOf(service.conversations),
          ...service.automations.sights,
        ])
      ).map(({ occasion, conversation, automation }) => [
        occasion,
        conversation.title,
        automation,
      ]);
    await service.refresh();
    assert.deepEqual(await look(), []);
    for (let count = 0; count < 2; count++) {
      await runNow(failingId);
      await runNow(workingId);
      assert.deepEqual(await look(), []);
      clock.advance(runMs);
      await service.refresh();
      assert.deepEqual(await look(), [
        ['failed', 'Automation: Update dependencies', keyAt(failingId)],
      ]);
      await service.refresh();
      assert.deepEqual(await look(), []);
    }
  });

  it('notifies once if two windows read the failed run at different times', async () => {
    await connect();
    const otherWindow = new Switchboard({
      store: new MemoryStore(),
      clock,
      pageSize: () => 20,
    });
    try {
      const other = otherWindow.connect({
        client: clientOf(demo, clock),
        address: demo.url,
        name: 'Demo',
        demo: false,
      });
      const memory = new OwnMemory(clock);
      const look = async ({ automations }: ConnectedService) =>
        (await memory.add(automations.sights)).length;
      await service.refresh();
      await runNow(workingId);
      await runNow(failingId);
      await other.refresh();
      assert.equal(await look(other), 0);
      clock.advance(runMs);
      await service.refresh();
      assert.equal(await look(service), 1);
      clock.advance(1_000);
      await runNow(failingId);
      clock.advance(runMs);
      await service.refresh();
      assert.equal(await look(service), 1);
      clock.advance(1_000);
      for (let count = 0; count < 6; count++) {
        await other.refresh('poll');
        assert.equal(await look(other), 0);
      }
      assert.deepEqual(
        other.automations.rows.map(({ run }) => run?.status),
        ['failed', 'completed'],
      );
    } finally {
      otherWindow.dispose();
    }
  });
});
