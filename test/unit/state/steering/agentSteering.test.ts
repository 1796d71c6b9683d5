import assert from 'node:assert/strict';
import { Cancellation } from '../../../../src/base/cancellation.ts';
import { type Clock, systemClock } from '../../../../src/base/clock.ts';
import { UserError } from '../../../../src/base/errors.ts';
import { sentWords } from '../../../../src/editor/words/conversations/outcomeWords.ts';
import { Secret } from '../../../../src/base/secret.ts';
import {
  createClient,
  type ServiceClient,
} from '../../../../src/service/client.ts';
import {
  type Conversation,
  keyOf,
} from '../../../../src/service/model/entities.ts';
import { ServiceError } from '../../../../src/service/http/serviceError.ts';
import { maxEvents } from '../../../../src/state/conversation/eventReading.ts';
import { AgentLocations } from '../../../../src/state/conversation/agentLocations.ts';
import { ApprovalMemory } from '../../../../src/state/conversation/approvalMemory.ts';
import { Approvals } from '../../../../src/state/conversation/approvals.ts';
import { ConversationList } from '../../../../src/state/conversation/conversationList.ts';
import { LiveSlots } from '../../../../src/state/conversation/liveSlots.ts';
import { connectionClosed } from '../../../../src/state/connectedService.ts';
import {
  AgentSteering,
  type BeforeMessage,
  type BeforeRun,
} from '../../../../src/state/steering/agentSteering.ts';
import type { WaitingAction } from '../../../../src/state/transcript/waiting.ts';
import { countDone } from '../../../support/done.ts';
import { HurriedClock } from '../../../support/hurriedClock.ts';
import {
  type AgentServerStub,
  startAgentServerStub,
} from '../../service/agentServerStub.ts';
import { followDesk } from '../conversation/followSupport.ts';
import { type AgentStub, agentAt } from './agentStub.ts';

