import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../../src/base/clock.ts';
import { UserError } from '../../../../src/base/errors.ts';
import { keyOf } from '../../../../src/service/model/entities.ts';
import { FollowedConversation } from '../../../../src/state/conversation/followedConversation.ts';
import { LimitEnforcement } from '../../../../src/state/costs/limitEnforcement.ts';
import type { Spent } from '../../../../src/state/costs/limits.ts';
import { activityOf } from '../../../../src/state/lists/activity.ts';
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
  let answer: boolean | Promise<boolean>;

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
    await Promise.all(windows.map(({ spending }) => spending.read()));
    await demo.stop();
    await rm(folder, { recursive: true });
  });

  async function openWindow(pageSize = 60) {
    const switchboard = new Switchboard({
      store: new MemoryStore(),
      clock: systemClock,
      pageSize: () => pageSize,
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
    return { switchboard, service };
  }

  async function openFinished() {
    const { switchboard, service } = await openWindow();
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
    const { send } = await openFinished();
    await send();
    assert.deepEqual(asked, ['conversation', 'day']);
  });

  it('knows the limits and the costs that another window has saved since', async () => {
    const [{ switchboard, row, send }, other] = await Promise.all([
      openFinished(),
      openFinished(),
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
    await other.switchboard.limits.raiseDay(row, 10);
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
    const { switchboard, service, row } = await openFinished();
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

  it('keeps a queued message that waits for its turn when it closes', async () => {
    settings.conversation = 0;
    const { switchboard, service, row, send } = await openFinished();
    const { queuedMessages } = switchboard;
    const outcomes: unknown[] = [];
    queuedMessages.onOutcome(({ result }) => outcomes.push(result));
    const decision = Promise.withResolvers<boolean>();
    answer = decision.promise;
    const refused = assert.rejects(send(), /reached its limit/);
    await until(() => asked.length === 1);
    settings.conversation = undefined;
    const steering = await service.steering();
    const sent = Promise.withResolvers<undefined>();
    const usual = steering.send.bind(steering);
    steering.send = (...parameters) => {
      sent.resolve(undefined);
      return usual(...parameters);
    };
    queuedMessages.add(row, { text: 'Go on' });
    queuedMessages.note(row);
    await sent.promise;
    switchboard.dispose();
    decision.resolve(false);
    await refused;
    await until(() => outcomes.length === 1);
    assert.ok(outcomes[0] instanceof UserError);
    const [queued] = queuedMessages.of(keyOf(row));
    assert.equal(queued?.state, 'queued');
  });

  it('stops an agent on an open page that the list has not loaded', async () => {
    const { service: other } = await openWindow();
    const working =
      [...other.conversations.rows.values()].findLast(
        (row) => activityOf(row) === 'working' && row.cost,
      ) ?? assert.fail();
    const { switchboard, service } = await openWindow(1);
    const { rows } = service.conversations;
    assert.ok(!rows.has(keyOf(working)));
    const stopped: string[] = [];
    const enforcement = new LimitEnforcement(switchboard.limits, {
      stopped: ({ id }) => stopped.push(id),
      near: () => undefined,
      failed: (_, why) => assert.fail(why),
    });
    settings.conversation = 0.01;
    // Another window looks at the services, and has not loaded it either.
    switchboard.onLook(() => void enforcement.check(service, false));
    const followed = service.conversations.follow(
      working,
      FollowedConversation,
    );
    followed.setVisible(true);
    await until(() => stopped.length > 0);
    assert.deepEqual(stopped, [working.id]);
    followed.release();
    enforcement.dispose();
  });
});
