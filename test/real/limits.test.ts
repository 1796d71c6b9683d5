/** Limits of what agents of real services may spend. */
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { type Conversation, keyOf } from '../../src/service/model/entities.ts';
import type { ConnectedService } from '../../src/state/connectedService.ts';
import { LimitEnforcement } from '../../src/state/costs/limitEnforcement.ts';
import type { LimitSettings } from '../../src/state/costs/limits.ts';
import { Switchboard } from '../../src/state/switchboard.ts';
import { countDone } from '../support/done.ts';
import { randomMoment } from '../support/randomMoment.ts';
import { MemoryStore } from '../unit/state/support.ts';
import { clientOf, followed } from './client.ts';
import {
  answers,
  type RealService,
  type ServiceName,
  startService,
  theModel,
} from './services.ts';
import { until } from './until.ts';
import { testRounds } from '../support/testRounds.ts';

/** Runs at each service. */
const rounds = testRounds(5);

/** Each answer of the model has two tokens. */
const dollarsPerToken = 0.5;
const steps = 40;
const limit = 5;

describe('an agent at its limit at a real service', function () {
  this.timeout(240_000 + rounds * 60_000);
  const settings: LimitSettings = { conversation: limit, day: undefined };

  before(async () => {
    // A fast model of today. A machine at work must not be slower.
    (await theModel()).thinkFor(1_500);
  });

  after(async () => {
    (await theModel()).thinkFor(0);
  });

  /** One that enforces limits as the window does that leads. */
  function openWindow(
    real: RealService,
    kind: 'agentServer' | 'v1',
    shared: string,
  ) {
    const switchboard = new Switchboard({
      store: new MemoryStore(),
      folder: shared,
      clock: systemClock,
      pageSize: () => 90,
      limits: () => settings,
    });
    const stopped: Conversation[] = [];
    const enforcement = new LimitEnforcement(switchboard.limits, {
      stopped: (conversation) => stopped.push(conversation),
      near: () => undefined,
      failed: (_, why) => assert.fail(why),
    });
    const service = switchboard.connect({
      client: clientOf(real, { interface: kind, requestsPerSecond: Infinity }),
      address: real.url,
      name: 'real',
      demo: false,
    });
    switchboard.onLook(() => void enforcement.check(service, true));
    return {
      service,
      stopped,
      limits: switchboard.limits,
      close: () => {
        enforcement.dispose();
        switchboard.dispose();
      },
    };
  }

  async function start(name: ServiceName, method: string, path: string) {
    const real = await startService(name);
    const prices = {
      input_cost_per_token: dollarsPerToken,
      output_cost_per_token: dollarsPerToken,
    };
    const body = JSON.stringify({ agent_settings_diff: { llm: prices } });
    await answers(real.ask(path, { method, body }));
    return real;
  }

  const message = (folder: string) =>
    Array.from(
      { length: steps },
      (_, step) =>
        `call: terminal ${JSON.stringify({ command: `touch ${folder}/step${step}` })}`,
    ).join('\n');

  const stepsIn = (folder: string) =>
    Array.from({ length: steps }, (_, step) => step).filter((step) =>
      existsSync(join(folder, `step${step}`)),
    ).length;

  async function begin(
    { client, conversations }: ConnectedService,
    folder: string,
    sandboxId?: string,
  ): Promise<Conversation> {
    const { creation } = await client.recognise();
    const created = await creation?.create({
      message: message(folder),
      folder,
      sandboxId,
    });
    if (created?.kind === 'conversation') {
      conversations.insertFirst(created.conversation);
      return created.conversation;
    }
    assert.ok(created);
    const { last } = await followed(client, created.task);
    assert.ok(last.conversationId, last.stage);
    return await until(async () => {
      await conversations.refresh();
      return [...conversations.rows.values()].find(
        ({ id }) => id === last.conversationId,
      );
    });
  }

  const row = (service: ConnectedService, conversation: Conversation) =>
    service.conversations.rows.get(keyOf(conversation));

  it('stops after the steps that were chosen, without any window', async () => {
    const real = await startService('agentServer');
    const folder = await mkdtemp(join(real.home, 'work-'));
    const client = clientOf(real, { interface: 'agentServer' });
    const { creation } = await client.recognise();
    const created = await creation?.create({
      message: message(folder),
      folder,
      maxSteps: 3,
    });
    assert.ok(created?.kind === 'conversation');
    const path = `/api/conversations/${created.conversation.id}`;
    await until(async () => {
      const record = await answers<{ execution_status: string }>(
        real.ask(path),
      );
      return record.execution_status === 'error' || undefined;
    });
    assert.equal(stepsIn(folder), 3);
  });

  for (const [kind, name, method, path] of [
    ['agentServer', 'agentServer', 'PATCH', '/api/settings'],
    ['v1', 'appServer', 'POST', '/api/v1/settings'],
  ] as const)
    it(`stops within one step, and tells that once (${kind})`, async () => {
      const real = await start(name, method, path);
      let sandboxId: string | undefined;
      for (let round = 0; round < rounds; round++) {
        const folder = await mkdtemp(join(real.home, 'work-'));
        const open = () => openWindow(real, kind, join(folder, 'shared'));
        const first = open();
        await first.service.refresh();
        const conversation = await begin(first.service, folder, sandboxId);
        ({ sandboxId } = conversation);
        // A window that is closed is followed by another one.
        const windows = [first];
        if (round % 2 === 1) {
          await randomMoment(1_000, randomInt);
          first.close();
          windows.push(open());
        }
        const told = () => windows.flatMap(({ stopped }) => stopped);
        const { service, limits } = windows.at(-1) ?? first;
        await until(async () => {
          await service.refresh();
          const { execution } = row(service, conversation) ?? {};
          // A window that is closed while it stops an agent tells nothing.
          const isTold = told().length > 0 || windows.length > 1;
          return (execution === 'paused' && isTold) || undefined;
        });
        const done = stepsIn(folder);
        assert.ok(done <= limit + 1, `${done} steps`);
        // The record of an agent in a sandbox forgets its cost.
        const spent = await until(async () => {
          await service.refresh();
          return limits.reached(conversation)[0]?.spent;
        });
        assert.ok(spent <= limit + 1, `${spent}`);
        assert.ok(told().length <= 1);
        for (const { close } of windows) close();
      }
      countDone(rounds, `agents stopped within one step (${kind})`);
    });
});
