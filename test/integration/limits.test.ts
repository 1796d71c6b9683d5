import assert from 'node:assert/strict';
import { window } from 'vscode';
import { type Conversation, keyOf } from '../../src/service/model/entities.ts';
import { type Activity, activityOf } from '../../src/state/lists/activity.ts';
import type { MisbehavingDemo } from '../support/demo/faults/misbehavingDemo.ts';
import { until } from '../support/eventually.ts';
import { requestCounts } from '../support/requestCounts.ts';
import { Desk, key } from './desk.ts';
import { replace } from './person.ts';

describe('a limit of what an agent may spend', () => {
  let desk: Desk;
  let demo: MisbehavingDemo;

  const goOn = 'Continue with $5.00 More';

  async function open(limit: number | null): Promise<void> {
    desk = await Desk.setUp({
      refreshInterval: 30,
      notifications: 'off',
      'limits.conversation': limit,
      'conversations.pageSize': 60,
    });
    demo = await desk.look({ interface: 'agentServer' });
  }

  afterEach(async () => {
    await desk.clear();
  });

  function some(activity: Activity): Conversation {
    const all = [...desk.switchboard.conversations.rows.values()];
    return (
      all.find((each) => activityOf(each) === activity && each.cost) ??
      assert.fail(activity)
    );
  }

  async function recorded({ id }: Conversation) {
    const response = await fetch(`${demo.url}/api/conversations/${id}`, {
      headers: { 'x-session-api-key': key },
    });
    return (await response.json()) as {
      readonly tags: Record<string, string>;
      readonly execution_status: string;
    };
  }

  it('becomes a tag of the conversation, and goes with it', async () => {
    await open(null);
    const conversation = some('idle');
    const { tags } = await recorded(conversation);
    for (const [typed, wanted] of [
      ['7,5', { ...tags, costlimit: '7.5' }],
      ['', tags],
    ] as const) {
      desk.person.answers.push(typed);
      const counts = await requestCounts(demo, () =>
        desk.run('switchboard.conversations.setLimit', keyOf(conversation)),
      );
      assert.deepEqual((await recorded(conversation)).tags, wanted);
      assert.equal(counts['PATCH /api/conversations/*'], 1);
    }
  });

  for (const kind of ['agentServer', 'v1'] as const)
    it(`holds in a fork, too (${kind})`, async () => {
      desk = await Desk.setUp({ refreshInterval: 0, notifications: 'off' });
      demo = await desk.look({ interface: kind });
      const conversation = some('idle');
      desk.person.answers.push('7.5');
      await desk.run('switchboard.conversations.setLimit', keyOf(conversation));
      await desk.run('switchboard.conversations.fork', keyOf(conversation));
      const fork = await until(() =>
        [...desk.switchboard.conversations.rows.values()].find(({ title }) =>
          title.endsWith('(fork)'),
        ),
      );
      assert.equal(desk.switchboard.limits.own(fork), 7.5);
      if (kind === 'agentServer')
        assert.equal((await recorded(fork)).tags.costlimit, '7.5');
    });

  it('shows on an open page at once, from a sandbox and from the settings too', async () => {
    desk = await Desk.setUp({ refreshInterval: 0, notifications: 'off' });
    await desk.look({ interface: 'v1' });
    const conversation = some('idle');
    await desk.run(
      'switchboard.conversations.showDetails',
      keyOf(conversation),
    );
    const shows = (limit: string) =>
      until(() =>
        desk.pages
          .last('head')
          ?.head.meters.find(({ text }) => text.includes(limit)),
      );
    // Nothing else draws the page again.
    await until(
      () => desk.switchboard.snapshot(conversation)?.connection.how === 'live',
    );
    desk.person.answers.push('7.25');
    await desk.run('switchboard.conversations.setLimit', keyOf(conversation));
    await shows('$7.25');
    desk.person.answers.push('');
    await desk.run('switchboard.conversations.setLimit', keyOf(conversation));
    await desk.configure({ 'limits.conversation': 3 });
    await shows('$3.00');
  });

  it('stops a working agent that is above it at once, and continues it with more', async () => {
    await open(0.01);
    const conversation = some('working');
    desk.person.presses.add(goOn);
    await desk.leadership.update();
    await desk.run('switchboard.conversations.refresh');
    await until(() =>
      desk.person.heard.find((text) =>
        /was stopped: it has spent \$\d+\.\d\d of \$0\.01\.$/.test(text),
      ),
    );
    const { costlimit } = await until(async () => {
      const { tags, execution_status } = await recorded(conversation);
      return tags.costlimit !== undefined && execution_status === 'running'
        ? tags
        : undefined;
    });
    const expected = Math.ceil(((conversation.cost ?? 0) + 5) * 100) / 100;
    assert.ok(Number(costlimit) >= expected - 0.01, costlimit);
  });

  it('stays as high as it was raised since, when one answers the message late', async () => {
    await open(0.01);
    const conversation = some('working');
    const { title } = conversation;
    let press: ((button: string) => void) | undefined;
    const restore = replace(window, 'showInformationMessage', (text) =>
      String(text).includes(title)
        ? new Promise((resolve) => (press = resolve))
        : Promise.resolve(),
    );
    await desk.leadership.update();
    await desk.run('switchboard.conversations.refresh');
    const pressLate = await until(() => press);
    restore();
    desk.person.answers.push('50');
    await desk.run('switchboard.conversations.setLimit', keyOf(conversation));
    pressLate(goOn);
    await until(async () => {
      const { execution_status } = await recorded(conversation);
      return execution_status === 'running' || undefined;
    });
    assert.equal((await recorded(conversation)).tags.costlimit, '50');
  });

  it('causes one message when 80 % of it are spent, although notifications are off', async () => {
    await open(null);
    const conversation = some('working');
    const near = () =>
      desk.person.heard.filter((text) => / has spent \$.+ of \$/.test(text));
    desk.person.answers.push(((conversation.cost ?? 0) / 0.85).toFixed(2));
    const setting = desk.run(
      'switchboard.conversations.setLimit',
      keyOf(conversation),
    );
    await until(async () => {
      await desk.leadership.update();
      return desk.leadership.isLeader || undefined;
    });
    await desk.run('switchboard.conversations.refresh');
    await until(() => near()[0]);
    await desk.skipUntilDone(setting);
    await desk.run('switchboard.conversations.refresh');
    assert.equal(near().length, 1);
  });

  it('asks before another agent begins when that of the day is reached', async () => {
    desk = await Desk.setUp({ 'limits.day': 0, notifications: 'off' });
    demo = await desk.look({ interface: 'agentServer' });
    const rows = () => desk.switchboard.conversations.rows.size;
    const before = rows();
    await desk.create('Fix the build');
    await until(() =>
      // Agents of other tests have spent, too.
      desk.person.heard.some((text) =>
        /^The agents have spent \$[\d.]+ of \$0\.00 today\. Start another one\?$/.test(
          text,
        ),
      ),
    );
    assert.equal(rows(), before);
    assert.ok(desk.switchboard.requested.all[0]?.isDraft);
    desk.person.presses.add(goOn);
    await desk.pages.say({ type: 'create', text: 'Fix the build' });
    await until(() => rows() > before);
  });

  it('asks before an agent that has reached it goes on, and sends nothing without an answer', async () => {
    await open(0.01);
    const conversation = some('waiting');
    const before = demo.executed.length;
    const accept = () =>
      desk
        .run('switchboard.conversations.accept', keyOf(conversation))
        .catch((error: unknown) => String(error));
    desk.person.presses.add('Accept');
    await accept();
    await until(() =>
      desk.person.heard.find((text) => text.endsWith('Let it continue?')),
    );
    assert.equal(demo.executed.length, before);
    assert.equal(
      (await recorded(conversation)).execution_status,
      'waiting_for_confirmation',
    );
    desk.person.presses.add(goOn);
    await accept();
    await until(() => demo.executed.length > before || undefined);
    assert.ok((await recorded(conversation)).tags.costlimit);
  });
});
