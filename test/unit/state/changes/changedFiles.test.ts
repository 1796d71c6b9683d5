import assert from 'node:assert/strict';
import { UserError } from '../../../../src/base/errors.ts';
import { Secret } from '../../../../src/base/secret.ts';
import {
  type MisbehavingDemo,
  startMisbehavingDemo,
} from '../../../support/demo/faults/misbehavingDemo.ts';
import type { ServiceClient } from '../../../../src/service/client.ts';
import {
  type Conversation,
  keyOf,
} from '../../../../src/service/model/entities.ts';
import {
  type ChangedFiles,
  type FileSide,
  isExact,
} from '../../../../src/service/abilities/fileChanges.ts';
import {
  type ChangedAgain,
  ConversationChanges,
  SandboxPaused,
} from '../../../../src/state/changes/changedFiles.ts';
import type { AgentLocations } from '../../../../src/state/conversation/agentLocations.ts';
import { ChangingFolder } from '../../../support/changingFolder.ts';
import { until } from '../../../support/eventually.ts';
import { oddFiles } from '../../../support/oddFiles.ts';
import { requestCounts } from '../../../support/requestCounts.ts';
import { connect, Lines } from '../../service/support.ts';
import { changesAt } from './changesAt.ts';

const text = (side: FileSide | undefined) =>
  side?.kind === 'bytes' ? Buffer.from(side.bytes).toString() : side?.kind;

