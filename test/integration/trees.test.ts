import assert from 'node:assert/strict';
import { type Disposable, TreeItemCollapsibleState } from 'vscode';
import { noLog } from '../../src/base/log.ts';
import { ConversationsTree } from '../../src/editor/conversations/conversationsTree.ts';
import type { TreeRow, RowTree } from '../../src/editor/ui/rowTree.ts';
import { SandboxesTree } from '../../src/editor/sandboxes/sandboxesTree.ts';
import { ServersTree } from '../../src/editor/mcpServers/serversTree.ts';
import { ServerChecks } from '../../src/state/mcpServers/serverChecks.ts';
import type { ServiceClient } from '../../src/service/client.ts';
import {
  type Conversation,
  keyOf,
  type Sandbox,
} from '../../src/service/model/entities.ts';
import { Pager } from '../../src/service/http/pager.ts';
import { ServiceError } from '../../src/service/http/serviceError.ts';
import { ServerList } from '../../src/state/mcpServers/serverList.ts';
import { Switchboard } from '../../src/state/switchboard.ts';
import { SteppedClock } from '../support/steppedClock.ts';
import { conversation, MemoryStore } from '../unit/state/support.ts';

const minute = 60_000;
const address = 'http://127.0.0.1';

const key = (id: string) => keyOf({ service: address, id });
const ofConversations = (...ids: string[]) =>
  ids.map((id) => `conversation:${key(id)}`).join(' ');
const ofServed = (sandboxId: string, ...ids: string[]) =>
  ids.map((id) => `conversation:${key(sandboxId)}:${key(id)}`).join(' ');
const ofSandbox = (id: string) => `sandbox:${key(id)}`;
const problem = `problem:${address}`;

const listedConversation = (change: Partial<Conversation>): Conversation =>
  conversation({ service: address, ...change });

/**
 * A tree as the editor uses it: it asks for all rows, and for those again that
 * are announced.
 */
class Watched<R extends TreeRow> {
  readonly announced: string[] = [];
  readonly #tree: RowTree<R>;
  readonly #stop: Disposable;

  constructor(tree: RowTree<R>) {
    this.#tree = tree;
    tree.seen = true;
    this.#stop = tree.onDidChangeTreeData((rows) => {
      const all = Array.isArray(rows) ? rows : [rows];
      this.announced.push(
        all.map((row) => row?.rowId ?? 'everything').join(' '),
      );
      for (const row of all) this.#draw(row);
    });
    this.#draw(undefined);
  }

  dispose(): void {
    this.#stop.dispose();
    this.#tree.dispose();
  }

  #draw(row: R | undefined): void {
    if (row) this.#tree.getTreeItem(row);
    for (const child of this.#tree.getChildren(row)) this.#draw(child);
  }
}

