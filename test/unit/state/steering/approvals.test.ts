import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Cancellation } from '../../../../src/base/cancellation.ts';
import { UserError } from '../../../../src/base/errors.ts';
import type { Steering } from '../../../../src/service/abilities/agentService.ts';
import { createClient } from '../../../../src/service/client.ts';
import {
  type Approval,
  type AskRule,
  type ConfirmationPolicy,
  type Conversation,
  keyOf,
} from '../../../../src/service/model/entities.ts';
import { AgentLocations } from '../../../../src/state/conversation/agentLocations.ts';
import { ApprovalMemory } from '../../../../src/state/conversation/approvalMemory.ts';
import { Approvals } from '../../../../src/state/conversation/approvals.ts';
import { ConversationList } from '../../../../src/state/conversation/conversationList.ts';
import { LiveSlots } from '../../../../src/state/conversation/liveSlots.ts';
import { AgentSteering } from '../../../../src/state/steering/agentSteering.ts';
import { HurriedClock } from '../../../support/hurriedClock.ts';
import {
  type AgentServerStub,
  startAgentServerStub,
} from '../../service/agentServerStub.ts';
import { type AgentStub, agentAt } from './agentStub.ts';

const neverAsks = { confirmation_policy: { kind: 'NeverConfirm' } };
const always = { kind: 'AlwaysConfirm' };
const never = { kind: 'NeverConfirm' };

