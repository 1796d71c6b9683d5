import assert from 'node:assert/strict';
import { Secret } from '../../../src/base/secret.ts';
import { ServiceError } from '../../../src/service/http/serviceError.ts';
import { type AgentStub, agentAt } from '../state/steering/agentStub.ts';
import {
  type AgentServerStub,
  startAgentServerStub,
} from './agentServerStub.ts';
import { startAnswering } from './answering.ts';
import { allRows, Lines, serviceOf, steeringOf } from './support.ts';

const hour = 3_600_000;
const createdAt = Date.UTC(2026, 0, 1, 12);

describe('an Agent Server', () => {
  let stub: AgentServerStub;
  let agent: AgentStub;
  const log = new Lines();
  const service = () =>
    serviceOf(stub, 'agentServer', { log, key: new Secret('k') });

  beforeEach(async () => {
    stub = await startAgentServerStub();
    agent = agentAt(stub);
  });

  afterEach(async () => {
    await stub.stop();
  });

  const refuse = (method: string, status: number) => {
    const usual = stub.answer;
    stub.answer = (request, path, body) =>
      request.method === method
        ? [status, { detail: 'Not Found' }]
        : usual(request, path, body);
  };

  it('returns numbers beyond 2^53 in actions as they were sent, from pages and single events', async () => {
    const server = await startAnswering();
    const event =
      '{"id":"a","kind":"ActionEvent","action":{"id":1234567890123456789}}';
    const { agents } = serviceOf(server, 'agentServer', {
      log,
      key: new Secret('k'),
    });
    server.give({ body: `{"items":[${event}]}` });
    const [listed] = await allRows(agents.events(agent.id));
    server.give({ body: event });
    const single = await steeringOf({ agents }).event(agent.id, 'a');
    await server.stop();
    for (const action of [listed, single]) {
      assert.ok(action?.kind === 'action');
      assert.equal(action.arguments, '{\n  "id": 1234567890123456789\n}');
    }
  });

  it('lists all events, newest first, page by page', async () => {
    for (let i = 0; i < 120; i++) agent.add('LLMCompletionLogEvent');
    const events = await allRows(
      service().agents.events(agent.id, { size: 50 }),
    );
    assert.deepEqual(
      events.map(({ id }) => id),
      agent.events.map(({ id }) => id).reverse(),
    );
  });

  it('asks for fewer events when they are too large for one answer', async () => {
    for (let i = 0; i < 8; i++)
      agent.add('ObservationEvent', { text: 'x'.repeat(20_000) });
    const small = serviceOf(stub, 'agentServer', { log, bodyLimit: 50_000 });
    assert.equal(
      (await allRows(small.agents.events(agent.id, { size: 8 }))).length,
      agent.events.length,
    );
  });

  describe('with a clock in another time zone', () => {
    for (const [where, zone] of [
      ['in New York', -5 * hour],
      ['in Kathmandu', 5.75 * hour],
      ['in Tokyo', 9 * hour],
      ['on UTC', 0],
    ] as const) {
      it(`shows events at the right time for a server ${where}`, async () => {
        agent = agentAt(stub, createdAt, zone);
        const { conversations, agents } = service();
        await conversations.list().next();
        const events = await allRows(agents.events(agent.id));
        assert.deepEqual(
          events.map(({ at }) => at),
          [createdAt + 120, createdAt + 80, createdAt + 40],
        );
      });
    }

    it('fetches the first event once to find the right time when a page does not reach it', async () => {
      agent = agentAt(stub, createdAt, -5 * hour);
      for (let i = 0; i < 50; i++) agent.add('LLMCompletionLogEvent');
      const { conversations, agents } = service();
      await conversations.list().next();
      const pages = agents.events(agent.id, { size: 20 });
      assert.equal(
        (await pages.next()).value?.items[0]?.at,
        createdAt + 53 * 40,
      );
      stub.asked.length = 0;
      await agents.events(agent.id, { size: 20 }).next();
      assert.equal(
        stub.asked.length,
        1,
        'the first event is only asked for once',
      );
    });

    it('shows no time for events when the time zone is unknown, or for those of a fork', async () => {
      agent = agentAt(stub, createdAt, -5 * hour);
      const unknown = await allRows(service().agents.events(agent.id));
      assert.deepEqual(
        new Set(unknown.map(({ at }) => at)),
        new Set([undefined]),
      );
      // A fork begins with the events of another one, which can be hours older.
      stub.change(
        stub.records.find(({ id }) => id === agent.id),
        { forked_from_conversation_id: 'another' },
      );
      const { conversations, agents } = service();
      await conversations.list().next();
      const ofFork = await allRows(agents.events(agent.id));
      assert.deepEqual(
        new Set(ofFork.map(({ at }) => at)),
        new Set([undefined]),
      );
    });

    it('shows no time when the clock difference is not that of a time zone', async () => {
      for (const difference of [7 * 60_000, 20 * hour]) {
        agent = agentAt(stub, createdAt, difference);
        const { conversations, agents } = service();
        await conversations.list().next();
        assert.equal(
          (await allRows(agents.events(agent.id)))[0]?.at,
          undefined,
        );
      }
    });

    it('accepts a timestamp that names its time zone', async () => {
      agent.add('PauseEvent', { timestamp: '2026-01-01T13:00:00+01:00' });
      assert.equal(
        (await allRows(service().agents.events(agent.id)))[0]?.at,
        createdAt,
      );
    });
  });

  it('renames a conversation', async () => {
    await service().editing.rename(agent.id, 'Another title');
    assert.equal(stub.records[0]?.title, 'Another title');
  });

  it('deletes a conversation and accepts that it is already gone', async () => {
    const { editing } = service();
    await editing.remove(agent.id);
    assert.deepEqual(stub.records, []);
    await editing.remove(agent.id);
  });

  it('reports a failed deletion when the conversation is not found but still listed', async () => {
    for (const status of [404, 405]) {
      refuse('DELETE', status);
      await assert.rejects(service().editing.remove(agent.id), (error) => {
        assert.ok(error instanceof ServiceError);
        assert.match(error.message, /^Could not delete the conversation: /);
        return true;
      });
    }
  });

  it('forks a conversation and titles an unnamed fork as it was asked to', async () => {
    const fork = await steeringOf(service()).fork(agent.id, 'Another');
    assert.equal(fork.title, 'Another');
    assert.equal(fork.id, stub.records[0]?.id);
    assert.equal(stub.records.length, 2);
  });

  it('says what Git said when a command fails', async () => {
    const usual = stub.answer;
    for (const [answer, expected] of [
      [
        { exit_code: 128, stderr: 'fatal: index.lock exists\n' },
        /Could not run Git in the folder of the agent: .*index\.lock exists\)\. Correct it and try again\.$/,
      ],
      [
        { exit_code: -1, stderr: null },
        /Could not run Git in the folder of the agent: .*Git exited with code -1\).* may have done this already/,
      ],
      [null, /Could not run Git in the folder of the agent: /],
    ] as const) {
      stub.answer = (request, path, body) =>
        path.endsWith('/bash/execute_bash_command')
          ? [200, answer]
          : usual(request, path, body);
      await assert.rejects(
        steeringOf(service()).runGit(agent.id, 'git status'),
        expected,
      );
    }
  });

  for (const [what, usage_id, models, expected] of [
    ['from its own profile', 'profile:b', { a: 'm', b: 'm' }, ['b']],
    ['from the only profile with it', 'default', { a: 'm', b: 'n' }, ['a']],
    ['not if several profiles have it', 'default', { a: 'm', b: 'm' }, []],
    ['not if no profile has it', 'profile:c', { a: 'm' }, []],
  ] as const) {
    it(`sets the model of a fork again, with its key: ${what}`, async () => {
      const usual = stub.answer;
      const switched: unknown[] = [];
      stub.answer = (request, path, body) => {
        if (path === '/api/profiles') {
          const profiles = Object.entries(models).map(([name, model]) => ({
            name,
            model,
          }));
          return [200, { profiles, active_profile: null }];
        }
        if (path.endsWith('/switch_profile')) {
          switched.push(
            (JSON.parse(body) as { profile_name: unknown }).profile_name,
          );
          return [200, { success: true }];
        }
        return path.endsWith('/fork')
          ? [
              201,
              stub.add({
                title: 'Another',
                agent: { llm: { model: 'm', usage_id } },
              }),
            ]
          : usual(request, path, body);
      };
      await steeringOf(service()).fork(agent.id, 'Another');
      assert.deepEqual(switched, expected);
    });
  }

  it('returns an approval chosen in a step that ends before its record is saved', async () => {
    const [record] = stub.records;
    assert.ok(record);
    record.execution_status = 'running';
    const choose = (kind: string) =>
      agent.add('ConversationStateUpdateEvent', {
        key: 'confirmation_policy',
        value: { kind },
      });
    choose('ConfirmRisky');
    agent.state('running');
    const approval = () => steeringOf(service()).approval(agent.id);
    assert.equal((await approval()).policy, 'always');
    choose('NeverConfirm');
    agent.state('finished');
    assert.equal((await approval()).policy, 'never');
  });

  it('sends no reason when accepting an action', async () => {
    agent.ask('npm test');
    await steeringOf(service()).answer(agent.id, {
      accept: true,
      reason: 'because',
    });
    assert.deepEqual(Object.keys(agent.answers[0] ?? {}), ['accept', 'ids']);
  });

  it('accepts that a conversation is already running when asked to run it', async () => {
    assert.equal(await steeringOf(service()).run(agent.id), false);
    assert.deepEqual([agent.runs, agent.ran], [1, []]);
  });

  it('returns the editor page for a folder only if the service has enabled one', async () => {
    const page = () => steeringOf(service()).editorPage('/srv/agent');
    const usual = stub.answer;
    let enabled = false;
    const asked: string[] = [];
    stub.answer = (request, path, body) => {
      if (path.startsWith('/api/vscode')) asked.push(request.url ?? '');
      if (path === '/api/vscode/status')
        return [200, { running: enabled, enabled }];
      if (path === '/api/vscode/url')
        return [200, { url: 'http://localhost:8001/?tkn=canary&folder=x' }];
      return usual(request, path, body);
    };
    assert.equal(await page(), undefined);
    assert.deepEqual(asked, ['/api/vscode/status']);
    enabled = true;
    assert.equal((await page())?.shown, 'http://localhost:8001/');
    assert.match(asked.at(-1) ?? '', /workspace_dir=%2Fsrv%2Fagent/);
  });

  for (const act of [
    'interrupt',
    'pause',
    'answer',
    'rename',
    'remove',
  ] as const) {
    it(`fails to ${act} when the service reports no success`, async () => {
      stub.answer = ({ method }) =>
        method === 'GET' ? undefined : [200, { success: false }];
      const { editing, ...rest } = service();
      const steering = steeringOf(rest);
      const acts = {
        interrupt: () => steering.interrupt(agent.id),
        pause: () => steering.pause(agent.id),
        answer: () => steering.answer(agent.id, { accept: false }),
        rename: () => editing.rename(agent.id, 'x'),
        remove: () => editing.remove(agent.id),
      };
      await assert.rejects(acts[act](), /it reports that it was not done/);
    });
  }
});
