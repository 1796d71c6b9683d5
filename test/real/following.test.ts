/** Following and steering agents of real services, as a page does it. */
import { FollowedConversation } from '../../src/state/conversation/followedConversation.ts';
import assert from 'node:assert/strict';
import { mkdtemp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Conversation } from '../../src/service/model/entities.ts';
import type { ConnectedService } from '../../src/state/connectedService.ts';
import type { Answered } from '../../src/state/steering/steeringResults.ts';
import type { WaitingAction } from '../../src/state/transcript/waiting.ts';
import { addMessage } from '../support/addMessage.ts';
import { Shown, until } from '../unit/state/conversation/followSupport.ts';
import { followed as started, windowAt } from './client.ts';
import {
  answers,
  type RealService,
  realService,
  theModel,
} from './services.ts';

const message = (...lines: readonly string[]) => ({ text: lines.join('\n') });
const command = (text: string) =>
  `call: terminal ${JSON.stringify({ command: text })}`;

/** A page that follows one conversation of a real service. */
class Page {
  readonly service: ConnectedService;
  readonly conversation: Conversation;
  readonly followed: FollowedConversation;
  readonly shown: Shown;
  readonly signal = new AbortController().signal;

  constructor(service: ConnectedService, conversation: Conversation) {
    this.service = service;
    this.conversation = conversation;
    this.followed = service.conversations.follow(
      conversation,
      FollowedConversation,
    );
    this.shown = new Shown(this.followed);
    this.followed.setVisible(true);
  }

  async live(): Promise<void> {
    await until(
      this.followed,
      () => this.followed.snapshot.connection.how === 'live',
    );
  }

  async waits(): Promise<readonly WaitingAction[]> {
    await until(
      this.followed,
      () => this.followed.snapshot.waiting?.status === 'waits',
    );
    return this.followed.snapshot.waiting?.status === 'waits'
      ? this.followed.snapshot.waiting.actions
      : [];
  }

  async becomes(execution: string): Promise<void> {
    await until(
      this.followed,
      () => this.followed.snapshot.conversation.execution === execution,
    );
  }

  get told(): readonly string[] {
    return this.followed.entries.flatMap((entry) => {
      if (entry.kind === 'action')
        return [
          `${entry.action.toolName ?? ''}: ${entry.outcome?.kind ?? 'waits'}`,
        ];
      return entry.kind === 'line' ? [entry.what] : [];
    });
  }
}

async function connected(
  service: RealService,
  kind: 'agentServer' | 'v1',
): Promise<ConnectedService> {
  const { service: connectedService } = windowAt(service, kind);
  await connectedService.refresh();
  return connectedService;
}

