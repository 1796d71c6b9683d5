/**
 * Choosing when agents of a real Agent Server ask, across restarts, evictions
 * and forks.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Approval,
  type ConfirmationPolicy,
  type Conversation,
  keyOf,
} from '../../src/service/model/entities.ts';
import { FollowedConversation } from '../../src/state/conversation/followedConversation.ts';
import type { ConnectedService } from '../../src/state/connectedService.ts';
import type { Switchboard } from '../../src/state/switchboard.ts';
import type { WaitingAction } from '../../src/state/transcript/waiting.ts';
import { addMessage } from '../support/addMessage.ts';
import { countDone } from '../support/done.ts';
import { until } from '../unit/state/conversation/followSupport.ts';
import { windowAt } from './client.ts';
import {
  answers,
  type RealService,
  startService,
  theModel,
} from './services.ts';
import { until as untilTrue } from './until.ts';
import { testRounds } from '../support/testRounds.ts';

/** Conversations for each moment and act. */
const rounds = testRounds(2);

const command = (text: string) =>
  `call: terminal ${JSON.stringify({ command: text })}`;

/**
 * `added`: another client has added a message. `queued`: this machine keeps one
 * until the agent has finished.
 */
const acts = ['message', 'accept', 'added', 'queued'] as const;

describe('the approval chosen for an agent of a real Agent Server', function () {
  this.timeout(600_000 + rounds * 60_000);
  const { signal } = new AbortController();
  let real: RealService;
  let switchboard: Switchboard;
  let service: ConnectedService;
  let actions = 0;

  before(async () => {
    real = await startService('agentServer', {
      OH_CONVERSATION_IDLE_TTL_SECONDS: '5',
    });
    ({ switchboard, service } = windowAt(real, 'agentServer'));
    await service.refresh();
  });

  after(() => {
    countDone(actions, 'actions that ran only once accepted');
  });

  async function begin(message = 'Say hello.', approval?: ConfirmationPolicy) {
    const folder = await mkdtemp(join(real.home, 'work-'));
    const { creation } = await service.client.recognise();
    const created = await creation?.create({ message, folder, approval });
    assert.ok(created?.kind === 'conversation');
    service.conversations.insertFirst(created.conversation);
    const hasRun = (file: string) => existsSync(join(folder, file));
    return { conversation: created.conversation, folder, hasRun };
  }

  type Begun = Awaited<ReturnType<typeof begin>>;

  const row = ({ id }: Conversation) =>
    [...service.conversations.rows.values()].find(
      (conversation) => conversation.id === id,
    ) ?? assert.fail();

  const recordOf = async ({ id }: Conversation) =>
    await answers<{
      execution_status: string;
      confirmation_policy: { kind: string };
    }>(real.ask(`/api/conversations/${id}`));

  async function rests(conversation: Conversation): Promise<void> {
    await untilTrue(async () => {
      const { execution_status } = await recordOf(conversation);
      return execution_status === 'finished' || execution_status === 'idle'
        ? true
        : undefined;
    });
  }

  async function waits(
    conversation: Conversation,
  ): Promise<readonly WaitingAction[]> {
    const steering = await service.steering();
    return await untilTrue(async () => {
      const waiting = await steering.read(row(conversation), signal);
      return waiting.status === 'waits' ? waiting.actions : undefined;
    });
  }

  const twoFiles = {
    text: [command('touch first'), command('touch second')].join('\n'),
  };

  async function prepare(act: (typeof acts)[number]): Promise<Begun> {
    const begun = await begin();
    const { conversation } = begun;
    await rests(conversation);
    const steering = await service.steering();
    await steering.setConfirmation(conversation, 'always', signal);
    if (act === 'message') return begun;
    if (act === 'added') {
      await addMessage(service.locations, conversation, twoFiles);
      return begun;
    }
    await steering.send(
      conversation,
      act === 'accept' ? twoFiles : { text: command('touch before') },
      signal,
    );
    await waits(conversation);
    if (act === 'queued')
      switchboard.queuedMessages.add(row(conversation), twoFiles);
    return begun;
  }

  async function act(
    what: (typeof acts)[number],
    { conversation, hasRun }: Begun,
  ): Promise<void> {
    const steering = await service.steering();
    if (what === 'message')
      await steering.send(row(conversation), twoFiles, signal);
    if (what === 'added') await steering.resume(row(conversation), signal);
    if (what === 'queued') {
      await untilTrue(async () => {
        // A new process forgets the action that waited, so the agent may ask
        // for it again.
        const waiting = await steering.read(row(conversation), signal);
        const isBefore =
          waiting.status === 'waits' &&
          waiting.actions[0]?.arguments.includes('touch before');
        if (isBefore)
          await steering.answer(
            row(conversation),
            waiting.actions,
            { accept: true },
            signal,
          );
        await service.refresh();
        return switchboard.queuedMessages.of(keyOf(conversation)).length === 0
          ? true
          : undefined;
      });
      assert.ok(hasRun('before'));
    }
    const first = await waits(conversation);
    assert.ok(!hasRun('first'), `${what}: the first action ran unasked`);
    await steering.answer(row(conversation), first, { accept: true }, signal);
    await untilTrue(() => Promise.resolve(hasRun('first') ? true : undefined));
    await waits(conversation);
    assert.ok(!hasRun('second'), `${what}: the second action ran unasked`);
    actions += 2;
    const { confirmation_policy } = await recordOf(conversation);
    assert.equal(confirmation_policy.kind, 'AlwaysConfirm');
    assert.equal(row(conversation).approval?.policy, 'always');
  }

  async function prepareAll(): Promise<
    (readonly [(typeof acts)[number], Begun])[]
  > {
    const all: (readonly [(typeof acts)[number], Begun])[] = [];
    for (let round = 0; round < rounds; round++)
      for (const what of acts) all.push([what, await prepare(what)]);
    return all;
  }

  it('holds after the server is restarted', async () => {
    const all = await prepareAll();
    await real.restart();
    for (const [what, begun] of all) await act(what, begun);
  });

  it('holds after an idle conversation is evicted', async () => {
    const all = await prepareAll();
    for (const [, { conversation }] of all)
      await untilTrue(() => {
        const isEvicted = real
          .output()
          .includes(`Evicted idle conversation ${conversation.id}`);
        return Promise.resolve(isEvicted ? true : undefined);
      });
    for (const [what, begun] of all) await act(what, begun);
  });

  it('holds at once while the model thinks, whatever its record says', async () => {
    const steering = await service.steering();
    const model = await theModel();
    for (const chosen of ['risky', 'always'] as const) {
      const before = model.asked.length;
      const release = model.hold();
      try {
        const { conversation } = await begin(
          command('rm -rf /tmp/a ~'),
          'never',
        );
        await untilTrue(() =>
          Promise.resolve(model.asked.length > before ? true : undefined),
        );
        const page = service.conversations.follow(
          row(conversation),
          FollowedConversation,
        );
        page.setVisible(true);
        await until(page, () => page.snapshot.connection.how === 'live');
        await steering.setConfirmation(row(conversation), chosen, signal);
        await service.refresh();
        assert.equal(page.snapshot.approval?.policy, chosen);
        release();
        await waits(conversation);
        assert.equal(page.snapshot.approval.policy, chosen);
        page.release();
      } finally {
        release();
      }
    }
  });

  it('holds in a fork', async () => {
    const steering = await service.steering();
    for (let round = 0; round < rounds; round++) {
      const begun = await prepare('message');
      const fork = await steering.fork(
        row(begun.conversation),
        'Fork',
        undefined,
        signal,
      );
      assert.equal(fork.approval?.policy, 'always');
      await act('message', { ...begun, conversation: fork });
    }
  });

  it('shows on a page that stays open over a restart that the approval was lost', async () => {
    const begun = await prepare('message');
    const { conversation } = begun;
    const followed = service.conversations.follow(
      row(conversation),
      FollowedConversation,
    );
    followed.setVisible(true);
    await until(followed, () => followed.snapshot.connection.how === 'live');
    await real.restart();
    followed.retry();
    await until(followed, () => followed.snapshot.weakened === 'always');
    assert.equal(followed.snapshot.approval?.policy, 'never');
    await act('message', begun);
    await until(
      followed,
      () => followed.snapshot.approval?.policy === 'always',
    );
    followed.release();
  });

  it('lets the user answer what still waits after a stop, and then write', async () => {
    const { conversation, hasRun } = await prepare('accept');
    const steering = await service.steering();
    // A fork does not know that it waits, so it can be stopped.
    const stoppedFork = async (title: string) => {
      const fork = await steering.fork(conversation, title, undefined, signal);
      const path = `/api/conversations/${fork.id}/interrupt`;
      await answers(real.ask(path, { method: 'POST' }));
      assert.equal((await recordOf(fork)).execution_status, 'paused');
      return { fork, actions: await waits(fork) };
    };
    const rejected = await stoppedFork('Rejected');
    const sent = await steering.rejectAndSend(
      row(rejected.fork),
      rejected.actions,
      { text: 'say: Fine.' },
      signal,
    );
    assert.equal(sent.result, 'sent');
    await rests(rejected.fork);
    assert.ok(!hasRun('first'));
    const accepted = await stoppedFork('Accepted');
    const answered = await steering.answer(
      row(accepted.fork),
      accepted.actions,
      { accept: true },
      signal,
    );
    assert.equal(answered.result, 'answered');
    await untilTrue(() => Promise.resolve(hasRun('first') ? true : undefined));
    await waits(accepted.fork);
    assert.ok(!hasRun('second'));
  });

  it('asks for what patterns, rails or the model call risky, from the creation on', async () => {
    const harmless = `call: terminal {"command": "touch first", "security_risk": "LOW"}`;
    const risky = `call: terminal {"command": "rm -rf / --no-such-option; touch second", "security_risk": "LOW"}`;
    const { conversation, hasRun } = await begin(
      [harmless, risky].join('\n'),
      'risky',
    );
    const approval: Approval = {
      policy: 'risky',
      analyzer: { kind: 'EnsembleSecurityAnalyzer', rules: [] },
    };
    assert.deepEqual(conversation.approval, approval);
    const [action] = await waits(conversation);
    assert.match(action?.arguments ?? '', /rm -rf/);
    assert.deepEqual([hasRun('first'), hasRun('second')], [true, false]);
  });

  it('keeps risky actions waiting after a restart', async () => {
    const { conversation } = await begin();
    await rests(conversation);
    const steering = await service.steering();
    await steering.setConfirmation(conversation, 'risky', signal);
    await real.restart();
    const text =
      'call: terminal {"command": "sudo rm -rf / --no-such-option", "security_risk": "LOW"}';
    await steering.send(row(conversation), { text }, signal);
    assert.match((await waits(conversation))[0]?.arguments ?? '', /sudo rm/);
    assert.deepEqual(row(conversation).approval, {
      policy: 'risky',
      analyzer: { kind: 'EnsembleSecurityAnalyzer', rules: [] },
    });
  });
});
