import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { UserError } from '../../../src/base/errors.ts';
import {
  type MisbehavingDemoOptions,
  type MisbehavingDemo,
  startMisbehavingDemo,
} from '../../support/demo/faults/misbehavingDemo.ts';
import type { ClientOptions } from '../../../src/service/client.ts';
import {
  type Notice,
  OwnMemory,
  sightsOf,
} from '../../../src/state/attention.ts';
import type { ConnectedService } from '../../../src/state/connectedService.ts';
import { arrange } from '../../../src/state/lists/conversationRows.ts';
import { activityOf } from '../../../src/state/lists/activity.ts';
import {
  type Conversation,
  type Execution,
  keyOf,
} from '../../../src/service/model/entities.ts';
import {
  type ApprovalRules,
  proposedCommands,
} from '../../../src/state/approvalRules/acceptRules.ts';
import { actionsOf } from '../../../src/state/transcript/waiting.ts';
import { scratchFolder } from '../../support/files/scratch.ts';
import { requestCounts } from '../../support/requestCounts.ts';
import { asListed } from '../../../src/state/changes/fileReviews.ts';
import { Switchboard } from '../../../src/state/switchboard.ts';
import { until } from '../../support/eventually.ts';
import { HurriedClock } from '../../support/hurriedClock.ts';
import { SteppedClock } from '../../support/steppedClock.ts';
import { clientOf, key, MemoryStore, settle, sandboxesOf } from './support.ts';

const checkout = 'northwind/checkout-api';

