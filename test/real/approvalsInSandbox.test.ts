/**
 * Choosing when an agent in a real sandbox asks, across pauses that end its
 * process.
 */
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Approval,
  type Conversation,
  keyOf,
} from '../../src/service/model/entities.ts';
import type { ConnectedService } from '../../src/state/connectedService.ts';
import { FollowedConversation } from '../../src/state/conversation/followedConversation.ts';
import type { Switchboard } from '../../src/state/switchboard.ts';
import type { WaitingAction } from '../../src/state/transcript/waiting.ts';
import { addMessage } from '../support/addMessage.ts';
import { countDone } from '../support/done.ts';
import { until as untilSnapshot } from '../unit/state/conversation/followSupport.ts';
import { followed, windowAt } from './client.ts';
import { startService } from './services.ts';
import { until } from './until.ts';
import { testRounds } from '../support/testRounds.ts';

/** Pauses before each act. */
const rounds = testRounds(1);

const askRules = [{ sentence: 'Makes a listed file', pattern: 'touch listed' }];

const touch = (file: string) =>
  `call: terminal ${JSON.stringify({ command: `touch ${file}` })}`;

const acts = {
  message: 'a message',
  accept: 'an accept',
  added: 'a message that another client added',
  queued: 'a message queued here',
} as const;
type Act = keyof typeof acts;

