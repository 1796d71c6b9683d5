import assert from 'node:assert/strict';
import { Cancellation } from '../../../../src/base/cancellation.ts';
import { Secret } from '../../../../src/base/secret.ts';
import { createClient } from '../../../../src/service/client.ts';
import type { Conversation } from '../../../../src/service/model/entities.ts';
import { Approvals } from '../../../../src/state/conversation/approvals.ts';
import { AgentLocations } from '../../../../src/state/conversation/agentLocations.ts';
import { AgentSteering } from '../../../../src/state/steering/agentSteering.ts';
import { until } from '../../../support/eventually.ts';
import { HurriedClock } from '../../../support/hurriedClock.ts';
import {
  type AgentServerStub,
  startAgentServerStub,
} from '../../service/agentServerStub.ts';
import { settle } from '../support.ts';
import { type AgentStub, agentAt } from './agentStub.ts';

describe('the reset of files in a worktree', () => {
  let stub: AgentServerStub;
  let agent: AgentStub;
  let steering: AgentSteering;
  let conversation: Conversation;
  let fork: Conversation;
  const { signal } = new AbortController();
  const isGit = (request: string) => request.includes('execute_bash_command');
  const resets = () => stub.asked.filter(isGit).length;
  const workspace = (below = '') => ({
    working_dir: `/worktrees/${agent.id}/shop${below}`,
  });

  beforeEach(async () => {
    stub = await startAgentServerStub();
    agent = agentAt(stub);
    const [record] = stub.records;
    stub.change(record, { workspace: workspace() });
    const { id: forkId } = stub.add({ title: 'Fork', workspace: workspace() });
    const usual = stub.answer;
    stub.answer = (request, path, body) =>
      isGit(path)
        ? [200, { exit_code: 0, stdout: 'done', stderr: null }]
        : usual(request, path, body);
    const clock = new HurriedClock(1_000);
    const client = createClient({
      address: new URL(stub.url),
      authentication: 'sessionKey',
      key: new Secret('a'),
      interface: 'agentServer',
      clock,
      requestsPerSecond: Infinity,
      deadline: 100_000_000,
    });
    const nothing = () => undefined;
    const conversations = {
      recordRead: nothing,
      approvalRead: nothing,
      insertFirst: nothing,
      edit: nothing,
    };
    const locations = new AgentLocations(client);
    steering = new AgentSteering({
      client,
      clock,
      locations,
      approvals: new Approvals(),
      conversations,
      work: new Cancellation(),
    });
    const find = async (id: string) =>
      (await (await client.recognise()).conversations.find(id)) ??
      assert.fail();
    conversation = await find(agent.id);
    fork = await find(forkId);
  });

  afterEach(async () => {
    await stub.stop();
  });

  it('runs before a message is sent to the original', async () => {
    const held = Promise.withResolvers<undefined>();
    stub.hold = (request) =>
      isGit(request.url ?? '') ? held.promise : Promise.resolve();
    const reset = steering.worktrees.resetFiles(fork, 'git status', signal);
    await until(() => resets() === 1);
    const sent = steering.send(conversation, { text: 'Go on' }, signal);
    for (let reads = 0; reads < 5; reads++)
      await steering.read(conversation, signal);
    assert.deepEqual(agent.messages, []);
    held.resolve(undefined);
    await reset;
    assert.equal((await sent).result, 'sent');
    assert.deepEqual(agent.messages, [{ text: 'Go on', run: false }]);
  });

  it('ends also when two run at once', async () => {
    await Promise.all([
      steering.worktrees.resetFiles(fork, 'git status', signal),
      steering.worktrees.resetFiles(conversation, 'git status', signal),
    ]);
    assert.equal(resets(), 2);
  });

  it('ends also when two wait until both conversations are free', async () => {
    const held = Promise.withResolvers<undefined>();
    const isReading = (request = '') => request.includes('/events/search');
    const lists = () =>
      stub.asked.filter((request) =>
        request.includes('/api/conversations/search'),
      ).length;
    stub.hold = ({ url }) =>
      isReading(url) ? held.promise : Promise.resolve();
    const pair = [fork, conversation];
    const resumes = pair.map((row) => steering.resume(row, signal));
    await until(() => stub.asked.filter(isReading).length === 2);
    const listed = lists();
    const all = pair.map((row) =>
      steering.worktrees.resetFiles(row, 'git status', signal),
    );
    await until(() => lists() === listed + 2);
    for (let turn = 0; turn < 20; turn++) await settle();
    held.resolve(undefined);
    await Promise.allSettled(resumes);
    await Promise.all(all);
    assert.equal(resets(), 2);
  });

  it('refuses while an agent works there that no list has loaded', async () => {
    stub.add({
      execution_status: 'running',
      workspace: workspace('/packages/api'),
    });
    await assert.rejects(
      steering.worktrees.resetFiles(fork, 'git status', signal),
      /an agent works on them again/,
    );
    assert.equal(resets(), 0);
  });

  it('refuses while an accepted action runs, though the record says that it waits', async () => {
    agent.isSlow = true;
    agent.ask('sleep 600');
    const record = stub.records.find(({ id }) => id === agent.id);
    stub.change(record, { execution_status: 'waiting_for_confirmation' });
    assert.equal(await steering.worktrees.isInUse(fork, signal), false);
    agent.accept();
    assert.equal(await steering.worktrees.isInUse(fork, signal), true);
    await assert.rejects(
      steering.worktrees.resetFiles(fork, 'git status', signal),
      /an agent works on them again/,
    );
  });

  it('asks the service whether the agent works, and takes the row for one that is gone', async () => {
    const [record] = stub.records.filter(({ id }) => id === agent.id);
    stub.change(record, { execution_status: 'running' });
    assert.equal(
      await steering.worktrees.isInUse(
        { ...conversation, execution: 'idle' },
        signal,
      ),
      true,
    );
    stub.remove(record);
    assert.equal(
      await steering.worktrees.isInUse(
        { ...conversation, execution: 'idle' },
        signal,
      ),
      false,
    );
    assert.equal(
      await steering.worktrees.isInUse(
        { ...conversation, execution: 'running' },
        signal,
      ),
      true,
    );
  });

  it('ignores an agent that works elsewhere', async () => {
    stub.add({
      execution_status: 'running',
      workspace: { working_dir: '/worktrees/other/shop' },
    });
    assert.equal(await steering.worktrees.isInUse(fork, signal), false);
  });

  describe('of a whole worktree, when it is removed', () => {
    const remove = (canRemove: (all: readonly Conversation[]) => boolean) =>
      steering.worktrees.remove(
        [conversation, fork],
        'git worktree remove x',
        canRemove,
        signal,
      );

    it('runs once the newest list of all conversations allows it', async () => {
      const seen: number[] = [];
      const isAllowed = (all: readonly Conversation[]) =>
        seen.push(all.length) > 1;
      assert.equal(await remove(isAllowed), undefined);
      assert.equal(resets(), 0);
      for (let count = 0; count < 150; count++) stub.add({});
      assert.equal(await remove(isAllowed), 'done');
      assert.equal(resets(), 1);
      assert.deepEqual(seen, [stub.records.length - 150, stub.records.length]);
    });

    it('runs after a message that is being sent, and before the next', async () => {
      const held = Promise.withResolvers<undefined>();
      stub.hold = (request) =>
        isGit(request.url ?? '') ? held.promise : Promise.resolve();
      const removal = remove(() => true);
      await until(() => resets() === 1);
      const sent = steering.send(fork, { text: 'Go on' }, signal);
      for (let turn = 0; turn < 20; turn++) await settle();
      assert.deepEqual(agent.messages, []);
      held.resolve(undefined);
      assert.equal(await removal, 'done');
      await sent.catch(() => undefined);
    });

    it('fails when a conversation cannot be read, because that may use it', async () => {
      stub.add({ id: '' });
      await assert.rejects(
        remove(() => true),
        /1 of the conversations cannot be read/,
      );
      assert.equal(resets(), 0);
    });
  });
});
