import assert from 'node:assert/strict';
import { type Conversation, keyOf } from '../../src/service/model/entities.ts';
import type { CommandId } from '../../src/editor/manifest.ts';
import type { MisbehavingDemo } from '../support/demo/faults/misbehavingDemo.ts';
import { requestCounts } from '../support/requestCounts.ts';
import { SteppedClock } from '../support/steppedClock.ts';
import { until } from '../support/eventually.ts';
import { AskingAgents } from '../ui/askingAgents.ts';
import { Desk, key } from './desk.ts';
import { Traffic } from './traffic.ts';

const inTree = (desk: Desk, { id }: Pick<Conversation, 'id'>) => {
  const { conversations } = desk.trees;
  const row = conversations.rowOf(
    desk.switchboard.conversation(id) ?? assert.fail(id),
  );
  return row && conversations.getTreeItem(row);
};

describe('pinning and archiving', () => {
  let desk: Desk;
  let demo: MisbehavingDemo;

  beforeEach(async () => {
    desk = await Desk.setUp({
      refreshInterval: 0,
      notifications: 'off',
      'conversations.pageSize': 60,
    });
    const clock = new SteppedClock();
    demo = await desk.serve({
      interface: 'agentServer',
      clock,
      conversations: 8,
    });
    clock.advance(10 * 60_000);
    await desk.connectTo({ url: demo.url });
    await desk.open();
    await desk.loaded();
  });

  afterEach(async () => {
    await desk.clear();
  });

  const rows = () => [...desk.switchboard.conversations.rows.values()];
  const at = (index: number) => rows()[index] ?? assert.fail();
  const tagsAtService = async ({ id }: Conversation) => {
    const response = await fetch(`${demo.url}/api/conversations/${id}`, {
      headers: { 'x-session-api-key': key },
    });
    return ((await response.json()) as { tags: Record<string, string> }).tags;
  };
  const run = (id: CommandId, ...conversations: readonly Conversation[]) =>
    desk.run(id, ...(conversations.map(keyOf) as [string]));
  const changing = {
    'GET /api/conversations/*': 2,
    'PATCH /api/conversations/*': 1,
  };

  it('writes the tags once between two reads, for another machine to see', async () => {
    const conversation = at(5);
    const before = await tagsAtService(conversation);
    for (const [command, tags] of [
      ['pin', { ...before, pinned: 'true' }],
      ['archive', { ...before, pinned: 'true', archived: 'true' }],
      ['unpin', { ...before, archived: 'true' }],
      ['unarchive', before],
    ] as const) {
      const counts = await requestCounts(demo, () =>
        run(`switchboard.conversations.${command}`, conversation),
      );
      assert.deepEqual(counts, changing, command);
      assert.deepEqual(await tagsAtService(conversation), tags);
    }
    assert.deepEqual(
      demo.executed.filter(({ cause }) => cause.startsWith('PATCH')),
      [],
    );
  });

  it('lists pinned conversations first, and says so', async () => {
    const conversation = at(5);
    await run('switchboard.conversations.pin', conversation);
    for (const sorting of ['urgent', 'created', 'updated'] as const) {
      await desk.switchboard.arrange({ sorting });
      await until(
        () =>
          desk.trees.conversations.getChildren()[0] ===
          desk.trees.conversations.rowOf(conversation),
      );
    }
    const item = inTree(desk, conversation);
    assert.match(String(item?.description), / · Pinned( · |$)/);
    assert.match(item?.accessibilityInformation?.label ?? '', /, Pinned, /);
    assert.match(item?.contextValue ?? '', /\bmarkable\b.*\bpinned\b/);
  });

  it('says why undoing failed', async () => {
    const conversation =
      rows().find(({ isArchived }) => !isArchived) ?? assert.fail();
    const isArchived = () =>
      desk.switchboard.conversation(keyOf(conversation))?.isArchived;
    const listening = desk.switchboard.conversations.onChange(() => {
      if (isArchived()) demo.misbehave({ forbidden: true, only: 'PATCH' });
    });
    desk.person.presses.add('Undo');
    await run('switchboard.conversations.archive', conversation);
    await until(() => desk.person.heard.length === 2);
    listening.dispose();
    assert.match(
      desk.person.heard[1] ?? '',
      /^Could not unarchive the conversation/,
    );
    assert.ok(isArchived());
  });

  it('hides archived conversations behind a row that counts them, and shows them on request', async () => {
    desk.person.presses.add('Undo');
    const resting = () =>
      rows().filter(({ execution }) => execution !== 'waitingForConfirmation');
    const [first = assert.fail(), second = assert.fail()] = resting().filter(
      ({ isArchived }) => !isArchived,
    );
    const count = rows().length;
    await run('switchboard.conversations.archive', first);
    assert.deepEqual(desk.person.heard, [`“${first.title}” was archived.`]);
    await until(
      async () => (await tagsAtService(first)).archived === undefined,
    );
    await until(() => desk.rows().every((row) => !row.includes('archived')));

    desk.person.presses.clear();
    await run('switchboard.conversations.archive', first, second);
    assert.deepEqual(desk.person.heard.slice(1), [
      '2 conversations were archived.',
    ]);
    const { conversations } = desk.trees;
    assert.equal(conversations.shown, count - 2);
    assert.ok(
      desk.rows().some((row) => row.startsWith('2 archived')),
      desk.rows().join('\n'),
    );
    const row = conversations.row('archived') ?? assert.fail();
    const { command = '', arguments: args = [] } =
      conversations.commandOf(row) ?? {};
    await desk.run(
      command as 'switchboard.conversations.filter',
      ...(args as ['archived']),
    );
    assert.equal(conversations.shown, 2);
    assert.match(desk.rows()[0] ?? '', /^Archived · 2 of \d+ loaded$/);
    await run('switchboard.conversations.unarchive', first);
    await run(
      'switchboard.conversations.archive',
      ...rows().filter(({ isArchived }) => !isArchived),
    );
    await desk.run('switchboard.conversations.clearFilters');
    // Waiting conversations are never hidden, nor are those they began.
    const archivedCount = Number(
      /^(\d+) archived/.exec(desk.rows().at(-1) ?? '')?.[1],
    );
    assert.ok(
      archivedCount > 0 && archivedCount <= resting().length,
      desk.rows().join('\n'),
    );
    assert.equal(desk.trees.conversations.shown, count - archivedCount);
  });

  it('leaves a row as it was, and says why, when the service refuses', async () => {
    const conversation = at(1);
    demo.misbehave({ forbidden: true, only: 'PATCH' });
    const before = desk.rows();
    await run('switchboard.conversations.pin', conversation);
    await run('switchboard.conversations.archive', conversation);
    await until(() => desk.person.heard.length === 2);
    assert.match(
      desk.person.heard[0] ?? '',
      /^Could not pin the conversation: /,
    );
    assert.match(
      desk.person.heard[1] ?? '',
      /^Could not archive the conversation: /,
    );
    assert.deepEqual(desk.rows(), before);
  });

  it('offers to undo what was archived when another could not be', async () => {
    const [first, second] = [at(1), at(2)];
    demo.misbehave({ forbidden: true, only: new RegExp(first.id) });
    await run('switchboard.conversations.archive', first, second);
    await until(() => desk.person.heard.length === 2);
    const heard = desk.person.heard.join('\n');
    assert.ok(heard.includes(`“${second.title}” was archived.`), heard);
    assert.match(heard, /Could not archive the conversation: /);
  });

  it('loses no tag when both are changed at once', async () => {
    const conversation = at(3);
    const before = await tagsAtService(conversation);
    await Promise.all([
      run('switchboard.conversations.pin', conversation),
      run('switchboard.conversations.archive', conversation),
    ]);
    assert.deepEqual(await tagsAtService(conversation), {
      ...before,
      pinned: 'true',
      archived: 'true',
    });
  });

  it('needs a service that can change tags, unlike an app server', async () => {
    const other = await desk.serve({ interface: 'v1' });
    await desk.connectTo({ url: other.url });
    await desk.loaded();
    const conversation = at(0);
    assert.doesNotMatch(
      inTree(desk, conversation)?.contextValue ?? '',
      /markable/,
    );
    const { requestCount } = other;
    await run('switchboard.conversations.pin', conversation);
    await until(() => desk.person.heard.length > 0);
    assert.match(desk.person.heard[0] ?? '', /cannot do that/);
    assert.equal(other.requestCount, requestCount);
  });
});