describe('a tree of conversations or sandboxes', () => {
  let clock: SteppedClock;
  let listed: {
    conversations: readonly Conversation[];
    sandboxes: readonly Sandbox[];
  };
  let cursor: string | undefined;
  let failure: ServiceError | undefined;
  let served: unknown;
  let switchboard: Switchboard;
  let trees: {
    readonly conversations: ConversationsTree;
    readonly sandboxes: SandboxesTree;
  };
  let watched: {
    readonly conversations: Watched<TreeRow>;
    readonly sandboxes: Watched<TreeRow>;
  };

  const sandbox = (id: string, change: Partial<Sandbox> = {}): Sandbox => ({
    id,
    service: address,
    status: 'running',
    detail: undefined,
    specId: undefined,
    createdAt: undefined,
    exposed: [],
    ...change,
  });
  const noEvents = new ServiceError(
    { kind: 'cancelled' },
    { couldNot: 'Could not read events', address },
  );
  const pagesOf = <T extends { readonly id: string }>(
    rows: () => readonly T[],
  ) =>
    new Pager<T>(
      () =>
        failure
          ? Promise.reject(failure)
          : Promise.resolve({
              items: structuredClone(rows()),
              skipped: 0,
              cursor,
            }),
      ({ id }) => id,
      noLog,
    );
  const client = {
    get service() {
      return served;
    },
    recognise: () => Promise.resolve({}),
    conversations: () => pagesOf(() => listed.conversations),
    sandboxes: () => pagesOf(() => listed.sandboxes),
  } as unknown as ServiceClient;

  beforeEach(async () => {
    clock = new SteppedClock();
    const now = clock.now();
    listed = {
      conversations: [
        listedConversation({
          id: 'one',
          sandboxId: 'box',
          createdAt: now - 3 * 60 * minute,
        }),
        listedConversation({
          id: 'two',
          sandboxId: 'box',
          createdAt: now - 3 * 60 * minute - 1,
        }),
        listedConversation({
          id: 'three',
          sandboxId: 'other',
          createdAt: now - 4 * 60 * minute,
        }),
      ],
      sandboxes: [
        sandbox('box'),
        sandbox('other', { createdAt: now - 5 * 60 * minute }),
      ],
    };
    cursor = failure = served = undefined;
    switchboard = new Switchboard({
      store: new MemoryStore(),
      clock,
      pageSize: () => 3,
    });
    trees = {
      conversations: new ConversationsTree(switchboard, clock),
      sandboxes: new SandboxesTree(switchboard, clock),
    };
    switchboard.connect({ client, address, name: 'Mine', demo: false });
    await switchboard.refresh();
    watched = {
      conversations: new Watched(trees.conversations),
      sandboxes: new Watched(trees.sandboxes),
    };
  });

  afterEach(() => {
    watched.conversations.dispose();
    watched.sandboxes.dispose();
    switchboard.dispose();
  });

  function change(id: string, to: Partial<Conversation>): void {
    const conversations = listed.conversations.map((row) =>
      row.id === id ? { ...row, ...to } : row,
    );
    listed = { ...listed, conversations };
  }

  /** The announcements of both trees during a poll. */
  async function announcedBy(
    work: () => Promise<unknown> = () => switchboard.refresh('poll'),
  ) {
    watched.conversations.announced.length =
      watched.sandboxes.announced.length = 0;
    await work();
    return {
      conversations: watched.conversations.announced,
      sandboxes: watched.sandboxes.announced,
    };
  }

  it('indents all rows alike, with or without others below them', async () => {
    await switchboard.arrange({ grouping: 'state' });
    listed = { ...listed, sandboxes: [...listed.sandboxes, sandbox('idle')] };
    await switchboard.refresh();
    const { conversations, sandboxes } = trees;
    const [group] = conversations.getChildren();
    for (const row of conversations.getChildren(group)) {
      assert.equal(
        conversations.getTreeItem(row).collapsibleState,
        TreeItemCollapsibleState.Collapsed,
      );
    }
    for (const row of sandboxes.getChildren()) {
      assert.equal(
        sandboxes.getTreeItem(row).collapsibleState,
        TreeItemCollapsibleState.Collapsed,
      );
    }
    const [below, ...others] = sandboxes.getChildren(
      sandboxes.row(ofSandbox('idle')),
    );
    assert.equal(
      below && sandboxes.getTreeItem(below).label,
      'No loaded conversations',
    );
    assert.deepEqual(others, []);
  });

  it('says below an expanded conversation that its changes load, and why they could not', async () => {
    const tree = trees.conversations;
    const row = tree.rowOf(listedConversation({ id: 'one' })) ?? assert.fail();
    const below = () =>
      tree.getChildren(row).map((child) => tree.getTreeItem(child));
    const { conversations } = await announcedBy(async () => {
      const expanded = tree.expand(row);
      assert.deepEqual(
        below().map(({ label }) => label),
        ['Loading changes…'],
      );
      await expanded;
    });
    const changes = `changes:${key('one')}`;
    assert.deepEqual(conversations, [
      `${changes} ${ofConversations('one')}`,
      changes,
    ]);
    const [failed] = below();
    assert.equal(failed?.label, 'Could not load changes');
    assert.match(String(failed.description), /^This service cannot do that\./);
  });

  it('redraws nothing when a poll finds nothing new', async () => {
    assert.deepEqual(await announcedBy(), { conversations: [], sandboxes: [] });
    clock.advance(1_000);
    assert.deepEqual(await announcedBy(), { conversations: [], sandboxes: [] });
  });

  it('redraws a changed conversation once in each place it is shown, and nothing else', async () => {
    change('two', { title: 'Another' });
    assert.deepEqual(await announcedBy(), {
      conversations: [ofConversations('two')],
      sandboxes: [ofServed('box', 'two')],
    });
  });

  it('keeps the buttons of a row in place while nothing that it shows changes', async () => {
    change('two', {
      execution: 'waitingForConfirmation',
      updatedAt: clock.now(),
    });
    await switchboard.refresh('poll');
    clock.advance(2_000);
    change('two', { updatedAt: clock.now() });
    assert.deepEqual(await announcedBy(), { conversations: [], sandboxes: [] });
    // The row knows that its age has moved on.
    clock.advance(minute - 1_000);
    assert.deepEqual(await announcedBy(), { conversations: [], sandboxes: [] });
    clock.advance(1_000);
    assert.deepEqual(await announcedBy(), {
      conversations: [ofConversations('two')],
      sandboxes: [],
    });
  });

  it('keeps the buttons of a waiting row in place while only its cost changes, for at most a minute', async () => {
    const events = { fetch: () => Promise.reject(noEvents) };
    served = {
      agents: { events: () => events },
      conversations: { filters: new Set() },
    };
    change('two', {
      execution: 'waitingForConfirmation',
      updatedAt: clock.now() - 5 * minute,
      cost: 0.01,
    });
    await switchboard.refresh('poll');
    change('two', { updatedAt: clock.now(), cost: 0.02 });
    assert.deepEqual((await announcedBy()).conversations, []);
    clock.advance(minute);
    assert.deepEqual((await announcedBy()).conversations, [
      ofConversations('two'),
    ]);
    const row = trees.conversations.rowOf(listedConversation({ id: 'two' }));
    assert.match(
      String(row && trees.conversations.getTreeItem(row).description),
      /0\.02/,
    );
    change('two', { title: 'Another', cost: 0.03 });
    assert.deepEqual((await announcedBy()).conversations, [
      ofConversations('two'),
    ]);
    change('two', { execution: 'running', cost: 0.04 });
    assert.equal((await announcedBy()).conversations.length, 1);
  });

  it('redraws a paused sandbox and the conversations that can now be resumed', async () => {
    listed = {
      ...listed,
      sandboxes: [
        sandbox('box', { status: 'paused' }),
        ...listed.sandboxes.slice(1),
      ],
    };
    const { conversations, sandboxes } = await announcedBy();
    assert.deepEqual(conversations, [ofConversations('one', 'two')]);
    assert.deepEqual(sandboxes, [ofSandbox('box')]);
    const row = trees.conversations.rowOf(listedConversation({ id: 'one' }));
    assert.match(
      (row && trees.conversations.getTreeItem(row).contextValue) ?? '',
      /paused/,
    );
    listed = {
      ...listed,
      sandboxes: [sandbox('box'), ...listed.sandboxes.slice(1)],
    };
    assert.deepEqual((await announcedBy()).conversations, [
      ofConversations('one', 'two'),
    ]);
  });

  it('redraws both sandboxes when a conversation moves between them', async () => {
    change('two', { sandboxId: 'other' });
    const { sandboxes } = await announcedBy();
    assert.equal(sandboxes.length, 1);
    const announced = new Set(
      sandboxes.join().split(/ (?=conversation:|sandbox:)/),
    );
    // The editor asks for the rows below an announced one.
    assert.deepEqual(
      announced,
      new Set([ofSandbox('box'), ofSandbox('other')]),
    );
  });

  it('redraws a row when its displayed age changes, and no other', async () => {
    change('one', { createdAt: clock.now() - 5 * minute });
    await switchboard.refresh('poll');
    clock.advance(minute - 1);
    assert.deepEqual(await announcedBy(), { conversations: [], sandboxes: [] });
    clock.advance(1);
    assert.deepEqual(await announcedBy(), {
      conversations: [ofConversations('one')],
      sandboxes: [],
    });
    assert.deepEqual(await announcedBy(), { conversations: [], sandboxes: [] });
    clock.advance(54 * minute);
    assert.deepEqual(await announcedBy(), {
      conversations: [ofConversations('one')],
      sandboxes: [],
    });
    clock.advance(5 * minute);
    const { conversations, sandboxes } = await announcedBy();
    assert.deepEqual(conversations, [ofConversations('two', 'three')]);
    assert.deepEqual(sandboxes, [ofSandbox('other')]);
  });

  it('redraws everything once when rows are added or removed', async () => {
    listed = {
      ...listed,
      conversations: [
        listedConversation({ id: 'four' }),
        ...listed.conversations.slice(0, 2),
      ],
    };
    assert.deepEqual((await announcedBy()).conversations, ['everything']);
    assert.deepEqual(await announcedBy(), { conversations: [], sandboxes: [] });
  });

  it('redraws both groups when a conversation moves between them', async () => {
    await switchboard.arrange({ grouping: 'state' });
    change('one', { execution: 'running' });
    await switchboard.refresh('poll');
    change('two', { execution: 'running' });
    const { conversations } = await announcedBy();
    assert.deepEqual(conversations, [
      `${ofConversations('two')} group:working group:idle`,
    ]);
  });

  it('redraws everything when a failure appears or ends, and one row while it lasts', async () => {
    failure = new ServiceError(
      { kind: 'unauthorised', withKey: true },
      { couldNot: 'Could not list', address: 'http://127.0.0.1' },
    );
    const person = () => switchboard.refresh();
    assert.deepEqual(await announcedBy(person), {
      conversations: ['everything'],
      sandboxes: ['everything'],
    });
    failure = new ServiceError(
      { kind: 'cancelled' },
      { couldNot: 'Could not list', address: 'http://127.0.0.1' },
    );
    assert.deepEqual(await announcedBy(person), {
      conversations: [problem],
      sandboxes: [problem],
    });
    failure = undefined;
    assert.deepEqual(await announcedBy(person), {
      conversations: ['everything'],
      sandboxes: ['everything'],
    });
  });

  it('redraws the Load More row while more rows load', async () => {
    cursor = 'next';
    await switchboard.refresh();
    listed = { ...listed, conversations: [listedConversation({ id: 'four' })] };
    const more = announcedBy(() => switchboard.conversations.loadMore());
    await Promise.resolve();
    await Promise.resolve();
    assert.deepEqual(watched.conversations.announced, ['more']);
    assert.deepEqual((await more).conversations, ['more', 'everything']);
  });

  it('redraws nothing while the view is hidden, and all changes when it is shown', async () => {
    for (const tree of Object.values(trees)) tree.seen = false;
    change('two', { title: 'Another' });
    assert.deepEqual(await announcedBy(), { conversations: [], sandboxes: [] });
    change('one', { title: 'Another, too' });
    assert.deepEqual(await announcedBy(), { conversations: [], sandboxes: [] });
    for (const tree of Object.values(trees)) tree.seen = true;
    assert.deepEqual(watched.conversations.announced, [
      ofConversations('two', 'one'),
    ]);
    assert.deepEqual(watched.sandboxes.announced, [
      ofServed('box', 'two', 'one'),
    ]);
  });
});

