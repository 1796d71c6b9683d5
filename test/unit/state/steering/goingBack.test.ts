import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import {
  type Conversation,
  keyOf,
} from '../../../../src/service/model/entities.ts';
import { FollowedConversation } from '../../../../src/state/conversation/followedConversation.ts';
import type { AgentSteering } from '../../../../src/state/steering/agentSteering.ts';
import {
  actionsOf,
  type WaitingAction,
} from '../../../../src/state/transcript/waiting.ts';
import { addMessage } from '../../../support/addMessage.ts';
import {
  type FollowDesk,
  followDesk,
  until,
} from '../conversation/followSupport.ts';

const command = (text: string) =>
  `call: terminal ${JSON.stringify({ command: text })}`;

describe('going back in a conversation and asking aside', function () {
  this.timeout(60_000);
  let desk: FollowDesk;
  let steering: AgentSteering;
  const { signal } = new AbortController();

  beforeEach(async () => {
    desk = await followDesk();
    steering = await desk.service.steering();
  });

  afterEach(async () => {
    await desk.stop();
  });

  function follow(conversation: Conversation): FollowedConversation {
    const followed = desk.service.conversations.follow(
      conversation,
      FollowedConversation,
    );
    followed.setVisible(true);
    return followed;
  }

  async function waits(
    followed: FollowedConversation,
  ): Promise<readonly WaitingAction[]> {
    await until(followed, () => followed.snapshot.waiting?.status === 'waits');
    return actionsOf(followed.snapshot.waiting) ?? [];
  }

  /** A conversation in which a command waits. */
  async function beginWaiting() {
    const conversation = await desk.begin(
      `${command('echo one')}\nsay: Done.`,
      'AlwaysConfirm',
    );
    const followed = follow(conversation);
    return { conversation, followed, actions: await waits(followed) };
  }

  const becomes = (followed: FollowedConversation, execution: string) =>
    until(
      followed,
      () => followed.snapshot.conversation.execution === execution,
    );
  /** Actions that a request has executed. */
  const executed = () =>
    desk.demo.executed.filter(({ cause }) => cause.startsWith('POST '));
  const texts = (followed: FollowedConversation) =>
    followed.entries.flatMap((entry) =>
      entry.kind === 'message' ? entry.text : [],
    );
  const fork = (conversation: Conversation, eventId?: string) =>
    steering.fork(conversation, 'Another way', eventId, signal);
  const send = (conversation: Conversation, text: string) =>
    steering.send(conversation, { text }, signal);

  describe('a fork with a carried action', () => {
    for (const from of [
      'its end',
      'a queued message',
      'the action itself',
    ] as const) {
      it(`shows the action and runs it only once accepted, forked from ${from}`, async () => {
        const { conversation, followed, actions } = await beginWaiting();
        await addMessage(desk.service.locations, conversation, {
          text: 'Read this later.',
        });
        await until(followed, () =>
          texts(followed).includes('Read this later.'),
        );
        const queued = followed.entries.findLast(
          ({ kind }) => kind === 'message',
        )?.id;
        const eventId = {
          'its end': undefined,
          'a queued message': queued,
          'the action itself': actions[0]?.id,
        };
        const made = await fork(conversation, eventId[from]);
        const forked = follow(made);
        assert.deepEqual(await waits(forked), actions);
        assert.equal((await send(made, 'Hello')).result, 'waits');
        assert.equal((await steering.resume(made, signal)).result, 'waits');
        assert.equal((await steering.compact(made, signal)).result, 'waits');
        assert.deepEqual(executed(), []);
        const answered = await steering.answer(
          made,
          actions,
          { accept: true },
          signal,
        );
        assert.equal(answered.result, 'answered');
        assert.deepEqual(
          executed().map(({ conversationId }) => conversationId),
          [made.id],
        );
        assert.deepEqual(await waits(followed), actions);
      });
    }

    it('takes a message after the action is rejected', async () => {
      const { conversation, actions } = await beginWaiting();
      const made = await fork(conversation, actions[0]?.id);
      const forked = follow(made);
      const text = 'say: Good morning.';
      assert.deepEqual(
        await steering.rejectAndSend(
          made,
          await waits(forked),
          { text },
          signal,
        ),
        {
          result: 'sent',
        },
      );
      await until(forked, () => texts(forked).includes('Good morning.'));
      assert.deepEqual(executed(), []);
    });
  });

  it('forks from a message with what came before it, and lists the fork first', async () => {
    const conversation = await desk.begin('say: One.');
    const followed = follow(conversation);
    await becomes(followed, 'finished');
    await send(conversation, 'say: Two.');
    await until(followed, () => texts(followed).includes('Two.'));
    const one = followed.entries.find(
      (entry) => entry.kind === 'message' && entry.text === 'One.',
    );
    const made = await fork(conversation, one?.id);
    assert.equal([...desk.service.conversations.rows.keys()][0], keyOf(made));
    const forked = follow(made);
    await until(forked, () => texts(forked).length > 0);
    assert.deepEqual(texts(forked), ['say: One.', 'One.']);
    assert.deepEqual(await send(made, 'say: Three.'), { result: 'sent' });
    await until(forked, () => texts(forked).includes('Three.'));
    assert.deepEqual(texts(followed), [
      'say: One.',
      'One.',
      'say: Two.',
      'Two.',
    ]);
  });

  it('forks right before a message and returns the message', async () => {
    const conversation = await desk.begin('say: One.');
    const followed = follow(conversation);
    await becomes(followed, 'finished');
    await send(conversation, 'say: Two.');
    await until(followed, () => texts(followed).includes('Two.'));
    const [first, , second] = followed.entries.filter(
      ({ kind }) => kind === 'message',
    );
    for (const [entry, expected, before] of [
      [second, 'say: Two.', ['say: One.', 'One.']],
      [first, 'say: One.', []],
    ] as const) {
      const message = await steering.message(
        conversation,
        entry?.id ?? '',
        signal,
      );
      assert.equal(message.text, expected);
      const made = await fork(conversation, message.parentId);
      const forked = follow(made);
      await until(forked, () => forked.snapshot.connection.how === 'live');
      assert.deepEqual(texts(forked), before);
    }
    const unknown = steering.message(conversation, 'unknown', signal);
    await assert.rejects(unknown, /does not report what comes before/);
  });

  it('tells when a message was sent in a conversation that was only just created', async () => {
    const wanted = { message: 'say: One.', folder: '/srv/agent/shop' };
    const created = await (
      await desk.service.client.recognise()
    ).creation?.create(wanted);
    assert.ok(created?.kind === 'conversation');
    const followed = follow(created.conversation);
    await until(followed, () => texts(followed).includes('One.'));
    const [{ id } = assert.fail()] = followed.entries.filter(
      ({ kind }) => kind === 'message',
    );
    assert.notEqual(
      (await steering.message(created.conversation, id, signal)).at,
      undefined,
    );
  });

  it('shows what a fork of a working agent carries along, and runs it only once accepted', async () => {
    const conversation = await desk.begin(`${command('sleep 60')}\nsay: Done.`);
    const followed = follow(conversation);
    await until(followed, () =>
      followed.entries.some(({ kind }) => kind === 'action'),
    );
    await becomes(followed, 'running');
    const made = await fork(followed.snapshot.conversation);
    const actions = await waits(follow(made));
    assert.match(actions[0]?.arguments ?? '', /sleep 60/);
    assert.equal((await send(made, 'Hello')).result, 'waits');
    assert.deepEqual(executed(), []);
  });

  it('writes in a fork of which no event tells its state, however long it is', async () => {
    const conversation = await desk.begin('history: 2500');
    const followed = follow(conversation);
    const lastAction = () =>
      followed.entries.findLast(({ kind }) => kind === 'action');
    await until(
      followed,
      () =>
        followed.snapshot.waiting !== undefined && lastAction() !== undefined,
    );
    const last = lastAction();
    assert.ok(last?.kind === 'action' && last.outcome?.kind === 'result');
    const made = await fork(conversation, last.outcome.id);
    assert.equal(made.forkedAt, last.outcome.id);
    const forked = follow(made);
    await until(
      forked,
      () => forked.snapshot.waiting?.status === 'doesNotWait',
    );
    assert.deepEqual(await send(made, 'say: Hello.'), { result: 'sent' });
  });

  describe('an action that waits', () => {
    const acts = {
      fork: (conversation: Conversation) => fork(conversation),
      askAside: (conversation: Conversation) =>
        steering.askAside(conversation, 'Why?', signal),
      compact: (conversation: Conversation) =>
        steering.compact(conversation, signal),
      switchProfile: async (conversation: Conversation) => {
        const [, profile] = await steering.profiles(conversation, signal);
        await steering.switchProfile(
          conversation,
          profile ?? assert.fail(),
          signal,
        );
      },
    };
    for (const [name, act] of Object.entries(acts)) {
      it(`goes on waiting through ${name}`, async () => {
        const { conversation, followed, actions } = await beginWaiting();
        await act(conversation);
        assert.deepEqual(
          actionsOf(await steering.read(conversation, signal)),
          actions,
        );
        assert.deepEqual(
          [executed(), followed.snapshot.waiting?.status],
          [[], 'waits'],
        );
      });

      it(`does not run if it began to wait right before ${name}`, async () => {
        const idle = await desk.begin('say: Hello.', 'AlwaysConfirm');
        await becomes(follow(idle), 'finished');
        // Another program does this, and the page does not know it yet.
        await desk.say(idle, command('echo two'));
        for (;;) {
          if ((await steering.read(idle, signal)).status === 'waits') break;
        }
        await act(idle);
        assert.equal((await steering.read(idle, signal)).status, 'waits');
        assert.deepEqual(executed(), []);
      });
    }
  });

  it('compacts an idle agent, but not one that works', async () => {
    const conversation = await desk.begin('say: Hello.');
    const followed = follow(conversation);
    await becomes(followed, 'finished');
    assert.deepEqual(await steering.compact(conversation, signal), {
      result: 'compacted',
    });
    await until(followed, () =>
      followed.entries.some(
        (entry) => entry.kind === 'line' && entry.what === 'condensed',
      ),
    );
    await send(conversation, command('sleep 60'));
    assert.deepEqual(await steering.compact(conversation, signal), {
      result: 'works',
    });
  });

  it('answers aside without an event, also while the agent works, until it is cancelled', async () => {
    const conversation = await desk.begin(command('sleep 60'));
    const followed = follow(conversation);
    await becomes(followed, 'running');
    await until(followed, () =>
      followed.entries.some(({ kind }) => kind === 'action'),
    );
    const before = await desk.events(conversation);
    assert.match(
      await steering.askAside(conversation, 'Why?', signal),
      /agent of a demo/,
    );
    assert.deepEqual(await desk.events(conversation), before);
    const cancelling = new AbortController();
    const asked = steering.askAside(conversation, 'Why?', cancelling.signal);
    cancelling.abort();
    await assert.rejects(asked);
  });

  it('switches the model, which the row and the page then show', async () => {
    const conversation = await desk.begin('say: Hello.');
    const followed = follow(conversation);
    await becomes(followed, 'finished');
    const profiles = await steering.profiles(conversation, signal);
    const other =
      profiles.find(({ model }) => model !== conversation.model) ??
      assert.fail();
    await steering.switchProfile(conversation, other, signal);
    await until(
      followed,
      () => followed.snapshot.conversation.model === other.model,
    );
    await desk.service.refresh();
    assert.equal(
      desk.switchboard.conversation(keyOf(conversation))?.model,
      other.model,
    );
    assert.ok((followed.snapshot.conversation.context?.used ?? 0) > 0);
  });

  it("publishes the agent's task list as it changes", async () => {
    const conversation = await desk.begin('say: Hello.');
    const followed = follow(conversation);
    const statuses = () => followed.snapshot.tasks?.map(({ status }) => status);
    for (const [first, second] of [
      ['todo', 'todo'],
      ['done', 'in_progress'],
      ['done', 'done'],
    ] as const) {
      const task_list = [
        { title: 'Read', notes: '', status: first },
        { title: 'Write', notes: '', status: second },
      ];
      const input = JSON.stringify({ command: 'plan', task_list });
      await desk.say(conversation, `call: task_tracker ${input}`);
      const expected = [
        first,
        second === 'in_progress' ? 'inProgress' : second,
      ];
      await until(followed, () => isDeepStrictEqual(statuses(), expected));
    }
  });
});

describe('going back in a conversation in a sandbox', function () {
  this.timeout(60_000);

  it('forks and asks aside at the Agent Server of the sandbox, and lists the fork', async () => {
    const desk = await followDesk({ interface: 'v1', conversations: 40 });
    const { signal } = new AbortController();
    await desk.service.refresh();
    const conversation =
      [...desk.service.conversations.rows.values()].find(
        ({ status, execution }) =>
          status === 'running' && execution === 'finished',
      ) ?? assert.fail();
    const steering = await desk.service.steering();
    const made = await steering.fork(
      conversation,
      'Another way',
      undefined,
      signal,
    );
    assert.deepEqual(
      [made.title, made.sandboxId],
      ['Another way', conversation.sandboxId],
    );
    assert.match(
      await steering.askAside(made, 'Why?', signal),
      /agent of a demo/,
    );
    await desk.service.refresh();
    assert.equal(
      desk.switchboard.conversation(keyOf(made))?.title,
      'Another way',
    );
    await desk.stop();
  });
});