describe('the approval chosen for an agent in a real sandbox', function () {
  this.timeout(600_000 + rounds * 300_000);
  const { signal } = new AbortController();
  let openWindow: () => readonly [Switchboard, ConnectedService];
  let switchboard: Switchboard;
  let service: ConnectedService;
  let sandboxFolder: string;
  let conversation: Conversation;
  let page: FollowedConversation;
  let actions = 0;

  before(async () => {
    const real = await startService('appServer', {
      RESUME_IN_NEW_PROCESS: '1',
    });
    openWindow = () => {
      const opened = windowAt(real, 'v1', {
        approvalRules: () => ({ ask: askRules, accept: [] }),
      });
      return [opened.switchboard, opened.service];
    };
    [switchboard, service] = openWindow();
    const { client } = service;
    const { creation } = await client.recognise();
    const created = await creation?.create({ message: 'Say hello.' });
    assert.ok(created?.kind === 'task');
    const { last } = await followed(client, created.task);
    await service.refresh();
    const rows = [...service.conversations.rows.values()];
    conversation =
      rows.find(({ id }) => id === last.conversationId) ??
      assert.fail(last.detail);
    sandboxFolder = join(
      real.home,
      'tmp',
      'openhands-sandboxes',
      conversation.sandboxId ?? '',
    );
    page = service.conversations.follow(conversation, FollowedConversation);
    page.setVisible(true);
    await untilSnapshot(
      page,
      () => page.snapshot.conversation.execution === 'finished',
    );
  });

  after(() => {
    page.release();
    countDone(actions, 'actions in a sandbox that ran only once accepted');
  });

  const row = (of = service) =>
    [...of.conversations.rows.values()].find(
      ({ id }) => id === conversation.id,
    ) ?? assert.fail();

  const hasRun = async (file: string) =>
    (await readdir(sandboxFolder, { recursive: true })).some((path) =>
      path.endsWith(file),
    );

  async function recordedApproval(): Promise<Approval> {
    return await service.locations.useReady(row(), { signal }, ({ steering }) =>
      steering.approval(conversation.id, { signal }),
    );
  }

  async function pauseAndResume(): Promise<void> {
    const { sandboxes } = await service.client.recognise();
    const sandboxId = conversation.sandboxId ?? '';
    assert.ok(sandboxes);
    await service.sandboxActions.pause(sandboxes, sandboxId, signal);
    await service.sandboxActions.resume(sandboxes, sandboxId, signal);
    await service.refresh();
  }

  async function waitingActions(): Promise<readonly WaitingAction[]> {
    const waiting = await (await service.steering()).read(row(), signal);
    return waiting.status === 'waits' ? waiting.actions : [];
  }

  /**
   * Fails as soon as the file is there, which an action makes that was not
   * accepted.
   */
  async function waitsWithout(file: string): Promise<readonly WaitingAction[]> {
    return await until(async () => {
      const waiting = await waitingActions();
      assert.ok(!(await hasRun(file)), `${file} was made unasked`);
      return waiting.length > 0 ? waiting : undefined;
    });
  }

  /**
   * Accepts again while a sandbox drops the answer, because the run that asked
   * is still ending.
   */
  async function acceptUntil(
    file: string,
    next: () => Promise<readonly WaitingAction[]>,
  ): Promise<void> {
    const steering = await service.steering();
    await until(async () => {
      const accepted = await next();
      if (accepted.length > 0)
        await steering.answer(row(), accepted, { accept: true }, signal);
      return (await hasRun(file)) ? true : undefined;
    });
  }

  async function loseAndAct(act: Act, round: number): Promise<void> {
    const before = `${act}-${round}-before`;
    const files = ['first', 'second'].map((name) => `${act}-${round}-${name}`);
    const [first = '', second = ''] = files;
    const message = { text: files.map(touch).join('\n') };
    const steering = await service.steering();
    if (act === 'accept') {
      await steering.send(row(), message, signal);
      await waitsWithout(first);
    }
    if (act === 'added') await addMessage(service.locations, row(), message);
    if (act === 'queued') {
      await steering.send(row(), { text: touch(before) }, signal);
      await waitsWithout(before);
      switchboard.queuedMessages.add(row(), message);
    }

    await pauseAndResume();
    assert.equal(
      (await recordedApproval()).policy,
      'never',
      'the sandbox kept the policy',
    );
    if (act === 'message')
      assert.equal(
        (await steering.send(row(), message, signal)).result,
        'sent',
      );
    if (act === 'added')
      assert.equal((await steering.resume(row(), signal)).result, 'resumed');
    if (act === 'queued') {
      await until(async () => {
        const waiting = await waitingActions();
        const isBefore = waiting[0]?.arguments.includes(before);
        if (isBefore)
          await steering.answer(row(), waiting, { accept: true }, signal);
        await service.refresh();
        return switchboard.queuedMessages.of(keyOf(row())).length === 0
          ? true
          : undefined;
      });
    }

    const firstActions = await waitsWithout(first);
    await acceptUntil(first, () => Promise.resolve(firstActions));
    await waitsWithout(second);
    actions += 2;

    assert.equal((await recordedApproval()).policy, 'always');
    assert.equal(row().approval?.policy, 'always');
    await untilSnapshot(page, () => page.snapshot.connection.how === 'live');
    await untilSnapshot(page, () => page.snapshot.waiting?.status === 'waits');
    assert.equal(page.snapshot.approval?.policy, 'always');
    assert.equal(page.snapshot.weakened, undefined);
    // A new process forgets the action that waited, so the agent may ask for it
    // again.
    await acceptUntil(second, waitingActions);
    await untilSnapshot(
      page,
      () => page.snapshot.conversation.execution === 'finished',
    );
  }

  it('shows each action as waiting in a window that has never opened its conversation', async () => {
    const [, other] = openWindow();
    await other.refresh();
    const steering = await service.steering();
    await steering.setConfirmation(row(), 'always', signal);
    // The service hears of some of them only later.
    const files = ['seen-1', 'seen-2', 'seen-3', 'seen-4'];
    const text = files.map(touch).join('\n');
    await steering.send(row(), { text }, signal);
    for (const file of files) {
      const actions = await waitsWithout(file);
      const seen = await until(async () => {
        const records = await other.client.conversations().next();
        const record = records.value?.items.find(
          ({ id }) => id === conversation.id,
        );
        if (record?.execution !== 'waitingForConfirmation') return undefined;
        await other.refresh();
        // A busy sandbox does not answer the service for a moment.
        const { status, execution } = row(other);
        return status === 'running' ? { execution } : undefined;
      });
      assert.equal(seen.execution, 'waitingForConfirmation');
      await acceptUntil(file, () => Promise.resolve(actions));
    }
    await untilSnapshot(
      page,
      () => page.snapshot.conversation.execution === 'finished',
    );
  });

  for (const act of ['message', 'accept', 'added', 'queued'] as const)
    it(`holds for ${acts[act]} after the sandbox is paused and resumed`, async () => {
      const steering = await service.steering();
      await steering.setConfirmation(row(), 'always', signal);
      for (let round = 0; round < rounds; round++) await loseAndAct(act, round);
    });

  it('holds for listed actions alone after the sandbox is paused and resumed', async () => {
    const steering = await service.steering();
    // The service sets an analyzer of its own.
    await assert.rejects(
      steering.setConfirmation(row(), 'listed', signal),
      /not set here/,
    );
    await steering.setConfirmation(row(), 'listed', signal, true);
    assert.equal(row().approval?.policy, 'listed');
    await pauseAndResume();
    assert.equal((await recordedApproval()).policy, 'never');
    const text = ['plain-file', 'listed-file'].map(touch).join('\n');
    await steering.send(row(), { text }, signal);
    const [action] = await waitsWithout('listed-file');
    assert.match(action?.arguments ?? '', /touch listed/);
    assert.ok(await hasRun('plain-file'));
    const { policy, analyzer } = await recordedApproval();
    assert.deepEqual([policy, analyzer?.rules], ['listed', askRules]);
    await acceptUntil('listed-file', waitingActions);
    actions++;
  });
});