describe('the tree of MCP servers', () => {
  const clock = new SteppedClock();
  let text: string;
  let servers: ServerList;
  let checks: ServerChecks;
  let tree: ServersTree;
  let watched: Watched<TreeRow>;
  beforeEach(async () => {
    servers = new ServerList(() =>
      Promise.resolve({ path: '/mcp.json', text, saved: true }),
    );
    let kept = '';
    const store = {
      read: () => Promise.resolve(kept),
      change: (change: (before: string) => string) => {
        kept = change(kept);
        return Promise.resolve();
      },
    };
    checks = new ServerChecks(servers, store, clock, noLog);
    const switchboard = new Switchboard({
      store: new MemoryStore(),
      clock,
      pageSize: () => 3,
    });
    tree = new ServersTree({ servers, checks, switchboard }, clock);
    await say(
      '{"mcpServers":{"a":{"command":"x"},"b":{"command":"y"},"c":{"command":"z"}}}',
    );
    watched = new Watched(tree);
    clock.advance(1_000);
  });

  afterEach(() => {
    watched.dispose();
  });

  async function say(what: string): Promise<void> {
    text = what;
    await servers.refresh();
  }

  const changed =
    '{"mcpServers":{ "a":{"command":"x"}, "b":{"command":"new"}, "c":{"command":"z"}}}';

  it('redraws a changed server, and no other', async () => {
    await say(changed);
    assert.deepEqual([...new Set(watched.announced)], ['server:b']);
    const row = tree.row('server:b');
    assert.equal(row && tree.getTreeItem(row).description, 'stdio · new');
  });

  describe('with checked servers', () => {
    const many = 1_000;

    const check = async (name: string, ...tools: readonly string[]) => {
      const entry = servers.entries.find((each) => each.name === name);
      assert.ok(entry);
      await checks.agree([entry]);
      const found = {
        kind: 'works',
        milliseconds: 5,
        tools: tools.map((tool) => ({ name: tool })),
      } as const;
      await checks.check(
        entry,
        () => Promise.resolve(found),
        new AbortController().signal,
      );
    };
    const labels = (rowId: string) =>
      tree
        .getChildren(tree.row(rowId))
        .map((row) => tree.getTreeItem(row).label);

    beforeEach(async () => {
      const entries = Array.from({ length: many }, (_, i) => [
        `s${i}`,
        { command: 'x', enabled: i === 0 },
      ]);
      await say(
        JSON.stringify({ mcpServers: Object.fromEntries(entries) as object }),
      );
      watched.announced.length = 0;
      tree.drawn = 0;
    });

    it('redraws all servers when the first one gets tools', async () => {
      await check('s7', 'read');
      assert.ok(
        watched.announced
          .join(' ')
          .split(' ')
          .includes(`server:s${many - 1}`),
      );
    });

    it('redraws only the checked server and its tools', async () => {
      await check('s7', 'read');
      watched.announced.length = 0;
      tree.drawn = 0;
      await check('s8', 'read', 'write');
      assert.deepEqual(new Set(watched.announced), new Set(['server:s8']));
      assert.deepEqual(labels('server:s8'), ['read', 'write']);
      assert.ok(tree.drawn < 20, String(tree.drawn));
    });

    it('redraws nothing when checks are loaded again without a difference', async () => {
      await check('s7', 'read');
      watched.announced.length = 0;
      await checks.load();
      assert.deepEqual(watched.announced, []);
    });

    it('redraws the tools when the names that agents see change', async () => {
      await check('s7', 'read');
      watched.announced.length = 0;
      await say(
        text.replace(
          '"s1":{"command":"x","enabled":false}',
          '"s1":{"command":"x","enabled":true}',
        ),
      );
      assert.ok(watched.announced.join(' ').split(' ').includes('server:s7'));
    });

    it('keeps the same tool row objects so that the editor keeps the selection', async () => {
      await check('s7', 'read');
      const [before] = tree.getChildren(tree.row('server:s7'));
      await check('s7', 'read', 'write');
      assert.equal(tree.getChildren(tree.row('server:s7'))[0], before);
      assert.equal(before && tree.getParent(before), tree.row('server:s7'));
    });
  });
});
