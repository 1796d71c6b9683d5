import { FollowedConversation } from '../../../../src/state/conversation/followedConversation.ts';
import assert from 'node:assert/strict';
import { systemClock } from '../../../../src/base/clock.ts';
import {
  type Conversation,
  keyOf,
} from '../../../../src/service/model/entities.ts';
import type { TranscriptEntry } from '../../../../src/state/transcript/transcriptEntry.ts';
import {
  type FollowDesk,
  followDesk,
  hasAll,
  Shown,
  until,
} from './followSupport.ts';

describe('a followed conversation', function () {
  this.timeout(180_000);
  let desk: FollowDesk;
  const { signal } = new AbortController();

  beforeEach(async () => {
    desk = await followDesk();
  });

  afterEach(async () => {
    await desk.stop();
  });

  function follow(conversation: Conversation): {
    followed: FollowedConversation;
    shown: Shown;
  } {
    const followed = desk.service.conversations.follow(
      conversation,
      FollowedConversation,
    );
    const shown = new Shown(followed);
    followed.setVisible(true);
    return { followed, shown };
  }

  const isLive = (followed: FollowedConversation) => () =>
    followed.snapshot.connection.how === 'live';
  const says = (followed: FollowedConversation, text: string) => () =>
    followed.entries.some(
      (entry) =>
        entry.kind === 'message' && !entry.isStreaming && entry.text === text,
    );
  const sockets = () =>
    desk.demo.requests.filter(({ path }) => path.startsWith('/sockets/'))
      .length;

  /**
   * The events of which something is to be seen as entries of their own, the
   * first first.
   */
  async function expected(
    conversation: Conversation,
  ): Promise<readonly string[]> {
    const kinds = [
      'ConversationStateUpdateEvent',
      'ObservationEvent',
      'UserRejectObservation',
      'AgentErrorEvent',
    ];
    const all = await desk.events(conversation);
    return all.filter(({ kind }) => !kinds.includes(kind)).map(({ id }) => id);
  }

  const ids = (entries: readonly TranscriptEntry[]) =>
    entries.map(({ id }) => id);

  it('shows the newest events at once, and older events on demand', async () => {
    const conversation = await desk.begin('history: 400');
    while ((await desk.events(conversation)).length < 400);
    const { followed, shown } = follow(conversation);
    await until(followed, isLive(followed));
    const first = followed.entries.length;
    assert.ok(first < 60, String(first));
    while (followed.snapshot.hasOlder) await followed.loadOlder(signal);
    assert.deepEqual(ids(followed.entries), await expected(conversation));
    assert.deepEqual(shown.entries, followed.entries);
    for (const entry of followed.entries)
      if (entry.kind === 'action') assert.ok(entry.outcome);
  });

  it('shows new events as they happen, without requesting them', async () => {
    await desk.stop();
    // In a hurry, a busy machine would make the connection look silent, which
    // is then asked for more.
    desk = await followDesk({}, systemClock);
    const conversation = await desk.begin('say: One.');
    const { followed, shown } = follow(conversation);
    await until(followed, isLive(followed));
    await until(followed, says(followed, 'One.'));
    const before = desk.demo.requests.length;
    await desk.say(
      conversation,
      'call: terminal {"command": "echo two"}\nsay: Three.',
    );
    await until(followed, says(followed, 'Three.'));
    const action = followed.entries.find(({ kind }) => kind === 'action');
    assert.ok(action?.kind === 'action' && action.outcome?.kind === 'result');
    assert.deepEqual(
      [action.outcome.text, action.outcome.exitCode],
      ['two', 0],
    );
    assert.deepEqual(shown.entries, followed.entries);
    assert.equal(shown.resets, 0);
    const asked = desk.demo.requests.slice(before).map(({ path }) => path);
    assert.equal(
      asked.filter((path) => path.includes(`${conversation.id}/events/search`))
        .length,
      0,
    );
  });

  it('reads all of an action whose input and output are both left out in part', async () => {
    const text = 'x'.repeat(60_000);
    const conversation = await desk.begin(
      `call: terminal {"command": "echo ${text}"}\nsay: Done.`,
    );
    const { followed } = follow(conversation);
    await until(followed, isLive(followed));
    await until(followed, says(followed, 'Done.'));
    const entry = followed.entries.find(({ kind }) => kind === 'action');
    assert.ok(entry?.kind === 'action' && entry.outcome?.kind === 'result');
    assert.ok(entry.leftOut && entry.outcome.leftOut);
    const whole = await followed.whole(entry, signal);
    assert.ok(whole?.kind === 'action' && whole.outcome?.kind === 'result');
    assert.equal(whole.leftOut, undefined);
    assert.ok(whole.action.arguments.includes(text));
    assert.equal(whole.outcome.leftOut, undefined);
    assert.equal(whole.outcome.text, text);
    assert.equal(whole.startedAt, entry.startedAt);
  });

  it('shows a message while it is written, and then the whole message', async () => {
    const conversation = await desk.begin('say: One.');
    const { followed, shown } = follow(conversation);
    await until(followed, isLive(followed));
    await until(followed, says(followed, 'One.'));
    const text = 'All of this is written letter by letter, and not at once. '
      .repeat(4)
      .trim();
    const seen = new Set<string>();
    followed.onEntries(() => {
      for (const entry of shown.entries) {
        if (entry.kind === 'message' && entry.isStreaming) seen.add(entry.text);
      }
    });
    await desk.say(conversation, `say: ${text}`);
    await until(followed, says(followed, text));
    assert.ok(seen.size > 3, String(seen.size));
    for (const piece of seen) assert.ok(text.startsWith(piece), piece);
    assert.ok(
      !followed.entries.some(
        (entry) => entry.kind === 'message' && entry.isStreaming,
      ),
    );
    assert.deepEqual(shown.entries, followed.entries);
  });

  for (const [change, status] of [
    ['its row is pinned', 'running'],
    ['its agent may be elsewhere', 'paused'],
  ] as const) {
    it(`never doubles the text of a message that is written while ${change}`, async () => {
      const conversation = await desk.begin('say: One.');
      const { followed } = follow(conversation);
      await until(followed, isLive(followed));
      await until(followed, says(followed, 'One.'));
      const text = 'All of this is written letter by letter, and not at once. '
        .repeat(20)
        .trim();
      const seen = new Set<string>();
      let changed: Promise<void> | undefined;
      const { conversations } = desk.service;
      followed.onEntries(() => {
        for (const entry of followed.entries) {
          if (entry.kind !== 'message' || !entry.isStreaming) continue;
          seen.add(entry.text);
          if (status === 'paused' && !changed)
            conversations.edit(keyOf(conversation), (row) => ({
              ...row,
              status,
            }));
          changed ??= conversations.mark(conversation, 'pin', signal);
        }
      });
      await desk.say(conversation, `say: ${text}`);
      await until(followed, says(followed, text));
      await changed;
      assert.ok(seen.size > 2, String(seen.size));
      for (const piece of seen) assert.ok(text.startsWith(piece), piece);
    });
  }

  it('marks waiting actions until they are answered', async () => {
    const call = 'call: terminal {"command": "echo one"}';
    const conversation = await desk.begin(
      `${call}\nsay: Done.`,
      'AlwaysConfirm',
    );
    const { followed } = follow(conversation);
    const waitingEntries = () =>
      followed.entries.flatMap((entry) =>
        entry.kind === 'action' && entry.isWaiting ? entry.id : [],
      );
    // The list may know what waits before the entries are loaded.
    await until(followed, () => waitingEntries().length > 0);
    const { waiting } = followed.snapshot;
    assert.ok(waiting?.status === 'waits');
    assert.deepEqual(
      waitingEntries(),
      waiting.actions.map(({ id }) => id),
    );
    assert.equal(followed.snapshot.approval?.policy, 'always');
    const answered = await (
      await desk.service.steering()
    ).answer(conversation, waiting.actions, { accept: true }, signal);
    assert.equal(answered.result, 'answered');
    await until(followed, says(followed, 'Done.'));
    assert.equal(followed.snapshot.waiting?.status, 'doesNotWait');
    assert.deepEqual(waitingEntries(), []);
  });

  for (const [how, misbehaviour] of [
    ['breaks after every few frames', { socketBreaks: 8 }],
    ['sends every event twice', { socketRepeats: true }],
    ['sends events late and out of order', { socketDisorder: true }],
    [
      'sends events late, twice and out of order, and breaks',
      { socketDisorder: true, socketRepeats: true, socketBreaks: 20 },
    ],
    ['falls silent without closing', { socketStalls: 30 }],
    ['is refused', { socketRefused: 502 }],
    ['closes because of the key', { socketClosed: 4001 }],
  ] as const) {
    it(`shows every event once and in order when the socket ${how}`, async () => {
      const conversation = await desk.begin('say: One.');
      desk.demo.misbehave({ ...misbehaviour, only: '/sockets/' });
      const { followed, shown } = follow(conversation);
      await until(followed, () => followed.entries.length > 0);
      await desk.say(conversation, 'flood: 60\nsay: Three.');
      await until(followed, says(followed, 'Three.'));
      const wanted = await expected(conversation);
      await until(followed, hasAll(followed, wanted));
      assert.deepEqual(ids(followed.entries), wanted);
      assert.deepEqual(shown.entries, followed.entries);
    });
  }

  it('shows every event once and in order after reconnecting when the socket loses some', async () => {
    const conversation = await desk.begin('say: One.');
    desk.demo.misbehave({ socketLoses: 5, only: '/sockets/' });
    const { followed, shown } = follow(conversation);
    await until(followed, isLive(followed));
    await desk.say(conversation, 'flood: 60\nsay: Three.');
    while (
      !JSON.stringify(await desk.events(conversation)).includes('"Three."')
    );
    await until(followed, () => followed.entries.length > 40);
    followed.setVisible(false);
    followed.setVisible(true);
    const wanted = await expected(conversation);
    await until(followed, hasAll(followed, wanted));
    assert.deepEqual(ids(followed.entries), wanted);
    assert.deepEqual(shown.entries, followed.entries);
  });

  it('reports that it polls and why when the socket is refused, until the socket connects', async () => {
    const conversation = await desk.begin('say: One.');
    desk.demo.misbehave({ socketRefused: 502, only: '/sockets/' });
    const { followed } = follow(conversation);
    await until(
      followed,
      () =>
        followed.snapshot.connection.how === 'polling' &&
        !!followed.snapshot.connection.error,
    );
    assert.match(
      followed.snapshot.connection.error?.message ?? '',
      /status 502/,
    );
    desk.demo.misbehave({});
    await until(followed, isLive(followed));
    assert.equal(followed.snapshot.connection.error, undefined);
  });

  it('starts over with the newest events after 20,000 live ones', async () => {
    const conversation = await desk.begin('say: One.');
    const { followed, shown } = follow(conversation);
    await until(followed, isLive(followed));
    await desk.say(conversation, 'history: 20000');
    await until(followed, () => shown.resets > 0);
    await desk.say(conversation, 'say: The end.');
    await until(
      followed,
      () => says(followed, 'The end.')() && isLive(followed)(),
    );
    assert.ok(followed.entries.length < 5_000, String(followed.entries.length));
    assert.ok(followed.snapshot.hasOlder);
    assert.deepEqual(shown.entries, followed.entries);
    const wanted = await expected(conversation);
    await followed.loadOlder(signal);
    assert.deepEqual(
      ids(followed.entries),
      wanted.slice(-followed.entries.length),
    );
  });

  it('stops when the key is refused, until the user retries', async () => {
    const conversation = await desk.begin('say: One.');
    desk.demo.misbehave({ unauthorized: true });
    const { followed } = follow(conversation);
    await until(
      followed,
      () => followed.snapshot.connection.how === 'unreachable',
    );
    assert.equal(followed.snapshot.connection.error?.kind, 'unauthorised');
    const asked = desk.demo.requestCount;
    desk.demo.misbehave({});
    const reads = 20;
    for (let read = 0; read < reads; read++) await desk.events(conversation);
    assert.equal(desk.demo.requestCount, asked + reads);
    followed.retry();
    await until(followed, isLive(followed));
  });

  it('notices a rename and a deletion, which the socket does not report', async () => {
    const conversation = await desk.begin('say: One.');
    const { followed } = follow(conversation);
    await until(followed, isLive(followed));
    await desk.ask('PATCH', `api/conversations/${conversation.id}`, {
      title: 'Another name',
    });
    await until(
      followed,
      () => followed.snapshot.conversation.title === 'Another name',
    );
    await desk.ask('DELETE', `api/conversations/${conversation.id}`);
    await until(
      followed,
      () => followed.snapshot.connection.how === 'unreachable',
    );
    assert.equal(followed.snapshot.connection.error?.kind, 'notFound');
  });

  it('keeps a title that was read after the agent has told an older one', async () => {
    desk.demo.misbehave({ socketStates: true });
    const words = 'One. '.repeat(50).trim();
    const conversation = await desk.begin(`say: ${words}`);
    const rename = (title: string) =>
      desk.ask('PATCH', `api/conversations/${conversation.id}`, { title });
    await rename('A name');
    const { followed } = follow(conversation);
    await until(followed, isLive(followed));
    await rename('Another name');
    await desk.service.refresh();
    const titles = new Set([followed.snapshot.conversation.title]);
    followed.onSnapshot(() => titles.add(followed.snapshot.conversation.title));
    // While the agent writes this, its earlier state is told again.
    await until(followed, says(followed, words));
    assert.deepEqual([...titles], ['Another name']);
  });

  it('notices at once when the conversation is deleted here', async function () {
    // In real time, its record is looked at only after 30 seconds.
    this.timeout(20_000);
    await desk.stop();
    desk = await followDesk({}, systemClock);
    const conversation = await desk.begin('say: One.');
    const { followed } = follow(conversation);
    await until(followed, isLive(followed));
    await desk.service.conversations.remove(conversation, signal);
    await until(
      followed,
      () => followed.snapshot.connection.how === 'unreachable',
    );
    assert.equal(followed.snapshot.connection.error?.kind, 'notFound');
  });

  it('pauses while hidden, and catches up on missed events when shown again', async () => {
    const conversation = await desk.begin('say: One.');
    const { followed, shown } = follow(conversation);
    await until(followed, isLive(followed));
    followed.setVisible(false);
    assert.equal(followed.snapshot.connection.how, 'paused');
    await desk.say(conversation, 'flood: 100\nsay: Three.');
    while (
      !JSON.stringify(await desk.events(conversation)).includes('"Three."')
    );
    const before = sockets();
    assert.ok(!says(followed, 'Three.')());
    followed.setVisible(true);
    await until(followed, says(followed, 'Three.'));
    assert.deepEqual(ids(followed.entries), await expected(conversation));
    assert.deepEqual(shown.entries, followed.entries);
    await until(followed, isLive(followed));
    assert.equal(sockets(), before + 1);
  });

  it('uses at most eight live connections, and goes live when another conversation closes', async () => {
    const all: FollowedConversation[] = [];
    for (let count = 0; count < 9; count++)
      all.push(follow(await desk.begin()).followed);
    const live = () =>
      all.filter(({ snapshot }) => snapshot.connection.how === 'live');
    const polled = () =>
      all.filter(({ snapshot }) => snapshot.connection.how === 'polling');
    for (const followed of all)
      await until(followed, () =>
        ['live', 'polling'].includes(followed.snapshot.connection.how),
      );
    assert.deepEqual([live().length, polled().length], [8, 1]);
    const [waiting] = polled();
    live()[0]?.release();
    assert.ok(waiting);
    await until(waiting, isLive(waiting));
  });

  it('frees its live connection even when closed as soon as it can connect', async () => {
    for (let count = 0; count < 8; count++) {
      const { followed } = follow(await desk.begin());
      await new Promise<void>((resolve) => {
        const subscription = followed.onSnapshot(() => {
          if (!followed.snapshot.abilities?.canSteer) return;
          subscription.dispose();
          followed.release();
          resolve();
        });
      });
    }
    const { followed } = follow(await desk.begin());
    await until(followed, isLive(followed));
  });

  it('keeps the key out of URLs', async () => {
    const conversation = await desk.begin('say: One.');
    const { followed } = follow(conversation);
    await until(followed, isLive(followed));
    for (const { path, query } of desk.demo.requests)
      assert.ok(!`${path}?${query.toString()}`.includes('canary'));
  });

  it('shows the actual state in the list while open, although the record says waiting', async () => {
    const conversation = await desk.begin(
      'call: terminal {"command": "sleep 2"}',
      'AlwaysConfirm',
    );
    const { followed } = follow(conversation);
    await until(followed, () => followed.snapshot.waiting?.status === 'waits');
    const actions =
      followed.snapshot.waiting?.status === 'waits'
        ? followed.snapshot.waiting.actions
        : [];
    await (
      await desk.service.steering()
    ).answer(conversation, actions, { accept: true }, signal);
    await until(followed, () => followed.snapshot.waiting?.status !== 'waits');
    await desk.service.conversations.refresh();
    const record = await desk.ask<{ execution_status: string }>(
      'GET',
      `api/conversations/${conversation.id}`,
    );
    assert.equal(record.execution_status, 'waiting_for_confirmation');
    assert.equal(
      desk.switchboard.conversation(conversation.id)?.execution,
      'running',
    );
  });
});
