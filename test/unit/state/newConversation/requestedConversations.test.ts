import assert from 'node:assert/strict';
import type { Misbehaviour } from '../../../support/demo/faults/misbehaviour.ts';
import {
  type MisbehavingDemo,
  startMisbehavingDemo,
} from '../../../support/demo/faults/misbehavingDemo.ts';
import type {
  Created,
  Creation,
} from '../../../../src/service/abilities/agentService.ts';
import type { ServiceClient } from '../../../../src/service/client.ts';
import {
  type Conversation,
  keyOf,
  startStages,
} from '../../../../src/service/model/entities.ts';
import {
  keyOfRequested,
  requestedIdOf,
  RequestedConversations,
} from '../../../../src/state/newConversation/requestedConversations.ts';
import { until } from '../../../support/eventually.ts';
import { HurriedClock } from '../../../support/hurriedClock.ts';
import { reachableText } from '../../../support/reachable.ts';
import {
  clientOf,
  conversation,
  key,
  MemoryStore,
  settle,
  withService,
} from '../support.ts';

const wanted = {
  message: 'Fix the build\nand the tests',
  repository: 'octo/shop',
  branch: 'main',
};

describe('a requested conversation', () => {
  let clock: HurriedClock;
  let demo: MisbehavingDemo;
  let client: ServiceClient;
  let address: string;
  let store: MemoryStore;
  let ready: Conversation[];
  let requested: RequestedConversations;

  async function serve(
    misbehaviour: Partial<Misbehaviour> = {},
    factor = 50,
  ): Promise<void> {
    clock = new HurriedClock(factor);
    demo = await startMisbehavingDemo({ key, clock });
    client = clientOf(demo, clock);
    await client.recognise();
    demo.misbehave(misbehaviour);
    address = demo.url;
    store = new MemoryStore();
    open();
  }

  /** Opens a window with what is stored. */
  function open(): void {
    ready = [];
    requested = new RequestedConversations({
      store,
      clock,
      onReady: (created) => ready.push(created),
    });
  }

  const only = () => {
    const [pending, ...others] = requested.of(address);
    assert.deepEqual(others, []);
    return pending ?? assert.fail('nothing is pending');
  };

  const creatingBy = (other: ServiceClient, create: Creation['create']) =>
    withService(other, () => ({
      creation: { create, task: () => Promise.resolve(undefined) },
    }));

  const posts = () =>
    demo.requests.filter(({ method }) => method === 'POST').length;

  afterEach(async () => {
    requested.release(address);
    await demo.stop();
  });

  it('appears at once, goes through its stages and becomes the conversation', async () => {
    await serve();
    const stages: (string | undefined)[] = [];
    requested.onChange(() => {
      const [pending] = requested.of(address);
      if (pending) stages.push(pending.task?.stage);
    });
    const begun = requested.begin(client, address, wanted);
    assert.deepEqual(only().wanted, wanted);
    assert.deepEqual([only().task, only().error], [undefined, undefined]);
    const ended = await begun;
    assert.equal(ended.error, undefined);
    assert.deepEqual(requested.of(address), []);
    assert.deepEqual(
      ready.map(({ title, repository }) => [title, repository]),
      [['Fix the build', 'octo/shop']],
    );
    assert.equal(stages[0], undefined);
    assert.equal(stages.at(-1), 'ready');
    const seen = stages.filter((stage) => stage !== undefined);
    assert.deepEqual(
      [...new Set(seen)],
      startStages.filter((stage) => seen.includes(stage)),
    );
    assert.deepEqual(store.get('requestedConversations'), []);
  });

  it('becomes the conversation at once when the service replies with it', async () => {
    await serve({ contractOnlyCreate: true });
    await requested.begin(client, address, wanted);
    assert.equal(ready.length, 1);
    assert.deepEqual(requested.of(address), []);
  });

  it('appears before earlier requests, and apart from those of another service', async () => {
    await serve({ taskFails: true });
    await requested.begin(client, address, { message: 'first' });
    await requested.begin(client, 'http://other', { message: 'other' });
    await requested.begin(client, address, { message: 'last' });
    const messages = (all: readonly { wanted: { message: string } }[]) =>
      all.map((one) => one.wanted.message);
    assert.deepEqual(messages(requested.of(address)), ['last', 'first']);
    assert.deepEqual(messages(requested.of('http://other')), ['other']);
    assert.deepEqual(messages(requested.all), ['last', 'other', 'first']);
  });

  it('keeps a failed request with its reason and its input until it is dismissed', async () => {
    await serve({ taskFails: true });
    const ended = await requested.begin(client, address, wanted);
    assert.match(ended.error ?? '', /setup script ended with exit code 1/);
    assert.equal(ended.unknown, undefined);
    assert.deepEqual(only(), ended);
    assert.deepEqual(ended.wanted, wanted);
    assert.equal(ready.length, 0);

    demo.misbehave({});
    await requested.begin(client, address, ended.wanted);
    assert.equal(ready[0]?.title, 'Fix the build');
    requested.dismiss(ended.id);
    assert.deepEqual(requested.of(address), []);
    assert.deepEqual(store.get('requestedConversations'), []);
  });

  it('takes the place of the failed request that it tries again', async () => {
    await serve({ taskFails: true });
    const { id } = await requested.begin(client, address, wanted);
    await requested.begin(client, address, { message: 'other' });
    demo.misbehave({});
    const begun = requested.begin(client, address, { message: 'changed' }, id);
    const [newest, ...others] = requested.of(address);
    assert.deepEqual(
      [newest?.id, newest?.wanted.message, newest?.error],
      [id, 'changed', undefined],
    );
    assert.equal(others.length, 1);
    await begun;
    assert.equal(ready[0]?.title, 'changed');
  });

  it('keeps the key of the conversation that it became, also in the next window', async () => {
    await serve({ contractOnlyCreate: true });
    const begun = requested.begin(client, address, wanted);
    const { id } = only();
    assert.equal(requested.createdAs(id), undefined);
    await begun;
    const [created] = ready;
    assert.ok(created);
    const key = keyOf(created);
    assert.equal(requested.createdAs(id), key);
    open();
    assert.equal(requested.createdAs(id), key);
    for (const stored of [5, [null, 'x', ['a'], ['b', 7]]]) {
      store = new MemoryStore({ createdConversations: stored });
      open();
      assert.equal(requested.createdAs('b'), undefined);
    }
  });

  it('has a page of its own until the conversation exists', () => {
    const key = keyOfRequested({ id: '7f-1' });
    assert.equal(requestedIdOf(key), '7f-1');
    assert.equal(requestedIdOf(keyOf(conversation())), undefined);
  });

  it('masks secrets in the reason of a failure, also in the store', async () => {
    await serve({ taskFails: true, leakyDetails: true });
    const stored: unknown[] = [];
    requested.onChange(() => stored.push(store.get('requestedConversations')));
    const ended = await requested.begin(client, address, wanted);
    assert.match(ended.error ?? '', /•.+setup script ended with exit code 1/);
    open();
    assert.equal(only().error, ended.error);
    assert.doesNotMatch(
      JSON.stringify(stored) + reachableText(requested.all),
      /ghp_|demoSecret|key-of/,
    );
    assert.match(JSON.stringify(stored), /setup script ended/);
  });

  it('reports an unknown outcome when the service fails to reply, without a second request', async () => {
    await serve({ resetBody: true });
    const { error, unknown } = await requested.begin(client, address, wanted);
    assert.match(
      error ?? '',
      /Could not create a conversation.*The service may have done this already/,
    );
    assert.equal(unknown, true);
    assert.equal(posts(), 1);
  });

  it('reports no unknown outcome when the service refuses the request or cannot be reached', async () => {
    await serve({ forbidden: true });
    assert.equal(
      (await requested.begin(client, address, wanted)).unknown,
      undefined,
    );
    requested.dismiss(only().id);
    await demo.stop();
    const ended = await requested.begin(clientOf(demo, clock), address, wanted);
    assert.match(ended.error ?? '', /connection refused/);
    assert.equal(ended.unknown, undefined);
  });

  it('reports an unknown outcome when the progress cannot be read', async () => {
    await serve({ taskNeverEnds: true });
    const begun = requested.begin(client, address, wanted);
    await until(() => requested.of(address)[0]?.task !== undefined);
    demo.misbehave({ errorBody: 'detail', errorStatus: 500 });
    assert.equal((await begun).unknown, true);
  });

  it('reports an unknown outcome when the request does not finish within 10 minutes', async () => {
    await serve({ taskNeverEnds: true }, 1_000);
    const { error, unknown } = await requested.begin(client, address, wanted);
    assert.match(error ?? '', /did not finish within 10 minutes/);
    assert.equal(unknown, true);
    assert.equal(requested.of(address).length, 1);
  });

  it('finds the ready conversation although the service fails for a moment', async () => {
    await serve();
    requested.onChange(() => {
      if (requested.of(address)[0]?.task?.stage === 'ready') {
        demo.misbehave({
          errorBody: 'detail',
          errorStatus: 500,
          only: 'app-conversations?ids',
          times: 1,
        });
      }
    });
    await requested.begin(client, address, wanted);
    assert.equal(ready.length, 1);
  });

  it('finds the ready conversation although the service does not list it at first', async () => {
    await serve();
    let asked = 0;
    const late = withService(client, ({ conversations }) => ({
      conversations: {
        ...conversations,
        find: (id, call) =>
          ++asked < 3
            ? Promise.resolve(undefined)
            : conversations.find(id, call),
      },
    }));
    await requested.begin(late, address, wanted);
    assert.deepEqual([ready.length, asked, requested.all.length], [1, 3, 0]);
  });

  it('can cancel a request while the service does not list the ready conversation yet', async () => {
    await serve();
    let asked = 0;
    const late = withService(client, ({ conversations }) => ({
      conversations: {
        ...conversations,
        find: (id, call) =>
          ++asked === 1
            ? Promise.resolve(undefined)
            : conversations.find(id, call),
      },
    }));
    const begun = requested.begin(late, address, wanted);
    await until(() => asked === 1);
    requested.cancel(only().id);
    const { cancelled, error } = await begun;
    assert.equal(cancelled, true);
    assert.match(error ?? '', /canceled/);
  });

  it('reports an unknown outcome when the service never lists the ready conversation', async () => {
    await serve();
    const missing = withService(client, ({ conversations }) => ({
      conversations: {
        ...conversations,
        find: () => Promise.resolve(undefined),
      },
    }));
    const ended = await requested.begin(missing, address, wanted);
    assert.match(ended.error ?? '', /does not list it/);
    assert.equal(ended.unknown, true);
    const nameless = creatingBy(missing, () =>
      Promise.resolve({
        kind: 'task',
        task: {
          id: 't',
          stage: 'ready',
          conversationId: undefined,
          sandboxId: undefined,
          detail: undefined,
        },
      }),
    );
    assert.match(
      (await requested.begin(nameless, address, wanted)).error ?? '',
      /does not list it/,
    );
  });

  it('rethrows an unexpected error and shows it on the request', async () => {
    await serve();
    const broken = creatingBy(client, () =>
      Promise.reject(new Error('a defect')),
    );
    await assert.rejects(requested.begin(broken, address, wanted), /a defect/);
    assert.equal(only().error, 'a defect');
  });

  describe('a cancelled request', () => {
    it('keeps a cancelled request in the list, without further requests to the service', async () => {
      await serve({ taskNeverEnds: true });
      const begun = requested.begin(client, address, wanted);
      await until(() => requested.of(address)[0]?.task !== undefined);
      requested.cancel(only().id);
      assert.match((await begun).error ?? '', /canceled/);
      const { requestCount } = demo;
      await settle();
      assert.equal(demo.requestCount, requestCount);
      requested.cancel(only().id);
      requested.cancel('unknown');
      assert.match(only().error ?? '', /canceled/);
    });

    it('reports an unknown outcome when cancelled before the service replies', async () => {
      await serve({ slowHeaders: 60_000 });
      const begun = requested.begin(client, address, wanted);
      await until(() => posts() > 0);
      requested.cancel(only().id);
      assert.match(
        (await begun).error ?? '',
        /canceled.*The service may have done this already/,
      );
    });

    it('removes a request that is dismissed while in progress', async () => {
      await serve({ taskNeverEnds: true });
      const begun = requested.begin(client, address, wanted);
      await until(() => requested.of(address)[0]?.task !== undefined);
      requested.dismiss(only().id);
      assert.deepEqual(requested.of(address), []);
      await begun;
      assert.deepEqual([requested.of(address), ready], [[], []]);
    });
  });

  describe('a request in a window that is closed', () => {
    it('continues in the next window without a second request', async () => {
      await serve();
      void requested.begin(client, address, wanted);
      await until(() => requested.of(address)[0]?.task !== undefined);
      requested.release(address);
      open();
      assert.deepEqual(only().wanted, wanted);
      requested.resume(client, address);
      requested.resume(client, address);
      await until(() => ready.length > 0);
      assert.equal(ready[0]?.title, 'Fix the build');
      assert.deepEqual(requested.of(address), []);
      assert.equal(posts(), 1);
    });

    it('reports an unknown outcome when the window closes before the service replies', async () => {
      await serve({ slowHeaders: 60_000 });
      const begun = requested.begin(client, address, wanted);
      await until(() => posts() > 0);
      requested.release(address);
      assert.equal((await begun).error, undefined);
      open();
      requested.resume(client, address);
      assert.match(
        only().error ?? '',
        /closed before the service answered, so it may have been created/,
      );
      assert.equal(only().unknown, true);
      assert.deepEqual(only().wanted, wanted);
      assert.equal(posts(), 1);
    });

    it('continues only when its own service is connected', async () => {
      await serve({ taskNeverEnds: true });
      void requested.begin(client, address, wanted);
      await until(() => requested.of(address)[0]?.task !== undefined);
      requested.release(address);
      open();
      const { requestCount } = demo;
      requested.resume(client, 'http://other');
      await settle();
      assert.equal(demo.requestCount, requestCount);
      assert.equal(only().error, undefined);
    });

    it('keeps an unknown outcome and a cancellation in the next window', async () => {
      await serve({ resetBody: true });
      await requested.begin(client, address, wanted);
      open();
      assert.deepEqual([only().unknown, only().cancelled], [true, undefined]);
      requested.dismiss(only().id);
      demo.misbehave({ taskNeverEnds: true });
      const begun = requested.begin(client, address, wanted);
      await until(() => requested.of(address)[0]?.task !== undefined);
      requested.cancel(only().id);
      await begun;
      open();
      assert.equal(only().cancelled, true);
    });

    it('keeps a failure in the next window without a request to the service', async () => {
      await serve({ taskFails: true });
      const ended = await requested.begin(client, address, wanted);
      open();
      const { requestCount } = demo;
      requested.resume(client, address);
      assert.equal(only().error, ended.error);
      assert.equal(demo.requestCount, requestCount);
    });

    it('reports in the next window that the service no longer knows the request', async () => {
      await serve({ taskNeverEnds: true });
      void requested.begin(client, address, wanted);
      await until(() => requested.of(address)[0]?.task !== undefined);
      requested.release(address);
      await demo.stop();
      demo = await startMisbehavingDemo({ key, clock });
      client = clientOf(demo, clock);
      open();
      requested.resume(client, address);
      await until(() => requested.of(address)[0]?.error !== undefined);
      assert.match(only().error ?? '', /could not find it/);
    });
  });

  it('stops without a change event when the service is released', async () => {
    await serve({ taskNeverEnds: true });
    const begun = [
      requested.begin(client, address, wanted),
      requested.begin(client, address, wanted),
    ];
    await until(() =>
      requested.of(address).every(({ task }) => task !== undefined),
    );
    requested.release(address);
    let told = 0;
    requested.onChange(() => told++);
    await Promise.all(begun);
    assert.equal(told, 0);
    assert.equal(requested.of(address).length, 2);
    assert.ok(requested.of(address).every(({ error }) => error === undefined));
  });

  it('never adds a conversation that is created after its service is released', async () => {
    await serve();
    const answered = Promise.withResolvers<Created>();
    const slow = creatingBy(client, () => answered.promise);
    const begun = requested.begin(slow, address, wanted);
    requested.release(address);
    answered.resolve({ kind: 'conversation', conversation: conversation() });
    await begun;
    assert.deepEqual(ready, []);
    assert.equal(requested.of(address).length, 1);
  });

  it('restores only valid requests, and stores at most 50', async () => {
    await serve();
    const good = {
      id: 'a',
      address,
      wanted: { message: 'x' },
      begunAt: 5,
      error: 'broken',
    };
    for (const stored of [null, 5, 'x', {}]) {
      store = new MemoryStore({ requestedConversations: stored });
      open();
      assert.deepEqual(requested.all, []);
    }
    const broken = [
      null,
      7,
      {},
      { id: 'b' },
      { ...good, wanted: null },
      { ...good, wanted: {} },
      { ...good, task: 3 },
      { ...good, error: 7 },
      { ...good, begunAt: 'x' },
    ];
    store = new MemoryStore({
      requestedConversations: [
        ...broken,
        good,
        { ...good, id: 'c', unknown: true },
      ],
    });
    open();
    assert.deepEqual(requested.all, [
      good,
      { ...good, id: 'c', unknown: true },
    ]);

    store = new MemoryStore({
      requestedConversations: Array.from({ length: 200 }, (_, i) => ({
        ...good,
        id: String(i),
      })),
    });
    open();
    requested.dismiss('0');
    assert.equal((store.get('requestedConversations') as unknown[]).length, 50);
  });

  it('creates the conversation even if nothing can be stored', async () => {
    await serve({ contractOnlyCreate: true });
    requested = new RequestedConversations({
      store: {
        get: () => undefined,
        update: () => Promise.reject(new Error('the disk is full')),
      },
      clock,
      onReady: (created) => ready.push(created),
    });
    await requested.begin(client, address, wanted);
    assert.equal(ready.length, 1);
  });

  describe('as a draft', () => {
    const text = (id: number, length: number) => ({
      id,
      name: `${id}.txt`,
      text: 'x'.repeat(length),
    });
    const reload = () => {
      open();
      return requested.all[0];
    };

    beforeEach(() => serve());

    it('survives a restart with what is attached, and sends nothing before it is created', async () => {
      const { id, begunAt } = requested.draft(address, { message: '' });
      requested.change(id, {
        message: 'Fix the build',
        attached: [text(1, 9)],
      });
      requested.change(id, { folder: '/srv/shop' }, 'http://other.example');
      assert.deepEqual(reload(), {
        ...{ id, address: 'http://other.example', isDraft: true, begunAt },
        wanted: {
          message: 'Fix the build',
          attached: [text(1, 9)],
          folder: '/srv/shop',
        },
      });
      requested.resume(client, address);
      await settle();
      assert.equal(
        demo.requests.filter(({ method }) => method !== 'GET').length,
        0,
      );
    });

    it('disappears with the window while it is empty', () => {
      const { id } = requested.draft(address, { message: ' ' });
      assert.equal(requested.find(id)?.isDraft, true);
      assert.equal(reload(), undefined);
    });

    it('keeps the names of what is too large to survive a restart', () => {
      const attached = [text(1, 600_000), text(2, 600_000), text(3, 1_000)];
      const { id } = requested.draft(address, { message: 'Look', attached });
      assert.equal(requested.find(id)?.wanted.attached?.length, 3);
      const { wanted, lost } = reload() ?? {};
      assert.deepEqual(
        [wanted?.attached?.map(({ name }) => name), lost],
        [['1.txt', '3.txt'], ['2.txt']],
      );
    });

    it('becomes the request with the same id, whose failure lets it change again', async () => {
      const { id } = requested.draft(address, wanted);
      demo.misbehave({ forbidden: true, only: 'POST' });
      const begun = requested.begin(client, address, wanted, id);
      requested.change(id, { message: 'too late' });
      assert.deepEqual([only().isDraft, only().wanted], [undefined, wanted]);
      await begun;
      requested.change(id, { message: 'Try this' });
      assert.equal(reload()?.wanted.message, 'Try this');
      demo.misbehave({});
      await requested.begin(client, address, only().wanted, id);
      assert.equal(ready[0]?.title, 'Try this');
    });

    it('begins with the values that were picked last at its service', async () => {
      assert.deepEqual(
        [requested.lastAddress, requested.lastChoices(address)],
        [undefined, {}],
      );
      await requested.keepChoices(address, {
        repository: 'octo/shop',
        branch: '',
      });
      await requested.keepChoices('http://other.example', {});
      await requested.keepChoices(address, { branch: 'main' });
      open();
      assert.equal(requested.lastAddress, address);
      assert.deepEqual(requested.lastChoices(address), {
        repository: 'octo/shop',
        branch: 'main',
      });
      assert.deepEqual(requested.lastChoices('http://other.example'), {});
    });
  });
});
