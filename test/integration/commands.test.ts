import assert from 'node:assert/strict';
import { commands, env, type WebviewPanel, window } from 'vscode';
import type { MisbehavingDemo } from '../support/demo/faults/misbehavingDemo.ts';
import { readConversationV0 } from '../../src/service/records/conversationRecord.ts';
import {
  type Conversation,
  idKey,
  keyOf,
} from '../../src/service/model/entities.ts';
import { Desk } from './desk.ts';
import { type Anything, replace } from './person.ts';
import { until } from '../support/eventually.ts';

describe('a conversation', () => {
  let desk: Desk;
  let demo: MisbehavingDemo;
  let first: Conversation;

  before(async () => {
    desk = await Desk.setUp({ refreshInterval: 0 });
    demo = await desk.look();
    const [row] = desk.switchboard.conversations.rows.values();
    assert.ok(row);
    first = row;
  });

  after(async () => {
    await desk.clear();
  });

  afterEach(async () => {
    desk.person.forget();
    await commands.executeCommand('workbench.action.closeAllEditors');
    await until(() => tabs().length === 0);
  });

  let puts = 0;

  /** Adds a row at the top, as the service would send it. */
  function put(fields: Readonly<Record<string, unknown>>): Conversation {
    const { address, conversations } = desk.service;
    const record = {
      conversation_id: `put ${++puts}`,
      title: 'Put',
      ...fields,
    };
    const row = readConversationV0(record, { service: address, secrets: [] });
    assert.ok(row);
    conversations.insertFirst(row);
    return row;
  }

  async function renameElsewhere(title: string): Promise<void> {
    const renamed = await fetch(
      `${demo.url}/api/v1/app-conversations/${first.id}`,
      {
        method: 'PATCH',
        headers: {
          'x-session-api-key': demo.key,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ title }),
      },
    );
    assert.equal(renamed.status, 200);
  }

  function tabs(): string[] {
    return window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .map(({ label }) => label);
  }

  function contextOf(conversation: Conversation): string | undefined {
    const row = desk.trees.conversations.rowOf(conversation);
    return row && desk.trees.conversations.getTreeItem(row).contextValue;
  }

  it('copies its ID', async () => {
    await desk.run('switchboard.conversations.copyId', first.id);
    assert.equal(await env.clipboard.readText(), first.id);
  });

  it('copies its link without the parts that could contain a token', async () => {
    const row = put({
      url: 'https://agents.example.com/c/1?tkn=canary-token#canary',
    });
    await desk.run('switchboard.conversations.copyUrl', row.id);
    assert.equal(
      await env.clipboard.readText(),
      'https://agents.example.com/c/1',
    );
  });

  it('opens in the browser with its token', async () => {
    const row = put({ url: 'https://agents.example.com/c/1?tkn=canary-token' });
    await desk.run('switchboard.conversations.open', row.id);
    assert.deepEqual(desk.person.opened, [
      'https://agents.example.com/c/1?tkn=canary-token',
    ]);
  });

  for (const url of [
    'javascript:alert(1)',
    'file:///etc/passwd',
    'command:workbench.action.quit',
    'vscode://publisher.extension/do',
    'https://user:password@agents.example.com/',
    'no address',
  ]) {
    it(`opens nothing for ${url} and copies a link to the editor instead`, async () => {
      const row = put({ url });
      assert.ok(!contextOf(row)?.includes('link'));
      await desk.run('switchboard.conversations.open', row.id);
      await desk.run('switchboard.conversations.copyUrl', row.id);
      assert.deepEqual(desk.person.opened, []);
      assert.equal(
        desk.person.heard.filter((message) =>
          message.includes('has no address'),
        ).length,
        1,
      );
      assert.match(
        await env.clipboard.readText(),
        /^[\w-]+:\/\/agent-switchboard\.agent-switchboard\/conversation\?/,
      );
      assert.ok(!desk.person.heard.join().includes('password'));
    });
  }

  it('opens its pull request if the code host is known', async () => {
    const row = put({
      selected_repository: 'northwind/shop',
      git_provider: 'github',
      pr_number: [7],
    });
    assert.match(contextOf(row) ?? '', /\bpull\b/);
    await desk.run('switchboard.conversations.openPullRequest', row.id);
    assert.deepEqual(desk.person.opened, [
      'https://github.com/northwind/shop/pull/7',
    ]);
  });

  it('reuses the tab of its details when you open them again', async () => {
    await desk.run('switchboard.conversations.showDetails', first.id);
    await until(() => tabs().includes(first.title));
    await desk.run('switchboard.conversations.showDetails', first.id);
    assert.equal(tabs().length, 1);
  });

  it('updates the title of its details tab when the list reloads', async () => {
    await desk.run('switchboard.conversations.showDetails', first.id);
    await until(() => tabs().includes(first.title));
    for (const title of ['Another title', first.title]) {
      await renameElsewhere(title);
      desk.service.conversations.reset();
      await desk.switchboard.refresh();
      await until(() => tabs().includes(title));
    }
  });

  it('reports that it is no longer in the list when you open its details', async () => {
    await desk.run('switchboard.conversations.showDetails', 'gone');
    assert.deepEqual(desk.person.heard, [
      'This conversation is no longer in the list. Refresh the list and try again.',
    ]);
    assert.deepEqual(tabs(), []);
  });

  it('appears in a list, without icons from its title, when the command names no conversation', async () => {
    const { id } = put({ title: 'Look $(bug) here' });
    desk.person.answers.push('Look $ (bug) here');
    await desk.run('switchboard.conversations.copyId');
    assert.equal(await env.clipboard.readText(), id);
    assert.ok(
      !desk.person.offered.flat().some((label) => label.includes('$(')),
    );
  });

  it('copies its ID when the editor passes its row to the command', async () => {
    const row = desk.trees.conversations.rowOf(first);
    await commands.executeCommand('switchboard.conversations.copyId', row, [
      row,
    ]);
    // V1, which tells the details, writes it with dashes.
    assert.equal(idKey(await env.clipboard.readText()), idKey(first.id));
  });

  it('shows a sandbox address without the token and opens it with the token', async () => {
    const { sandboxes } = desk.switchboard;
    const sandbox = [...sandboxes.rows.values()].find(
      ({ exposed }) => exposed.length > 1,
    );
    assert.ok(sandbox);
    const tree = desk.trees.sandboxes;
    const row = tree.row(`exposed:${keyOf(sandbox)}:1`);
    assert.ok(row);
    const command = tree.commandOf(row);
    const item = tree.getTreeItem(row);
    assert.ok(!JSON.stringify([item, command]).includes('secret'));
    await commands.executeCommand(
      command?.command ?? '',
      ...((command?.arguments ?? []) as unknown[]),
    );
    const [opened = ''] = desk.person.opened;
    assert.equal(opened, sandbox.exposed[1]?.link.full.reveal());
    assert.match(opened, /\?tkn=demo-secret-\w+%2B%2F%3D$/);
  });
});

