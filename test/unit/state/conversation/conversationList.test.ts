import { FollowedConversation } from '../../../../src/state/conversation/followedConversation.ts';
import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { Secret } from '../../../../src/base/secret.ts';
import { createClient } from '../../../../src/service/client.ts';
import {
  type Conversation,
  type Execution,
  keyOf,
} from '../../../../src/service/model/entities.ts';
import { ConnectedService } from '../../../../src/state/connectedService.ts';
import { LiveSlots } from '../../../../src/state/conversation/liveSlots.ts';
import { actionsOf } from '../../../../src/state/transcript/waiting.ts';
import { SteppedClock } from '../../../support/steppedClock.ts';
import {
  type AgentServerStub,
  startAgentServerStub,
} from '../../service/agentServerStub.ts';
import { type AgentStub, agentAt } from '../steering/agentStub.ts';
import { until } from './followSupport.ts';

describe('the state of an agent in the list', () => {
  let stub: AgentServerStub;
  let agent: AgentStub;
  let service: ConnectedService;
  let clock: SteppedClock;
  const { signal } = new AbortController();

  beforeEach(async () => {
    stub = await startAgentServerStub();
    agent = agentAt(stub);
    clock = new SteppedClock();
    const client = createClient({
      address: new URL(stub.url),
      authentication: 'sessionKey',
      key: new Secret('key'),
      interface: 'agentServer',
      clock,
      requestsPerSecond: Infinity,
      deadline: 100_000_000,
    });
    service = new ConnectedService(
      { client, address: stub.url, name: 'Stub', demo: false },
      {
        clock,
        pageSize: () => 50,
        query: () => ({}),
        slots: new LiveSlots(),
      },
    );
  });

  afterEach(async () => {
    await stub.stop();
  });

  const row = (id = agent.id): Conversation =>
    [...service.conversations.rows.values()].find((one) => one.id === id) ??
    assert.fail();
  const events = () =>
    stub.asked.filter((one) => one.includes('/events/search'));

  function record(execution_status: string, of: AgentStub = agent): void {
    const found = stub.records.find(({ id }) => id === of.id);
    if (found) Object.assign(found, { execution_status });
  }

  /**
   * Resolves with what the row says then, and how many requests for events that
   * took.
   */
  async function poll(
    pause = 30_000,
  ): Promise<readonly [Execution | undefined, number]> {
    clock.advance(pause);
    const before = events().length;
    await service.refresh('poll');
    return [row().execution, events().length - before];
  }

  async function look(): Promise<void> {
    await service.refresh();
    stub.asked.length = 0;
  }

  async function follow(): Promise<FollowedConversation> {
    const followed = service.conversations.follow(row(), FollowedConversation);
    followed.setVisible(true);
    await until(followed, () => followed.snapshot.connection.how === 'polling');
    return followed;
  }

  async function catchUp(
    followed: FollowedConversation,
    execution: Execution,
  ): Promise<void> {
    followed.retry();
    await until(
      followed,
      () => followed.snapshot.conversation.execution === execution,
    );
  }

  async function whileTimePasses(work: Promise<unknown>): Promise<void> {
    const over = new AbortController();
    void work.finally(() => {
      over.abort();
    });
    while (!over.signal.aborted) {
      clock.advance(1);
      await setImmediate();
    }
  }

  const snapshot = () =>
    service.conversations.snapshot(keyOf(row())) ?? assert.fail();
  const waiting = () => actionsOf(snapshot().waiting);
  const commands = () =>
    waiting()?.map(
      (action) => (JSON.parse(action.arguments) as { command: string }).command,
    );

  it('shows an agent as running while an accepted action runs, although its record says waiting', async () => {
    agent.isSlow = true;
    agent.ask('npm test');
    record('waiting_for_confirmation');
    await look();
    assert.equal(row().execution, 'waitingForConfirmation');
    assert.deepEqual(commands(), ['npm test']);
    agent.accept();
    assert.equal((await poll())[0], 'running');
    assert.equal((await poll())[0], 'running');
    assert.equal(commands(), undefined);
    await service.refresh();
    assert.equal(row().execution, 'running', 'when a person refreshes, too');
  });

  it('shows an agent as waiting again for its next step, although its record stays the same', async () => {
    agent.isSlow = true;
    agent.ask('npm test');
    record('waiting_for_confirmation');
    await look();
    agent.accept();
    assert.equal((await poll())[0], 'running');
    agent.ask('git push');
    assert.equal((await poll())[0], 'waitingForConfirmation');
    assert.deepEqual(commands(), ['git push']);
  });

  it('shows an agent as running when all waiting actions are done, although no event says so', async () => {
    agent.ask('npm test');
    const [action_id] = agent.waiting();
    agent.add('ObservationEvent', { action_id, observation: {} });
    record('waiting_for_confirmation');
    await look();
    assert.equal(row().execution, 'running');
  });

  it('shows an agent as waiting, with its actions, although its record says running', async () => {
    agent.ask('npm test', 'npm run lint');
    record('running');
    await look();
    assert.equal(row().execution, 'waitingForConfirmation');
    assert.deepEqual(commands(), ['npm test', 'npm run lint']);
  });

  it('reads events back to the start of a step of 130 actions', async () => {
    agent.ask(...Array.from({ length: 130 }, (_, index) => `step ${index}`));
    record('waiting_for_confirmation');
    await look();
    assert.equal(commands()?.length, 130);
  });

  it('never shows the recorded state between refreshes while an accepted action runs', async () => {
    agent.isSlow = true;
    agent.ask('npm test');
    agent.accept();
    record('waiting_for_confirmation');
    await look();
    const seen = new Set<Execution | undefined>();
    const subscription = service.conversations.onChange(() =>
      seen.add(row().execution),
    );
    for (let i = 0; i < 3; i++) await poll();
    await service.conversations.refresh();
    subscription.dispose();
    assert.deepEqual([...seen], ['running']);
  });

  it('sends one request per poll while the state of an agent stays the same', async () => {
    agent.ask('npm test');
    record('waiting_for_confirmation');
    await look();
    for (let i = 0; i < 3; i++)
      assert.deepEqual(await poll(), ['waitingForConfirmation', 1]);
    assert.ok(events().every((one) => one.includes('limit=1&')));
    agent.accept();
    agent.state('running');
    record('running');
    await poll();
    for (let i = 0; i < 3; i++) {
      agent.add('ActionEvent', {
        action: { kind: 'ThinkAction' },
        tool_call_id: `thought ${i}`,
      });
      assert.deepEqual(await poll(), ['running', 1]);
    }
  });

  it('uses the record, without a request, for an agent that neither runs nor waits', async () => {
    agent.ask('npm test');
    for (const [status, execution] of [
      ['finished', 'finished'],
      ['paused', 'paused'],
      ['error', 'error'],
      ['waiting_for_confirmation', 'waitingForConfirmation'],
      ['idle', 'idle'],
    ]) {
      record(status ?? '');
      const [said, requests] = await poll();
      assert.equal(said, execution);
      assert.equal(requests > 0, status === 'waiting_for_confirmation', status);
    }
  });

  it('falls back to the record of an agent whose events cannot be read, without affecting other agents', async () => {
    const other = agentAt(stub);
    for (const one of [agent, other]) {
      one.ask('npm test');
      one.isSlow = true;
      one.accept();
      record('waiting_for_confirmation', one);
    }
    const usual = stub.answer;
    stub.answer = (request, path, body) =>
      path.includes(`${agent.id}/events`)
        ? [500, { detail: 'broken' }]
        : usual(request, path, body);
    await look();
    assert.equal(row().execution, 'waitingForConfirmation');
    assert.equal(row(other.id).execution, 'running');
    assert.ok(snapshot().isCertain, 'nothing more is to be expected');
  });

  it('shows the recorded state while events take too long, and the actual state after the next refresh', async () => {
    agent.ask('npm test');
    record('running');
    const held = Promise.withResolvers<undefined>();
    const usual = stub.answer;
    stub.answer = (request, path, body) => {
      if (!path.includes('/events/')) return usual(request, path, body);
      void held.promise.then(() => request.socket.destroy());
      return 'never';
    };
    await clock.advanceUntil(service.refresh(), 100);
    assert.equal(row().execution, 'running');
    assert.ok(
      !snapshot().isCertain,
      'the events may still tell something else',
    );
    held.resolve(undefined);
    stub.answer = usual;
    await service.refresh();
    assert.equal(row().execution, 'waitingForConfirmation');
  });

  it('reads the events of at most five agents in 20 s, each in turn', async () => {
    const agents = [agent, ...Array.from({ length: 11 }, () => agentAt(stub))];
    for (const one of agents) {
      one.ask('npm test');
      record('running', one);
    }
    await look();
    const waiting = () =>
      [...service.conversations.rows.values()].filter(
        (one) => one.execution === 'waitingForConfirmation',
      );
    assert.equal(waiting().length, 5);
    await poll(10_000);
    assert.equal(waiting().length, 5, 'not more than five in twenty seconds');
    await poll();
    assert.equal(waiting().length, 10);
    await poll();
    assert.equal(waiting().length, 12);
  });

  it('reads changed agents first, then those never read, then those read longest ago', async () => {
    const others = Array.from({ length: 12 }, () => agentAt(stub));
    for (const one of others) {
      one.ask('npm test');
      record('waiting_for_confirmation', one);
    }
    agent.state('finished');
    record('finished');
    const ids = others.map(({ id }) => id);
    const asked = async (pause: number) => {
      stub.asked.length = 0;
      await poll(pause);
      return events().map(
        (one) => /conversations\/([^/]+)/.exec(one)?.[1] ?? '',
      );
    };
    const first = await asked(0);
    assert.equal(first.length, 5);
    agent.ask('git push');
    record('waiting_for_confirmation');
    assert.deepEqual(
      await asked(1_000),
      [],
      'five were asked about less than twenty seconds ago',
    );
    const second = await asked(20_000);
    assert.ok(
      second.includes(agent.id),
      'though its record has not changed since the look before',
    );
    assert.deepEqual(commands(), ['git push']);
    assert.ok(second.every((id) => !first.includes(id)));
    const third = await asked(20_000);
    const never = ids.filter(
      (id) => !first.includes(id) && !second.includes(id),
    );
    assert.deepEqual(
      new Set(third.filter((id) => !first.includes(id))),
      new Set(never),
    );
    assert.equal(third.length, 5);
    const [last = ''] = never;
    stub.change(
      stub.records.find(({ id }) => id === last),
      {},
    );
    const fourth = await asked(20_000);
    assert.deepEqual(
      fourth.filter((id) => never.includes(id)),
      [last],
    );
  });

  it('reads every agent in turn although the records of many running agents keep changing', async () => {
    const busy = Array.from({ length: 7 }, () => agentAt(stub));
    const last = agentAt(stub);
    for (const one of [agent, ...busy, last]) record('running', one);
    for (const one of [agent, last]) one.ask('npm test');
    await look();
    for (let i = 0; i < 3; i++) {
      for (const { id } of busy) {
        stub.change(
          stub.records.find((one) => one.id === id),
          {},
        );
      }
      await poll();
    }
    assert.equal(row().execution, 'waitingForConfirmation');
    assert.equal(row(last.id).execution, 'waitingForConfirmation');
  });

  it('finds the waiting actions of several agents in one refresh when they begin to wait together', async () => {
    const others = [
      agentAt(stub, Date.UTC(2026, 0, 1, 13)),
      agentAt(stub, Date.UTC(2026, 0, 1, 14)),
    ];
    await look();
    for (const one of [agent, ...others]) {
      for (const state of ['running', 'finished', 'idle', 'running']) {
        one.add('MessageEvent', { llm_message: { role: 'user', content: [] } });
        one.add('ConversationStateUpdateEvent', {
          key: 'stats',
          value: {},
          source: 'environment',
        });
        one.state(state);
      }
      one.ask('npm test');
      record('waiting_for_confirmation', one);
    }
    await service.refresh();
    const known = [agent, ...others].map(
      ({ id }) =>
        actionsOf(service.conversations.snapshot(keyOf(row(id)))?.waiting)
          ?.length,
    );
    assert.deepEqual(known, [1, 1, 1]);
  });

  it('reads far back for only one agent per poll', async () => {
    const agents = [agent, ...Array.from({ length: 3 }, () => agentAt(stub))];
    for (const one of agents) {
      for (let i = 0; i < 30; i++)
        one.add('ActionEvent', {
          action: { kind: 'ThinkAction' },
          llm_response_id: i,
        });
      record('waiting_for_confirmation', one);
    }
    const working = () =>
      [...service.conversations.rows.values()].filter(
        (one) => one.execution === 'running',
      );
    for (const count of [1, 2, 3, 4]) {
      await poll();
      assert.equal(working().length, count);
    }
  });

  it('reads far back first for an agent that has begun to wait, even if its reply is slow', async () => {
    const others = Array.from({ length: 4 }, () => agentAt(stub));
    for (const one of others) {
      one.ask(...Array.from({ length: 30 }, (_, index) => `step ${index}`));
      record('waiting_for_confirmation', one);
    }
    record('finished');
    await look();
    agent.ask(...Array.from({ length: 30 }, (_, index) => `step ${index}`));
    record('waiting_for_confirmation');
    const { promise: areAnswered, resolve } = Promise.withResolvers<unknown>();
    let answered = 0;
    stub.hold = ({ url = '' }) => {
      if (url.includes(`${agent.id}/events`)) return areAnswered;
      if (url.includes('/events') && ++answered === others.length) {
        // These are read by the time that something else is answered.
        resolve(fetch(`${stub.url}/later`));
      }
      return Promise.resolve();
    };
    await poll();
    assert.equal(commands()?.length, 30);
  });

  it('reads events at most every 10 s, unless the record changes or the user refreshes', async () => {
    agent.ask('npm test');
    record('waiting_for_confirmation');
    await look();
    const requests = async (pause: number) => (await poll(pause))[1];
    assert.deepEqual([await requests(500), await requests(500)], [0, 0]);
    assert.equal(await requests(9_000), 1);
    stub.change(stub.records[0], { execution_status: 'running' });
    assert.equal(await requests(500), 1);
    const before = events().length;
    await service.refresh();
    assert.equal(events().length, before + 1);
  });

  it('takes the state from a followed conversation without a request, whatever the record says', async () => {
    agent.isSlow = true;
    agent.ask('npm test');
    record('waiting_for_confirmation');
    await look();
    const followed = await follow();
    const shown: (Execution | undefined)[] = [];
    const subscription = service.conversations.onChange(({ rows }) => {
      if (rows.size > 0) shown.push(row().execution);
    });
    agent.accept();
    await catchUp(followed, 'running');
    assert.deepEqual(shown, ['running']);
    subscription.dispose();
    const refresh = async () => {
      const before = events().length;
      await service.refresh();
      return [row().execution, events().length - before];
    };
    assert.deepEqual(await refresh(), ['running', 0]);
    record('finished');
    assert.deepEqual(
      await refresh(),
      ['running', 0],
      'they know it later than the record only for a moment',
    );
    agent.state('finished');
    await catchUp(followed, 'finished');
    assert.equal(row().execution, 'finished');
    followed.release();
    assert.deepEqual(await refresh(), ['finished', 0]);
  });

  it('shows an agent as running as soon as its action is accepted here, whatever its record says', async () => {
    agent.isSlow = true;
    agent.ask('npm test');
    record('waiting_for_confirmation');
    await look();
    const shown = waiting() ?? [];
    const answered = (await service.steering()).answer(
      row(),
      shown,
      { accept: true },
      signal,
    );
    await whileTimePasses(answered);
    assert.equal((await answered).result, 'answered');
    assert.deepEqual([row().execution, commands()], ['running', undefined]);
    await service.refresh();
    assert.equal(row().execution, 'running');
  });

  it('keeps a newer state when an older request is answered later', async () => {
    agent.isSlow = true;
    agent.ask('npm test');
    record('waiting_for_confirmation');
    await look();
    agent.before = () => {
      service.conversations.recordRead(row(), {
        status: 'doesNotWait',
        execution: 'running',
      });
    };
    assert.deepEqual(await poll(), ['running', 1]);
  });

  it('keeps the last state from a followed conversation after its release', async () => {
    agent.isSlow = true;
    agent.ask('npm test');
    record('waiting_for_confirmation');
    await look();
    const followed = await follow();
    agent.accept();
    await catchUp(followed, 'running');
    followed.release();
    await service.conversations.rename(row(), 'Renamed', signal);
    assert.deepEqual([row().title, row().execution], ['Renamed', 'running']);
    assert.equal((await poll())[0], 'running');
  });
});