describe('the changes of a conversation', () => {
  let demo: MisbehavingDemo;
  let client: ServiceClient;
  let changes: ConversationChanges;
  const log = new Lines();
  const { signal } = new AbortController();

  before(async () => {
    demo = await startMisbehavingDemo({ interface: 'agentServer' });
    client = connect(demo, {
      log,
      key: new Secret(demo.key),
      requestsPerSecond: 1_000,
    });
  });

  after(async () => {
    await demo.stop();
  });

  beforeEach(() => {
    changes = changesAt(() => client);
  });

  afterEach(() => {
    demo.misbehave({});
  });

  async function conversations(): Promise<readonly Conversation[]> {
    const { value } = await client.conversations({}, { size: 50 }).next();
    return value?.items ?? assert.fail();
  }

  /** The first that has changed as many files. */
  async function oneWith(
    isWanted: (count: number) => boolean,
  ): Promise<Conversation> {
    for (const conversation of await conversations()) {
      const { files } = await changes.load(conversation, 'start', { signal });
      if (isWanted(files.length)) return conversation;
    }
    return assert.fail();
  }

  it('lists added, changed, deleted and moved files', async () => {
    demo.misbehave({ changedFiles: oddFiles });
    const one = await oneWith((count) => count > 0);
    const { files } = changes.known(keyOf(one)) ?? assert.fail();
    assert.deepEqual(
      files.map(({ path, status, from, binary }) => [
        path,
        status,
        from,
        binary,
      ]),
      [
        ['docs/old-prices.md', 'deleted', undefined, false],
        ['media/logo.png', 'updated', undefined, true],
        ['src/cart.ts', 'updated', undefined, false],
        ['src/prices.ts', 'moved', 'src/format.ts', false],
        ['src/tax.ts', 'added', undefined, false],
        ['test/empty basket.test.ts', 'added', undefined, false],
      ],
    );
  });

  it('asks nothing where the folder of the agent is gone, and says why', async () => {
    const why = 'Its worktree was removed.';
    const ofNothing = new ConversationChanges(
      () => assert.fail('It asks.'),
      undefined,
      () => why,
    );
    const [one] = await conversations();
    assert.ok(one);
    await assert.rejects(ofNothing.load(one, 'start', { signal }), {
      name: 'UserError',
      message: why,
    });
  });

  it('returns both sides of a changed file byte for byte', async () => {
    demo.misbehave({ changedFiles: oddFiles });
    const one = await oneWith((count) => count > 0);
    const sides = (path: string) =>
      changes.readSides(one, 'start', path, { signal });
    const cart = await sides('src/cart.ts');
    assert.match(text(cart?.before) ?? '', /"\.\/format";\n/);
    assert.match(text(cart?.after) ?? '', /"\.\/tax";\n/);
    const logo = await sides('media/logo.png');
    assert.deepEqual(logo?.before, {
      kind: 'bytes',
      bytes: Buffer.from([0x89, 0x50, 0, 1]),
      exact: true,
    });
    const moved = await sides('src/prices.ts');
    assert.equal(text(moved?.before), text(moved?.after));
    assert.equal((await sides('src/tax.ts'))?.before.kind, 'none');
    assert.equal((await sides('docs/old-prices.md'))?.after.kind, 'none');
    assert.equal(await sides('../../etc/passwd'), undefined);
  });

  it('leaves committed files out of the changes since the last commit, and lists them by commit', async () => {
    const one =
      (await conversations()).find(
        ({ title }) => title === 'Document webhook signatures',
      ) ?? assert.fail();
    const { files } = await changes.load(one, 'lastCommit', { signal });
    assert.deepEqual(
      files.map(({ path }) => path),
      ['docs/README.md'],
    );
    const [own] = (await changes.readCommits(one, { signal }))?.commits ?? [];
    assert.equal(own?.subject, 'Explain how webhooks are signed');
    const since = { commit: own.sha };
    const commit = await changes.load(one, since, { signal });
    assert.deepEqual(
      commit.files.map(({ path, status }) => [path, status]),
      [
        ['docs/examples/verify.mjs', 'added'],
        ['docs/webhooks.md', 'updated'],
      ],
    );
    const page = await changes.readSides(one, since, 'docs/webhooks.md', {
      signal,
    });
    assert.match(text(page?.before) ?? '', /^Webhooks are signed\.$/m);
    assert.match(text(page?.after) ?? '', /X-Signature/);
  });

  it('lists what has changed since a commit, also at a service that gives no patch', async () => {
    const one =
      (await conversations()).find(
        ({ title }) => title === 'Document webhook signatures',
      ) ?? assert.fail();
    const commits = (await changes.readCommits(one, { signal }))?.commits ?? [];
    const since = async (sha = '') => {
      const { files } = await changes.load(one, `after:${sha}`, { signal });
      return files.map(({ path }) => path);
    };
    const [own, before] = commits;
    for (const misbehaviour of [
      {},
      { errorStatus: 404, only: /\/file\/archive/ },
    ]) {
      demo.misbehave(misbehaviour);
      assert.deepEqual(await since(own?.sha), ['docs/README.md']);
      const all = [
        'docs/README.md',
        'docs/examples/verify.mjs',
        'docs/webhooks.md',
      ];
      assert.deepEqual(await since(before?.sha), all);
      const sides = await changes.readSides(
        one,
        `after:${own?.sha ?? ''}`,
        'docs/README.md',
        { signal },
      );
      assert.notEqual(text(sides?.before), text(sides?.after));
    }
  });

  it('returns no files when nothing changed, and sends no request for a count that is not loaded', async () => {
    const one = await oneWith((count) => count === 0);
    assert.equal(changes.known(keyOf(one))?.files.length, 0);
    const others = changesAt(() => assert.fail());
    assert.equal(others.known(keyOf(one)), undefined);
  });

  it('fires a change event on the first load, but not when a reload returns the same files', async () => {
    const one = await oneWith((count) => count > 0);
    const told: ChangedAgain[] = [];
    const again = changesAt(() => client);
    again.onChange((what) => told.push(what));
    await again.load(one, 'start', { signal });
    await again.load(one, 'start', { signal });
    assert.deepEqual(
      told.map(({ key, since, more }) => [key, since, more]),
      [[keyOf(one), 'start', []]],
    );
  });

  it('explains that the service is no longer connected', async () => {
    const [one] = await conversations();
    const without = changesAt(() => undefined);
    await assert.rejects(
      without.load(one ?? assert.fail(), 'start', { signal }),
      /no longer connected/,
    );
  });
});

