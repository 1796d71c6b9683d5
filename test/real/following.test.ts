/** Following and steering agents of real services, as a page does it. */
import { FollowedConversation } from '../../src/state/conversation/followedConversation.ts';
import assert from 'node:assert/strict';
import { mkdtemp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import type { Conversation } from '../../src/service/entities.ts';
import type { ConnectedService } from '../../src/state/connectedService.ts';
import type { Answered } from '../../src/state/steering/steeringResults.ts';
import { Switchboard } from '../../src/state/switchboard.ts';
import type { WaitingAction } from '../../src/state/transcript/waiting.ts';
import { Shown, until } from '../unit/state/conversation/followSupport.ts';
import { MemoryStore } from '../unit/state/support.ts';
import { clientOf, followed as started } from './client.ts';
import { type RealService, realService } from './services.ts';

const message = (...lines: readonly string[]) => ({ text: lines.join('\n') });
const command = (text: string) => `call: terminal ${JSON.stringify({ command: text })}`;

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
    this.followed = service.conversations.follow(conversation, FollowedConversation);
    this.shown = new Shown(this.followed);
    this.followed.visible = true;
  }

  async live(): Promise<void> {
    await until(this.followed, () => this.followed.snapshot.connection.how === 'live');
  }

  async waits(): Promise<readonly WaitingAction[]> {
    await until(this.followed, () => this.followed.snapshot.waiting?.status === 'waits');
    return this.followed.snapshot.waiting?.status === 'waits' ? this.followed.snapshot.waiting.actions : [];
  }

  async becomes(execution: string): Promise<void> {
    await until(this.followed, () => this.followed.snapshot.conversation.execution === execution);
  }

  get told(): readonly string[] {
    return this.followed.entries.flatMap((entry) => {
      if (entry.kind === 'action')
        return [`${entry.action.toolName ?? ''}: ${entry.outcome?.kind ?? 'waits'}`];
      return entry.kind === 'line' ? [entry.what] : [];
    });
  }
}

async function connected(service: RealService, kind: 'agentServer' | 'v1'): Promise<ConnectedService> {
  const switchboard = new Switchboard({ store: new MemoryStore(), clock: systemClock, pageSize: () => 20 });
  const client = clientOf(service, { interface: kind, requestsPerSecond: Infinity });
  const made = switchboard.connect({ client, address: service.url, name: 'real', demo: false });
  await made.refresh();
  return made;
}

describe('a page of a real conversation', function () {
  this.timeout(300_000);

  /**
   * Answers as a user does who reads that the answer may not have arrived. The service says yes to an answer and drops it
   * while the run that asked is still ending, which takes longest in a sandbox: nothing has run then.
   */
  async function accept(
    { service, conversation, signal }: Page,
    actions: readonly WaitingAction[],
  ): Promise<Answered> {
    for (let tries = 1; ; tries++) {
      const answered = await (
        await service.steering()
      ).answer(conversation, actions, { accept: true }, signal);
      const isDropped = answered.result === 'unsure' && !answered.failure && answered.now?.status === 'waits';
      if (!isDropped || tries === 3) return answered;
    }
  }

  /** Uses all abilities of an agent that can be reached. */
  async function steer(page: Page): Promise<void> {
    const { service, conversation, signal, followed } = page;
    const steering = await service.steering();
    await page.live();
    await steering.setConfirmation(conversation, 'always', signal);
    await until(followed, () => followed.snapshot.confirmation === 'always');
    const sent = await steering.send(conversation, message(command('echo one'), command('echo two')), signal);
    assert.deepEqual(sent, { result: 'sent' });
    const first = await page.waits();
    assert.match(first[0]?.arguments ?? '', /"echo one"/);
    assert.equal((await steering.send(conversation, message('Hello'), signal)).result, 'waits');
    assert.equal((await steering.resume(conversation, signal)).result, 'waits');
    assert.deepEqual(await accept(page, first), { result: 'answered' });
    await until(followed, () => page.told.includes('terminal: result'));
    const second = await page.waits();
    assert.match(second[0]?.arguments ?? '', /"echo two"/);
    const instead = message(command('sleep 60'));
    assert.deepEqual(await steering.rejectAndSend(conversation, second, instead, signal), { result: 'sent' });
    const third = await page.waits();
    assert.match(third[0]?.arguments ?? '', /"sleep 60"/);
    assert.deepEqual(await accept(page, third), { result: 'answered' });
    await page.becomes('running');
    assert.deepEqual(await steering.stop(conversation, signal), { result: 'stopped' });
    await page.becomes('paused');
    await until(followed, () => page.told.includes('interrupted'));
    assert.deepEqual(
      page.told.filter((told) => !told.startsWith('finish')),
      ['terminal: result', 'terminal: rejection', 'terminal: error', 'interrupted'],
    );
    assert.deepEqual(page.shown.entries, followed.entries);
  }

  it('follows an agent at an Agent Server live and steers it', async () => {
    const real = await realService('agentServer');
    const service = await connected(real, 'agentServer');
    const { creation } = await service.client.recognise();
    const created = await creation?.create({ message: 'Say hello.', folder: real.home });
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
    await steering.send(created.conversation, message(command('touch carried-along.txt')), page.signal);
    await page.waits();

    const fork = await service.conversations.fork(created.conversation, 'Another way', page.signal);
    const forked = new Page(service, fork);
    const carried = await forked.waits();
    assert.match(carried[0]?.arguments ?? '', /carried-along/);
    const text = message('say: Good morning.');
    assert.equal((await steering.send(fork, text, forked.signal)).result, 'waits');
    assert.equal((await steering.resume(fork, forked.signal)).result, 'waits');
    assert.deepEqual(await steering.rejectAndSend(fork, carried, text, forked.signal), { result: 'sent' });
    await until(forked.followed, () => forked.told.includes('terminal: rejection'));
    assert.ok(!(await readdir(folder)).includes('carried-along.txt'));
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