describe('an unread conversation', () => {
  let desk: Desk;
  let demo: MisbehavingDemo;
  let traffic: Traffic;
  let agents: AskingAgents;
  let id: string;

  beforeEach(async () => {
    desk = await Desk.setUp({ notifications: 'off', refreshInterval: 30 });
    demo = await desk.serve({ interface: 'agentServer', conversations: 0 });
    traffic = new Traffic();
    agents = new AskingAgents(demo);
    id = await agents.create('Fix login');
    await agents.finishes(await agents.create('Other'));
    await agents.finishes(id);
    await desk.connectTo({ url: demo.url });
    await desk.open();
    await desk.loaded();
    await poll();
  });

  afterEach(async () => {
    traffic.stop();
    await desk.clear();
  });

  /** Lets time pass until the list was asked for again. */
  async function poll(): Promise<void> {
    const before = demo.requests.length;
    while (
      !demo.requests
        .slice(before)
        .some(({ path }) => path === '/api/conversations/search')
    ) {
      await desk.skip(1);
      await traffic.answered();
    }
    await desk.loaded();
    await traffic.answered();
  }

  const isUnread = (of = id) =>
    /\bunread\b/.test(inTree(desk, { id: of })?.contextValue ?? '');

  it('shows its mark when its agent waits, until it is opened, with no request of its own', async () => {
    assert.ok(!isUnread(), 'first sight is no news');
    const usual = {
      'GET /api/conversations': 1,
      'GET /api/conversations/search': 1,
    };
    assert.deepEqual(await requestCounts(demo, poll), usual);
    await agents.wantTo(id, 'npm test');
    await agents.waits(id);
    await poll();
    const { requestCount } = demo;
    await until(() => isUnread());
    assert.equal(demo.requestCount, requestCount);
    assert.match(
      inTree(desk, { id })?.accessibilityInformation?.label ?? '',
      /^Fix login, Waiting for you, Unread, /,
    );
    assert.ok(desk.rows().some((row) => row.startsWith('Fix login')));
    await desk.run(
      'switchboard.conversations.showDetails',
      keyOf(desk.switchboard.conversation(id) ?? assert.fail()),
    );
    await until(() => !isUnread());
    assert.deepEqual(desk.person.heard, [], 'notifications are off');
  });

  it('can be filtered, and marked as read or unread by hand', async () => {
    const conversation = desk.switchboard.conversation(id) ?? assert.fail();
    const { requestCount } = demo;
    await desk.run('switchboard.conversations.markUnread', keyOf(conversation));
    assert.ok(isUnread());
    desk.person.answers.push('$(circle-filled) Unread');
    await desk.run('switchboard.conversations.filter');
    assert.deepEqual(
      desk.rows().map((row) => row.split(' · ')[0]),
      ['Unread', 'Fix login'],
    );
    await desk.run('switchboard.conversations.markRead', keyOf(conversation));
    assert.deepEqual(desk.rows(), ['Unread · none of 2 loaded']);
    assert.equal(demo.requestCount, requestCount);
  });

  it('stays unread when the service does not list it once', async () => {
    await desk.run(
      'switchboard.conversations.markUnread',
      keyOf(desk.switchboard.conversation(id) ?? assert.fail()),
    );
    const { url } = demo;
    await desk.connectTo();
    await desk.connectTo({ url });
    await desk.loaded();
    await until(() => isUnread());
  });
});