describe('the changes of an agent in a sandbox', () => {
  const { signal } = new AbortController();
  let demo: MisbehavingDemo;
  let client: ServiceClient;
  let changes: ConversationChanges;
  let one: Conversation;

  before(async () => {
    demo = await startMisbehavingDemo({ interface: 'v1' });
    client = connect(demo, {
      log: new Lines(),
      key: new Secret(demo.key),
      requestsPerSecond: 1_000,
    });
    changes = changesAt(() => client);
    const { value } = await client.conversations({}, { size: 50 }).next();
    for (const conversation of value?.items ?? []) {
      const found = await changes
        .load(conversation, 'start', { signal })
        .catch(() => undefined);
      if (!found?.files.some(({ path }) => path === 'gateway/src/server.ts'))
        continue;
      one = conversation;
      return;
    }
    assert.fail();
  });

  after(async () => {
    await demo.stop();
  });

  afterEach(() => {
    demo.misbehave({});
  });

  it('reads 100 new files with one request for all of them', async () => {
    const number = (at: number) => String(at).padStart(3, '0');
    const added = Array.from({ length: 100 }, (_, at) => ({
      path: `new${number(at)}.txt`,
      before: undefined,
      after: Buffer.from(`${number(at)}\n`),
    }));
    demo.misbehave({ changedFiles: added });
    changes = changesAt(() => client);
    const counts = await requestCounts(demo, async () => {
      const { files } = await changes.load(one, 'start', { signal });
      const sides = await Promise.all(
        files.map(({ path }) =>
          changes.readSides(one, 'start', path, { signal }),
        ),
      );
      assert.deepEqual(
        sides.map((both) => both?.after),
        added.map(({ after }) => ({
          kind: 'bytes',
          bytes: after,
          exact: true,
        })),
      );
    });
    assert.deepEqual(counts, {
      'GET /api/v1/app-conversations': 1,
      'GET /api/v1/sandboxes': 1,
      'GET sandbox:/api/conversations/*': 1,
      'GET sandbox:/api/file/archive': 2,
      'GET sandbox:/api/git/commits': 1,
    });
    const again = await requestCounts(demo, () =>
      changes.load(one, 'start', { signal }),
    );
    assert.deepEqual(again, { 'GET sandbox:/api/file/archive': 1 });
  });

  const withCart = (after: string) => [
    {
      path: 'cart.ts',
      before: Buffer.from('one\ntwo\n'),
      after: Buffer.from(after),
    },
    {
      path: 'logo.png',
      before: Buffer.from([0, 1]),
      after: Buffer.from([0, ...Buffer.from(after)]),
    },
  ];

  it('reads the contents of the list while a stash has replaced them, or says that they are others', async () => {
    changes = changesAt(() => client);
    demo.misbehave({ changedFiles: withCart('one\nevil\n') });
    await changes.load(one, 'start', { signal });
    demo.misbehave({ changedFiles: withCart('one\ntwo\n') });
    const sides = async (path: string) =>
      await changes.readSides(one, 'start', path, { signal });
    assert.deepEqual(await sides('cart.ts'), {
      before: { kind: 'bytes', bytes: Buffer.from('one\ntwo\n'), exact: true },
      after: { kind: 'bytes', bytes: Buffer.from('one\nevil\n'), exact: true },
    });
    const picture = async () => (await sides('logo.png'))?.after;
    assert.deepEqual(
      [text(await picture()), await isExactNow()],
      ['\0one\ntwo\n', false],
    );
    demo.misbehave({ changedFiles: withCart('one\nevil\n') });
    assert.deepEqual(
      [text(await picture()), await isExactNow()],
      ['\0one\nevil\n', true],
    );

    async function isExactNow(): Promise<boolean> {
      return isExact((await picture()) ?? assert.fail());
    }
  });

  it('tells of a file again that was read with other contents, although the list is the same', async () => {
    changes = changesAt(() => client);
    demo.misbehave({ changedFiles: withCart('one\nevil\n') });
    await changes.load(one, 'start', { signal });
    demo.misbehave({ changedFiles: withCart('one\ntwo\n') });
    await changes.readSides(one, 'start', 'logo.png', { signal });
    demo.misbehave({ changedFiles: withCart('one\nevil\n') });
    const different: string[] = [];
    const subscription = changes.onChange((change) =>
      different.push(...change.different),
    );
    await changes.load(one, 'start', { signal });
    await changes.load(one, 'start', { signal });
    subscription.dispose();
    assert.deepEqual(different, ['logo.png']);
  });

  it('reads the texts from diffs on a machine without /proc, and marks them as not exact', async () => {
    demo.misbehave({ errorStatus: 404, only: /\/file\/(archive|download)/ });
    changes = changesAt(() => client);
    const { files } = await changes.load(one, 'start', { signal });
    const after = async (path: string) =>
      (await changes.readSides(one, 'start', path, { signal }))?.after;
    assert.ok(files.some(({ path }) => path === 'gateway/src/server.ts'));
    const side = await after('gateway/src/server.ts');
    assert.ok(side?.kind === 'bytes' && !side.exact);
    assert.match(Buffer.from(side.bytes).toString(), /@as-integrations[^]*;$/);
  });

  const located = () =>
    demo.requests.filter(({ path }) => path === '/api/v1/app-conversations')
      .length;

  it('asks for the location of the agent once for all files', async () => {
    changes = changesAt(() => client);
    const before = located();
    const { files } = await changes.load(one, 'start', { signal });
    assert.ok(files.length > 1);
    await Promise.all(
      files.map(({ path }) =>
        changes.readSides(one, 'start', path, { signal }),
      ),
    );
    await changes.load(one, 'start', { signal });
    assert.equal(located() - before, 1);
  });

  it('asks for the location again when the service is connected again', async () => {
    await changes.load(one, 'start', { signal });
    client = connect(demo, {
      log: new Lines(),
      key: new Secret(demo.key),
      requestsPerSecond: 1_000,
    });
    await client.recognise({ signal });
    const before = located();
    await changes.load(one, 'start', { signal });
    assert.equal(located() - before, 1);
  });
});