describe('the list of conversations', () => {
  let desk: Desk;

  beforeEach(async () => {
    desk = await Desk.setUp({ refreshInterval: 0 });
  });

  afterEach(async () => {
    await desk.clear();
  });

  it('filters by repository at the service through V0', async () => {
    const demo = await desk.look();
    const [repository] = [
      ...desk.switchboard.conversations.rows.values(),
    ].flatMap((row) => row.repository ?? []);
    assert.ok(repository);
    desk.person.answers.push('$(repo) Repository…', repository);
    await desk.run('switchboard.conversations.filter');
    const asked = demo.requests.findLast(
      ({ path }) => path === '/api/conversations',
    );
    assert.equal(asked?.query.get('selected_repository'), repository);
    const { rows } = desk.switchboard.conversations;
    assert.ok([...rows.values()].every((row) => row.repository === repository));
    assert.ok(desk.rows()[0]?.endsWith(`${repository} · ${rows.size} loaded`));
    await desk.run('switchboard.conversations.clearFilters');
    assert.equal(desk.rows().at(-1), 'Load More · 20 loaded');
  });

  it('filters by state and title locally through V0, and says so', async () => {
    const demo = await desk.look();
    const before = demo.requestCount;
    desk.person.answers.push('$(pulse) State…', 'Working');
    await desk.run('switchboard.conversations.filter');
    assert.match(desk.rows()[0] ?? '', /working.* · \d+ of 20 loaded$/i);
    desk.person.answers.push('$(search) Title…', 'no title has this');
    await desk.run('switchboard.conversations.filter');
    assert.match(
      desk.rows()[0] ?? '',
      /“no title has this”.*working.* · none of 20 loaded$/i,
    );
    assert.equal(demo.requestCount, before);
  });

  it('filters by title at the service through V1', async () => {
    const demo = await desk.look({ misbehaviour: { noV0: '404' } });
    desk.person.answers.push('$(search) Title…', 'the');
    await desk.run('switchboard.conversations.filter');
    const asked = demo.requests.findLast(
      ({ path }) => path === '/api/v1/app-conversations',
    );
    assert.equal(asked?.query.get('title__contains'), 'the');
    assert.match(desk.rows()[0] ?? '', /“the” · \d+ loaded$/);
  });

  it('groups by repository and sorts by last activity', async () => {
    await desk.look();
    desk.person.answers.push('Repository');
    await desk.run('switchboard.conversations.groupBy');
    const { conversations: tree } = desk.trees;
    const [group] = tree.getChildren();
    assert.equal(group?.kind, 'group');
    const repositories = new Set(
      [...desk.switchboard.conversations.rows.values()].map(
        (row) => row.repository,
      ),
    );
    assert.equal(
      tree.getChildren().filter(({ kind }) => kind === 'group').length,
      repositories.size,
    );
    desk.person.answers.push('Nothing', 'Last Activity');
    await desk.run('switchboard.conversations.groupBy');
    await desk.run('switchboard.conversations.sortBy');
    const { rows } = desk.switchboard.conversations;
    const times = tree
      .getChildren()
      .flatMap((row) =>
        row.kind === 'conversation' ? [rows.get(row.id)?.updatedAt ?? 0] : [],
      );
    assert.equal(times.length, 20);
    assert.deepEqual(
      times.filter((time) => time > 0),
      times.filter((time) => time > 0).sort((a, b) => b - a),
    );
  });

  it('shows hostile titles as plain single lines', async () => {
    await desk.look({ misbehaviour: { hostileTitles: true } });
    const labels = desk.rows();
    assert.ok(labels.length > 20);
    for (const label of labels) {
      assert.ok(label.length < 1_000);
      assert.doesNotMatch(label, /[\p{Cc}\u202A-\u202E\u2066-\u2069]/u);
    }
    for (const row of desk.trees.conversations.getChildren()) {
      const { tooltip } = desk.trees.conversations.getTreeItem(row);
      // Not a MarkdownString.
      assert.ok(tooltip === undefined || typeof tooltip === 'string');
    }
  });

  it('puts no hostile title into the HTML of the page of a conversation', async () => {
    await desk.look({ misbehaviour: { hostileTitles: true } });
    const pages: WebviewPanel[] = [];
    const create = window.createWebviewPanel.bind(window) as Anything;
    const restore = replace(window, 'createWebviewPanel', (...given) => {
      const panel = create(...given) as WebviewPanel;
      pages.push(panel);
      return panel;
    });
    try {
      const { rows } = desk.switchboard.conversations;
      const hostile = [...rows.values()].findLast(({ title }) =>
        title.startsWith('<img'),
      );
      await desk.run(
        'switchboard.conversations.showDetails',
        hostile && keyOf(hostile),
      );
      const html = await until(
        () => pages.find(({ webview }) => webview.html !== '')?.webview.html,
      );
      assert.ok(hostile);
      assert.match(hostile.title, /onerror/);
      assert.doesNotMatch(html, /onerror|<(img|iframe)/);
    } finally {
      restore();
    }
  });

  it('shows undocumented values unchanged', async () => {
    await desk.look({ misbehaviour: { unknownValues: true } });
    const tree = desk.trees.conversations;
    const labels = tree
      .getChildren()
      .map(
        (row) => tree.getTreeItem(row).accessibilityInformation?.label ?? '',
      );
    assert.ok(labels.length > 15);
    assert.match(labels.join('\n'), /HIBERNATING|daydreaming/i);
  });
});