describe('approvals', () => {
  let stub: AgentServerStub;
  let agent: AgentStub;
  let folder: string;
  let askRules: readonly AskRule[];
  let desk: ReturnType<typeof openWindow>;
  const { signal } = new AbortController();

  function openWindow() {
    const client = createClient({
      address: new URL(stub.url),
      authentication: 'none',
      key: undefined,
      interface: 'agentServer',
      requestsPerSecond: Infinity,
    });
    const clock = new HurriedClock(1_000);
    const work = new Cancellation();
    const locations = new AgentLocations(client);
    const approvals = new Approvals(
      new ApprovalMemory(join(folder, 'approvals.json')),
      () => askRules,
    );
    const parts = { client, clock, locations, approvals, work };
    const list = new ConversationList({
      ...parts,
      slots: new LiveSlots(),
      pageSize: () => 20,
      query: () => ({}),
    });
    return {
      approvals,
      list,
      steering: new AgentSteering({ ...parts, conversations: list }),
    };
  }

  function begin(creation: object): void {
    agent = agentAt(stub, undefined, undefined, creation);
    agent.state('idle');
  }

  const row = ({ list } = desk): Conversation =>
    [...list.rows.values()].find(({ id }) => id === agent.id) ?? assert.fail();

  async function requestsOf(
    act: () => Promise<unknown>,
  ): Promise<readonly string[]> {
    const { length } = stub.asked;
    await act();
    return stub.asked
      .slice(length)
      .map((request) => request.replace(/\?.*/, '').replace(agent.id, 'ID'));
  }

  const send = () => desk.steering.send(row(), { text: 'Go on' }, signal);
  const choose = (policy: string) =>
    desk.steering.setConfirmation(row(), policy, signal);

  async function accept() {
    const waiting = await desk.steering.read(row(), signal);
    assert.equal(waiting.status, 'waits');
    return await desk.steering.answer(
      row(),
      waiting.actions,
      { accept: true },
      signal,
    );
  }

  beforeEach(async () => {
    askRules = [];
    folder = await mkdtemp(join(tmpdir(), 'approvals-'));
    stub = await startAgentServerStub();
    begin(neverAsks);
    desk = openWindow();
    await desk.list.refresh();
  });

  afterEach(async () => {
    await stub.stop();
    await rm(folder, { recursive: true });
  });

  it('sets the choice again before a message runs an agent that the service has reloaded', async () => {
    await choose('always');
    agent.unload();
    assert.deepEqual(agent.policy, never);
    await desk.list.refresh();
    assert.equal(row().approval?.policy, 'never');
    let policyOfRun: unknown;
    agent.before = (what) => {
      if (what === 'run') policyOfRun = agent.policy;
    };
    assert.deepEqual(await send(), { result: 'sent' });
    assert.deepEqual(policyOfRun, always);
    assert.equal(row().approval?.policy, 'always');
  });

  it('reads and sends for a message only once the choice before it is set', async () => {
    await choose('always');
    let isChosen = false;
    const seen: unknown[] = [];
    agent.before = (what) => {
      seen.push([what, isChosen, agent.policy]);
    };
    const choice = choose('never').then(() => {
      isChosen = true;
    });
    await Promise.all([choice, send()]);
    assert.ok(seen.length > 1);
    for (const [what, isSet, policy] of seen as [string, boolean, unknown][])
      assert.deepEqual([isSet, policy], [true, never], what);
    assert.equal(row().approval?.policy, 'never');
  });

  it('sets the choice again before an action is accepted, so that the next one waits', async () => {
    await choose('always');
    agent.ask('npm test');
    agent.unload();
    let policyOfAnswer: unknown;
    agent.before = (what) => {
      if (what === 'answer') policyOfAnswer = agent.policy;
    };
    assert.deepEqual(await accept(), { result: 'answered' });
    assert.deepEqual(policyOfAnswer, always);
  });

  it('accepts nothing that began to wait while the choice was set again', async () => {
    await choose('always');
    agent.ask('npm test');
    agent.unload();
    const usual = stub.answer;
    stub.answer = (request, path, body) => {
      if (path.endsWith('/confirmation_policy')) agent.ask('rm -rf build');
      return usual(request, path, body);
    };
    assert.equal((await accept()).result, 'changed');
    assert.deepEqual([agent.ran, agent.policy], [[], always]);
  });

  it('sets nothing when something else waits than was shown', async () => {
    agent.ask('npm test');
    const waiting = await desk.steering.read(row(), signal);
    assert.equal(waiting.status, 'waits');
    agent.ask('rm -rf build');
    const { result } = await desk.steering.answer(
      row(),
      waiting.actions,
      { accept: true },
      signal,
    );
    assert.deepEqual([result, agent.policy], ['changed', never]);
  });

  it('asks for every action again before it accepts one that waits although the service asks for none', async () => {
    agent.ask('npm test');
    await accept();
    assert.deepEqual(agent.policy, always);
  });

  it('lets an agent go on without asking once the user chose that, although an action waits', async () => {
    await choose('never');
    agent.ask('npm test');
    await accept();
    assert.deepEqual(agent.policy, never);
  });

  for (const act of ['resume', 'compact'] as const) {
    it(`sets the choice again before it lets an agent ${act}`, async () => {
      const usual = stub.answer;
      stub.answer = (request, path, body) =>
        path.endsWith('/condense')
          ? [200, { success: true }]
          : usual(request, path, body);
      await choose('always');
      agent.unload();
      await desk.steering[act](row(), signal);
      assert.deepEqual(agent.policy, always);
    });
  }

  it('starts nothing while the service does not keep the choice', async () => {
    await choose('always');
    agent.unload();
    const usual = stub.answer;
    stub.answer = (request, path, body) =>
      path.endsWith('/confirmation_policy')
        ? [200, { success: true }]
        : usual(request, path, body);
    const sent = await send();
    assert.ok(sent.result === 'sent' && sent.notRun instanceof UserError);
    assert.equal(
      sent.notRun.message,
      'The service did not save the approval setting, so nothing was started.',
    );
    assert.equal(agent.runs, 0);
    await assert.rejects(desk.steering.resume(row(), signal), UserError);
    agent.ask('npm test');
    await assert.rejects(accept(), UserError);
    assert.deepEqual([agent.runs, agent.ran], [0, []]);
  });

  it('keeps a choice of another window', async () => {
    const other = openWindow();
    await other.list.refresh();
    await other.steering.setConfirmation(row(other), 'always', signal);
    agent.unload();
    await desk.list.refresh();
    await send();
    assert.deepEqual(agent.policy, always);
  });

  it('keeps the stricter policy that another client has set', async () => {
    stub.change(
      stub.records.find(({ id }) => id === agent.id),
      { confirmation_policy: always },
    );
    await desk.list.refresh();
    agent.unload();
    await send();
    assert.deepEqual(agent.policy, always);
  });

  describe('a choice that fails', () => {
    function refusePolicy(status: number): void {
      const usual = stub.answer;
      stub.answer = (request, path, body) =>
        path.endsWith('/confirmation_policy')
          ? [status, { detail: 'Not now' }]
          : usual(request, path, body);
    }

    async function sendAfterReload(): Promise<void> {
      stub.answer = answers;
      agent.unload();
      await send();
    }

    let answers: AgentServerStub['answer'];

    beforeEach(() => {
      answers = stub.answer;
    });

    it('holds if it is strict and its answer is lost', async () => {
      refusePolicy(500);
      await assert.rejects(choose('always'), UserError);
      await sendAfterReload();
      assert.deepEqual(agent.policy, always);
    });

    it('stops holding if it is strict and the service refuses it', async () => {
      refusePolicy(422);
      await assert.rejects(choose('always'), UserError);
      await sendAfterReload();
      assert.deepEqual(agent.policy, never);
    });

    it('does not hold if it lets the agent ask for nothing, and its answer is lost', async () => {
      refusePolicy(500);
      await assert.rejects(choose('never'), UserError);
      stub.answer = answers;
      agent.ask('npm test');
      await accept();
      assert.deepEqual(agent.policy, always);
    });

    for (const policy of ['never', 'listed'])
      for (const status of [422, 500])
        it(`leaves the stricter one before it when it is answered with ${status} (${policy})`, async () => {
          await choose('always');
          refusePolicy(status);
          await assert.rejects(choose(policy), UserError);
          await sendAfterReload();
          assert.deepEqual(agent.policy, always);
        });
  });

  it('sets the policy of creation again where another client has lowered it', async () => {
    await desk.approvals.created(keyOf(row()), 'always');
    const lower = async () => {
      stub.change(
        stub.records.find(({ id }) => id === agent.id),
        neverAsks,
      );
      await desk.list.refresh();
      assert.equal(
        desk.approvals.weakened(keyOf(row()), row().approval),
        'always',
      );
    };
    await lower();
    await send();
    assert.deepEqual(agent.policy, always);
    await lower();
    agent.ask('npm test');
    await accept();
    assert.deepEqual(agent.policy, always);
  });

  it('sets the policy of creation again where an event told that another client has lowered it, whatever kept records say', async () => {
    const record = stub.records.find(({ id }) => id === agent.id);
    stub.change(record, { confirmation_policy: always });
    const other = stub.add({ title: 'Other' });
    await desk.list.refresh();
    const key = keyOf(row());
    await desk.approvals.created(key, 'always');
    const tellLowered = () => {
      Object.assign(record ?? {}, neverAsks);
      desk.approvals.note(key, { policy: 'never', analyzer: undefined });
    };
    const otherKey = keyOf({ ...row(), id: other.id });
    for (const edited of [otherKey, key]) {
      tellLowered();
      desk.list.edit(edited, (edited) => ({ ...edited, title: 'Renamed' }));
      assert.equal(row().approval?.policy, 'always');
      await send();
      assert.deepEqual(agent.policy, always);
    }
    tellLowered();
    const usual = stub.answer;
    stub.answer = (request, path, body) =>
      request.method === 'GET' && path.endsWith(agent.id)
        ? [403, { detail: 'No more' }]
        : usual(request, path, body);
    const sent = await send();
    assert.ok(sent.result === 'sent' && sent.notRun);
    stub.answer = usual;
    await send();
    assert.deepEqual(agent.policy, always);
  });

  it('keeps the strictest of the policies that other clients have set', async () => {
    for (const kind of ['AlwaysConfirm', 'ConfirmRisky', 'NeverConfirm']) {
      const record = stub.records.find(({ id }) => id === agent.id);
      stub.change(record, { confirmation_policy: { kind } });
      await desk.list.refresh();
    }
    await send();
    assert.deepEqual(agent.policy, always);
  });

  it('shows in the row that the service asks less than before', async () => {
    await choose('always');
    agent.unload();
    await desk.list.refresh();
    const weakened = () =>
      desk.approvals.weakened(keyOf(row()), row().approval);
    assert.equal(weakened(), 'always');
    await choose('always');
    assert.equal(weakened(), undefined);
    await choose('never');
    assert.equal(weakened(), undefined);
  });

  describe('a fork', () => {
    const fork = () => desk.steering.fork(row(), 'Fork', undefined, signal);
    const forkRecord = () =>
      stub.records.find((record) => record.forked_from_conversation_id);

    /** Lets the service set the policy of a fork. */
    function takePolicyOfFork(): void {
      const usual = stub.answer;
      stub.answer = (request, path, body) => {
        const record = forkRecord();
        if (!record || !path.startsWith(`/api/conversations/${record.id}`))
          return usual(request, path, body);
        if (path.endsWith('/confirmation_policy'))
          record.confirmation_policy = always;
        return [200, record];
      };
    }

    it('asks as its original does before its page can send', async () => {
      await choose('always');
      takePolicyOfFork();
      assert.equal((await fork()).approval?.policy, 'always');
      assert.deepEqual(forkRecord()?.confirmation_policy, always);
    });

    it('asks as its original does although the user has canceled it', async () => {
      await choose('always');
      takePolicyOfFork();
      const usual = stub.answer;
      const canceling = new AbortController();
      stub.answer = (request, path, body) => {
        if (path.endsWith('/fork')) canceling.abort();
        return usual(request, path, body);
      };
      await assert.rejects(
        desk.steering.fork(row(), 'Fork', undefined, canceling.signal),
        /^UserError: The fork was made before you canceled\./,
      );
      assert.deepEqual(forkRecord()?.confirmation_policy, always);
    });

    it('remembers to ask when its service refuses the policy at first', async () => {
      await choose('always');
      const usual = stub.answer;
      const isOfFork = (path: string) =>
        path === `/api/conversations/${forkRecord()?.id}/confirmation_policy`;
      stub.answer = (request, path, body) =>
        isOfFork(path)
          ? [503, { detail: 'Not now' }]
          : usual(request, path, body);
      const { approval, ...made } = await fork();
      assert.equal(approval?.policy, 'never');
      assert.equal(desk.approvals.weakened(keyOf(made), approval), 'always');
    });

    it('asks as its original does although the answer to its creation was lost', async () => {
      await choose('always');
      stub.loses = ({ url }) => url?.endsWith('/fork') === true;
      await assert.rejects(fork());
      stub.loses = () => false;
      desk = openWindow();
      await desk.list.refresh();
      const [forkRow] = [...desk.list.rows.values()].filter(
        ({ forkedFrom }) => forkedFrom === agent.id,
      );
      assert.ok(forkRow);
      assert.equal(forkRow.approval?.policy, 'never');
      assert.equal(
        desk.approvals.weakened(keyOf(forkRow), forkRow.approval),
        'always',
      );
      const { steering, requests } = new HeldPolicy('never');
      await desk.approvals.enforce(forkRow, steering, {}, () => undefined);
      assert.deepEqual(requests, ['read', 'set always', 'read']);
    });

    it('does not hide an unexpected error', async () => {
      await choose('always');
      const odd = new TypeError('odd');
      const steering: Partial<Steering> = {
        approval: () => Promise.resolve({ policy: 'never', analyzer: null }),
        setConfirmation: () => Promise.reject(odd),
      };
      const record = { ...row(), id: 'fork', approval: undefined };
      await assert.rejects(
        desk.approvals.carryOver(row(), record, steering as Steering, {}),
        odd,
      );
    });

    it('gets no choice of its own if its original asks for nothing', async () => {
      await desk.approvals.created(keyOf(row()), 'never');
      assert.equal(desk.approvals.required(keyOf(await fork())), undefined);
    });

    it('asks as the row of its original says, which no list has', async () => {
      const steering = new HeldPolicy('never');
      const original = {
        ...row(),
        id: 'original',
        approval: { policy: 'always', analyzer: null },
      };
      const record = {
        ...row(),
        id: 'fork',
        approval: { policy: 'never', analyzer: null },
      };
      const result = await desk.approvals.carryOver(
        original,
        record,
        steering.steering,
        {},
      );
      assert.deepEqual(result.approval, { policy: 'always', analyzer: null });
      assert.deepEqual(steering.requests, ['set always', 'read']);
      const strict = {
        ...record,
        approval: { policy: 'always', analyzer: null },
      };
      assert.deepEqual(
        await desk.approvals.carryOver(original, strict, steering.steering, {}),
        strict,
      );
      assert.equal(steering.requests.length, 2);
    });

    it('costs no request where it begins with the policy of its original', async () => {
      assert.deepEqual(
        (await requestsOf(fork)).filter((request) =>
          /policy|analyzer|conversations\/ID$/.test(request),
        ),
        ['GET /api/conversations/ID'],
      );
      await desk.approvals.created(keyOf(row()), 'never');
      assert.deepEqual(await requestsOf(fork), [
        'POST /api/conversations/ID/fork',
        'GET /api/profiles',
      ]);
    });
  });

  describe('right before an agent runs', () => {
    async function enforce(
      held: ConfirmationPolicy,
      change: Partial<Conversation>,
      actionWaits: boolean,
    ) {
      const { steering, requests } = new HeldPolicy(held);
      const conversation = { ...row(), approval: undefined, ...change };
      const reported: string[] = [];
      const take = (_: Conversation, { policy }: Approval) =>
        void reported.push(policy);
      const hasAsked = await desk.approvals.enforce(
        conversation,
        steering,
        {},
        take,
        actionWaits,
      );
      return {
        hasAsked,
        requests,
        reported,
        required: desk.approvals.required(keyOf(conversation)),
      };
    }

    const [hasAsked, reported] = [true, ['always']];
    const strict = { policy: 'always', analyzer: null };

    it('sets again what only the row tells', async () => {
      assert.deepEqual(
        await enforce('never', { id: 'a', approval: strict }, false),
        {
          ...{ hasAsked, reported, required: 'always' },
          requests: ['read', 'set always', 'read'],
        },
      );
    });

    it('remembers what it sets because an action waits, and what it reads then', async () => {
      assert.deepEqual(await enforce('never', { id: 'a' }, true), {
        ...{ hasAsked, reported, required: 'always' },
        requests: ['read', 'set always', 'read'],
      });
      assert.deepEqual(await enforce('always', { id: 'b' }, true), {
        ...{ hasAsked, reported, required: 'always' },
        requests: ['read'],
      });
    });

    it('refuses if an agent rated by another client keeps a laxer policy than required', async () => {
      const rated = { kind: 'LLMSecurityAnalyzer' };
      for (const [id, required, held, isRefused] of [
        ['a', 'always', 'risky', true],
        ['b', 'always', 'never', true],
        ['c', 'listed', 'never', true],
        ['d', 'risky', 'risky', false],
      ] as const) {
        const steering = {
          approval: () => Promise.resolve({ policy: held, analyzer: rated }),
          setConfirmation: () => Promise.resolve(),
        } satisfies Partial<Steering>;
        const conversation = {
          ...{ ...row(), id },
          approval: { policy: required, analyzer: rated },
        };
        const enforced = desk.approvals.enforce(
          conversation,
          steering as unknown as Steering,
          {},
          () => undefined,
        );
        if (isRefused)
          await assert.rejects(enforced, /did not save the approval setting/);
        else assert.equal(await enforced, true);
      }
    });

    it('sets the policy alone at a service that can no longer rate actions', async () => {
      const { steering, requests } = new HeldPolicy('never', false);
      const approval = { policy: 'risky', analyzer: null };
      await desk.approvals.enforce(
        { ...row(), id: 'a', approval },
        steering,
        {},
        () => undefined,
      );
      assert.deepEqual(requests, ['read', 'set risky', 'read']);
    });

    it('asks and tells nothing where no policy must hold, or that of creation does', async () => {
      const nothing = { hasAsked: false, reported: [], requests: [] };
      assert.deepEqual(await enforce('never', { id: 'a' }, false), {
        ...nothing,
        required: undefined,
      });
      for (const policy of ['always', 'never'] as const) {
        await desk.approvals.created(keyOf({ ...row(), id: policy }), policy);
        assert.deepEqual(await enforce('never', { id: policy }, true), {
          ...nothing,
          required: policy,
        });
      }
    });
  });

  describe('a message', () => {
    const events = 'GET /api/conversations/ID/events/search';
    const plain = [
      events,
      'POST /api/conversations/ID/events',
      events,
      'POST /api/conversations/ID/run',
    ];

    it('adds no request where the policy of creation is the one that must hold', async () => {
      assert.deepEqual(await requestsOf(send), plain);
      begin({ confirmation_policy: always });
      await desk.list.refresh();
      await desk.approvals.created(keyOf(row()), 'always');
      assert.deepEqual(await requestsOf(send), plain);
    });

    it('adds no request once the user chose that the agent asks for nothing', async () => {
      await desk.approvals.created(keyOf(row()), 'always');
      await choose('never');
      assert.deepEqual(await requestsOf(send), plain);
    });

    it('reads the record once after a choice, and then the events again', async () => {
      await choose('always');
      assert.deepEqual(
        await requestsOf(send),
        plain.toSpliced(3, 0, 'GET /api/conversations/ID', events),
      );
    });

    it('adds four requests to set a lost choice again', async () => {
      await choose('always');
      agent.unload();
      assert.deepEqual(
        await requestsOf(send),
        plain.toSpliced(
          3,
          0,
          'GET /api/conversations/ID',
          'POST /api/conversations/ID/confirmation_policy',
          'GET /api/conversations/ID',
          events,
        ),
      );
    });
  });

  describe('asking for risky actions', () => {
    const analyzerKind = () =>
      (agent.analyzer as { kind?: string } | null)?.kind;

    it('has the service rate each action, and sets that again after a restart', async () => {
      await choose('risky');
      assert.equal(analyzerKind(), 'EnsembleSecurityAnalyzer');
      agent.unload();
      assert.equal(analyzerKind(), undefined);
      await send();
      assert.equal(analyzerKind(), 'EnsembleSecurityAnalyzer');
      assert.deepEqual(row().approval, {
        policy: 'risky',
        analyzer: { kind: 'EnsembleSecurityAnalyzer', rules: [] },
      });
    });

    it('keeps the analyzer that another client has set', async () => {
      begin({
        ...neverAsks,
        security_analyzer: { kind: 'LLMSecurityAnalyzer' },
      });
      await desk.list.refresh();
      await choose('risky');
      assert.equal(analyzerKind(), 'LLMSecurityAnalyzer');
    });

    it('refuses where the service cannot rate actions', async () => {
      begin({ ...neverAsks, security_analyzer: undefined });
      await desk.list.refresh();
      await assert.rejects(
        choose('risky'),
        /cannot rate how risky an action is/,
      );
      assert.deepEqual(agent.policy, never);
      assert.deepEqual(await send(), { result: 'sent' });
      await choose('always');
      assert.deepEqual(agent.policy, always);
    });
  });

  describe('asking only for listed actions', () => {
    const push = { sentence: 'Pushes', pattern: 'git push' };
    const remove = { sentence: 'Removes', pattern: 'rm ' };
    const foreign = { kind: 'LLMSecurityAnalyzer' };
    const patterns = () =>
      (
        agent.analyzer as {
          analyzers: { kind: string; high_patterns?: string[][] }[];
        }
      ).analyzers.map(({ kind, high_patterns = [] }) => [
        kind,
        high_patterns.map(([pattern]) => pattern),
      ]);

    beforeEach(() => {
      askRules = [push];
    });

    it('has the service rate each action by the list alone, and shows what it holds', async () => {
      await choose('listed');
      assert.deepEqual(agent.policy, {
        kind: 'ConfirmRisky',
        threshold: 'HIGH',
        confirm_unknown: true,
      });
      assert.deepEqual(patterns(), [['PatternSecurityAnalyzer', ['git push']]]);
      assert.deepEqual(row().approval, {
        policy: 'listed',
        analyzer: {
          kind: 'EnsembleSecurityAnalyzer',
          rules: [push],
          isOnlyRules: true,
        },
      });
      await desk.list.refresh();
      assert.equal(row().approval?.policy, 'listed');
    });

    it('sets the choice and the list again before a message runs a reloaded agent', async () => {
      await choose('listed');
      agent.unload();
      await desk.list.refresh();
      assert.equal(
        desk.approvals.weakened(keyOf(row()), row().approval),
        'listed',
      );
      await send();
      assert.deepEqual(patterns(), [['PatternSecurityAnalyzer', ['git push']]]);
      assert.equal(row().approval?.policy, 'listed');
    });

    it('sends a changed list before an agent runs, and at once on demand', async () => {
      await choose('listed');
      askRules = [push, remove];
      const asked = await requestsOf(send);
      assert.deepEqual(
        asked.filter((request) => request.includes('security_analyzer')),
        ['POST /api/conversations/ID/security_analyzer'],
      );
      assert.deepEqual(patterns(), [
        ['PatternSecurityAnalyzer', ['git push', 'rm ']],
      ]);
      askRules = [remove];
      assert.deepEqual(
        await requestsOf(() => desk.steering.updateRules(row(), signal)),
        [
          'GET /api/conversations/ID',
          'POST /api/conversations/ID/security_analyzer',
          'GET /api/conversations/ID',
        ],
      );
      assert.deepEqual(row().approval?.analyzer?.rules, [remove]);
      assert.deepEqual(
        await requestsOf(() => desk.steering.updateRules(row(), signal)),
        ['GET /api/conversations/ID'],
      );
    });

    it('reads the waiting actions again after it sent a changed list', async () => {
      await choose('listed');
      agent.ask('git push');
      askRules = [remove];
      const usual = stub.answer;
      stub.answer = (request, path, body) => {
        if (path.endsWith('/security_analyzer')) agent.ask('rm -rf build');
        return usual(request, path, body);
      };
      assert.equal((await accept()).result, 'changed');
      assert.deepEqual(agent.ran, []);
    });

    it('asks for listed actions too when it asks for risky ones', async () => {
      await choose('risky');
      assert.deepEqual(patterns().at(0), [
        'PatternSecurityAnalyzer',
        ['git push'],
      ]);
      assert.equal(patterns().length, 4);
      assert.deepEqual(row().approval?.analyzer?.rules, [push]);
    });

    it('replaces the analyzer of another client only if the user agreed', async () => {
      begin({ ...neverAsks, security_analyzer: foreign });
      await desk.list.refresh();
      await assert.rejects(choose('listed'), /not set here/);
      assert.deepEqual([agent.policy, agent.analyzer], [never, foreign]);
      await desk.steering.setConfirmation(row(), 'listed', signal, true);
      assert.equal(row().approval?.policy, 'listed');
    });

    it('replaces it again after a restart, but no other one', async () => {
      begin({ ...neverAsks, security_analyzer: foreign });
      await desk.list.refresh();
      await desk.steering.setConfirmation(row(), 'listed', signal, true);
      agent.unload();
      assert.deepEqual([agent.policy, agent.analyzer], [never, foreign]);
      assert.deepEqual(await send(), { result: 'sent' });
      assert.deepEqual(row().approval?.analyzer?.rules, [push]);
      const other = { kind: 'GraySwanAnalyzer' };
      agent.unload();
      const record = stub.records.find(({ id }) => id === agent.id);
      Object.assign(record ?? {}, { security_analyzer: other });
      assert.deepEqual(await send(), { result: 'sent' });
      assert.deepEqual(row().approval, { policy: 'risky', analyzer: other });
    });

    it('keeps an analyzer that another client has set since', async () => {
      await choose('listed');
      const record = stub.records.find(({ id }) => id === agent.id);
      Object.assign(record ?? {}, { security_analyzer: foreign });
      askRules = [remove];
      await send();
      assert.deepEqual(agent.analyzer, foreign);
      assert.deepEqual(row().approval, { policy: 'risky', analyzer: foreign });
    });

    it('refuses where the service cannot rate actions', async () => {
      begin({ ...neverAsks, security_analyzer: undefined });
      await desk.list.refresh();
      await assert.rejects(choose('listed'), /cannot rate/);
      assert.deepEqual(agent.policy, never);
    });
  });

  it('holds a service neither to a policy that we do not know nor to one that is not told', () => {
    const { approvals } = desk;
    for (const policy of ['onWeekends', 'never'])
      approvals.note('a 1', { policy, analyzer: undefined });
    approvals.note('a 1', undefined);
    assert.equal(approvals.required('a 1'), undefined);
    approvals.note('a 1', { policy: 'risky', analyzer: undefined });
    approvals.note('a 1', { policy: 'onWeekends', analyzer: undefined });
    assert.equal(approvals.required('a 1'), 'risky');
  });

  it('takes a policy that we do not know for laxer than one that asks, and for stricter than none', () => {
    const { approvals } = desk;
    const unknown = { policy: 'onWeekends', analyzer: undefined };
    assert.equal(approvals.weakened('a 1', unknown), undefined);
    approvals.note('a 1', { policy: 'risky', analyzer: undefined });
    assert.equal(approvals.weakened('a 1', unknown), 'risky');
    assert.equal(approvals.weakened('a 1', undefined), undefined);
    assert.equal(
      approvals.weakened('a 1', { policy: 'always', analyzer: undefined }),
      undefined,
    );
  });
});

/** The approval of a service that keeps what is set. */
class HeldPolicy {
  readonly requests: string[] = [];
  #policy: ConfirmationPolicy;
  readonly #canRate: boolean;

  constructor(policy: ConfirmationPolicy, canRate = true) {
    this.#policy = policy;
    this.#canRate = canRate;
  }

  get steering(): Steering {
    const steering: Partial<Steering> = {
      approval: () => {
        this.requests.push('read');
        return Promise.resolve({
          policy: this.#policy,
          analyzer: this.#canRate ? null : undefined,
        });
      },
      rateActions: () => assert.fail('It rates nothing.'),
      setConfirmation: (_, policy) => {
        this.requests.push(`set ${policy}`);
        this.#policy = policy;
        return Promise.resolve();
      },
    };
    return steering as Steering;
  }
}
