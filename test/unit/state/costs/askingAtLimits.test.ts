import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../../src/base/clock.ts';
import { UserError } from '../../../../src/base/errors.ts';
import type { Spent } from '../../../../src/state/costs/limits.ts';
import { Switchboard } from '../../../../src/state/switchboard.ts';
import {
  type MisbehavingDemo,
  startMisbehavingDemo,
} from '../../../support/demo/faults/misbehavingDemo.ts';
import { until } from '../../../support/eventually.ts';
import { clientOf, conversation, key, MemoryStore } from '../support.ts';

describe('a window that asks before an agent goes on at its limit', () => {
  const { signal } = new AbortController();
  const settings: Record<'conversation' | 'day', number | undefined> = {
    conversation: undefined,
    day: undefined,
  };
  let folder: string;
  let demo: MisbehavingDemo;
  let windows: Switchboard[];
  let asked: Spent['of'][];
  let answer: boolean;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'asking-'));
    demo = await startMisbehavingDemo({
      interface: 'agentServer',
      key,
      clock: systemClock,
    });
    windows = [];
    asked = [];
    answer = true;
    settings.conversation = settings.day = undefined;
  });

  afterEach(async () => {
    for (const window of windows) window.dispose();
    await demo.stop();
    await rm(folder, { recursive: true });
  });

  async function openWindow() {
    const switchboard = new Switchboard({
      store: new MemoryStore(),
      clock: systemClock,
      pageSize: () => 60,
      folder,
      limits: () => settings,
      mayGoOn: (_, { of }) => {
        asked.push(of);
        return Promise.resolve(answer);
      },
    });
    windows.push(switchboard);
    const service = switchboard.connect({
      client: clientOf(demo, systemClock),
      address: demo.url,
      name: 'Agents',
      demo: false,
    });
    await service.refresh();
    const row =
      [...service.conversations.rows.values()].find(
        ({ execution, cost }) => execution === 'finished' && cost,
      ) ?? assert.fail();
    const steering = await service.steering();
    const send = () => steering.send(row, { text: 'Go on' }, signal);
    return { switchboard, service, row, send };
  }

  it('asks about each limit that is reached', async () => {
    settings.conversation = settings.day = 0;
    const { send } = await openWindow();
    await send();
    assert.deepEqual(asked, ['conversation', 'day']);
  });

  it('knows the limits and the costs that another window has saved since', async () => {
    const [{ switchboard, row, send }, other] = await Promise.all([
      openWindow(),
      openWindow(),
    ]);
    answer = false;
    const refused = /The agent has reached its limit, so nothing was sent\./;
    await other.switchboard.limits.keepOwn(row, 0);
    await assert.rejects(send(), refused);
    await other.switchboard.limits.keepOwn(row, undefined);
    settings.day = 5;
    const service = demo.url;
    const spending = { service, cost: 5, createdAt: systemClock.now() };
    other.switchboard.spending.note(service, [conversation(spending)]);
    await other.switchboard.spending.read();
    await assert.rejects(send(), refused);
    assert.deepEqual(asked, ['conversation', 'day']);
    await other.switchboard.limits.raiseDay(10);
    const outcome = new Promise((resolve) =>
      switchboard.queuedMessages.onOutcome(({ result }) => {
        resolve(result);
      }),
    );
    switchboard.queuedMessages.add(row, { text: 'Go on' });
    switchboard.queuedMessages.note(row);
    assert.deepEqual(await outcome, { result: 'sent' });
  });

  it('sends a queued message that has waited for a raised limit', async () => {
    settings.conversation = 0;
    const { switchboard, service, row } = await openWindow();
    const { queuedMessages } = switchboard;
    const outcomes: unknown[] = [];
    queuedMessages.onOutcome(({ result }) => outcomes.push(result));
    queuedMessages.add(row, { text: 'Go on' });
    queuedMessages.note(row);
    await until(() => outcomes.length === 1);
    await service.refresh();
    queuedMessages.note(row);
    settings.conversation = undefined;
    await service.refresh();
    await until(() => outcomes.length > 1);
    assert.ok(outcomes[0] instanceof UserError);
    assert.deepEqual(outcomes.slice(1), [{ result: 'sent' }]);
  });
});
