import { FollowedConversation } from '../../../../src/state/conversation/followedConversation.ts';
import assert from 'node:assert/strict';
import { systemClock } from '../../../../src/base/clock.ts';
import { UserError } from '../../../../src/base/errors.ts';
import type { Conversation } from '../../../../src/service/model/entities.ts';
import { type FollowDesk, followDesk, until } from './followSupport.ts';

describe('a conversation in a sandbox', function () {
  this.timeout(180_000);
  let desk: FollowDesk;
  let conversation: Conversation;
  let followed: FollowedConversation;
  const { signal } = new AbortController();
  /** Milliseconds between the clocks of the window and of the system. */
  let ahead: number;

  beforeEach(async () => {
    ahead = 0;
    const clock = { ...systemClock, now: () => systemClock.now() + ahead };
    desk = await followDesk({ interface: 'v1', conversations: 40 }, clock);
    await desk.service.refresh();
    // None whose agent does something without being asked.
    const found = [...desk.service.conversations.rows.values()].find(
      ({ status, execution }) =>
        status === 'running' && execution === 'finished',
    );
    conversation = found ?? assert.fail();
    followed = desk.service.conversations.follow(
      conversation,
      FollowedConversation,
    );
    followed.setVisible(true);
  });

  afterEach(async () => {
    await desk.stop();
  });

  const says = (text: string) => () =>
    followed.entries.some(
      (entry) => entry.kind === 'message' && entry.text === text,
    );
  const sandbox = (action: string) =>
    desk.ask(
      'POST',
      `api/v1/sandboxes/${conversation.sandboxId ?? ''}/${action}`,
    );

  it('follows and steers the agent through the Agent Server of its sandbox', async () => {
    await until(followed, () => followed.snapshot.connection.how === 'live');
    assert.deepEqual(
      [
        followed.snapshot.abilities?.status,
        followed.snapshot.abilities?.canSend,
        followed.snapshot.abilities?.whyNot,
      ],
      ['ready', true, undefined],
    );
    const sent = await (
      await desk.service.steering()
    ).send(conversation, { text: 'say: Hello.' }, signal);
    assert.deepEqual(sent, { result: 'sent' });
    await until(followed, says('Hello.'));
    await (
      await desk.service.steering()
    ).setConfirmation(conversation, 'always', signal);
    const text = 'call: terminal {"command": "echo one"}\nsay: Done.';
    await (await desk.service.steering()).send(conversation, { text }, signal);
    await until(followed, () => followed.snapshot.waiting?.status === 'waits');
    const actions =
      followed.snapshot.waiting?.status === 'waits'
        ? followed.snapshot.waiting.actions
        : [];
    const answered = await (
      await desk.service.steering()
    ).answer(conversation, actions, { accept: true }, signal);
    assert.equal(answered.result, 'answered');
    await until(followed, says('Done.'));
    await until(
      followed,
      () =>
        desk.switchboard.conversation(conversation.id)?.execution ===
        'finished',
    );
  });

  it('shows an agent as waiting after its page is closed, although the service has not heard of it', async () => {
    await until(followed, () => followed.snapshot.connection.how === 'live');
    const steering = await desk.service.steering();
    await steering.setConfirmation(conversation, 'always', signal);
    await steering.send(
      conversation,
      { text: 'call: terminal {"command": "echo one"}' },
      signal,
    );
    await until(followed, () => followed.snapshot.waiting?.status === 'waits');
    followed.release();
    desk.demo.misbehave({ lateEvents: 3 });
    // The events of few agents are read at a time.
    ahead = 60_000;
    await desk.service.refresh();
    assert.equal(
      desk.switchboard.conversation(conversation.id)?.execution,
      'waitingForConfirmation',
    );
  });

  it('has forks that ask as it does, although their service does not list them', async () => {
    const steering = await desk.service.steering();
    await steering.setConfirmation(conversation, 'always', signal);
    desk.demo.misbehave({ errorStatus: 422, only: /^PATCH / });
    await assert.rejects(
      steering.fork(conversation, 'Fork', undefined, signal),
      UserError,
    );
    const policies = desk.demo.requests.filter(
      ({ method, path }) =>
        method === 'POST' && path.endsWith('/confirmation_policy'),
    );
    assert.equal(new Set(policies.map(({ path }) => path)).size, 2);
  });

  it('reads events from the service and sends nothing while the sandbox is paused', async () => {
    await until(followed, () => followed.snapshot.connection.how === 'live');
    const before = followed.entries.map(({ id }) => id);
    followed.setVisible(false);
    await sandbox('pause');
    await desk.service.refresh();
    while (desk.switchboard.conversation(conversation.id)?.status === 'running')
      await desk.service.refresh();
    const again = desk.service.conversations.follow(
      conversation,
      FollowedConversation,
    );
    again.setVisible(true);
    await until(
      again,
      () =>
        again.snapshot.abilities?.status === 'sandboxPaused' &&
        again.snapshot.connection.how === 'polling',
    );
    assert.deepEqual(
      again.entries.map(({ id }) => id),
      before,
    );
    assert.equal(again.snapshot.abilities?.whyNot, 'Its sandbox is paused.');
    const sent = await (
      await desk.service.steering()
    ).send(conversation, { text: 'say: Hello.' }, signal);
    assert.deepEqual(sent, {
      result: 'sandboxPaused',
      sandboxId: conversation.sandboxId,
    });
    const resumed = await (
      await desk.service.steering()
    ).resume(conversation, signal);
    assert.equal(resumed.result, 'sandboxPaused');
    await assert.rejects(
      (await desk.service.steering()).stop(conversation, signal),
      /Its sandbox is paused/,
    );
  });

  it('reports a paused sandbox as soon as the list shows it, and reconnects when the sandbox runs again', async () => {
    const listed = async (status: Conversation['status']) => {
      while (desk.switchboard.conversation(conversation.id)?.status !== status)
        await desk.service.refresh();
    };
    await until(followed, () => followed.snapshot.connection.how === 'live');
    await sandbox('pause');
    await listed('stopped');
    await until(followed, () => followed.snapshot.connection.how === 'polling');
    assert.equal(followed.snapshot.abilities?.whyNot, 'Its sandbox is paused.');
    await sandbox('resume');
    await listed('running');
    await until(followed, () => followed.snapshot.connection.how === 'live');
    assert.deepEqual(
      [followed.snapshot.abilities.status, followed.snapshot.abilities.whyNot],
      ['ready', undefined],
    );
  });

  it('reports a paused sandbox instead of an earlier connection error', async () => {
    followed.setVisible(false);
    desk.demo.misbehave({ socketRefused: 502, only: '/sockets/' });
    const said: (readonly [string | undefined, string | undefined])[] = [];
    followed.onSnapshot(() => {
      said.push([
        followed.snapshot.abilities?.whyNot,
        followed.snapshot.connection.error?.message,
      ]);
    });
    followed.setVisible(true);
    await until(
      followed,
      () => followed.snapshot.connection.error !== undefined,
    );
    await sandbox('pause');
    while (followed.snapshot.abilities?.status !== 'sandboxPaused') {
      await desk.service.refresh();
      followed.retry();
    }
    await until(followed, () => followed.snapshot.connection.how === 'polling');
    assert.equal(followed.snapshot.connection.error, undefined);
    assert.deepEqual(
      said.filter(
        ([whyNot, failed]) => whyNot !== undefined && failed !== undefined,
      ),
      [],
    );
  });

  it('queues no message while the sandbox of a conversation with events starts again', async () => {
    await sandbox('pause');
    await until(
      followed,
      () => followed.snapshot.abilities?.status !== undefined,
    );
    const status = () => desk.switchboard.conversation(conversation.id)?.status;
    while (status() !== 'stopped') await desk.service.refresh();
    await sandbox('resume');
    while (status() !== 'starting') await desk.service.refresh();
    const steering = await desk.service.steering();
    const send = () =>
      steering.send(conversation, { text: 'say: Hello.' }, signal);
    assert.deepEqual(await send(), { result: 'sandboxStarting' });
    while (status() !== 'running') await desk.service.refresh();
    assert.deepEqual(await send(), { result: 'sent' });
    followed.retry();
    await until(followed, says('Hello.'));
  });
});