describe('the switchboard', () => {
  let clock: SteppedClock;
  let store: MemoryStore;
  let switchboard: Switchboard;
  let running: MisbehavingDemo[];
  /** The one that was connected last. */
  let service: ConnectedService;

  beforeEach(() => {
    clock = new SteppedClock();
    store = new MemoryStore();
    running = [];
    open();
  });

  afterEach(async () => {
    switchboard.dispose();
    await Promise.all(running.map((demo) => demo.stop()));
  });

  function open(own: Clock = clock): void {
    switchboard = new Switchboard({ store, clock: own, pageSize: () => 20 });
  }

  async function serve(
    options: MisbehavingDemoOptions = {},
  ): Promise<MisbehavingDemo> {
    const demo = await startMisbehavingDemo({ key, clock, ...options });
    running.push(demo);
    return demo;
  }

  function connect(
    demo: MisbehavingDemo,
    options: Partial<ClientOptions> = {},
    own: Clock = clock,
  ): void {
    const client = clientOf(demo, own, options);
    service = switchboard.connect({
      client,
      address: demo.url,
      name: 'Demo',
      demo: true,
    });
  }

  const rows = () => [...switchboard.conversations.rows.values()];
  const listed = (demo: MisbehavingDemo) =>
    demo.requests.filter(({ path }) => path === '/api/conversations');

  describe('a switchboard without a service', () => {
    it('shows no conversations, but accepts a filter', async () => {
      assert.deepEqual(switchboard.services, []);
      await switchboard.refresh();
      assert.equal(switchboard.conversations.rows.size, 0);
      assert.equal(switchboard.conversations.asOf, undefined);
      await switchboard.arrange({ filter: { repository: 'a/b' } });
      assert.equal(switchboard.arrangement.filter.repository, 'a/b');
    });
  });

  describe('a switchboard with a reviewed conversation', () => {
    const folder = scratchFolder();
    const call = { signal: new AbortController().signal };
    let reviewed: Conversation;
    let demo: MisbehavingDemo;

    const edit = (change: Partial<Conversation>) => {
      service.conversations.edit(keyOf(reviewed), (row) => ({
        ...row,
        ...change,
      }));
      return rowNow();
    };
    const rowNow = () =>
      switchboard.conversation(keyOf(reviewed)) ?? assert.fail();
    const states = () =>
      switchboard.fileReviews(keyOf(reviewed))?.map(({ state }) => state);
    const file = (after: string) => ({
      path: 'a.ts',
      before: undefined,
      after: Buffer.from(after),
    });

    beforeEach(async () => {
      switchboard = new Switchboard({
        store,
        clock,
        pageSize: () => 20,
        folder: folder.path('shared'),
      });
      demo = await serve({ interface: 'agentServer' });
      demo.misbehave({ changedFiles: [file('one\n')] });
      connect(demo);
      await switchboard.refresh();
      reviewed =
        rows().find((row) => activityOf(row) === 'idle') ?? assert.fail();
      const progress = await switchboard.progress();
      const reviews = await progress.readReviews(reviewed, call);
      await progress.mark(
        reviewed,
        reviews.map((review) => asListed(review.file)),
        call,
      );
    });

    it('knows that an agent has worked since the last look, and looks again once when it stops', async () => {
      assert.equal(switchboard.changes.isStale(rowNow()), false);
      demo.misbehave({ changedFiles: [file('two\n')] });
      const counts = await requestCounts(demo, async () => {
        for (const at of [1, 2, 3]) {
          const row = edit({
            execution: 'running',
            updatedAt: (reviewed.updatedAt ?? 0) + at,
          });
          assert.equal(switchboard.changes.isStale(row), true);
        }
        assert.deepEqual(states(), ['reviewed']);
        assert.equal(
          switchboard.changes.isStale(edit({ execution: 'finished' })),
          true,
        );
        await until(() => !switchboard.changes.isStale(rowNow()));
      });
      assert.deepEqual(states(), ['changedAgain']);
      assert.deepEqual(counts, { 'GET /api/conversations/*/file/archive': 1 });
    });

    it('looks again after a run that left the time of the record as it was', async () => {
      edit({ execution: 'running' });
      const counts = await requestCounts(demo, async () => {
        assert.equal(
          switchboard.changes.isStale(edit({ execution: 'finished' })),
          true,
        );
        await until(() => !switchboard.changes.isStale(rowNow()));
      });
      assert.deepEqual(counts, { 'GET /api/conversations/*/file/archive': 1 });
    });
  });

  describe('a connected switchboard', () => {
    it('reports a connection, but sends requests only on a refresh', async () => {
      const demo = await serve();
      const seen: unknown[] = [];
      switchboard.onServices(() =>
        seen.push(switchboard.services.map(({ address }) => address)),
      );
      connect(demo);
      assert.deepEqual(seen, [[demo.url]]);
      assert.equal(demo.requestCount, 0);
      await switchboard.refresh();
      assert.equal(rows().length, 20);
      assert.ok(switchboard.sandboxes.rows.size > 0);
      assert.ok(switchboard.conversations.more);
      switchboard.disconnect(service.address);
      assert.deepEqual(seen, [[demo.url], []]);
      assert.deepEqual([rows(), switchboard.sandboxes.rows.size], [[], 0]);
    });

    it('never shows rows of a disconnected service, however late they arrive', async () => {
      const [first, second] = [
        await serve({ seed: 1 }),
        await serve({ seed: 2, conversations: 5 }),
      ];
      connect(first);
      await switchboard.refresh();
      const old = new Set(switchboard.conversations.rows.keys());
      first.misbehave({ held: true });
      const late = switchboard.refresh();
      await until(() => first.requestCount > 4);
      switchboard.disconnect(first.url);
      connect(second);
      await switchboard.refresh();
      first.misbehave({});
      await late;
      assert.equal(rows().length, 5);
      assert.ok(
        [...switchboard.conversations.rows.keys()].every((id) => !old.has(id)),
      );
      assert.equal(switchboard.conversations.error, undefined);
    });

    it('forgets a refusal when the service is connected with another key', async () => {
      const demo = await serve();
      connect(demo, { key: undefined });
      assert.equal(await service.refresh(), 'failed');
      assert.equal(service.refused?.kind, 'unauthorised');
      connect(demo);
      assert.equal(service.refused, undefined);
      assert.notEqual(await service.refresh(), 'failed');
    });

    it('keeps secrets out of its rows, errors and stored data', async () => {
      const demo = await serve();
      const secret = /demo-secret|key-of-the-tests/;
      const sandboxes = await fetch(`${demo.url}/api/v1/sandboxes/search`, {
        headers: { 'x-session-api-key': key },
      });
      assert.match(await sandboxes.text(), secret, 'the service sends secrets');
      connect(demo);
      await switchboard.refresh();
      await switchboard.arrange({ filter: { text: 'fix' } });
      const {
        conversations,
        sandboxes: { rows: boxes },
      } = switchboard;
      const known = [...conversations.rows.values(), ...boxes.values()];
      assert.ok(conversations.rows.size > 0 && boxes.size > 0);
      demo.misbehave({ errorBody: 'detail', errorStatus: 500 });
      await switchboard.refresh();
      assert.ok(conversations.error);
      const shown = [
        known,
        conversations.error,
        switchboard.sandboxes.error,
        store.get('arrangement'),
      ];
      assert.doesNotMatch(
        inspect(shown, { depth: 9, showHidden: true }),
        secret,
      );
    });
  });

  describe('a refresh of the switchboard', () => {
    it('reports whether something is in transition', async () => {
      const demo = await serve({ conversations: 0 });
      connect(demo);
      // One sandbox of the demo is always about to start or to fail: see below.
      assert.equal(await service.refresh(), 'inTransition');
      clock.advance(65_000);
      assert.equal(await service.refresh(), 'steady');
      const { client } = service;
      await (await sandboxesOf(client)).start();
      assert.equal(await service.refresh('poll'), 'inTransition');
      clock.advance(2_000);
      assert.equal(await service.refresh('poll'), 'steady');
    });

    it('stops reporting a transition that takes too long', async () => {
      const demo = await serve();
      connect(demo);
      await switchboard.refresh();
      const isThere = () =>
        rows().some(({ execution }) => execution === 'deleting');
      while (!isThere() && switchboard.conversations.more)
        await switchboard.conversations.loadMore();
      assert.ok(isThere());
      assert.equal(await service.refresh(), 'inTransition');
      clock.advance(6 * 60_000 + 5_000);
      assert.ok(
        [...switchboard.sandboxes.rows.values()].some(
          ({ status }) => status === 'starting',
        ),
      );
      assert.equal(await service.refresh(), 'steady');
    });

    it('reports a failure, and keeps its rows', async () => {
      const demo = await serve();
      connect(demo);
      await switchboard.refresh();
      for (const only of ['/api/conversations', '/sandboxes/search']) {
        demo.misbehave({ errorBody: 'detail', errorStatus: 500, only });
        assert.equal(await service.refresh(), 'failed');
        assert.equal(rows().length, 20);
        assert.ok(switchboard.sandboxes.rows.size > 0);
        assert.equal(service.refused, undefined);
      }
      demo.misbehave({});
      assert.notEqual(await service.refresh(), 'failed');
    });

    for (const [misbehaviour, kind] of [
      ['unauthorized', 'unauthorised'],
      ['forbidden', 'forbidden'],
    ] as const) {
      it(`does not poll after a refusal until the user refreshes (${kind})`, async () => {
        const demo = await serve();
        connect(demo);
        demo.misbehave({ [misbehaviour]: true, only: '/sandboxes' });
        assert.equal(await service.refresh('poll'), 'failed');
        assert.equal(service.refused?.kind, kind);
        const { requestCount } = demo;
        demo.misbehave({});
        assert.equal(await service.refresh('poll'), 'failed');
        assert.equal(demo.requestCount, requestCount);
        assert.notEqual(await service.refresh('person'), 'failed');
        assert.equal(service.refused, undefined);
        assert.notEqual(await service.refresh('poll'), 'failed');
        assert.ok(demo.requestCount > requestCount);
      });
    }
  });

  describe('the arrangement of the switchboard', () => {
    let told: number;

    beforeEach(() => {
      told = 0;
      switchboard.onArrangement(() => told++);
    });

    it('requests the list again when the service can apply the filter', async () => {
      const demo = await serve();
      connect(demo);
      await switchboard.refresh();
      const wanted = rows().filter(
        ({ repository }) => repository === checkout,
      ).length;
      await switchboard.arrange({ filter: { repository: checkout } });
      assert.equal(told, 1);
      assert.equal(
        listed(demo).at(-1)?.query.get('selected_repository'),
        checkout,
      );
      assert.ok(rows().length >= wanted && wanted > 0);
      assert.ok(rows().every(({ repository }) => repository === checkout));
      await switchboard.arrange({ filter: {} });
      assert.equal(rows().length, 20);
      assert.equal(told, 2);
    });

    it('sends no request for a filter, grouping or sorting that is applied locally', async () => {
      const demo = await serve();
      connect(demo);
      await switchboard.refresh();
      const { requestCount } = demo;
      const before = switchboard.conversations.rows;
      await switchboard.arrange({ filter: { text: 'fix', activity: 'idle' } });
      await switchboard.arrange({ grouping: 'day' });
      await switchboard.arrange({ sorting: 'updated' });
      assert.equal(demo.requestCount, requestCount);
      assert.equal(switchboard.conversations.rows, before);
      assert.equal(told, 3);
      assert.deepEqual(switchboard.arrangement, {
        filter: { text: 'fix', activity: 'idle' },
        grouping: 'day',
        sorting: 'updated',
      });
    });

    it('sends V1 a filter by text, but not by repository', async () => {
      const demo = await serve();
      connect(demo, { interface: 'v1' });
      await switchboard.refresh();
      const { requestCount } = demo;
      await switchboard.arrange({ filter: { repository: checkout } });
      assert.equal(demo.requestCount, requestCount);
      await switchboard.arrange({ filter: { text: 'Fix' } });
      assert.ok(demo.requestCount > requestCount);
      const asked = demo.requests.findLast(({ path }) =>
        path.includes('app-conv'),
      );
      assert.equal(asked?.query.get('title__contains'), 'Fix');
      assert.ok(
        rows().length > 0 && rows().every(({ title }) => title.includes('Fix')),
      );
    });

    it('sends a stored filter even when the interface of the service is not known yet', async () => {
      const demo = await serve({ misbehaviour: { noV0: '404' } });
      await switchboard.arrange({ filter: { text: 'Fix' } });
      connect(demo);
      await switchboard.refresh();
      assert.equal(service.client.service?.interface, 'v1');
      const list = demo.requests.findLast(
        ({ path, query }) => path.includes('app-conv') && !query.has('ids'),
      );
      assert.equal(list?.query.get('title__contains'), 'Fix');
    });

    it('shows the result of the last of several filters', async () => {
      const demo = await serve();
      connect(demo);
      await switchboard.refresh();
      await Promise.all([
        switchboard.arrange({ filter: { repository: checkout } }),
        switchboard.arrange({ filter: { repository: 'tidewater/ledger' } }),
        switchboard.arrange({ filter: { trigger: 'gui' } }),
      ]);
      assert.ok(
        rows().length > 0 && rows().every(({ trigger }) => trigger === 'gui'),
      );
      assert.ok(new Set(rows().map(({ repository }) => repository)).size > 1);
      assert.deepEqual(switchboard.arrangement.filter, { trigger: 'gui' });
    });

    it('reports a filter value that the service rejects, and recovers', async () => {
      const demo = await serve();
      connect(demo);
      await switchboard.refresh();
      demo.misbehave({
        errorBody: 'validation',
        errorStatus: 422,
        only: 'conversation_trigger',
      });
      await switchboard.arrange({ filter: { trigger: 'nonsense' } });
      assert.equal(switchboard.conversations.error?.kind, 'rejected');
      assert.equal(service.refused, undefined);
      await switchboard.arrange({ filter: {} });
      assert.equal(switchboard.conversations.error, undefined);
      assert.equal(rows().length, 20);
    });

    it('keeps the arrangement in the next window', async () => {
      const arrangement = {
        filter: { text: 'fix' },
        grouping: 'state',
        sorting: 'updated',
      } as const;
      await switchboard.arrange(arrangement);
      open();
      assert.deepEqual(
        JSON.parse(JSON.stringify(switchboard.arrangement)),
        arrangement,
      );
    });

    it('shows all rows when the stored arrangement is invalid', async () => {
      const demo = await serve();
      for (const stored of [
        null,
        'x',
        { filter: null },
        { grouping: 'x', sorting: 3 },
        { filter: { activity: 'x' } },
      ]) {
        store = new MemoryStore({ arrangement: stored });
        open();
        connect(demo);
        await switchboard.refresh();
        assert.equal(
          arrange(rows(), switchboard.arrangement).groups[0]?.rows.length,
          20,
        );
        switchboard.dispose();
      }
    });
  });

  describe('the notifications of the switchboard', () => {
    let notices: Notice[][];

    beforeEach(() => {
      notices = [];
      const memory = new OwnMemory();
      switchboard.onLook((seen) => {
        void memory.add(sightsOf(seen.conversations)).then((all) => {
          if (all.length > 0) notices.push([...all]);
        });
      });
    });

    it('sends no notification about first rows, more rows or the rows of another service', async () => {
      connect(await serve());
      await switchboard.refresh();
      await switchboard.conversations.loadMore();
      assert.ok(
        rows().some(({ execution }) => execution === 'waitingForConfirmation'),
      );
      connect(await serve({ seed: 2 }));
      await switchboard.refresh();
      await switchboard.arrange({ filter: { trigger: 'gui' } });
      await switchboard.arrange({ filter: {} });
      assert.deepEqual(notices, []);
    });

    it('reports everything since the last refresh together, with the current state of each conversation', async () => {
      connect(await serve());
      await switchboard.refresh();
      let looks = 0;
      while (
        !['waits', 'finished', 'failed'].every((one) =>
          notices.flat().some(({ occasion }) => occasion === one),
        )
      ) {
        clock.advance(30_000);
        await switchboard.refresh('poll');
        assert.ok(++looks < 200);
      }
      assert.ok(notices.length <= looks);
      for (const { occasion, conversation } of notices.at(-1) ?? []) {
        assert.equal(
          rows().find(({ id }) => id === conversation.id),
          conversation,
        );
        if (occasion === 'waits')
          assert.equal(conversation.execution, 'waitingForConfirmation');
      }
    });

    for (const kind of ['v0', 'v1'] as const) {
      it(`reports agents in a sandbox as failed only once it has not answered for 30 s (${kind})`, async () => {
        const demo = await serve(
          kind === 'v1' ? { misbehaviour: { noV0: '404' } } : {},
        );
        connect(demo);
        await switchboard.refresh();
        const inFailed = () =>
          rows().filter(({ status }) => status === 'error').length;
        const before = inFailed();
        for (const busySandboxes of [true, false, true]) {
          demo.misbehave({
            busySandboxes,
            ...(kind === 'v1' ? { noV0: '404' } : {}),
          });
          await switchboard.refresh('poll');
        }
        await settle();
        assert.equal(inFailed(), before);
        assert.deepEqual(
          notices.flat().map(({ occasion }) => occasion),
          [],
        );
        clock.advance(30_000);
        await switchboard.refresh('poll');
        await settle();
        assert.ok(inFailed() > before);
        assert.ok(notices.flat().some(({ occasion }) => occasion === 'failed'));
      });
    }

    it('does not repeat notifications after failures or partial replies', async () => {
      const demo = await serve();
      connect(demo);
      await switchboard.refresh();
      for (const misbehaviour of [
        { errorBody: 'detail', errorStatus: 500 },
        {
          errorBody: 'detail',
          errorStatus: 500,
          only: 'app-conversations?ids',
        },
      ] as const) {
        demo.misbehave(misbehaviour);
        await switchboard.refresh();
        demo.misbehave({});
        await switchboard.refresh();
      }
      assert.deepEqual(notices, []);
    });
  });

  describe('a switchboard with several services', () => {
    const ofService = ({ url }: MisbehavingDemo) =>
      rows().filter((row) => row.service === url);

    it('lists the conversations and sandboxes of all services', async () => {
      const [one, other] = [await serve({ seed: 1 }), await serve({ seed: 2 })];
      connect(one);
      connect(other);
      await switchboard.refresh();
      assert.deepEqual(
        [ofService(one).length, ofService(other).length],
        [20, 20],
      );
      const places = new Set(
        [...switchboard.sandboxes.rows.values()].map(
          (sandbox) => sandbox.service,
        ),
      );
      assert.deepEqual(places, new Set([one.url, other.url]));
      await switchboard.conversations.loadMore();
      assert.deepEqual(
        [ofService(one).length, ofService(other).length],
        [40, 40],
      );
    });

    it('keeps conversations apart that have the same ID at two services', async () => {
      const [one, other] = [await serve(), await serve()];
      connect(one);
      connect(other);
      await switchboard.refresh();
      assert.equal(rows().length, 40);
      const [first] = ofService(other);
      assert.ok(first);
      assert.equal(switchboard.conversation(keyOf(first)), first);
      assert.equal(
        switchboard.conversation(first.id)?.service,
        one.url,
        'the first that has it',
      );
    });

    it('shows the rows of other services while one never replies', async () => {
      const [silent, other] = [await serve(), await serve({ seed: 2 })];
      silent.misbehave({ slowHeaders: 60_000 });
      connect(silent);
      connect(other);
      const asked = switchboard.refresh();
      await until(() => ofService(other).length === 20);
      const { requestCount } = other;
      await service.refresh();
      assert.ok(other.requestCount > requestCount);
      assert.equal(ofService(silent).length, 0);
      switchboard.disconnect(silent.url);
      await asked;
      assert.equal(rows().length, 20);
    });

    it('shows rows as soon as the first service replies', async () => {
      const [silent, other] = [await serve(), await serve({ seed: 2 })];
      silent.misbehave({ slowHeaders: 60_000 });
      connect(silent);
      connect(other);
      await switchboard.conversations.answered();
      assert.equal(rows().length, 20);
    });

    it('limits a refusal to the service that refused', async () => {
      const [refusing, other] = [await serve(), await serve({ seed: 2 })];
      refusing.misbehave({ unauthorized: true });
      connect(refusing);
      const refused = service;
      connect(other);
      await switchboard.refresh();
      assert.equal(refused.refused?.kind, 'unauthorised');
      assert.equal(service.refused, undefined);
      assert.equal(await refused.refresh('poll'), 'failed');
      assert.notEqual(await service.refresh('poll'), 'failed');
      assert.equal(rows().length, 20);
    });

    it('removes only the rows of the disconnected service', async () => {
      const [one, other] = [await serve({ seed: 1 }), await serve({ seed: 2 })];
      connect(one);
      connect(other);
      await switchboard.refresh();
      const kept = ofService(other);
      let told = 0;
      switchboard.conversations.onChange(
        ({ structure }) => (told += structure ? 1 : 0),
      );
      switchboard.disconnect(one.url);
      assert.equal(told, 1);
      assert.deepEqual(rows(), kept);
      assert.equal(switchboard.service(one.url), undefined);
    });

    it('reports a new service name once, without a request', async () => {
      connect(await serve());
      await switchboard.refresh();
      let told = 0;
      switchboard.onServices(() => told++);
      const { requestCount } = running[0] ?? assert.fail();
      switchboard.rename(service.address, 'At home');
      switchboard.rename(service.address, 'At home');
      assert.deepEqual([service.name, told], ['At home', 1]);
      assert.equal(running[0]?.requestCount, requestCount);
    });

    it('sends a filter only to services that support it', async () => {
      const [one, other] = [await serve({ seed: 1 }), await serve({ seed: 2 })];
      connect(one);
      connect(other, { interface: 'v1' });
      await switchboard.refresh();
      const { requestCount } = other;
      await switchboard.arrange({ filter: { repository: checkout } });
      assert.equal(
        listed(one).at(-1)?.query.get('selected_repository'),
        checkout,
      );
      assert.equal(other.requestCount, requestCount);
    });

    it('adds a new conversation to the list of its service', async () => {
      const hurried = new HurriedClock(50);
      open(hurried);
      const [one, other] = [
        await serve({ clock: hurried }),
        await serve({ clock: hurried, seed: 2 }),
      ];
      connect(one, {}, hurried);
      const { client, address } = service;
      connect(other, {}, hurried);
      await switchboard.refresh();
      await switchboard.requested.begin(client, address, {
        message: 'Fix the build',
      });
      assert.equal(ofService(one)[0]?.title, 'Fix the build');
      assert.ok(
        ofService(other).every(({ title }) => title !== 'Fix the build'),
      );
    });
  });

  describe('a service that did not answer', () => {
    let demo: MisbehavingDemo;
    let rules: ApprovalRules;
    const row = (execution: Execution) =>
      rows().find((candidate) => candidate.execution === execution) ??
      assert.fail();

    beforeEach(async () => {
      rules = { ask: [], accept: [] };
      switchboard = new Switchboard({
        store,
        clock: systemClock,
        pageSize: () => 60,
        approvalRules: () => rules,
      });
      demo = await serve({ interface: 'agentServer', clock: systemClock });
      connect(demo, {}, systemClock);
      await service.refresh();
    });

    async function failAndReturn(
      outcomes: readonly unknown[],
      begin: () => void,
    ) {
      demo.misbehave({ reset: true });
      begin();
      await until(() => outcomes.length > 0);
      await service.refresh();
      assert.equal(outcomes.length, 1);
      assert.ok(outcomes[0] instanceof UserError);
      demo.misbehave({});
      await service.refresh();
      await until(() => outcomes.length > 1);
    }

    it('gets a queued message once it answers again', async () => {
      const { queuedMessages } = switchboard;
      const outcomes: unknown[] = [];
      queuedMessages.onOutcome(({ result }) => outcomes.push(result));
      await failAndReturn(outcomes, () => {
        queuedMessages.add(row('finished'), { text: 'Go on' });
        queuedMessages.note(row('finished'));
      });
      assert.deepEqual(outcomes.slice(1), [{ result: 'sent' }]);
      assert.deepEqual(queuedMessages.of(keyOf(row('finished'))), []);
    });

    it('gets what a rule accepts once it answers again', async () => {
      const conversation = row('waitingForConfirmation');
      const waiting = await (
        await service.steering()
      ).read(conversation, new AbortController().signal);
      const commands = proposedCommands(actionsOf(waiting) ?? [], []) ?? [];
      rules = {
        ask: [],
        accept: commands.map((command) => ({
          command,
          conversation: keyOf(conversation),
        })),
      };
      const outcomes: unknown[] = [];
      switchboard.ruledAnswers.onOutcome(({ result }) => outcomes.push(result));
      await failAndReturn(outcomes, () => {
        switchboard.ruledAnswers.note(conversation, waiting);
      });
      assert.deepEqual(outcomes.slice(1), [{ result: 'answered' }]);
    });
  });

  it('lists a requested conversation as soon as it exists', async () => {
    const hurried = new HurriedClock(50);
    open(hurried);
    const demo = await serve({ clock: hurried });
    connect(demo, {}, hurried);
    await switchboard.refresh();
    const { client, address } = service;
    await switchboard.requested.begin(client, address, {
      message: 'Fix the build',
    });
    assert.equal(rows()[0]?.title, 'Fix the build');
    assert.equal(rows().length, 21);
    await switchboard.refresh();
    assert.equal(
      rows().filter(({ title }) => title === 'Fix the build').length,
      1,
    );
  });

  it('continues a requested conversation when its service is connected again', async () => {
    const hurried = new HurriedClock(50);
    open(hurried);
    const demo = await serve({ clock: hurried });
    connect(demo, {}, hurried);
    const { client, address } = service;
    const begun = switchboard.requested.begin(client, address, {
      message: 'Fix the build',
    });
    await until(() => switchboard.requested.of(address)[0]?.task !== undefined);
    switchboard.disconnect(service.address);
    await begun;
    assert.equal(switchboard.requested.of(address).length, 1);
    connect(demo, {}, hurried);
    await until(() => rows().length > 0);
    assert.deepEqual(switchboard.requested.of(address), []);
  });

  it('cancels sandbox actions when the service is disconnected', async () => {
    const demo = await serve();
    connect(demo);
    await switchboard.refresh();
    const sandboxes = await sandboxesOf(service.client);
    const [sandbox] = service.sandboxActions.othersRunning();
    const paused = assert.rejects(
      service.sandboxActions.pause(
        sandboxes,
        sandbox?.id ?? '',
        new AbortController().signal,
      ),
      /connection to the service was closed/,
    );
    const methods = () => demo.requests.slice(-2).map(({ method }) => method);
    await until(() => methods().join(' ') === 'POST GET');
    switchboard.disconnect(service.address);
    await paused;
    assert.equal(service.sandboxActions.underWay.size, 0);
  });

  it('shows all 128 sandboxes without loading more', async () => {
    const demo = await serve();
    connect(demo);
    const sandboxes = await sandboxesOf(service.client);
    for (let i = 0; i < 120; i++) await sandboxes.start();
    await switchboard.refresh();
    assert.equal(switchboard.sandboxes.rows.size, 128);
    assert.ok(!switchboard.sandboxes.more);
  });

  it('leaves no timer and no request after disposal, whatever was in flight', async () => {
    const demo = await serve();
    connect(demo, { requestsPerSecond: 3 });
    await clock.advanceUntil(switchboard.refresh(), 100);
    const { client, address } = service;
    const sandboxes = await sandboxesOf(client);
    demo.misbehave({ slowHeaders: 60_000 });
    const begun = [
      switchboard.refresh(),
      switchboard.conversations.loadMore(),
      switchboard.requested.begin(client, address, { message: 'x' }),
      service.sandboxActions
        .start(sandboxes, undefined, new AbortController().signal)
        .catch(() => undefined),
    ];
    await settle();
    assert.ok(clock.pending > 0);
    switchboard.dispose();
    await Promise.all(begun);
    assert.equal(clock.pending, 0);
    const { requestCount } = demo;
    await settle();
    assert.equal(demo.requestCount, requestCount);
    assert.deepEqual(switchboard.services, []);
  });
});