describe('what is known of changes', () => {
  const idle = {
    service: 'http://service',
    id: 'one',
    updatedAt: 1,
    execution: 'idle',
  } as Conversation;
  const working = { ...idle, execution: 'running' } as const;
  const key = keyOf(idle);
  const call = { signal: new AbortController().signal };
  let agent: ChangingFolder;
  let changes: ConversationChanges;

  beforeEach(() => {
    agent = new ChangingFolder({ 'a.ts': 'a\n', 'b.ts': 'b\n' });
    agent.now.set('a.ts', { text: 'A\n' });
    changes = agent.changes();
  });

  const load = (conversation = idle) =>
    changes.load(conversation, 'start', call);

  it('becomes stale once the agent works, has worked, or worked while the changes were loaded', async () => {
    assert.equal(changes.isStale(idle), false);
    await load();
    assert.deepEqual(
      [changes.isStale(idle), changes.isStale(working)],
      [false, true],
    );
    assert.equal(changes.isStale({ ...idle, updatedAt: 2 }), true);
    for (let time = 0; time < 2; time++) {
      changes.noteWork(working);
      assert.deepEqual(
        [changes.isStale(idle), changes.current(idle)],
        [true, undefined],
      );
      await load();
      assert.equal(changes.isStale(idle), false);
    }
    await load(working);
    assert.equal(changes.isStale(idle), true);
    changes = agent.changes();
    const loading = load();
    changes.noteWork(working);
    await loading;
    assert.equal(changes.isStale(idle), true);
  });

  it('lists the conversations whose changes since the start are loaded', async () => {
    await changes.load(idle, 'lastCommit', call);
    assert.deepEqual(changes.keys, []);
    const looks: string[] = [];
    changes.onLook((of) => looks.push(of));
    await load();
    assert.deepEqual([changes.keys, looks], [[key], [key]]);
    await changes.load(idle, { commit: 'start' }, call);
    assert.equal(changes.known(key, { commit: 'another' }), undefined);
    await changes.load(idle, 'lastCommit', call);
    assert.deepEqual(looks, [key]);
  });

  it('tells how a load differs from the one before', async () => {
    const events: ChangedAgain[] = [];
    changes.onChange((event) => events.push(event));
    await load();
    agent.now.set('b.ts', { text: 'B\n' });
    const { files } = await load();
    agent.now.set('a.ts', { text: 'a\n' });
    await load();
    assert.deepEqual(
      events.map(({ different, more }) => [[...different], more]),
      [
        [[], []],
        [[], files.slice(1)],
        [['a.ts'], []],
      ],
    );
    const [file = assert.fail()] = files;
    const list = { since: 'start', root: '/work', patch: undefined } as const;
    for (const status of ['added', 'updated'] as const) {
      agent.list = () =>
        Promise.resolve({ ...list, files: [{ ...file, status }] });
      await load();
    }
    assert.deepEqual([...(events.at(-1)?.different ?? [])], ['a.ts']);
  });

  it('keeps the contents of a file until that is different', async () => {
    const read = async () => {
      await load();
      await changes.readSides(idle, 'start', 'a.ts', call);
      return agent.read.length;
    };
    assert.deepEqual([await read(), await read()], [1, 1]);
    agent.now.set('a.ts', { text: 'A2\n' });
    assert.equal(await read(), 2);
  });

  it('stays for the 50 conversations that were loaded last', async () => {
    const ids = Array.from({ length: 51 }, (_, index) => `${index}`);
    for (const id of ['0', ...ids.slice(1, 50), '0', '50'])
      await load({ ...idle, id });
    const known = ids.filter((id) => changes.known(keyOf({ ...idle, id })));
    assert.deepEqual(known, ids.toSpliced(1, 1));
  });

  it('stays while its bytes fit exactly', async () => {
    changes = new ConversationChanges(() => agent.locations(), 1_000);
    const loaded = () =>
      ['one', 'two', 'three'].filter((id) =>
        changes.known(keyOf({ ...idle, id })),
      );
    agent.patchBytes = 500;
    for (const id of ['one', 'two']) await load({ ...idle, id });
    assert.deepEqual(loaded(), ['one', 'two']);
    await load({ ...idle, id: 'three' });
    assert.deepEqual(loaded(), ['two', 'three']);
    agent.now.set('a.ts', { text: 'x'.repeat(498) });
    await load();
    for (let time = 0; time < 2; time++)
      await changes.readSides(idle, 'start', 'a.ts', call);
    assert.deepEqual(agent.read, ['a.ts']);
    agent.now.set('a.ts', { text: 'x'.repeat(499) });
    await load();
    for (let time = 0; time < 2; time++)
      await changes.readSides(idle, 'start', 'a.ts', call);
    assert.deepEqual(agent.read, ['a.ts', 'a.ts', 'a.ts']);
  });

  it('has a file as it is listed', async () => {
    assert.equal(changes.file(key, 'a.ts'), undefined);
    const { files } = await load();
    assert.deepEqual(
      [changes.file(key, 'a.ts'), changes.file(key, 'b.ts')],
      [files[0] ?? assert.fail(), undefined],
    );
  });

  describe('while several callers load it', () => {
    let lists: PromiseWithResolvers<ChangedFiles>[];

    beforeEach(() => {
      lists = [];
      agent.list = () => {
        const list = Promise.withResolvers<ChangedFiles>();
        lists.push(list);
        return list.promise;
      };
    });

    const listed: ChangedFiles = {
      since: 'start',
      files: [],
      root: '/work',
      patch: undefined,
    };

    it('sends one request', async () => {
      const loads = [load(), load()];
      assert.equal(lists.length, 1);
      lists[0]?.resolve(listed);
      assert.deepEqual(await Promise.all(loads), [listed, listed]);
      void load();
      assert.equal(lists.length, 2);
    });

    it('comes for one although another one fails, or is cancelled', async () => {
      const loads = [load(), load()] as const;
      lists[0]?.reject(new UserError('Cancelled'));
      await assert.rejects(loads[0], UserError);
      await until(() => lists.length === 2);
      lists[1]?.resolve(listed);
      assert.equal(await loads[1], listed);
    });

    it('does not come for one that was cancelled itself, or that finds an unexpected error', async () => {
      const cancelling = new AbortController();
      const loads = [
        load(),
        changes.load(idle, 'start', { signal: cancelling.signal }),
      ];
      cancelling.abort();
      lists[0]?.reject(new UserError('Cancelled'));
      for (const { status } of await Promise.allSettled(loads))
        assert.equal(status, 'rejected');
      const again = [load(), load()];
      lists[1]?.reject(new TypeError('odd'));
      for (const { status } of await Promise.allSettled(again))
        assert.equal(status, 'rejected');
      assert.equal(lists.length, 2);
    });
  });

  it('says where the agent is that cannot tell them', async () => {
    let location: object = { status: 'sandboxPaused', sandboxId: 'box' };
    const use: AgentLocations['use'] = (_, __, work) =>
      work(location as never, undefined as never);
    changes = new ConversationChanges(
      () => ({ use }) as unknown as AgentLocations,
    );
    const loadError = (conversation = idle): Promise<unknown> =>
      load(conversation).then(
        () => assert.fail(),
        (error: unknown) => error,
      );
    const paused = await loadError();
    assert.ok(paused instanceof SandboxPaused);
    assert.deepEqual(
      [paused.sandboxId, paused.message],
      [
        'box',
        'The sandbox of this conversation is paused. Resume it to see the changes.',
      ],
    );
    location = { status: 'sandboxPaused', sandboxId: undefined };
    const other = await loadError({ ...idle, sandboxId: 'own box' });
    assert.ok(other instanceof SandboxPaused && other.sandboxId === 'own box');
    location = { status: 'sandboxStarting' };
    const starting = await loadError();
    assert.ok(
      starting instanceof UserError && !(starting instanceof SandboxPaused),
    );
    assert.equal(starting.message, 'Its sandbox is starting.');
  });

  it('has no commits where a service lists none', async () => {
    assert.equal(await changes.readCommits(idle, call), undefined);
  });
});
