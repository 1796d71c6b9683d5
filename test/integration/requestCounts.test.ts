/**
 * Counts the requests of each action of the user, at both kinds of service
 * whose agents can be followed.
 */
import assert from 'node:assert/strict';
import type { ServiceInterface } from '../../src/service/abilities/agentService.ts';
import type { MisbehavingDemo } from '../support/demo/faults/misbehavingDemo.ts';
import { type Conversation, keyOf } from '../../src/service/model/entities.ts';
import { activityOf } from '../../src/state/lists/activity.ts';
import { requestCounts } from '../support/requestCounts.ts';
import { SteppedClock } from '../support/steppedClock.ts';
import { until } from '../support/eventually.ts';
import { Desk } from './desk.ts';
import { Traffic } from './traffic.ts';

type Counts = Readonly<Record<string, number>>;

interface Expected {
  readonly kind: Extract<ServiceInterface, 'agentServer' | 'v1'>;
  readonly where: string;
  readonly page: Counts;
  readonly accept: Counts;
  readonly changes: Counts;
  readonly fork: Counts;
  readonly compact: Counts;
  /** The list, and three files. */
  readonly toReview: Counts;
  readonly created: Counts;
  readonly poll: Counts;
}

const kinds: readonly Expected[] = [
  {
    kind: 'agentServer',
    where: 'at an Agent Server',
    page: {
      'GET /api/conversations/*/events/search': 1,
      'GET /sockets/events/*': 1,
    },
    accept: {
      'GET /api/conversations/*': 1,
      'GET /api/conversations/*/events/search': 3,
      'POST /api/conversations/*/events/respond_to_confirmation': 1,
    },
    changes: {
      'GET /api/conversations/*': 1,
      'GET /api/conversations/*/git/commits': 1,
      'GET /api/conversations/*/file/archive': 2,
    },
    fork: {
      'POST /api/conversations/*/fork': 1,
      'GET /api/profiles': 1,
      'POST /api/conversations/*/switch_profile': 1,
      'GET /api/conversations/*/events/search': 1,
      'GET /sockets/events/*': 1,
    },
    compact: {
      'GET /api/conversations/*': 1,
      'GET /api/conversations/*/events/search': 2,
      'POST /api/conversations/*/condense': 1,
    },
    toReview: {
      'GET /api/conversations/*/file/archive': 1,
      'GET /api/conversations/*/file/download': 3,
    },
    created: {
      'GET /api/agent-profiles': 1,
      'GET /api/profiles': 1,
      'GET /api/conversations/*/events/search': 1,
      'GET /sockets/events/*': 1,
      'GET /server_info': 1,
      'GET /api/file/search_subdirs': 1,
      'POST /api/conversations': 1,
    },
    poll: { 'GET /api/conversations': 1, 'GET /api/conversations/search': 1 },
  },
  {
    kind: 'v1',
    where: 'at an app server',
    page: {
      'GET /api/v1/app-conversations': 1,
      'GET /api/v1/sandboxes': 1,
      'GET sandbox:/api/conversations/*/events/search': 1,
      'GET sandbox:/sockets/events/*': 1,
    },
    accept: {
      'GET sandbox:/api/conversations/*': 1,
      'GET sandbox:/api/conversations/*/events/search': 3,
      'POST sandbox:/api/conversations/*/events/respond_to_confirmation': 1,
    },
    changes: {
      'GET /api/v1/app-conversations': 1,
      'GET /api/v1/sandboxes': 1,
      'GET sandbox:/api/conversations/*': 1,
      'GET sandbox:/api/git/commits': 1,
      'GET sandbox:/api/file/archive': 2,
    },
    fork: {
      'GET /api/v1/app-conversations': 3,
      'GET /api/v1/sandboxes': 2,
      'POST sandbox:/api/conversations/*/fork': 1,
      'GET sandbox:/api/profiles': 1,
      'POST sandbox:/api/conversations/*/switch_profile': 1,
      'PATCH sandbox:/api/conversations/*': 1,
      'GET sandbox:/api/conversations/*': 1,
      'PATCH /api/v1/app-conversations/*': 1,
      'GET sandbox:/api/conversations/*/events/search': 1,
      'GET sandbox:/sockets/events/*': 1,
    },
    compact: {
      'GET /api/v1/app-conversations': 1,
      'GET /api/v1/sandboxes': 1,
      'GET sandbox:/api/conversations/*/events/search': 1,
      'POST sandbox:/api/conversations/*/condense': 1,
    },
    toReview: {
      'GET sandbox:/api/file/archive': 1,
      'GET sandbox:/api/file/download': 3,
    },
    created: {
      'GET /api/v1/sandboxes/search': 1,
      'POST /api/v1/app-conversations': 1,
      'GET /api/v1/app-conversations/start-tasks': 1,
      'GET /api/v1/app-conversations': 2,
      'GET /api/v1/sandboxes': 1,
      'GET sandbox:/api/conversations/*/events/search': 1,
      'GET sandbox:/sockets/events/*': 1,
    },
    poll: {
      'GET /api/v1/app-conversations': 1,
      'GET /api/v1/sandboxes/search': 1,
    },
  },
];