describe('a page of a real conversation', function () {
  this.timeout(300_000);

  /**
   * Answers as a user does who reads that the answer may not have arrived. The
   * service says yes to an answer and drops it while the run that asked is
   * still ending, which takes longest in a sandbox: nothing has run then.
   */
  async function accept(
    { service, conversation, signal }: Page,
    actions: readonly WaitingAction[],
  ): Promise<Answered> {
    for (let tries = 1; ; tries++) {
      const answered = await (
        await service.steering()
      ).answer(conversation, actions, { accept: true }, signal);
      const isDropped =
        answered.result === 'unsure' &&
        !answered.failure &&
        answered.now?.status === 'waits';
      if (!isDropped || tries === 3) return answered;
    }
  }

  /** Uses all abilities of an agent that can be reached. */
  async function steer(page: Page): Promise<void> {
    const { service, conversation, signal, followed } = page;
    const steering = await service.steering();
    await page.live();
    await steering.setConfirmation(conversation, 'always', signal);
    await until(
      followed,
      () => followed.snapshot.approval?.policy === 'always',
    );
    const sent = await steering.send(
      conversation,
      message(command('echo one'), command('echo two')),
      signal,
    );
    assert.deepEqual(sent, { result: 'sent' });
    const first = await page.waits();
    assert.match(first[0]?.arguments ?? '', /"echo one"/);
    assert.equal(
      (await steering.send(conversation, message('Hello'), signal)).result,
      'waits',
    );
    assert.equal((await steering.resume(conversation, signal)).result, 'waits');
    assert.deepEqual(await accept(page, first), { result: 'answered' });
    await until(followed, () => page.told.includes('terminal: result'));
    const second = await page.waits();
    assert.match(second[0]?.arguments ?? '', /"echo two"/);
    const instead = message(command('sleep 60'));
    assert.deepEqual(
      await steering.rejectAndSend(conversation, second, instead, signal),
      { result: 'sent' },
    );
    const third = await page.waits();
    assert.match(third[0]?.arguments ?? '', /"sleep 60"/);
    assert.deepEqual(await accept(page, third), { result: 'answered' });
    await page.becomes('running');
    assert.deepEqual(await steering.stop(conversation, signal), {
      result: 'stopped',
    });
    await page.becomes('paused');
    await until(followed, () => page.told.includes('interrupted'));
    assert.deepEqual(
      page.told.filter((told) => !told.startsWith('finish')),
      [
        'terminal: result',
        'terminal: rejection',
        'terminal: error',
        'interrupted',
      ],
    );
    assert.deepEqual(page.shown.entries, followed.entries);
  }

  it('follows an agent at an Agent Server live and steers it', async () => {
    const real = await realService('agentServer');
    const service = await connected(real, 'agentServer');
    const { creation } = await service.client.recognise();
    const created = await creation?.create({
      message: 'Say hello.',
      folder: real.home,
    });
    assert.ok(created?.kind === 'conversation');
    await service.refresh();
    const page = new Page(service, created.conversation);
    await page.becomes('finished');
    await steer(page);
  });

  it('runs nothing that a fork carries along when a message is sent to the fork', async () => {
    const real = await realService('agentServer');
    const service = await connected(real, 'agentServer');
    const { creation } = await service.client.recognise();
    const folder = await mkdtemp(join(real.home, 'fork-'));
    const created = await creation?.create({ message: 'Say hello.', folder });
    assert.ok(created?.kind === 'conversation');
    await service.refresh();
    const page = new Page(service, created.conversation);
    await page.becomes('finished');
    const steering = await service.steering();
    await steering.setConfirmation(created.conversation, 'always', page.signal);
    await steering.send(
      created.conversation,
      message(command('touch carried-along.txt')),
      page.signal,
    );
    await page.waits();

    const fork = await steering.fork(
      created.conversation,
      'Another way',
      undefined,
      page.signal,
    );
    const forked = new Page(service, fork);
    const carried = await forked.waits();
    assert.match(carried[0]?.arguments ?? '', /carried-along/);
    const text = message('say: Good morning.');
    assert.equal(
      (await steering.send(fork, text, forked.signal)).result,
      'waits',
    );
    assert.equal((await steering.resume(fork, forked.signal)).result, 'waits');
    assert.deepEqual(
      await steering.rejectAndSend(fork, carried, text, forked.signal),
      { result: 'sent' },
    );
    await until(forked.followed, () =>
      forked.told.includes('terminal: rejection'),
    );
    assert.ok(!(await readdir(folder)).includes('carried-along.txt'));
  });

  /**
   * Goes back and asks aside while an action waits, and looks for what has run
   * in the folder.
   */
  async function goBack(page: Page, folder: string): Promise<void> {
    const { service, conversation, followed, signal } = page;
    const steering = await service.steering();
    await page.live();
    await steering.setConfirmation(conversation, 'always', signal);
    await steering.send(
      conversation,
      message(command('touch carried.txt')),
      signal,
    );
    const actions = await page.waits();
    const ours = followed.entries.findLast(
      (entry) => entry.kind === 'message' && entry.role === 'user',
    );

    assert.equal(
      await steering.askAside(conversation, 'say: Aside.', signal),
      'Aside.',
    );
    assert.equal(
      (await steering.compact(conversation, signal)).result,
      'waits',
    );
    const profiles = await steering.profiles(conversation, signal);
    const other = profiles.find(({ name }) => name === 'other');
    if (other) {
      await steering.switchProfile(conversation, other, signal);
      await until(
        followed,
        () => followed.snapshot.conversation.model === 'openai/other',
      );
      // Only this kind has worktrees, too.
      assert.match(
        await steering.worktrees.runGit(conversation, 'git --version', signal),
        /^git version /,
      );
    }
    const queued = message('Read this later.');
    await addMessage(service.locations, conversation, queued);
    await until(followed, () =>
      followed.entries.some(
        (entry) => entry.kind === 'message' && entry.text === queued.text,
      ),
    );
    const later = followed.entries.findLast(({ kind }) => kind === 'message');
    assert.deepEqual(
      (await steering.read(conversation, signal)).status,
      'waits',
    );

    // A fork from a message has the action too, and its record says that it is
    // idle.
    const made = await steering.fork(
      conversation,
      'Another way',
      later?.id,
      signal,
    );
    assert.equal(made.title, 'Another way');
    const forked = new Page(service, made);
    assert.deepEqual(await forked.waits(), actions);
    assert.equal(
      (await steering.send(made, message('Hello'), signal)).result,
      'waits',
    );
    assert.equal((await steering.compact(made, signal)).result, 'waits');
    const text = message('say: Good morning.');
    assert.deepEqual(
      await steering.rejectAndSend(made, actions, text, signal),
      { result: 'sent' },
    );
    await until(forked.followed, () =>
      forked.followed.entries.some(
        (entry) => entry.kind === 'message' && entry.text === 'Good morning.',
      ),
    );

    // A fork from before the message has no action.
    const edited = await steering.message(conversation, ours?.id ?? '', signal);
    assert.match(edited.text, /carried\.txt/);
    const before = await steering.fork(
      conversation,
      'Before it',
      edited.parentId,
      signal,
    );
    const again = new Page(service, before);
    await until(
      again.followed,
      () => again.followed.snapshot.waiting?.status === 'doesNotWait',
    );
    assert.deepEqual(
      await steering.send(before, message('say: Again.'), signal),
      { result: 'sent' },
    );
    await until(again.followed, () =>
      again.followed.entries.some(
        (entry) => entry.kind === 'message' && entry.text === 'Again.',
      ),
    );

    assert.deepEqual(
      (await steering.read(conversation, signal)).status,
      'waits',
    );
    assert.ok(
      !(await readdir(folder, { recursive: true })).some((name) =>
        name.endsWith('carried.txt'),
      ),
    );
    // Accepted as it was shown, it runs in the fork.
    const last = new Page(
      service,
      await steering.fork(conversation, 'Third', later?.id, signal),
    );
    assert.deepEqual(await accept(last, await last.waits()), {
      result: 'answered',
    });
    await until(last.followed, () => last.told.includes('terminal: result'));
    assert.ok(
      (await readdir(folder, { recursive: true })).some((name) =>
        name.endsWith('carried.txt'),
      ),
    );
  }

  it('runs nothing that waits when an agent at an Agent Server is asked aside, compacted, switched or forked', async () => {
    const real = await realService('agentServer');
    const { url } = await theModel();
    const llm = { model: 'openai/other', base_url: url, api_key: 'x' };
    await answers(
      real.ask('/api/profiles/other', {
        method: 'POST',
        body: JSON.stringify({ llm }),
      }),
      201,
    );
    const service = await connected(real, 'agentServer');
    const { creation } = await service.client.recognise();
    const folder = await mkdtemp(join(real.home, 'back-'));
    const created = await creation?.create({ message: 'Say hello.', folder });
    assert.ok(created?.kind === 'conversation');
    await service.refresh();
    const page = new Page(service, created.conversation);
    await page.becomes('finished');
    await goBack(page, folder);
  });

  it('compacts an idle agent at an Agent Server, which then goes on', async () => {
    const service = await connected(
      await realService('agentServer'),
      'agentServer',
    );
    const { creation } = await service.client.recognise();
    const folder = await mkdtemp(
      join((await realService('agentServer')).home, 'compact-'),
    );
    const created = await creation?.create({ message: 'Say hello.', folder });
    assert.ok(created?.kind === 'conversation');
    await service.refresh();
    const page = new Page(service, created.conversation);
    await page.becomes('finished');
    const steering = await service.steering();
    const steps = Array.from({ length: 12 }, (_, index) =>
      command(`echo ${index}`),
    );
    await steering.setConfirmation(created.conversation, 'never', page.signal);
    await steering.send(created.conversation, message(...steps), page.signal);
    await until(
      page.followed,
      () =>
        page.told.filter((told) => told === 'terminal: result').length === 12,
    );
    await page.becomes('finished');
    assert.deepEqual(
      await steering.compact(created.conversation, page.signal),
      { result: 'compacted' },
    );
    await until(page.followed, () => page.told.includes('condensed'));
    await steering.send(
      created.conversation,
      message('say: Good morning.'),
      page.signal,
    );
    await until(page.followed, () =>
      page.followed.entries.some(
        (entry) => entry.kind === 'message' && entry.text === 'Good morning.',
      ),
    );
  });

  it('runs nothing that waits when an agent in a sandbox is asked aside or forked', async () => {
    const real = await realService('appServer');
    const service = await connected(real, 'v1');
    const { creation } = await service.client.recognise();
    const created = await creation?.create({ message: 'Say hello.' });
    assert.ok(created?.kind === 'task');
    const { last } = await started(service.client, created.task);
    await service.refresh();
    const found = [...service.conversations.rows.values()].find(
      ({ id }) => id === last.conversationId,
    );
    assert.ok(found, JSON.stringify(last));
    const page = new Page(service, found);
    await page.becomes('finished');
    await goBack(
      page,
      join(real.home, 'tmp', 'openhands-sandboxes', found.sandboxId ?? ''),
    );
  });

  it('follows an agent in a sandbox of an app server live and steers it', async () => {
    const service = await connected(await realService('appServer'), 'v1');
    const { creation } = await service.client.recognise();
    const created = await creation?.create({ message: 'Say hello.' });
    assert.ok(created?.kind === 'task');
    const { last } = await started(service.client, created.task);
    await service.refresh();
    const conversation = [...service.conversations.rows.values()].find(
      ({ id }) => id === last.conversationId,
    );
    assert.ok(conversation, JSON.stringify(last));
    const page = new Page(service, conversation);
    await steer(page);
  });
});
