import assert from 'node:assert/strict';
import {
  commands,
  TabInputWebview,
  type TextDocument,
  type ThemeIcon,
  type WebviewPanel,
  window,
  workspace,
} from 'vscode';
import { home } from '../../src/demo/agentServer/folders.ts';
import type { MisbehavingDemo } from '../support/demo/faults/misbehavingDemo.ts';
import { Answers, type Asked, escape, pickDuringChange, type Response } from './addServerAnswers.ts';
import { Desk } from './desk.ts';
import { type Anything, replace } from './person.ts';
import { until } from '../support/eventually.ts';

describe('a new conversation', () => {
  let desk: Desk;
  let demo: MisbehavingDemo;
  let answers: Answers;

  beforeEach(async () => {
    desk = await Desk.setUp({ refreshInterval: 0 });
    answers = new Answers();
  });

  afterEach(async () => {
    answers.leave();
    await desk.clear();
  });

  /** Creates a conversation that the service refuses. */
  async function failed(message: string): Promise<string> {
    const { requested } = desk.switchboard;
    const { client, address } = desk.service;
    demo.misbehave({ forbidden: true, only: 'POST' });
    const { id, error } = await requested.begin(client, address, { message });
    demo.misbehave({ contractOnlyCreate: true });
    assert.ok(error);
    return id;
  }

  /** Runs the command, replaces the initial text with this one, and cancels. Resolves to the initial text. */
  async function typeAndGiveUp(text: string, failedId?: string): Promise<string> {
    let stood = '';
    answers.responses.push(({ value }) => (stood = value), { typed: text }, escape);
    await desk.run('switchboard.conversations.new', failedId);
    return stood;
  }

  const addressOf = (document: TextDocument | undefined) => document?.uri.toString();
  /** The pages that are open. */
  const tabs = () =>
    window.tabGroups.all
      .flatMap((group) => group.tabs)
      .flatMap(({ input, label }) => (input instanceof TabInputWebview ? label : []));
  const written = () => window.activeTextEditor?.document.getText();
  const titles = () => [...desk.switchboard.conversations.rows.values()].map(({ title }) => title);
  const posts = () => demo.requests.filter(({ method }) => method === 'POST').length;
  const asks = (words: string) =>
    answers.asked.some(({ prompt, placeholder }) => `${prompt}${placeholder}`.includes(words));

  const folder = `${home}/ledger`;
  const foldersListed = async (_: unknown, now: () => { readonly items: readonly string[] }) => {
    await until(() => now().items.includes(folder) || undefined);
  };

  const inFolder = [foldersListed, folder, 'In the Folder Itself', 'default'];

  it('asks for a new message, and offers each cancelled one by its first words', async () => {
    demo = await desk.look();
    const stood: string[] = [];
    const offered: (readonly string[])[] = [];
    const begin = async (label: string, text: string) => {
      const look = ({ value }: Asked) => stood.push(value);
      const list = ({ items }: Asked) => offered.push(items);
      answers.responses.push(list, label, look, { typed: text }, escape);
      await desk.run('switchboard.conversations.new');
    };
    assert.equal(await typeAndGiveUp('Fix the build, and then\nthe tests'), '');
    await begin('New Message', 'Write the docs');
    await begin('Write the docs', '');
    await begin('New Message', '');
    assert.deepEqual(stood, ['', 'Write the docs', '']);
    assert.deepEqual(offered, [
      ['New Message', 'Fix the build, and then'],
      ['New Message', 'Write the docs', 'Fix the build, and then'],
      ['New Message', 'Fix the build, and then'],
    ]);
    answers.responses.push(escape);
    await desk.run('switchboard.conversations.new');
    assert.equal(posts(), 0);
  });

  it('keeps edited text for the next retry, and the original if you clear it', async () => {
    demo = await desk.look();
    const id = await failed('Fix the build');
    assert.equal(await typeAndGiveUp('Fix the build and the tests', id), 'Fix the build');
    assert.equal(await typeAndGiveUp('', id), 'Fix the build and the tests');
    assert.equal(await typeAndGiveUp('', id), 'Fix the build');
    assert.equal(await typeAndGiveUp(''), '', 'not offered as the draft of another one');
  });

  it('keeps all answers when you change what could not be created', async () => {
    demo = await desk.look({ interface: 'v1', misbehaviour: { forbidden: true, only: 'POST' } });
    const kept: (string | undefined)[] = [];
    const keep = (value: string | undefined) => {
      kept.push(value);
      answers.responses.unshift(value ?? escape);
    };
    const main = async (_: unknown, now: () => { readonly items: readonly string[] }) => {
      await until(() => now().items.includes('main') || undefined);
    };
    answers.responses.push('Fix it', 'northwind/storefront', main, 'main', 'New Sandbox');
    await desk.run('switchboard.conversations.new');
    const [failed] = desk.switchboard.requested.all;
    answers.responses.push(
      ({ value }) => {
        keep(value);
      },
      ({ items }) => {
        keep(items[0]);
      },
      ({ items }) => {
        kept.push(items[0]);
        answers.responses.unshift(escape);
      },
    );
    await desk.run('switchboard.conversations.new', failed?.id);
    assert.deepEqual(kept, ['Fix it', 'northwind/storefront', 'main']);
  });

  it('tries again with the same answers, and asks nothing', async () => {
    demo = await desk.look({ misbehaviour: { forbidden: true, only: 'POST' } });
    answers.responses.push('Fix it', 'No Repository', 'New Sandbox');
    await desk.run('switchboard.conversations.new');
    const [failed] = desk.switchboard.requested.all;
    demo.misbehave({ contractOnlyCreate: true });
    const asked = answers.asked.length;
    await desk.run('switchboard.conversations.new', failed?.id, 'again');
    assert.equal(answers.asked.length, asked);
    assert.deepEqual([titles()[0], desk.switchboard.requested.all], ['Fix it', []]);
    assert.deepEqual(tabs(), ['Fix it']);
  });

  it('opens a multi-line draft in its own editor, which no other draft replaces', async () => {
    demo = await desk.look();
    const a = await failed('Draft A\nwith a second line');
    const b = await failed('Draft B\nwith a second line');
    await desk.run('switchboard.conversations.new', a);
    assert.equal(written(), 'Draft A\nwith a second line');
    const editorOfA = window.activeTextEditor?.document;
    await desk.run('switchboard.conversations.new', b);
    assert.equal(written(), 'Draft B\nwith a second line');
    await desk.run('switchboard.conversations.new', a);
    assert.equal(window.activeTextEditor?.document, editorOfA, 'the same editor');
    await desk.run('switchboard.conversations.new', b);

    answers.responses.push('No Repository', 'New Sandbox');
    await desk.skipUntilDone(
      desk.run('switchboard.conversations.new', addressOf(window.activeTextEditor?.document)),
    );
    assert.equal(titles()[0], 'Draft B');
    assert.deepEqual(
      desk.switchboard.requested.all.map(({ id }) => id),
      [a],
    );
    assert.ok(editorOfA && workspace.textDocuments.includes(editorOfA));
    answers.responses.push('No Repository', 'New Sandbox');
    await desk.skipUntilDone(desk.run('switchboard.conversations.new', addressOf(editorOfA)));
    assert.deepEqual(titles().slice(0, 2), ['Draft A', 'Draft B']);
    assert.deepEqual(desk.switchboard.requested.all, []);
    await until(() => editorOfA.isClosed);
  });

  it('accepts a typed repository and branch when the service has no Git provider', async () => {
    demo = await desk.look({ misbehaviour: { forbidden: true, only: '/api/v1/settings' } });
    const repository = 'somebody/something';
    answers.responses.push('Fix it', { typed: repository }, 'As Typed', 'topic', 'New Sandbox');
    await desk.skipUntilDone(desk.run('switchboard.conversations.new'));
    const [first] = desk.switchboard.conversations.rows.values();
    assert.deepEqual([first?.repository, first?.branch], [repository, 'topic']);
    assert.ok(asks('Leave empty for the default branch'));
    assert.deepEqual(
      demo.requests.filter(({ path }) => path.startsWith('/api/v1/git/')),
      [],
    );
  });

  for (const [label, more, start] of [
    ['In a Git Worktree of Its Own', [], 'HEAD'],
    ['In a Git Worktree from the Default Branch', [], undefined],
    ['In a Git Worktree from Another Branch…', ['origin/topic'], 'origin/topic'],
  ] as const) {
    it(`asks for a worktree from ${start ?? 'the default branch'}`, async () => {
      demo = await desk.look({ interface: 'agentServer', misbehaviour: { forbidden: true, only: 'POST' } });
      answers.responses.push('Fix it', foldersListed, folder, label, ...more, 'default');
      await desk.run('switchboard.conversations.new');
      const [requested] = desk.switchboard.requested.all;
      assert.deepEqual([requested?.wanted.worktree, requested?.wanted.worktreeStart], [true, start]);
    });
  }

  it('says where a worktree starts when the Agent Server lets nobody choose', async () => {
    demo = await desk.look({ interface: 'agentServer', misbehaviour: { noWorktreeOptions: true } });
    answers.responses.push('Fix it', foldersListed, folder);
    answers.responses.push('In a Git Worktree of Its Own', 'default');
    await desk.skipUntilDone(desk.run('switchboard.conversations.new'));
    const { items, details } = answers.about('A worktree starts without uncommitted changes.');
    assert.deepEqual(items, ['In the Folder Itself', 'In a Git Worktree of Its Own']);
    assert.ok(details.includes('from the default branch'));
    assert.deepEqual(desk.switchboard.requested.all, [], 'The Agent Server took it.');
  });

  it('ignores Enter while the repositories on the screen are being replaced', async () => {
    demo = await desk.look({ interface: 'v1' });
    answers.responses.push('Fix it', pickDuringChange, ({ placeholder, items }) => {
      assert.equal(placeholder, 'Repository to work in, as owner/name');
      answers.responses.push(items.find((item) => item.includes('/')) ?? '', escape);
    });
    await desk.run('switchboard.conversations.new');
    assert.ok(asks('Branch to start from'));
    assert.deepEqual(answers.responses, []);
  });

  it('ignores Enter while a shorter list of branches replaces the one on the screen', async () => {
    demo = await desk.look({ interface: 'v1' });
    answers.responses.push(
      'Fix it',
      'meridian/data-pipeline',
      async (_, now) => {
        await until(() => now().items.includes('release/2.5') || undefined);
      },
      { typed: '2.5' },
      { duringChange: 'release/2.5' },
      'release/2.5',
      escape,
    );
    await desk.run('switchboard.conversations.new');
    assert.deepEqual(answers.responses, []);
    assert.ok(asks('Sandbox to run in'));
  });

  it('lists the last repository first, so that Enter keeps it while more are found', async () => {
    demo = await desk.look({ misbehaviour: { errorStatus: 500, only: 'POST' } });
    const last = 'northwind/storefront';
    answers.responses.push('Fix it', last, 'Default Branch', 'New Sandbox');
    await desk.run('switchboard.conversations.new');
    const [failed] = desk.switchboard.requested.all;
    const first: (string | undefined)[] = [];
    answers.responses.push('Fix it', async ({ items }, now) => {
      first.push(items[0]);
      // Only repositories that the service found name their provider.
      await until(() => now().details.some((detail) => detail !== '') || undefined);
      first.push(now().items[0]);
      answers.responses.push(escape);
    });
    await desk.skipUntilDone(desk.run('switchboard.conversations.new', failed?.id));
    assert.deepEqual(first, [last, last]);
  });

  it('fills in the message and the repository of a task that the service suggests', async () => {
    demo = await desk.look();
    const task = "#87 Show prices in the visitor's currency";
    answers.responses.push(
      { button: 'Choose a Suggested Task' },
      async (_, now) => {
        await until(() => now().items.includes(task) || undefined);
      },
      task,
      ({ value }) => {
        assert.equal(
          value,
          "Resolve the merge conflicts of pull request #87 of northwind/storefront: Show prices in the visitor's currency",
        );
        answers.responses.push(value, ({ items }) => {
          assert.equal(items[0], 'northwind/storefront');
          answers.responses.push(escape);
        });
      },
    );
    await desk.run('switchboard.conversations.new');
    assert.ok(asks('Repository to work in'));
  });

  it('explains why the service suggests no tasks', async () => {
    demo = await desk.look({ misbehaviour: { forbidden: true, only: /settings|git/ } });
    answers.responses.push(
      { button: 'Choose a Suggested Task' },
      async () => {
        await until(() => demo.requests.some(({ path }) => path.endsWith('/settings')));
      },
      'The service suggests no tasks, because no Git provider is set up there.',
      escape,
    );
    await desk.run('switchboard.conversations.new');
    assert.ok(asks('Select a task for the agent'));
  });

  it('says why it failed if its page was closed, and shows the page again', async () => {
    demo = await desk.look();
    answers.responses.push('Please fail', 'No Repository', 'New Sandbox');
    desk.person.presses.add('Show');
    const creating = desk.run('switchboard.conversations.new');
    await until(() => tabs().includes('Please fail'));
    await commands.executeCommand('workbench.action.closeAllEditors');
    await desk.skipUntilDone(creating);
    assert.match(
      desk.person.heard[0] ?? '',
      /^The conversation “Please fail” was not created: The setup script ended with exit code 1/,
    );
    await until(() => tabs().includes('Please fail'));
  });

  for (const kind of ['agentServer', 'v1', 'v0'] as const) {
    it(`opens its page and its row at once, and keeps both when it exists (${kind})`, async () => {
      demo = await desk.look({ interface: kind });
      demo.misbehave({ held: true, only: 'POST' });
      answers.responses.push(
        'Fix it',
        ...(kind === 'agentServer' ? inFolder : ['No Repository', 'New Sandbox']),
      );
      const creating = desk.run('switchboard.conversations.new');
      await until(() => tabs().includes('Fix it'));
      assert.equal(desk.rows()[0], 'Fix it · Sending');
      await until(() => posts() > 0);
      demo.misbehave({});
      // The deadline of the request must not be skipped.
      await until(() => desk.switchboard.requested.all.every(({ task }) => task));
      await desk.skipUntilDone(creating);
      const [[key, created] = []] = desk.switchboard.conversations.rows;
      assert.equal(created?.title, 'Fix it');
      assert.deepEqual(desk.rows().filter((row) => row.startsWith('Fix it')).length, 1);
      await desk.run('switchboard.conversations.showDetails', key);
      assert.deepEqual(tabs(), ['Fix it'], 'the same page');
    });
  }

  it('closes the page of a failed one that you discard', async () => {
    demo = await desk.look({ misbehaviour: { forbidden: true, only: 'POST' } });
    answers.responses.push('Fix it', 'No Repository', 'New Sandbox');
    await desk.run('switchboard.conversations.new');
    assert.deepEqual(tabs(), ['Fix it']);
    await desk.run('switchboard.conversations.cancelNew', desk.switchboard.requested.all[0]?.id);
    await until(() => tabs().length === 0);
  });

  it('offers the open folders first at a service on this machine', async () => {
    demo = await desk.look({ interface: 'agentServer' });
    const here = workspace.workspaceFolders?.map(({ uri }) => uri.fsPath) ?? [];
    answers.responses.push('Fix it', foldersListed, ({ items }) => {
      assert.deepEqual(items.slice(0, here.length), here);
      assert.ok(here.length > 0);
    });
    answers.responses.push(escape);
    await desk.run('switchboard.conversations.new');
  });

  it('refuses a folder that neither this machine nor the service has, before anything starts', async () => {
    demo = await desk.look({ interface: 'agentServer' });
    const isThere = 'A worktree starts without uncommitted changes.';
    /** Picks it again while the list on the screen is being replaced. */
    const pick =
      (path: string, isDone: (shown: Asked) => boolean): Response =>
      (_, now) => {
        if (!isDone(now())) answers.responses.unshift(path, pick(path, isDone));
      };
    for (const [missing, why] of [
      [`${home}/no-such-folder`, 'There is no such folder.'],
      ['ledger', 'Enter the full path'],
    ] as const) {
      const isRefused = ({ details }: Asked) => details.some((detail) => detail.startsWith(why));
      answers.responses.push({ ifOffered: 'New Message' }, 'Fix it', foldersListed, { typed: missing });
      answers.responses.push(pick(missing, isRefused), escape);
      await desk.run('switchboard.conversations.new');
      assert.ok(!asks(isThere), missing);
    }
    for (const path of [`${home}/ledger/src`, '/tmp']) {
      answers.asked.length = 0;
      answers.responses.push('New Message', 'Fix it', foldersListed, { typed: path });
      answers.responses.push(
        pick(path, () => asks(isThere)),
        escape,
      );
      await desk.run('switchboard.conversations.new');
      assert.ok(asks(isThere), path);
    }
    assert.equal(posts(), 0);
  });

  it('warns after a 502 that it may have been created, and sends no second request', async () => {
    demo = await desk.look({ misbehaviour: { errorBody: 'html', errorStatus: 502, only: 'POST' } });
    answers.responses.push('Fix it', 'No Repository', 'New Sandbox');
    await desk.run('switchboard.conversations.new');
    assert.deepEqual([tabs(), desk.person.heard], [['Fix it'], []], 'Its page says why.');
    assert.equal(desk.rows()[0], 'Fix it · May have been created');
    const [row] = desk.trees.conversations.getChildren();
    assert.ok(row);
    assert.equal((desk.trees.conversations.getTreeItem(row).iconPath as ThemeIcon).id, 'question');
    assert.equal(posts(), 1);
  });

  it('reports on its page which sandbox the service paused for it, even if no list was opened', async () => {
    await desk.close();
    demo = await desk.connect();
    const said: string[] = [];
    const create = window.createWebviewPanel.bind(window) as Anything;
    const restore = replace(window, 'createWebviewPanel', (...given) => {
      const panel = create(...given) as WebviewPanel;
      const post = panel.webview.postMessage.bind(panel.webview);
      replace(panel.webview, 'postMessage', (message) => {
        const { type, text } = message as { readonly type: string; readonly text?: string };
        if (type === 'told') said.push(text ?? '');
        return post(message);
      });
      return panel;
    });
    try {
      assert.equal(desk.switchboard.sandboxes.asOf, undefined);
      answers.responses.push('Fix it', 'No Repository', 'New Sandbox');
      await desk.skipUntilDone(desk.run('switchboard.conversations.new'));
    } finally {
      restore();
    }
    assert.ok(asks('Sandbox to run in'));
    assert.match(said.join(), /^The service paused .+ \(.+\) to make room\.$/);
    assert.deepEqual(desk.person.heard, []);
  });

  it('reports in a message which sandbox the service paused if its page was closed', async () => {
    demo = await desk.look();
    answers.responses.push('Fix it', 'No Repository', 'New Sandbox');
    const creating = desk.run('switchboard.conversations.new');
    await until(() => tabs().includes('Fix it'));
    await commands.executeCommand('workbench.action.closeAllEditors');
    await desk.skipUntilDone(creating);
    assert.match(desk.person.heard.join(), /^The service paused .+ \(.+\) to make room\.$/);
  });

  it('shows no warning or message about paused sandboxes if it uses a running one', async () => {
    demo = await desk.look({ misbehaviour: { contractOnlyCreate: true } });
    const [running] = desk.service.sandboxActions.othersRunning();
    assert.ok(running);
    answers.responses.push('Fix it', 'No Repository', ({ items }) => {
      answers.responses.unshift(items[1] ?? '');
    });
    await desk.run('switchboard.conversations.new');
    assert.equal(titles()[0], 'Fix it');
    assert.deepEqual(desk.person.heard, []);
  });
});