const newFiles = Array.from({ length: 100 }, (_, at) => ({
  path: `new${at}.txt`,
  before: undefined,
  after: Buffer.from(`${at}\n`),
}));

const editedFiles = ['a.txt', 'b.txt', 'c.txt'].map((path) => ({
  path,
  before: Buffer.from('before\n'),
  after: Buffer.from('after\n'),
}));

for (const expected of kinds) {
  describe(`an action of the user ${expected.where}`, () => {
    let desk: Desk;
    let demo: MisbehavingDemo;
    let traffic: Traffic;
    const { signal } = new AbortController();

    beforeEach(async () => {
      desk = await Desk.setUp({
        refreshInterval: 0,
        notifications: 'off',
        'conversations.pageSize': 60,
      });
      traffic = new Traffic();
    });

    afterEach(async () => {
      traffic.stop();
      await desk.clear();
    });

    /** Opens the side bar with a service in which nothing happens by itself. */
    async function look(): Promise<SteppedClock> {
      const clock = new SteppedClock();
      demo = await desk.serve({ interface: expected.kind, clock });
      clock.advance(10 * 60_000);
      await connect();
      return clock;
    }

    /**
     * Resolves when the lists are loaded, of which the tool servers are the
     * last.
     */
    async function connect(): Promise<void> {
      const { requestCount } = demo;
      await desk.connectTo({ url: demo.url });
      await desk.open();
      await desk.loaded();
      await until(() =>
        demo.requests
          .slice(requestCount)
          .some(({ path }) => path.endsWith('/settings')),
      );
      await traffic.answered();
    }

    const count = (action: () => Promise<unknown>) =>
      requestCounts(demo, async () => {
        const { requestCount } = demo;
        await action();
        await until(() => demo.requestCount > requestCount);
        await traffic.answered();
      });

    /** Lets time pass until the lists were asked for again. */
    async function poll(): Promise<void> {
      const { requests } = demo;
      const before = requests.length;
      while (
        !requests
          .slice(before)
          .some(({ path }) => /conversations(\/search)?$/.test(path))
      ) {
        await desk.skip(1);
        await traffic.answered();
      }
      await desk.loaded();
    }

    const rows = () => [...desk.switchboard.conversations.rows.values()];
    const some = (isWanted: (conversation: Conversation) => boolean) =>
      rows().find(isWanted) ?? assert.fail();
    const waiting = () =>
      some((conversation) => activityOf(conversation) === 'waiting');

    /** The first of the conversations whose changes can be read. */
    async function changed(): Promise<Conversation> {
      const { changes } = desk.switchboard;
      for (const conversation of rows()) {
        const found = await changes
          .load(conversation, 'start', { signal })
          .catch(() => undefined);
        if (found && found.files.length > 0) return conversation;
      }
      return assert.fail();
    }

    it('reads the events once when it opens a page', async () => {
      await look();
      const counts = await count(() =>
        desk.run('switchboard.conversations.showDetails', keyOf(waiting())),
      );
      assert.deepEqual(counts, expected.page);
    });

    it('reads the approval, the events before and after that, and the outcome to accept what waits', async () => {
      await look();
      const conversation = waiting();
      const steering = await desk.service.steering();
      const shown = await steering.read(conversation, signal);
      const actions = shown.status === 'waits' ? shown.actions : assert.fail();
      const counts = await count(() =>
        steering.answer(conversation, actions, { accept: true }, signal),
      );
      assert.deepEqual(counts, expected.accept);
    });

    it('forks, sets the model of the fork again, and opens its page', async () => {
      await look();
      const idle = some(
        (each) => each.status === 'running' && activityOf(each) === 'idle',
      );
      const counts = await count(async () => {
        await desk.run('switchboard.conversations.fork', keyOf(idle));
        await until(() =>
          demo.requests.some(({ path }) => path.includes('/sockets/events/')),
        );
      });
      assert.deepEqual(counts, expected.fork);
    });

    it('reads the events before it compacts, and again after the approval if that is strict', async () => {
      await look();
      const idle = some(
        (each) => each.status === 'running' && activityOf(each) === 'idle',
      );
      const counts = await count(() =>
        desk.run('switchboard.conversations.compact', keyOf(idle)),
      );
      assert.deepEqual(counts, expected.compact);
    });

    it('shows 100 new files with one patch', async () => {
      await look();
      const conversation = await changed();
      await desk.connectTo();
      await connect();
      demo.misbehave({ changedFiles: newFiles });
      const counts = await count(() =>
        desk.run('switchboard.conversations.showChanges', keyOf(conversation)),
      );
      assert.deepEqual(counts, expected.changes);
    });

    it('shows the 3 of 100 files that are left to review with the requests of those and the list', async () => {
      await look();
      const conversation = await changed();
      demo.misbehave({ changedFiles: newFiles.slice(3) });
      const tree = desk.trees.conversations;
      const row = tree.rowOf(conversation) ?? assert.fail();
      await tree.expand(row);
      await desk.run(
        'switchboard.conversations.markAllReviewed',
        keyOf(conversation),
      );
      demo.misbehave({ changedFiles: [...newFiles.slice(3), ...editedFiles] });
      const counts = await count(() =>
        desk.run('switchboard.conversations.showChanges', keyOf(conversation)),
      );
      assert.deepEqual(counts, expected.toReview);
      assert.match(
        String(tree.getTreeItem(row).description),
        /3 of 100 to review/,
      );
    });

    it('lists what has changed below an expanded row with the requests of its diff', async () => {
      await look();
      const conversation = await changed();
      await desk.connectTo();
      await connect();
      const tree = desk.trees.conversations;
      const row = tree.rowOf(conversation) ?? assert.fail();
      assert.deepEqual(await count(() => tree.expand(row)), expected.changes);
      assert.ok(
        tree.getChildren(row).some(({ kind }) => kind === 'changedFile'),
      );
    });

    it('sends nothing before a new conversation is created, then looks for its folder and creates it once, and follows it on its page', async () => {
      const clock = await look();
      const counts = await count(async () => {
        await clock.advanceUntil(desk.create('Fix the build'), 100);
        await until(() =>
          demo.requests.some(({ path }) => path.includes('/sockets/events/')),
        );
        // Nothing is sent again of a conversation without events, which is read
        // again some seconds later.
        await desk.clock.standStill(() => traffic.answered());
      });
      assert.deepEqual(counts, expected.created);
    });

    it('asks for each list once in the poll that follows', async () => {
      await look();
      await desk.configure({ refreshInterval: 30 });
      await poll();
      assert.deepEqual(await count(poll), expected.poll);
    });
  });
}
