import assert from 'node:assert/strict';
import { window } from 'vscode';
import { projectOf } from '../../src/demo/agentServer/folders.ts';
import { titleOf } from '../../src/editor/words/conversations/conversationWords.ts';
import { type Conversation, keyOf } from '../../src/service/model/entities.ts';
import { activityOf } from '../../src/state/lists/activity.ts';
import { until } from '../support/eventually.ts';
import type { MisbehavingDemo } from '../support/demo/faults/misbehavingDemo.ts';
import { Desk, key } from './desk.ts';

describe('a command that goes back in a conversation', () => {
  let desk: Desk;
  let demo: MisbehavingDemo;

  beforeEach(async () => {
    desk = await Desk.setUp({
      refreshInterval: 0,
      'conversations.pageSize': 60,
    });
    demo = await desk.look({ interface: 'agentServer' });
  });

  afterEach(async () => {
    await desk.clear();
  });

  function some(activity: ReturnType<typeof activityOf>): Conversation {
    const all = [...desk.switchboard.conversations.rows.values()];
    return (
      all.find((each) => activityOf(each) === activity) ?? assert.fail(activity)
    );
  }

  /** The first message of the user, according to the service. */
  async function firstMessage({ id }: Conversation): Promise<string> {
    const path = `/api/conversations/${id}/events/search?limit=5&source=user`;
    const response = await fetch(demo.url + path, {
      headers: { 'x-session-api-key': key },
    });
    const { items } = (await response.json()) as {
      items: readonly { id: string }[];
    };
    return items[0]?.id ?? assert.fail();
  }

  const tabs = () =>
    window.tabGroups.all
      .flatMap((group) => group.tabs)
      .map(({ label }) => label);
  const posted = (end: string) =>
    demo.requests.filter(
      ({ method, path }) => method === 'POST' && path.endsWith(end),
    ).length;
  const { signal } = new AbortController();
  const executed = () =>
    demo.executed.filter(({ cause }) => cause.startsWith('POST '));

  it('forks from a message and opens the fork beside the old conversation', async () => {
    const one = some('idle');
    await desk.run('switchboard.conversations.showDetails', keyOf(one));
    await desk.run(
      'switchboard.conversations.fork',
      keyOf(one),
      await firstMessage(one),
    );
    const title = `${titleOf(one)} (fork)`;
    await until(() => tabs().includes(title));
    assert.ok(tabs().includes(titleOf(one)));
    assert.match(desk.rows().join('\n'), /\(fork\)|…/);
    assert.equal(posted('/fork'), 1);
  });

  it('says what is not undone before it edits a message, and sends nothing', async () => {
    const one = some('idle');
    const message = await firstMessage(one);
    await desk.run('switchboard.conversations.fork', keyOf(one), message, true);
    const heard = desk.person.heard.join('\n');
    assert.match(heard, /^Edit this message in a fork of “/);
    assert.match(
      heard,
      /Files stay as they are: both conversations work in the same folder/,
    );
    assert.equal(posted('/fork'), 0);
    desk.person.presses.add('Fork and Edit');
    await desk.run('switchboard.conversations.fork', keyOf(one), message, true);
    await until(() => tabs().includes(`${titleOf(one)} (fork)`));
    assert.deepEqual(
      [posted('/fork'), posted('/events'), executed()],
      [1, 0, []],
    );
  });

  it('offers to reset the files where a worktree has only those of the agent, shows what that runs, and undoes it', async () => {
    const wanted = {
      message: 'say: One.',
      folder: projectOf('northwind/storefront'),
      worktree: true,
    };
    const one = await desk.createFinished(wanted);
    // The events tell the time zone of the service.
    await (await desk.service.steering()).read(one, signal);
    const message = await firstMessage(one);
    desk.person.presses.add('Fork, Reset Files and Edit').add('Undo Reset');
    await desk.run('switchboard.conversations.fork', keyOf(one), message, true);
    const undone = 'The files are as they were before the reset.';
    await until(() => desk.person.heard.at(-1) === undone);
    const heard = desk.person.heard.slice(0, -1).join('\n');
    const offer =
      /Or reset the files of both to (\w{8} “.+”), where the worktree was before the message.*\nsave\(\) .*git branch before/;
    const [, commit = ''] = offer.exec(heard) ?? assert.fail(heard);
    assert.ok(
      heard.endsWith(`The files are as they were at commit ${commit}.`),
    );
    // One reads the commits of the worktree, one resets it, one undoes that.
    assert.deepEqual(
      [posted('/fork'), posted('/execute_bash_command'), executed()],
      [1, 3, []],
    );
    const paths = () =>
      demo.requests.map(({ path }) => path.replaceAll('-', ''));
    const fork = [...desk.switchboard.conversations.rows.values()].find(
      ({ title }) => title.endsWith('(fork)'),
    );
    const forkId = fork?.id.replaceAll('-', '') ?? assert.fail();
    const firstOfPage = () =>
      paths().findIndex((path) => path.includes(`${forkId}/events`));
    await until(() => firstOfPage() > 0);
    const commands = paths().flatMap((path, index) =>
      path.endsWith('/execute_bash_command') ? index : [],
    );
    assert.ok((commands[1] ?? NaN) < firstOfPage());
  });

  it('offers no reset while an agent works in the worktree', async () => {
    const service =
      desk.switchboard.service(some('idle').service) ?? assert.fail();
    const message = 'call: terminal {"command":"sleep 600"}';
    const wanted = {
      message,
      folder: projectOf('northwind/storefront'),
      worktree: true,
    };
    const created = await service.client.service?.creation?.create(wanted);
    assert.ok(created?.kind === 'conversation');
    const one = created.conversation;
    await service.refresh();
    await (await service.steering()).read(one, signal);
    assert.equal(
      activityOf(desk.switchboard.conversation(keyOf(one)) ?? assert.fail()),
      'working',
    );
    await desk.run(
      'switchboard.conversations.fork',
      keyOf(one),
      await firstMessage(one),
      true,
    );
    const heard = desk.person.heard.join('\n');
    assert.match(heard, /no change is undone\.$/);
  });

  it('compacts an idle conversation, and refuses to run what waits', async () => {
    await desk.run('switchboard.conversations.compact', keyOf(some('idle')));
    assert.equal(posted('/condense'), 1);
    assert.match(
      desk.person.heard.at(-1) ?? '',
      /Compacted the earlier events/,
    );
    await desk.run('switchboard.conversations.compact', keyOf(some('waiting')));
    assert.match(
      desk.person.heard.at(-1) ?? '',
      /^Compacting now would run the pending action/,
    );
    assert.deepEqual([posted('/condense'), executed()], [1, []]);
  });

  it('offers only idle conversations to compact', async () => {
    await desk.run('switchboard.conversations.compact');
    const offered = desk.person.offered[0] ?? [];
    assert.ok(offered.includes(titleOf(some('idle'))));
    assert.ok(!offered.includes(titleOf(some('waiting'))));
    assert.ok(!offered.includes(titleOf(some('working'))));
  });

  it('switches to the chosen model', async () => {
    const one = some('waiting');
    await desk.run('switchboard.conversations.switchModel', keyOf(one));
    assert.equal(posted('/switch_profile'), 0);
    const [names = []] = desk.person.offered;
    const other =
      names.find((name) => !one.model?.endsWith(name)) ?? assert.fail();
    desk.person.answers.push(other);
    await desk.run('switchboard.conversations.switchModel', keyOf(one));
    const model = () => desk.switchboard.conversation(keyOf(one))?.model ?? '';
    assert.ok(model().endsWith(other));
    assert.deepEqual([posted('/switch_profile'), executed()], [1, []]);
  });

  it('explains why a service cannot do it', async () => {
    demo.misbehave({ forbidden: true, only: 'POST' });
    for (const id of ['fork', 'compact'] as const) {
      await desk.run(`switchboard.conversations.${id}`, keyOf(some('idle')));
      assert.match(
        desk.person.heard.at(-1) ?? '',
        new RegExp(`^Could not ${id} the conversation: `),
      );
    }
  });
});
