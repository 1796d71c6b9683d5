import assert from 'node:assert/strict';
import { CancellationTokenSource, window } from 'vscode';
import type { MisbehavingDemo } from '../support/demo/faults/misbehavingDemo.ts';
import { type Conversation, keyOf } from '../../src/service/model/entities.ts';
import { activityOf } from '../../src/state/lists/activity.ts';
import { actionsOf } from '../../src/state/transcript/waiting.ts';
import { Desk, key } from './desk.ts';
import { type Anything, replace } from './person.ts';
import { until } from '../support/eventually.ts';

describe('a message that asks for a pull request', () => {
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

  /** The last message of the user, according to the service. */
  async function lastSaid({ id }: Conversation): Promise<string | undefined> {
    const path = `/api/conversations/${id}/events/search?limit=50&sort_order=TIMESTAMP_DESC&source=user`;
    const response = await fetch(demo.url + path, {
      headers: { 'x-session-api-key': key },
    });
    const { items } = (await response.json()) as {
      items: readonly {
        llm_message?: { content: readonly { text: string }[] };
      }[];
    };
    return items.flatMap(({ llm_message }) => llm_message?.content ?? [])[0]
      ?.text;
  }

  const ask = (conversation: Conversation) =>
    desk.run(
      'switchboard.conversations.askForPullRequest',
      keyOf(conversation),
    );

  it('sends exactly the text you entered', async () => {
    const one = some('idle');
    desk.person.answers.push('Please open a pull request for `src/cart.ts`.');
    await ask(one);
    assert.equal(
      await lastSaid(one),
      'Please open a pull request for `src/cart.ts`.',
    );
    assert.match(desk.person.heard.at(-1) ?? '', /^The message was sent to “/);
  });

  it('sends nothing when you cancel', async () => {
    const one = some('idle');
    const before = await lastSaid(one);
    await ask(one);
    assert.equal(await lastSaid(one), before);
    assert.deepEqual(desk.person.heard, []);
  });

  it('never runs a waiting action: warns before sending and queues the message on request', async () => {
    const one = some('waiting');
    const before = await lastSaid(one);
    desk.person.answers.push('A pull request, please.');
    await ask(one);
    assert.match(
      desk.person.heard[0] ?? '',
      /is waiting for your answer\. Sending now would run the pending action\.$/,
    );
    assert.equal(await lastSaid(one), before);
    desk.person.answers.push('A pull request, please.');
    desk.person.presses.add('Queue Message');
    await ask(one);
    await until(() =>
      desk.person.heard.includes(
        'The message is queued. It is sent when the agent has finished.',
      ),
    );
    const [queued] = desk.switchboard.queuedMessages.of(keyOf(one));
    assert.equal(queued?.message.text, 'A pull request, please.');
    assert.equal(await lastSaid(one), before);
    assert.deepEqual(
      demo.executed.filter(({ cause }) => cause.startsWith('POST ')),
      [],
    );
  });

  it('explains why a message could not be sent and what to do', async () => {
    const one = some('idle');
    const before = await lastSaid(one);
    demo.misbehave({ forbidden: true, only: 'POST' });
    desk.person.answers.push('A pull request, please.');
    await ask(one);
    await until(() => desk.person.heard.length > 0);
    assert.match(
      desk.person.heard.at(-1) ?? '',
      /does not allow this.+Use a key with the necessary permissions/,
    );
    demo.misbehave({});
    assert.equal(await lastSaid(one), before);
  });
});

describe('a request for the changes in a paused sandbox', () => {
  let desk: Desk;
  let demo: MisbehavingDemo;

  beforeEach(async () => {
    desk = await Desk.setUp({
      refreshInterval: 0,
      'conversations.pageSize': 60,
    });
    demo = await desk.look({ interface: 'v1' });
  });

  afterEach(async () => {
    await desk.clear();
  });

  function paused(): Conversation {
    const { conversations, sandboxes } = desk.switchboard;
    const isPaused = ({ service, sandboxId: id }: Conversation) =>
      id !== undefined &&
      sandboxes.rows.get(keyOf({ service, id }))?.status === 'paused';
    return (
      [...conversations.rows.values()].find(isPaused) ??
      assert.fail('None is paused.')
    );
  }

  const resumed = () =>
    demo.requests.some(({ path }) => path.endsWith('/resume'));

  it('asks before resuming the sandbox', async () => {
    await desk.run('switchboard.conversations.showChanges', keyOf(paused()));
    await until(() => desk.person.heard.length > 0);
    assert.match(
      desk.person.heard[0] ?? '',
      /^The sandbox of “.+” is paused\. Resume it to see the changes\?$/,
    );
    assert.ok(!resumed());
    assert.equal(
      desk.person.heard.filter((message) => message !== '').length,
      1,
    );
  });

  it('resumes the sandbox and loads its changes when you accept', async () => {
    const one = paused();
    desk.person.presses.add('Resume');
    await desk.skipUntilDone(
      desk.run('switchboard.conversations.showChanges', keyOf(one)),
    );
    assert.ok(resumed());
    assert.ok(desk.switchboard.changes.known(keyOf(one)));
  });
});

describe('an answer that waits for its turn', () => {
  let desk: Desk;
  let demo: MisbehavingDemo;
  let restore: () => void;
  let isCanceled: boolean;

  beforeEach(async () => {
    desk = await Desk.setUp({
      refreshInterval: 0,
      'conversations.pageSize': 60,
    });
    demo = await desk.look({ interface: 'agentServer' });
    isCanceled = false;
    restore = replace(window, 'withProgress', (_, work) => {
      const canceling = new CancellationTokenSource();
      const result = (work as Anything)(
        { report: () => undefined },
        canceling.token,
      );
      canceling.cancel();
      isCanceled = true;
      return result;
    });
  });

  afterEach(async () => {
    restore();
    await desk.clear();
  });

  it('stays unsent when it is canceled, and reports no defect', async () => {
    const { signal } = new AbortController();
    const steering = await desk.service.steering();
    const row =
      [...desk.switchboard.conversations.rows.values()].find(
        (candidate) => activityOf(candidate) === 'waiting',
      ) ?? assert.fail();
    const waiting = await steering.read(row, signal);
    const actions = actionsOf(waiting) ?? assert.fail();
    const posted = () =>
      demo.requests.filter(({ path }) =>
        path.endsWith('/respond_to_confirmation'),
      );
    demo.misbehave({ held: true, only: /respond_to_confirmation$/ });
    const first = steering.answer(row, actions, { accept: false }, signal);
    await until(() => posted().length === 1);
    desk.person.presses.add('Reject');
    const second = desk.run('switchboard.conversations.reject', keyOf(row));
    await until(() => isCanceled);
    demo.misbehave({});
    await first;
    await second;
    assert.doesNotMatch(desk.person.heard.join('\n'), /Something went wrong/);
    assert.equal(posted().length, 1);
  });
});