describe('agent steering', () => {
  let stub: AgentServerStub;
  let agent: AgentStub;
  let steering: AgentSteering;
  let work: Cancellation;
  let list: ConversationList;
  let approvals: Approvals;
  const { signal } = new AbortController();

  function clientAs(
    key: string,
    clock: Clock,
    requestsPerSecond = Infinity,
  ): ServiceClient {
    return createClient({
      address: new URL(stub.url),
      authentication: 'sessionKey',
      key: new Secret(key),
      interface: 'agentServer',
      clock,
      requestsPerSecond,
      deadline: 100_000_000,
    });
  }

  function steeringAt(
    client: ServiceClient,
    clock: Clock,
    work = new Cancellation(),
    beforeMessage?: BeforeMessage,
    beforeRun?: BeforeRun,
  ): AgentSteering {
    const nothing = () => undefined;
    const conversations = {
      recordRead: nothing,
      approvalRead: nothing,
      insertFirst: nothing,
      edit: nothing,
    };
    const locations = new AgentLocations(client);
    return new AgentSteering({
      client,
      clock,
      locations,
      approvals,
      conversations,
      work,
      beforeMessage,
      beforeRun,
    });
  }

  function windowOf(
    key = 'a',
    clock: Clock = new HurriedClock(1_000),
    requestsPerSecond = Infinity,
  ) {
    const client = clientAs(key, clock, requestsPerSecond);
    const work = new Cancellation();
    return {
      list: listAt(client, clock, work),
      work,
      steering: steeringAt(client, clock, work),
    };
  }

  function listAt(
    client: ServiceClient,
    clock: Clock,
    work = new Cancellation(),
  ): ConversationList {
    const locations = new AgentLocations(client);
    const parts = {
      client,
      clock,
      slots: new LiveSlots(),
      locations,
      approvals,
      work,
    };
    return new ConversationList({
      ...parts,
      pageSize: () => 20,
      query: () => ({}),
    });
  }

  beforeEach(async () => {
    approvals = new Approvals();
    stub = await startAgentServerStub();
    agent = agentAt(stub);
    ({ list, steering, work } = windowOf());
    await list.refresh();
  });

  afterEach(async () => {
    await stub.stop();
  });

  const row = (): Conversation =>
    [...list.rows.values()].find(({ id }) => id === agent.id) ?? assert.fail();

  async function shown(): Promise<readonly WaitingAction[]> {
    const waiting = await steering.read(row(), signal);
    assert.equal(waiting.status, 'waits');
    return waiting.actions;
  }

  const accept = (actions: readonly WaitingAction[]) =>
    steering.answer(row(), actions, { accept: true }, signal);
  const stop = () => steering.stop(row(), signal);
  const asked = (what: string) =>
    stub.asked.filter((one) => one.includes(what)).length;
  const commands = (actions: readonly WaitingAction[]) =>
    actions.map(
      (action) => (JSON.parse(action.arguments) as { command: string }).command,
    );

  it('shows all actions of the waiting step', async () => {
    agent.ask('npm ci', 'npm test', 'npm run lint');
    assert.deepEqual(commands(await shown()), [
      'npm ci',
      'npm test',
      'npm run lint',
    ]);
  });

  it('accepts exactly the shown actions and leaves the next step waiting', async () => {
    agent.goesOn = true;
    agent.ask('npm test');
    const actions = await shown();
    assert.deepEqual(await accept(actions), { result: 'answered' });
    assert.deepEqual(
      agent.ran,
      actions.map(({ id }) => id),
    );
    assert.deepEqual(commands(await shown()), ['step 2']);
    assert.equal(agent.answers.length, 1);
  });

  it('sends the agent the reason for a rejection', async () => {
    agent.ask('rm -rf build');
    const answer = { accept: false, reason: 'Keep the build.' };
    assert.deepEqual(
      await steering.answer(row(), await shown(), answer, signal),
      { result: 'answered' },
    );
    assert.equal(agent.answers[0]?.reason, 'Keep the build.');
    assert.deepEqual(agent.ran, []);
  });

  it('lets an agent run only after what is to be asked before', async () => {
    const clock = new HurriedClock(1_000);
    let asked = 0;
    steering = steeringAt(
      clientAs('a', clock),
      clock,
      work,
      undefined,
      async () => {
        asked++;
        await Promise.reject(new UserError('It has reached its limit.'));
      },
    );
    const refused = /It has reached its limit\./;
    agent.state('finished');
    await assert.rejects(
      steering.send(row(), { text: 'Go on' }, signal),
      refused,
    );
    await assert.rejects(steering.resume(row(), signal), refused);
    await assert.rejects(steering.compact(row(), signal), refused);
    agent.ask('npm publish');
    const actions = await shown();
    await assert.rejects(accept(actions), refused);
    await assert.rejects(
      steering.rejectAndSend(row(), actions, { text: 'No' }, signal),
      refused,
    );
    assert.deepEqual([agent.answers, agent.ran, asked], [[], [], 5]);
    const rejection = { accept: false, reason: 'No' };
    await steering.answer(row(), actions, rejection, signal);
    assert.equal(agent.answers.length, 1);
  });

  it('asks nothing before it runs an agent once that was canceled or stopped', async () => {
    const clock = new HurriedClock(1_000);
    let asked = 0;
    const beforeRun = () => {
      asked++;
      return Promise.resolve();
    };
    const client = clientAs('a', clock);
    steering = steeringAt(client, clock, work, undefined, beforeRun);
    agent.ask('npm publish');
    const actions = await shown();
    const message = { text: 'Go on' };
    for (const act of [
      (signal: AbortSignal) => steering.send(row(), message, signal),
      (signal: AbortSignal) => steering.resume(row(), signal),
      (signal: AbortSignal) => steering.compact(row(), signal),
      (signal: AbortSignal) =>
        steering.answer(row(), actions, { accept: true }, signal),
      (signal: AbortSignal) =>
        steering.rejectAndSend(row(), actions, message, signal),
    ]) {
      const controller = new AbortController();
      const acted = act(controller.signal);
      controller.abort(new UserError('Given up.'));
      await assert.rejects(acted, /Given up\./);
    }
    assert.deepEqual([asked, agent.answers], [0, []]);
    const first = steering.send(row(), message, signal);
    const second = steering.send(row(), message, signal);
    let stopped: Promise<unknown> | undefined;
    agent.before = (what) => {
      if (what === 'events') stopped ??= stop();
    };
    assert.deepEqual(await Promise.all([first, second]), [
      { result: 'stopped' },
      { result: 'stopped' },
    ]);
    await stopped;
    assert.equal(asked, 1);
  });

  it('runs nothing that begins to wait while it is asked', async () => {
    const clock = new HurriedClock(1_000);
    const beforeRun = () => {
      agent.ask('npm publish');
      return Promise.resolve();
    };
    const client = clientAs('a', clock);
    steering = steeringAt(client, clock, work, undefined, beforeRun);
    agent.state('paused');
    const { result } = await steering.resume(row(), signal);
    assert.deepEqual([result, agent.ran], ['waits', []]);
  });

  it('notes the id of each message that it sends, or sends after a rejection, and of no other', async () => {
    const noted: string[] = [];
    const clock = new HurriedClock(1_000);
    steering = steeringAt(
      clientAs('a', clock),
      clock,
      work,
      () => (messageId) => noted.push(messageId),
    );
    const lastMessage = () =>
      agent.events.findLast(({ kind }) => kind === 'MessageEvent')?.id;
    agent.state('finished');
    await steering.send(row(), { text: 'Go on' }, signal);
    assert.deepEqual(noted, [lastMessage()]);
    agent.ask('npm publish');
    const actions = await shown();
    await steering.rejectAndSend(
      row(),
      actions,
      { text: 'Test it first' },
      signal,
    );
    assert.deepEqual(noted.slice(1), [lastMessage()]);
    agent.ask('npm test');
    assert.equal(
      (await steering.send(row(), { text: 'Go on' }, signal)).result,
      'waits',
    );
    assert.equal(noted.length, 2);
  });

  it('offers nothing to accept while an accepted action runs, whatever the record says', async () => {
    agent.isSlow = true;
    agent.ask('sleep 60');
    stub.change(stub.records[0], {
      execution_status: 'waiting_for_confirmation',
    });
    await list.refresh();
    assert.deepEqual(await accept(await shown()), { result: 'answered' });
    assert.equal(row().execution, 'waitingForConfirmation');
    assert.deepEqual(await steering.read(row(), signal), {
      status: 'doesNotWait',
      execution: 'running',
    });
  });

  describe('an answer that must not be sent', () => {
    it('sends no answer when another step waits, and shows that step', async () => {
      agent.ask('npm test');
      const actions = await shown();
      agent.reject();
      agent.ask('npm publish');
      const answered = await accept(actions);
      assert.ok(answered.result === 'changed');
      assert.deepEqual(commands(answered.now), ['npm publish']);
      assert.equal(answered.fate, 'rejected');
    });

    it('sends no answer when one more action of the step waits', async () => {
      agent.ask('npm test');
      const actions = await shown();
      const [first] = agent.events.filter(({ kind }) => kind === 'ActionEvent');
      agent.add('ActionEvent', {
        ...first,
        id: 'another',
        tool_call_id: 'another',
      });
      assert.equal((await accept(actions)).result, 'changed');
    });

    it('sends no answer when an action has changed under the same ID', async () => {
      agent.ask('npm test');
      const [action] = await shown();
      assert.ok(action);
      assert.equal(
        (await accept([{ ...action, arguments: '{"command": "npm start"}' }]))
          .result,
        'changed',
      );
    });

    it('sends no answer when no action was shown', async () => {
      agent.ask('npm test');
      assert.equal((await accept([])).result, 'changed');
    });

    for (const [how, fate] of [
      ['accept', 'accepted'],
      ['reject', 'rejected'],
    ] as const) {
      it(`sends no answer when the step was ${fate} elsewhere, and reports that`, async () => {
        agent.ask('npm test', 'npm run lint');
        const actions = await shown();
        agent[how]();
        assert.deepEqual(await accept(actions), {
          result: 'answeredElsewhere',
          fate,
        });
      });
    }

    it('sends no answer when the step was accepted elsewhere and runs, and reports that', async () => {
      agent.isSlow = true;
      agent.ask('npm test');
      const actions = await shown();
      agent.accept();
      assert.deepEqual(await accept(actions), {
        result: 'answeredElsewhere',
        fate: 'accepted',
      });
    });

    it('sends no answer when the step was accepted elsewhere and then interrupted, and reports that', async () => {
      agent.isSlow = true;
      agent.ask('npm test');
      const actions = await shown();
      agent.accept();
      agent.interrupt();
      assert.deepEqual(await accept(actions), {
        result: 'noLongerWaits',
        fate: 'cancelled',
        execution: 'paused',
      });
    });

    it('sends no answer when the agent has become idle, and reports that', async () => {
      agent.ask('npm test');
      const actions = await shown();
      agent.state('idle');
      assert.deepEqual(await accept(actions), {
        result: 'noLongerWaits',
        fate: undefined,
        execution: 'idle',
      });
    });

    it('sends no answer after the user cancels', async () => {
      agent.ask('npm test');
      const actions = await shown();
      const giveUp = new AbortController();
      agent.before = () => {
        giveUp.abort(new UserError('Given up.'));
      };
      await assert.rejects(
        steering.answer(row(), actions, { accept: true }, giveUp.signal),
      );
    });

    it('sends no answer after the service is disconnected', async () => {
      agent.ask('npm test');
      const actions = await shown();
      agent.before = () => {
        work.cancel(connectionClosed());
      };
      await assert.rejects(accept(actions));
    });

    for (const [what, status] of [
      ['is gone', 404],
      ['cannot be read', 500],
    ] as const) {
      it(`sends no answer when the conversation ${what}, and reports the error`, async () => {
        agent.ask('npm test');
        const actions = await shown();
        const usual = stub.answer;
        stub.answer = (request, path, body) =>
          path.endsWith('/events/search')
            ? [status, { detail: 'no' }]
            : usual(request, path, body);
        await assert.rejects(
          accept(actions),
          /^ServiceError|Could not read what has happened/,
        );
      });
    }

    afterEach(() => {
      assert.deepEqual(agent.answers, []);
    });
  });

  it('sends only one answer, however often and fast the user answers', async () => {
    agent.goesOn = true;
    agent.ask('npm test');
    const actions = await shown();
    const all = await Promise.all([
      accept(actions),
      accept(actions),
      steering.answer(row(), actions, { accept: false }, signal),
      accept([...actions]),
    ]);
    assert.equal(agent.answers.length, 1);
    assert.deepEqual(
      all.map(({ result }) => result),
      ['answered', 'changed', 'changed', 'changed'],
    );
    assert.ok(all[1].result === 'changed');
    assert.equal(all[1].fate, 'accepted');
    assert.deepEqual(
      agent.ran,
      actions.map(({ id }) => id),
    );
  });

  it('does not retry an answer when the service replies 429 or 503', async () => {
    agent.ask('npm test');
    const actions = await shown();
    const usual = stub.answer;
    for (const status of [429, 503]) {
      stub.answer = (request, path, body) =>
        path.endsWith('respond_to_confirmation')
          ? [status, {}]
          : usual(request, path, body);
      stub.asked.length = 0;
      await accept(actions).catch((error: unknown) => {
        assert.ok(error instanceof ServiceError);
        assert.equal(error.kind, 'rateLimited');
      });
      assert.equal(asked('respond_to_confirmation'), 1, String(status));
    }
  });

  for (const [status, kind] of [
    [404, 'notFound'],
    [409, 'rejected'],
    [403, 'forbidden'],
  ] as const) {
    it(`reports a failed answer when the service replies ${status}, and sends it when tried again`, async () => {
      agent.ask('npm test');
      const actions = await shown();
      const usual = stub.answer;
      stub.answer = (request, path, body) =>
        path.endsWith('respond_to_confirmation')
          ? [status, { detail: 'no' }]
          : usual(request, path, body);
      await assert.rejects(accept(actions), (error) => {
        assert.ok(error instanceof ServiceError);
        assert.equal(error.kind, kind);
        assert.match(error.message, /^Could not answer the agent: /);
        return true;
      });
      stub.answer = usual;
      assert.deepEqual(await accept(actions), { result: 'answered' });
    });
  }

  describe('an answer with an unknown outcome', () => {
    const isAnswer = (url = '') => url.endsWith('respond_to_confirmation');

    it('treats a lost answer as done when the events show it, without sending it again', async () => {
      agent.ask('npm test');
      const actions = await shown();
      stub.loses = ({ url }) => isAnswer(url);
      assert.deepEqual(await accept(actions), { result: 'answered' });
      assert.equal(agent.answers.length, 1);
    });

    it('treats a lost rejection as done when the events show it', async () => {
      agent.ask('npm test');
      const actions = await shown();
      stub.loses = ({ url }) => isAnswer(url);
      assert.deepEqual(
        await steering.answer(row(), actions, { accept: false }, signal),
        {
          result: 'answered',
        },
      );
    });

    it('reports that the step was answered elsewhere when the events show a different answer', async () => {
      agent.ask('npm test');
      const actions = await shown();
      const usual = stub.answer;
      stub.answer = (request, path, body) => {
        if (!isAnswer(path)) return usual(request, path, body);
        agent.reject();
        return [500, { detail: 'no' }];
      };
      assert.deepEqual(await accept(actions), {
        result: 'answeredElsewhere',
        fate: 'rejected',
      });
    });

    it('reports an uncertain outcome while the step waits, and resends only once the first answer cannot arrive', async () => {
      const clock = new HurriedClock(1_000);
      const begin = clock.now();
      let later = 0;
      const late: Clock = {
        now: () => begin + later,
        after: (milliseconds, callback) => clock.after(milliseconds, callback),
      };
      ({ list, steering } = windowOf('a', late));
      await list.refresh();
      agent.ask('npm test');
      const actions = await shown();
      const usual = stub.answer;
      stub.answer = (request, path, body) =>
        isAnswer(path) ? 'close' : usual(request, path, body);
      const first = await accept(actions);
      assert.ok(first.result === 'unsure');
      assert.equal(first.now?.status, 'waits');
      assert.equal(first.failure?.circumstances.outcomeUnknown, true);
      stub.answer = usual;
      assert.equal((await accept(actions)).result, 'unsure');
      assert.equal(asked('respond_to_confirmation'), 1);
      assert.deepEqual(agent.answers, []);
      later = 59_999;
      assert.equal((await accept(actions)).result, 'unsure');
      later = 60_000;
      assert.deepEqual(await accept(actions), { result: 'answered' });
      assert.equal(agent.answers.length, 1);
    });

    it('reports an uncertain outcome when the events cannot be read', async () => {
      agent.ask('npm test');
      const actions = await shown();
      const usual = stub.answer;
      stub.answer = (request, path, body) => {
        if (agent.answers.length > 0) return 'close';
        return usual(request, path, body);
      };
      stub.loses = ({ url }) => isAnswer(url);
      const answered = await accept(actions);
      assert.ok(answered.result === 'unsure');
      assert.equal(answered.now, undefined);
      assert.equal(agent.answers.length, 1);
    });

    it('reports an uncertain outcome when the service is disconnected after a lost answer', async () => {
      agent.ask('npm test');
      const actions = await shown();
      stub.loses = ({ url }) => {
        if (!isAnswer(url)) return false;
        agent.before = () => {
          work.cancel(connectionClosed());
        };
        return true;
      };
      const answered = await accept(actions);
      assert.ok(answered.result === 'unsure');
      assert.ok(answered.failure instanceof ServiceError);
      assert.equal(agent.answers.length, 1);
    });

    it('looks up the outcome in the events even after the user cancels', async () => {
      agent.ask('npm test');
      const actions = await shown();
      const giveUp = new AbortController();
      stub.loses = ({ url }) => {
        if (isAnswer(url)) giveUp.abort();
        return isAnswer(url);
      };
      assert.deepEqual(
        await steering.answer(row(), actions, { accept: true }, giveUp.signal),
        {
          result: 'answered',
        },
      );
    });
  });

  it('takes the word of a service that has accepted an answer when the agent was stopped right after it', async () => {
    agent.ask('npm test');
    const actions = await shown();
    const usual = stub.answer;
    stub.answer = (request, path, body) => {
      if (!path.endsWith('respond_to_confirmation'))
        return usual(request, path, body);
      agent.state('running');
      agent.state('paused');
      return [200, { success: true }];
    };
    assert.deepEqual(await accept(actions), { result: 'answered' });
  });

  it('takes the word of a service that has accepted an answer when what ran was interrupted right after it', async () => {
    agent.isSlow = true;
    agent.ask('npm test');
    const actions = await shown();
    agent.before = (what) => {
      if (agent.ran.length > 0 && what === 'events') agent.interrupt();
    };
    assert.deepEqual(await accept(actions), { result: 'answered' });
    assert.equal(agent.interrupts, 1);
  });

  it('takes the word of a service that has accepted an answer when its events cannot be read after it', async () => {
    agent.ask('npm test');
    const actions = await shown();
    const usual = stub.answer;
    stub.answer = (request, path, body) =>
      agent.answers.length > 0
        ? [403, { detail: 'No more' }]
        : usual(request, path, body);
    assert.deepEqual(await accept(actions), { result: 'answered' });
    assert.equal(agent.answers.length, 1);
  });

  it('takes the word of a service that has accepted an answer when it is disconnected right after it', async () => {
    agent.ask('npm test');
    const actions = await shown();
    agent.before = (what) => {
      if (what === 'events' && agent.answers.length > 0)
        work.cancel(connectionClosed());
    };
    assert.deepEqual(await accept(actions), { result: 'answered' });
    assert.equal(agent.answers.length, 1);
  });

  it('reports an uncertain outcome when the service reports success but the step still waits', async () => {
    agent.ask('npm test');
    const actions = await shown();
    const usual = stub.answer;
    stub.answer = (request, path, body) =>
      path.endsWith('respond_to_confirmation')
        ? [200, { success: true }]
        : usual(request, path, body);
    const answered = await accept(actions);
    assert.ok(answered.result === 'unsure');
    assert.equal(answered.failure, undefined);
    stub.answer = usual;
    assert.deepEqual(await accept(actions), { result: 'answered' });
  });

  it('reports that the last 2000 events do not show what waits', async () => {
    agent.ask('npm test');
    for (let i = 0; i < maxEvents; i++) agent.add('LLMCompletionLogEvent');
    await assert.rejects(steering.read(row(), signal), (error) => {
      assert.ok(error instanceof UserError);
      assert.match(error.message, /its last 2000 events do not say/);
      return true;
    });
    assert.ok(asked('/events/search') < 25);
  });

  it('reads events back to the start of a step of 150 actions', async () => {
    agent.ask('first');
    agent.accept();
    agent.ask(...Array.from({ length: 150 }, (_, index) => `command ${index}`));
    for (let i = 0; i < 200; i++) agent.add('LLMCompletionLogEvent');
    assert.equal((await shown()).length, 150);
  });

  it('finds a step that begins to wait while older events are read', async () => {
    agent.ask('npm test');
    for (let i = 0; i < 30; i++) agent.add('LLMCompletionLogEvent');
    agent.before = (_what, { url }) => {
      if (!url?.includes('page_id')) return;
      agent.before = () => undefined;
      agent.reject();
      agent.ask('npm publish');
    };
    assert.deepEqual(commands(await shown()), ['npm publish']);
  });

  it('finds a step that begins to wait, followed by many events, while older events are read', async () => {
    agent.ask('npm test');
    for (let i = 0; i < 30; i++) agent.add('LLMCompletionLogEvent');
    agent.before = (_what, { url }) => {
      if (!url?.includes('page_id')) return;
      agent.before = () => undefined;
      agent.reject();
      agent.ask('npm publish');
      for (let i = 0; i < 60; i++) agent.add('LLMCompletionLogEvent');
    };
    assert.deepEqual(commands(await shown()), ['npm publish']);
  });

  it('rejects a page of the newest events when it requested older ones', async () => {
    agent.ask('npm test');
    for (let i = 0; i < 30; i++) agent.add('LLMCompletionLogEvent');
    const usual = stub.answer;
    stub.answer = (request, path, body) => {
      request.url =
        request.url?.replace(/page_id=[^&]+/, 'page_id=unknown') ?? '';
      return usual(request, path, body);
    };
    await assert.rejects(
      steering.read(row(), signal),
      /it is not the requested page/,
    );
  });

  it('stops a running agent', async () => {
    assert.deepEqual(await stop(), { result: 'stopped' });
    assert.equal(agent.interrupts, 1);
  });

  it('stops an agent in a sandbox before other requests to the service are done', async () => {
    const desk = await followDesk(
      { interface: 'v1', conversations: 40 },
      new HurriedClock(10),
      8,
    );
    await desk.service.refresh();
    const conversation =
      [...desk.service.conversations.rows.values()].find(
        ({ status, execution }) =>
          status === 'running' && execution === 'running',
      ) ?? assert.fail();
    const { conversations } = desk.service.client.service ?? assert.fail();
    const steering = await desk.service.steering();
    const end = new AbortController();
    const readings = Promise.allSettled(
      Array.from({ length: 100 }, () =>
        conversations.find(conversation.id, { signal: end.signal }),
      ),
    );
    assert.equal((await steering.stop(conversation, signal)).result, 'stopped');
    end.abort();
    assert.ok(
      (await readings).some(({ status }) => status === 'rejected'),
      'it has waited for the others',
    );
    await desk.stop();
  });

  it('reads events 150 times at once, because an Agent Server has no quota', async () => {
    const window = windowOf('a', systemClock, 8);
    await Promise.all(
      Array.from({ length: 150 }, () => window.steering.read(row(), signal)),
    );
  });

  it('warns that stopping takes a while, then pauses the agent, on a server without interrupts', async () => {
    const usual = stub.answer;
    const said: string[] = [];
    stub.answer = (request, path, body) => {
      if (path.endsWith('/interrupt'))
        return [405, { detail: 'Method Not Allowed' }];
      if (!path.endsWith('/pause')) return usual(request, path, body);
      said.push('paused');
      return [200, { success: true }];
    };
    const stopped = await steering.stop(row(), signal, () => {
      said.push('takes a while');
    });
    assert.deepEqual(stopped, { result: 'stopped' });
    assert.deepEqual(said, ['takes a while', 'paused']);
    assert.equal(agent.interrupts, 0);
  });

  it('reports that the agent has finished when it finishes before it is stopped', async () => {
    const usual = stub.answer;
    stub.answer = (request, path, body) => {
      if (path.endsWith('/interrupt')) agent.state('finished');
      return usual(request, path, body);
    };
    assert.deepEqual(await stop(), { result: 'finished' });
  });

  it('fails to stop an agent whose conversation is gone', async () => {
    const usual = stub.answer;
    stub.answer = (request, path, body) =>
      /\/(interrupt|pause)$/.test(path)
        ? [404, { detail: 'Not Found' }]
        : usual(request, path, body);
    await assert.rejects(stop(), /Could not stop the agent/);
  });

  it('reports an unknown outcome of a stop that the service fails, and asks only once', async () => {
    const usual = stub.answer;
    // Agent Servers answer so when the step has ended just before.
    stub.answer = (request, path, body) =>
      path.endsWith('/interrupt')
        ? [500, 'Internal Server Error']
        : usual(request, path, body);
    await assert.rejects(stop(), (error) => {
      assert.ok(error instanceof ServiceError);
      assert.equal(error.kind, 'serverFailed');
      assert.ok(error.circumstances.outcomeUnknown);
      assert.match(
        error.message,
        /^Could not stop the agent: .+Internal Server Error.+The service may have done this already/,
      );
      return true;
    });
    assert.equal(asked('/interrupt'), 1);
  });

  it('does not stop a waiting agent, but returns the waiting actions', async () => {
    agent.ask('npm test');
    const stopped = await stop();
    assert.ok(stopped.result === 'waits');
    assert.deepEqual(commands(stopped.actions), ['npm test']);
    assert.equal(agent.interrupts, 0);
  });

  it('stops an agent although its events cannot be read', async () => {
    const usual = stub.answer;
    stub.answer = (request, path, body) =>
      path.endsWith('/events/search') ? [500, {}] : usual(request, path, body);
    assert.deepEqual(await stop(), { result: 'stopped' });
    assert.equal(agent.interrupts, 1);
  });

  it('renames a conversation and shows the new title in the list at once', async () => {
    await list.rename(row(), 'Fix the\u202e login', signal);
    assert.equal(row().title, 'Fix the login');
    assert.equal(stub.records[0]?.title, 'Fix the\u202e login');
  });

  it('deletes a conversation and removes it from the list at once', async () => {
    await list.remove(row(), signal);
    assert.equal(list.rows.size, 0);
    assert.deepEqual(stub.records, []);
  });

  it('removes a deleted conversation from the list although the reply is lost', async () => {
    stub.loses = ({ method }) => method === 'DELETE';
    await list.remove(row(), signal);
    assert.equal(list.rows.size, 0);
  });

  it('reports an unknown outcome when the connection breaks and the conversation still exists', async () => {
    const usual = stub.answer;
    stub.answer = (request, path, body) =>
      request.method === 'DELETE' ? 'close' : usual(request, path, body);
    await assert.rejects(
      list.remove(row(), signal),
      /The service may have done this already/,
    );
    assert.equal(list.rows.size, 1);
  });

  describe('a message to an agent', () => {
    const send = (text = 'Go on') => steering.send(row(), { text }, signal);
    const messages = () => agent.messages.map(({ text }) => text);

    it('sends a message to an idle agent and runs the agent', async () => {
      agent.state('idle');
      assert.deepEqual(await send(), { result: 'sent' });
      assert.deepEqual(
        [agent.messages, agent.runs],
        [[{ text: 'Go on', run: false }], 1],
      );
    });

    it('sends a message to a running agent without starting a run', async () => {
      assert.deepEqual(await send(), { result: 'sent' });
      assert.deepEqual(
        [agent.messages, agent.runs],
        [[{ text: 'Go on', run: false }], 0],
      );
    });

    it('sends a message with pictures and files', async () => {
      const attached = [
        {
          id: 1,
          name: 'a.png',
          picture: { mediaType: 'image/png', base64: 'iVBORw0KGgo=' },
        },
        { id: 2, name: 'notes.md', text: 'a\n```\nb\n```' },
      ];
      agent.state('idle');
      await steering.send(row(), { text: 'Look', attached }, signal);
      const { llm_message } = agent.events.findLast(
        ({ kind }) => kind === 'MessageEvent',
      ) as unknown as {
        llm_message: { content: unknown };
      };
      assert.deepEqual(llm_message.content, [
        { type: 'text', text: 'Look' },
        { type: 'text', text: 'notes.md\n````\na\n```\nb\n```\n````' },
        { type: 'image', image_urls: ['data:image/png;base64,iVBORw0KGgo='] },
      ]);
    });

    it('does not send a message while an action waits, because that would run the action', async () => {
      agent.ask('rm -rf build');
      const sent = await send('Stop, do not do that');
      assert.ok(sent.result === 'waits');
      assert.deepEqual(commands(sent.actions), ['rm -rf build']);
      assert.deepEqual([agent.messages, agent.ran, agent.runs], [[], [], 0]);
    });

    it('does not send a message to an idle agent with a leftover action, because that would run the action', async () => {
      agent.ask('rm -rf build');
      // A fork begins so.
      agent.state('idle');
      const sent = await send();
      assert.ok(sent.result === 'waits');
      assert.deepEqual(commands(sent.actions), ['rm -rf build']);
      assert.deepEqual([agent.messages, agent.ran, agent.runs], [[], [], 0]);
    });

    it('does not run an action that begins to wait while a message is sent, and reports it', async () => {
      agent.before = (what) => {
        if (what === 'message') agent.ask('npm publish');
      };
      const sent = await send();
      assert.ok(sent.result === 'sent');
      assert.deepEqual(commands(sent.waiting ?? []), ['npm publish']);
      assert.deepEqual([messages(), agent.ran, agent.runs], [['Go on'], [], 0]);
    });

    it('sends a message only once when the reply is lost, and finds it in the events', async () => {
      agent.state('idle');
      stub.loses = ({ method, url }) =>
        method === 'POST' && url?.endsWith('/events') === true;
      assert.deepEqual(await send(), { result: 'sent' });
      assert.deepEqual([messages(), agent.runs], [['Go on'], 1]);
    });

    it('finds a message whose reply is lost among the newest 100 events', async () => {
      agent.state('idle');
      stub.loses = ({ method, url }) =>
        method === 'POST' && url?.endsWith('/events') === true;
      agent.before = (what, { url }) => {
        if (
          what !== 'events' ||
          url?.includes('page_id') ||
          agent.messages.length === 0
        )
          return;
        agent.before = () => undefined;
        for (let i = 0; i < 90; i++) agent.add('LLMCompletionLogEvent');
      };
      assert.deepEqual(await send('Line one\nLine two'), { result: 'sent' });
      assert.deepEqual(messages(), ['Line one\nLine two']);
    });

    it('finds a message with files whose reply is lost', async () => {
      agent.state('idle');
      stub.loses = ({ method, url }) =>
        method === 'POST' && url?.endsWith('/events') === true;
      const attached = [{ id: 1, name: 'notes.md', text: 'a' }];
      const sent = await steering.send(
        row(),
        { text: 'Look', attached },
        signal,
      );
      assert.deepEqual([sent, agent.messages.length], [{ result: 'sent' }, 1]);
    });

    it('looks for a message that did not arrive among no more than the newest 119 events', async () => {
      for (let i = 0; i < 500; i++) agent.add('LLMCompletionLogEvent');
      agent.state('idle');
      let readsBefore = 0;
      const usual = stub.answer;
      stub.answer = (request, path, body) => {
        if (request.method !== 'POST' || !path.endsWith('/events'))
          return usual(request, path, body);
        readsBefore = asked('/events/search');
        return 'close';
      };
      assert.equal((await send()).result, 'unsure');
      // Three times, two pages and the newest one again.
      assert.equal(asked('/events/search') - readsBefore, 9);
    });

    it('does not mistake an earlier message with the same text for one that failed', async () => {
      agent.state('idle');
      await send();
      const usual = stub.answer;
      stub.answer = (request, path, body) =>
        request.method === 'POST' && path.endsWith('/events')
          ? 'close'
          : usual(request, path, body);
      const sent = await send();
      assert.equal(sent.result, 'unsure');
      assert.deepEqual([messages(), agent.runs], [['Go on'], 1]);
    });

    it('reports a sent message whose run failed', async () => {
      agent.state('idle');
      const usual = stub.answer;
      stub.answer = (request, path, body) =>
        path.endsWith('/run')
          ? [503, { detail: 'Too many runs' }]
          : usual(request, path, body);
      const sent = await send();
      assert.ok(sent.result === 'sent' && sent.notRun);
      assert.match(sent.notRun.message, /Too many runs/);
    });

    it('takes no other message or event for one that failed', async () => {
      agent.state('idle');
      const usual = stub.answer;
      stub.answer = (request, path, body) => {
        if (request.method !== 'POST' || !path.endsWith('/events'))
          return usual(request, path, body);
        const message = (text: string) => ({
          role: 'user',
          content: [{ type: 'text', text }],
        });
        agent.add('MessageEvent', {
          source: 'user',
          llm_message: message('Something else'),
        });
        agent.add('MessageEvent', {
          source: 'agent',
          llm_message: message('Go on'),
        });
        return 'close';
      };
      assert.equal((await send()).result, 'unsure');
    });

    it('rejects the waiting action with the message as the reason before it sends the message', async () => {
      agent.ask('rm -rf build');
      const sent = await steering.rejectAndSend(
        row(),
        await shown(),
        { text: 'Keep it' },
        signal,
      );
      assert.deepEqual(sent, { result: 'sent' });
      assert.deepEqual(
        [
          agent.answers.map(({ accept, reason }) => [accept, reason]),
          messages(),
          agent.ran,
        ],
        [[[false, 'Keep it']], ['Keep it'], []],
      );
    });

    it('lets the user answer what still waits after a stop, and then write', async () => {
      agent.ask('rm -rf build');
      agent.state('paused');
      assert.equal((await send()).result, 'waits');
      const sent = await steering.rejectAndSend(
        row(),
        await shown(),
        { text: 'Keep it' },
        signal,
      );
      assert.deepEqual(sent, { result: 'sent' });
      assert.deepEqual([messages(), agent.ran], [['Keep it'], []]);
    });

    it('does not start the agent with a message that a stop overtakes', async () => {
      agent.state('idle');
      let stopped: Promise<unknown> | undefined;
      agent.before = (what) => {
        if (what === 'message') stopped ??= stop();
      };
      assert.deepEqual(await send(), { result: 'sent' });
      await stopped;
      assert.deepEqual([messages(), agent.runs], [['Go on'], 0]);
    });

    it('stops the agent again if the message had already told it to go on', async () => {
      agent.state('idle');
      let stopped: Promise<unknown> | undefined;
      agent.before = (what) => {
        if (what === 'run') stopped ??= stop();
      };
      await send();
      await stopped;
      assert.deepEqual([agent.runs, agent.interrupts], [1, 2]);
    });

    it('sends nothing after a stop that came before the message went out', async () => {
      agent.state('idle');
      let stopped: Promise<unknown> | undefined;
      agent.before = (what) => {
        if (what === 'events') stopped ??= stop();
      };
      const [first, second] = await Promise.all([send(), send('And then')]);
      await stopped;
      assert.deepEqual(
        [first, second],
        [{ result: 'stopped' }, { result: 'stopped' }],
      );
      assert.deepEqual([agent.messages, agent.runs], [[], 0]);
      assert.deepEqual(await send('Again'), { result: 'sent' });
    });

    it('says only that the message was not sent if a stop comes after the rejection', async () => {
      agent.ask('rm -rf build');
      const actions = await shown();
      let stopped: Promise<unknown> | undefined;
      agent.before = (what) => {
        if (what === 'events' && agent.answers.length > 0) stopped ??= stop();
      };
      const sent = await steering.rejectAndSend(
        row(),
        actions,
        { text: 'Keep it' },
        signal,
      );
      await stopped;
      assert.deepEqual([agent.answers.length, messages()], [1, []]);
      assert.equal(
        sentWords(sent)?.text,
        'Your message was not sent: the agent was stopped.',
      );
    });

    describe('that is being stopped, and refuses to run', () => {
      /** The number of refusals. */
      let refused: number;
      let meanwhile: () => unknown;

      beforeEach(() => {
        refused = 0;
        meanwhile = () => undefined;
        agent.state('paused');
        const usual = stub.answer;
        stub.answer = (request, path, body) => {
          if (!path.endsWith('/run') || refused === 2)
            return usual(request, path, body);
          refused++;
          meanwhile();
          return [409, { detail: 'Conversation already running.' }];
        };
      });

      it('lets the agent go on with the message once that has ended', async () => {
        assert.deepEqual(await send(), { result: 'sent' });
        assert.deepEqual([messages(), agent.runs, refused], [['Go on'], 1, 2]);
      });

      it('runs nothing that begins to wait in the meantime', async () => {
        meanwhile = () => {
          agent.ask('npm publish');
        };
        assert.deepEqual(await send(), { result: 'sent' });
        assert.deepEqual(
          [messages(), agent.runs, agent.ran, refused],
          [['Go on'], 0, [], 1],
        );
      });

      it('runs nothing that waits although another message came after it', async () => {
        meanwhile = () => {
          agent.ask('npm publish');
          agent.add('MessageEvent', {
            source: 'user',
            llm_message: { role: 'user', content: [] },
          });
        };
        assert.deepEqual(await send(), { result: 'sent' });
        assert.deepEqual([agent.runs, agent.ran, refused], [0, [], 1]);
      });

      it('leaves an agent alone that has acted on the message', async () => {
        meanwhile = () => {
          agent.ask('ls');
          agent.accept();
          agent.state('paused');
        };
        assert.deepEqual(await send(), { result: 'sent' });
        assert.deepEqual([agent.runs, refused], [0, 1]);
      });

      it('leaves an agent alone that runs again', async () => {
        meanwhile = () => {
          agent.state('running');
        };
        assert.deepEqual(await send(), { result: 'sent' });
        assert.deepEqual([agent.runs, refused], [0, 1]);
      });

      it('leaves the agent alone when it is stopped again, or has answered', async () => {
        let stopped: Promise<unknown> | undefined;
        meanwhile = () => (stopped = stop());
        assert.deepEqual(await send(), { result: 'sent' });
        await stopped;
        meanwhile = () => {
          agent.add('MessageEvent', {
            source: 'agent',
            llm_message: { role: 'assistant', content: [] },
          });
        };
        refused = 0;
        assert.deepEqual(await send('And then'), { result: 'sent' });
        assert.deepEqual(
          [messages(), agent.runs, refused],
          [['Go on', 'And then'], 0, 1],
        );
      });
    });

    it('stays unsent, and says why, while the events cannot be read', async () => {
      const usual = stub.answer;
      stub.answer = (request, path, body) =>
        path.endsWith('/events/search')
          ? [403, { detail: 'No more' }]
          : usual(request, path, body);
      await assert.rejects(send(), /No more/);
      stub.answer = () => 'close';
      ({ steering } = windowOf());
      const conversation = row();
      await assert.rejects(
        steering.send(conversation, { text: 'Go on' }, signal),
        ServiceError,
      );
      await assert.rejects(steering.stop(conversation, signal), ServiceError);
      assert.deepEqual(agent.messages, []);
    });

    it('goes out although the events do not show it yet', async () => {
      agent.state('idle');
      const usual = stub.answer;
      stub.answer = (request, path, body) =>
        request.method === 'POST' && path.endsWith('/events')
          ? [200, { success: true }]
          : usual(request, path, body);
      const notes: string[] = [];
      const clock = new HurriedClock(1_000);
      steering = steeringAt(
        clientAs('a', clock),
        clock,
        work,
        () => (messageId) => notes.push(messageId),
      );
      assert.deepEqual(
        [await send(), notes, agent.runs],
        [{ result: 'sent' }, [], 1],
      );
    });

    it('stays unsure where neither its reply nor the events can be read', async () => {
      agent.state('idle');
      const usual = stub.answer;
      stub.answer = (request, path, body) =>
        agent.messages.length > 0
          ? [403, { detail: 'No more' }]
          : usual(request, path, body);
      stub.loses = ({ method, url }) =>
        method === 'POST' && url?.endsWith('/events') === true;
      assert.equal((await send()).result, 'unsure');
      assert.deepEqual([messages(), agent.runs], [['Go on'], 0]);
    });

    it('stays unsure where its reply is lost and the service is disconnected', async () => {
      agent.state('idle');
      stub.loses = ({ method, url }) => {
        if (method !== 'POST' || url?.endsWith('/events') !== true)
          return false;
        agent.before = () => {
          work.cancel(connectionClosed());
        };
        return true;
      };
      const sent = await send();
      assert.ok(
        sent.result === 'unsure' && sent.failure instanceof ServiceError,
      );
      assert.deepEqual([messages(), agent.runs], [['Go on'], 0]);
    });

    it('reports a message as sent when the events cannot be read after it', async () => {
      agent.state('idle');
      const usual = stub.answer;
      stub.answer = (request, path, body) =>
        agent.messages.length > 0 && path.endsWith('/events/search')
          ? [403, { detail: 'No more' }]
          : usual(request, path, body);
      const sent = await send();
      assert.ok(sent.result === 'sent' && sent.notRun);
      assert.deepEqual([messages(), agent.runs], [['Go on'], 0]);
    });

    it('does not reject or send anything when a different action waits', async () => {
      agent.ask('rm -rf build');
      const actions = await shown();
      agent.reject();
      agent.ask('npm publish');
      const sent = await steering.rejectAndSend(
        row(),
        actions,
        { text: 'Keep it' },
        signal,
      );
      assert.equal(sent.result, 'changed');
      assert.deepEqual(
        [agent.answers, agent.messages, agent.ran],
        [[], [], []],
      );
    });
  });

  describe('the resumption of an agent', () => {
    const resume = () => steering.resume(row(), signal);

    it('resumes a paused agent', async () => {
      agent.state('paused');
      assert.deepEqual(await resume(), { result: 'resumed' });
      assert.equal(agent.runs, 1);
    });

    it('does not resume an agent while an action waits, because that would run the action', async () => {
      agent.ask('npm publish');
      const resumed = await resume();
      assert.ok(resumed.result === 'waits');
      assert.deepEqual(commands(resumed.actions), ['npm publish']);
      assert.deepEqual([agent.ran, agent.runs], [[], 0]);
    });

    it('does not resume a running agent', async () => {
      assert.deepEqual(await resume(), { result: 'works' });
      assert.equal(agent.runs, 0);
    });

    it('resumes an agent only once when the reply is lost', async () => {
      agent.state('paused');
      stub.loses = ({ url }) => url?.endsWith('/run') === true;
      assert.deepEqual(await resume(), { result: 'resumed' });
      assert.equal(agent.runs, 1);
    });

    it('reports an unknown outcome if no event shows that the agent runs again', async () => {
      for (const states of [[], ['paused']]) {
        agent.state('running');
        agent.state('paused');
        const usual = stub.answer;
        stub.answer = (request, path, body) => {
          if (!path.endsWith('/run')) return usual(request, path, body);
          for (const state of states) agent.state(state);
          return 'close';
        };
        const outcome = await resume();
        assert.ok(
          outcome.result === 'unsure' &&
            outcome.failure instanceof ServiceError,
        );
        stub.answer = usual;
      }
      assert.equal(agent.runs, 0);
    });

    it('reports an unknown outcome if its reply is lost and the service is disconnected', async () => {
      agent.state('paused');
      stub.loses = ({ url }) => {
        if (url?.endsWith('/run') !== true) return false;
        agent.before = () => {
          work.cancel(connectionClosed());
        };
        return true;
      };
      const outcome = await resume();
      assert.ok(
        outcome.result === 'unsure' && outcome.failure instanceof ServiceError,
      );
      assert.equal(agent.runs, 1);
    });

    it('does not resume an agent whose events cannot be read', async () => {
      agent.state('paused');
      const usual = stub.answer;
      stub.answer = (request, path, body) =>
        path.endsWith('/events/search')
          ? [403, { detail: 'No more' }]
          : usual(request, path, body);
      await assert.rejects(resume(), /No more/);
      assert.equal(agent.runs, 0);
    });
  });

  describe('with a list that watches', () => {
    type Edit = (row: Conversation) => Conversation;
    let edits: Edit[];
    let parts: ConstructorParameters<typeof AgentSteering>[0];
    let readings: (string | undefined)[];

    beforeEach(() => {
      edits = [];
      readings = [];
      const clock = new HurriedClock(1_000);
      const client = clientAs('a', clock);
      const conversations = {
        recordRead: (_: Conversation, { status }: { status: string }) =>
          void readings.push(status),
        approvalRead: () => undefined,
        insertFirst: () => undefined,
        edit: (_: string, edit: Edit) => void edits.push(edit),
      };
      const locations = new AgentLocations(client);
      parts = { client, clock, locations, conversations, approvals, work };
    });

    it('tells the list what waits before and after an answer', async () => {
      agent.ask('npm test');
      const actions = await shown();
      await new AgentSteering(parts).answer(
        row(),
        actions,
        { accept: true },
        signal,
      );
      assert.deepEqual(readings, ['waits', 'doesNotWait']);
    });

    it('tells the list what waits instead of being stopped', async () => {
      agent.ask('npm test');
      const { result } = await new AgentSteering(parts).stop(row(), signal);
      assert.deepEqual([result, readings], ['waits', ['waits']]);
    });

    it('sends no answer after the user cancels right before it', async () => {
      agent.ask('npm test');
      const actions = await shown();
      const cancelling = new AbortController();
      const approvalRead = () => {
        cancelling.abort(new UserError('Cancelled.'));
      };
      steering = new AgentSteering({
        ...parts,
        conversations: { ...parts.conversations, approvalRead },
      });
      await assert.rejects(
        steering.answer(row(), actions, { accept: true }, cancelling.signal),
        /it was canceled/,
      );
      assert.deepEqual(agent.answers, []);
    });

    it('runs nothing that begins to wait while the approval is read', async () => {
      approvals.note(keyOf(row()), { policy: 'always', analyzer: null });
      const approvalRead = () => {
        agent.reject();
        agent.ask('npm publish');
      };
      steering = new AgentSteering({
        ...parts,
        conversations: { ...parts.conversations, approvalRead },
      });
      agent.ask('npm test');
      const answered = await steering.answer(
        row(),
        await shown(),
        { accept: true },
        signal,
      );
      assert.equal(answered.result, 'changed');
      agent.reject();
      const resumed = await steering.resume(row(), signal);
      assert.equal(resumed.result, 'waits');
      agent.reject();
      const sent = await steering.send(row(), { text: 'Go on' }, signal);
      assert.ok(sent.result === 'sent' && sent.waiting?.length === 1);
      assert.deepEqual([agent.ran, agent.runs], [[], 0]);
    });

    it('does not hide an unexpected error behind a message that was sent', async () => {
      agent.state('idle');
      approvals.note(keyOf(row()), { policy: 'always', analyzer: null });
      const odd = new TypeError('odd');
      const approvalRead = () => {
        throw odd;
      };
      steering = new AgentSteering({
        ...parts,
        conversations: { ...parts.conversations, approvalRead },
      });
      await assert.rejects(
        steering.send(row(), { text: 'Go on' }, signal),
        odd,
      );
      assert.equal(agent.runs, 0);
    });

    it('forks a working agent from its last event that is no state, and others from their end', async () => {
      const bodies: string[] = [];
      const usual = stub.answer;
      stub.answer = (request, path, body) => {
        if (path.endsWith('/fork')) bodies.push(body);
        return usual(request, path, body);
      };
      const last = agent.add('LLMCompletionLogEvent').id;
      for (let i = 0; i < 18; i++) agent.state('running');
      steering = new AgentSteering(parts);
      const fork = (execution: 'running' | 'idle', eventId?: string) =>
        steering.fork({ ...row(), execution }, 'Fork', eventId, signal);
      await fork('running');
      await fork('running', 'e1');
      await fork('idle');
      assert.deepEqual(
        bodies.map(
          (body) =>
            (JSON.parse(body) as { from_event_id?: string }).from_event_id,
        ),
        [last, 'e1', undefined],
      );
      agent.events.length = 0;
      agent.state('running');
      await fork('running');
      assert.equal(bodies.length, 4);
    });

    it('needs a message with what came before it', async () => {
      const message = {
        ...{
          id: 'm1',
          kind: 'MessageEvent',
          source: 'user',
          timestamp: '2026-01-01T12:00:00',
        },
        llm_message: {
          role: 'user',
          content: [{ type: 'text', text: 'Fix it' }],
        },
      };
      const usual = stub.answer;
      let fields: object = { parent_id: 'e1' };
      stub.answer = (request, path, body) =>
        path.endsWith('/events/m1')
          ? [200, { ...message, ...fields }]
          : usual(request, path, body);
      const read = () => steering.message(row(), 'm1', signal);
      assert.equal((await read()).parentId, 'e1');
      fields = {};
      await assert.rejects(read, /does not report what comes before/);
    });

    it('shows the model of a profile in the row, if the service names it', async () => {
      const usual = stub.answer;
      stub.answer = (request, path, body) =>
        path.endsWith('/switch_profile')
          ? [200, { success: true }]
          : usual(request, path, body);
      steering = new AgentSteering(parts);
      for (const model of ['model-2', undefined])
        await steering.switchProfile(row(), { name: 'fast', model }, signal);
      assert.deepEqual(
        edits.map((edit) => edit({ ...row(), model: 'model-1' }).model),
        ['model-2', 'model-1'],
      );
    });

    /**
     * Locations that say where the agent is, and count how often they are to
     * ask again.
     */
    function locationsAt(location: object, agents: object, work = parts.work) {
      let forgotten = 0;
      const use: AgentLocations['use'] = (_, __, act) =>
        act(location as never, agents as never);
      const useReady: AgentLocations['useReady'] = (_, __, act) =>
        act(location as never);
      const forget = () => {
        forgotten++;
      };
      const locations = { use, useReady, forget } as unknown as AgentLocations;
      return {
        steering: new AgentSteering({ ...parts, locations, work }),
        forgotten: () => forgotten,
      };
    }

    it('reads what waits from the agent while that is ready, else from its service', async () => {
      const page = { items: [], cursor: undefined };
      const source = { events: () => ({ fetch: () => Promise.resolve(page) }) };
      const unasked = { events: () => ({ fetch: () => assert.fail() }) };
      for (const { steering } of [
        locationsAt({ status: 'ready', steering: source }, unasked),
        locationsAt({ status: 'sandboxPaused', steering: unasked }, source),
      ])
        assert.equal(
          (await steering.read(row(), signal)).status,
          'doesNotWait',
        );
    });

    it('asks for the location again after a failure at the agent', async () => {
      const askAside = () => Promise.reject(new UserError('Not here'));
      const at = locationsAt({ status: 'ready', steering: { askAside } }, {});
      await assert.rejects(
        at.steering.askAside(row(), 'Why?', signal),
        /Not here/,
      );
      assert.equal(at.forgotten(), 1);
    });

    it('runs and sends nothing when the user cancels while it reads', async () => {
      type Act = (window: AgentSteering, all: AbortSignal) => Promise<unknown>;
      const acts: Readonly<Record<string, Act>> = {
        fork: (window, all) =>
          window.fork({ ...row(), execution: 'running' }, '', undefined, all),
        resume: (window, all) => window.resume(row(), all),
        reject: (window, all) =>
          window.answer(row(), [], { accept: false }, all),
        send: (window, all) => window.send(row(), { text: 'Go on' }, all),
      };
      for (const [name, act] of Object.entries(acts)) {
        const cancelling = new AbortController();
        const fetch = () => {
          cancelling.abort(new UserError('Canceled.'));
          return Promise.resolve({ items: [], cursor: undefined });
        };
        const does = () => assert.fail(name);
        const agentHere = {
          events: () => ({ fetch }),
          ...{ fork: does, run: does, answer: does, add: does },
        };
        const at = locationsAt({ status: 'ready', steering: agentHere }, {});
        await assert.rejects(
          act(at.steering, cancelling.signal),
          /Canceled/,
          name,
        );
      }
    });

    it('runs nothing when the user cancels while the approval is looked up', async () => {
      let cancelling = new AbortController();
      const memory = new ApprovalMemory();
      memory.read = () => {
        cancelling.abort(new UserError('Canceled.'));
        return Promise.resolve();
      };
      memory.choice = () => ({ policy: 'never', created: 'never' });
      steering = new AgentSteering({
        ...parts,
        approvals: new Approvals(memory),
      });
      agent.ask('npm test');
      const actions = await shown();
      cancelling = new AbortController();
      await assert.rejects(
        steering.answer(row(), actions, { accept: true }, cancelling.signal),
        /Canceled|canceled/,
      );
      agent.reject();
      cancelling = new AbortController();
      await assert.rejects(
        steering.resume(row(), cancelling.signal),
        /Canceled|canceled/,
      );
      assert.deepEqual([agent.answers, agent.runs], [[], 0]);
    });

    it('cancels a message on its way to the queue of a service', async () => {
      const cancelling = new AbortController();
      const page = { items: [], cursor: undefined };
      const agents = {
        events: () => ({ fetch: () => Promise.resolve(page) }),
        queue: (_: string, __: unknown, call: { signal: AbortSignal }) => {
          cancelling.abort(new UserError('Canceled.'));
          call.signal.throwIfAborted();
        },
      };
      const at = locationsAt({ status: 'sandboxStarting' }, agents);
      await assert.rejects(
        at.steering.send(
          { ...row(), id: 'new' },
          { text: 'Go on' },
          cancelling.signal,
        ),
        /Canceled/,
      );
    });

    it('ends a fork when its service is disconnected', async () => {
      const work = new Cancellation();
      const fork = (_: string, __: string, ___: unknown, call: object) => {
        work.cancel(connectionClosed());
        (call as { signal: AbortSignal }).signal.throwIfAborted();
      };
      const { steering } = locationsAt(
        { status: 'ready', steering: { fork } },
        {},
        work,
      );
      await assert.rejects(
        steering.fork(row(), 'Fork', undefined, signal),
        connectionClosed(),
      );
    });

    it('says why an agent is out of reach', async () => {
      const at = locationsAt(
        { status: 'outOfReach', why: 'Behind a wall.' },
        {},
      );
      await assert.rejects(at.steering.send(row(), { text: 'Go on' }, signal), {
        name: 'UserError',
        message: 'Behind a wall.',
      });
    });
  });

  describe('what the user cancels', () => {
    type Act = (
      window: AgentSteering,
      all: AbortSignal,
      actions: readonly WaitingAction[],
    ) => Promise<unknown>;
    const acts: Readonly<Record<string, Act>> = {
      read: (window, all) => window.read(row(), all),
      editorPage: (window, all) => window.editorPage(row(), all),
      isInUse: ({ worktrees }, all) => worktrees.isInUse(row(), all),
      runGitAtService: ({ worktrees }, all) =>
        worktrees.runGitAtService('git status', all),
      compact: (window, all) => window.compact(row(), all),
      resume: (window, all) => window.resume(row(), all),
      stop: (window, all) => window.stop(row(), all),
      send: (window, all) => window.send(row(), { text: 'Go on' }, all),
      accept: (window, all, actions) =>
        window.answer(row(), actions, { accept: true }, all),
    };
    /** Requests that change nothing, or that can be taken back. */
    const canEnd = (request: string) =>
      request.startsWith('GET') ||
      /\/(?:condense|execute_bash_command)$/.test(request);
    for (const [name, act] of Object.entries(acts)) {
      it(`ends at each of its requests (${name})`, async () => {
        agent.state('idle');
        if (name === 'accept') agent.ask('npm test');
        const actions = name === 'accept' ? await shown() : [];
        approvals.note(keyOf(row()), { policy: 'always', analyzer: null });
        const usual = stub.answer;
        stub.answer = (request, path, body) => {
          if (path === '/api/vscode/status')
            return [200, { running: true, enabled: true }];
          if (path === '/api/vscode/url')
            return [200, { url: 'http://localhost:8001/' }];
          if (path.endsWith('/execute_bash_command'))
            return [200, { exit_code: 0, stdout: '', stderr: null }];
          return path.endsWith('/condense')
            ? [200, { success: true }]
            : usual(request, path, body);
        };
        let isHeld = true;
        let passed = 0;
        for (; isHeld; passed++) {
          const cancelling = new AbortController();
          const { length } = stub.asked;
          isHeld = false;
          stub.hold = async () => {
            const own = stub.asked.slice(length);
            // A message that went out, and a run that began, are not taken
            // back.
            if (own.length <= passed || !own.every(canEnd)) return;
            isHeld = true;
            cancelling.abort(new UserError('Cancelled.'));
            await new Promise(() => undefined);
          };
          const isDone = await act(
            windowOf().steering,
            cancelling.signal,
            actions,
          ).then(
            () => true,
            () => false,
          );
          assert.equal(isDone, !isHeld, stub.asked.slice(length).join('\n'));
        }
        assert.ok(passed > 1, String(passed));
      });
    }
  });

  describe('the editor beside an agent', () => {
    function offer(url: string | undefined): void {
      const usual = stub.answer;
      stub.answer = (request, path, body) => {
        if (path === '/api/vscode/status')
          return [200, { running: true, enabled: url !== undefined }];
        return path === '/api/vscode/url'
          ? [200, { url }]
          : usual(request, path, body);
      };
    }

    it('opens at any address of a service on this machine', async () => {
      for (const url of [
        'http://localhost:8001/?tkn=canary',
        'https://editor.example.com/?tkn=canary',
      ]) {
        offer(url);
        const page = await steering.editorPage(row(), signal);
        assert.equal(page.full.reveal(), url);
      }
    });

    it('cannot be opened if it is on the machine of a service elsewhere', async () => {
      const conversation = { ...row(), service: 'https://service.example.com' };
      offer('https://editor.example.com/?tkn=canary');
      assert.equal(
        (await steering.editorPage(conversation, signal)).shown,
        'https://editor.example.com/',
      );
      offer('http://localhost:8001/?tkn=canary');
      await assert.rejects(steering.editorPage(conversation, signal), {
        message:
          'The editor beside this agent is at http://localhost:8001/ on the machine of the service, and cannot be opened from here.',
      });
    });

    it('fails to open where the service has none', async () => {
      offer(undefined);
      await assert.rejects(steering.editorPage(row(), signal), {
        message: 'No editor runs beside this agent.',
      });
    });
  });

  it('sets when an agent asks for confirmation', async () => {
    for (const [policy, wire] of [
      ['always', { kind: 'AlwaysConfirm' }],
      ['never', { kind: 'NeverConfirm' }],
      [
        'risky',
        { kind: 'ConfirmRisky', threshold: 'HIGH', confirm_unknown: true },
      ],
    ] as const) {
      await steering.setConfirmation(row(), policy, signal);
      assert.deepEqual(agent.policy, wire);
    }
  });

  it('explains that a V0 service cannot stop an agent, ask it aside or fork a conversation', async () => {
    const client = createClient({
      address: new URL(stub.url),
      authentication: 'none',
      key: undefined,
      interface: 'v0',
    });
    stub.answer = () => [200, []];
    const clock = new HurriedClock(1_000);
    const elsewhere = steeringAt(client, clock);
    for (const act of [
      elsewhere.stop(row(), signal),
      elsewhere.fork(row(), 'Another', undefined, signal),
      elsewhere.askAside(row(), 'Why?', signal),
    ])
      await assert.rejects(
        act,
        /V0 conversation\. Agents of V0 cannot be followed or steered/,
      );
  });

  describe('an answer that races with random changes', function () {
    this.timeout(180_000);

    /**
     * Counts the answers of so many rounds, and those that accepted something
     * else than was shown.
     */
    async function race(rounds: number, inTheWindow: boolean) {
      let seed = 17;
      const dice = (sides: number) =>
        (seed = (seed * 48_271) % 2_147_483_647) % sides;
      const lastRead = new Map<string, string>();
      const others = ['ask', 'accept', 'reject', 'interrupt', 'pause'] as const;
      const happen = () => {
        const what = others[dice(others.length)] ?? 'ask';
        if (what === 'ask') {
          agent.ask(
            ...Array.from(
              { length: 1 + dice(3) },
              (_, index) => `command ${index}`,
            ),
          );
        } else if (what === 'pause') agent.state('paused');
        else if (what === 'interrupt' || agent.waiting().length > 0)
          agent[what]();
      };
      const accepted: { window: string; read: string; ran: string }[] = [];
      agent.before = (what, { headers, url }) => {
        // Older events do not change.
        if (url?.includes('page_id')) return;
        const key = String(headers['x-session-api-key']);
        if (dice(3) === 0 && (what === 'events' || inTheWindow)) happen();
        const waiting = agent.waiting().join(' ');
        if (what === 'events') lastRead.set(key, waiting);
        else if (what === 'answer')
          accepted.push({
            window: key,
            read: lastRead.get(key) ?? '',
            ran: waiting,
          });
      };
      const windows = [windowOf('a'), windowOf('b')];
      let unshown = 0;
      let unread = 0;
      for (let round = 0; round < rounds; round++) {
        agent.isSlow = dice(2) === 0;
        agent.goesOn = dice(2) === 0;
        if (agent.waiting().length === 0) agent.ask('npm test');
        const before = accepted.length;
        const seen = await Promise.all(
          windows.map((one) => one.steering.read(row(), signal)),
        );
        const shownActions = new Set(
          seen.map((waiting) =>
            waiting.status === 'waits'
              ? waiting.actions.map(({ id }) => id).join(' ')
              : '',
          ),
        );
        const acting = inTheWindow ? windows : windows.slice(0, 1);
        await Promise.all(
          acting.flatMap((one, index) => {
            const waiting = seen[index];
            if (waiting?.status !== 'waits') return [];
            return [1, 2].map(() =>
              one.steering.answer(
                row(),
                waiting.actions,
                { accept: true },
                signal,
              ),
            );
          }),
        );
        for (const { read, ran } of accepted.slice(before)) {
          // Actions that were read right before had been shown.
          if (!shownActions.has(read)) unread++;
          if (ran !== '' && !shownActions.has(ran)) unshown++;
        }
      }
      return { unshown, unread, answers: accepted.length };
    }

    it('never runs an action that was not shown', async () => {
      const rounds = 400;
      const { unshown, unread, answers } = await race(rounds, false);
      assert.deepEqual({ unshown, unread }, { unshown: 0, unread: 0 });
      assert.ok(answers > rounds / 10, `${answers} answers`);
      countDone(
        rounds,
        'races in which nothing was accepted that had not been shown',
      );
    });

    it('runs an action unseen only if it begins to wait between the last read and the answer', async () => {
      const { unshown, unread, answers } = await race(400, true);
      assert.equal(unread, 0);
      // This is what no client can close; the test would be worth nothing if it
      // never happened.
      assert.ok(unshown > 0 && unshown < answers, `${unshown} of ${answers}`);
    });
  });
});
