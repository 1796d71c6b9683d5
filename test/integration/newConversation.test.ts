import assert from 'node:assert/strict';
import {
  commands,
  type ThemeIcon,
  Selection,
  TabInputWebview,
  window,
  workspace,
} from 'vscode';
import { home } from '../../src/demo/agentServer/folders.ts';
import type { ChoiceName } from '../../src/protocol/drawn.ts';
import type { FromPage, ToPage } from '../../src/protocol/pageMessages.ts';
import type { NewConversation } from '../../src/service/abilities/agentService.ts';
import { until } from '../support/eventually.ts';
import type { MisbehavingDemo } from '../support/demo/faults/misbehavingDemo.ts';
import {
  Answers,
  type Asked,
  clickElsewhere,
  escape,
  pickDuringChange,
  type Response,
} from './addServerAnswers.ts';
import { Desk } from './desk.ts';

describe('a new conversation', () => {
  let desk: Desk;
  let demo: MisbehavingDemo;
  let answers: Answers;
  /** Everything that pages were told, the oldest first. */
  let told: readonly ToPage[];

  beforeEach(async () => {
    desk = await Desk.setUp({ refreshInterval: 0 });
    answers = new Answers();
    ({ told } = desk.pages);
  });

  afterEach(async () => {
    answers.leave();
    await desk.clear();
  });

  const command = 'switchboard.conversations.new';
  const say = (message: FromPage) => void desk.pages.say(message);
  const last = <Type extends ToPage['type']>(type: Type) =>
    desk.pages.last(type);
  const labels = () =>
    last('input')?.input.choices?.map(({ label }) => label) ?? [];
  const create = (id: string) =>
    desk.pages.say({ type: 'create', text: wantedOf(id).message });
  const wantedOf = (id: string): NewConversation =>
    desk.switchboard.requested.find(id)?.wanted ??
    assert.fail('It exists, or was discarded.');
  /** The pages that are open. */
  const tabs = () =>
    window.tabGroups.all
      .flatMap((group) => group.tabs)
      .flatMap(({ input, label }) =>
        input instanceof TabInputWebview ? label : [],
      );
  const titles = () =>
    [...desk.switchboard.conversations.rows.values()].map(({ title }) => title);
  const drafts = () => desk.rows().filter((row) => row.includes(' · Draft'));
  const posts = () =>
    demo.requests.filter(({ method }) => method === 'POST').length;
  const asks = (words: string) =>
    answers.asked.some(({ prompt, placeholder }) =>
      `${prompt}${placeholder}`.includes(words),
    );

  /** Makes a choice on the page. */
  async function choose(
    name: ChoiceName,
    ...responses: readonly Response[]
  ): Promise<void> {
    answers.responses.push(...responses);
    await desk.pages.choose(name);
  }

  /**
   * Waits for repositories that the service found: only those name their
   * provider.
   */
  const foundByService = async (
    _: unknown,
    now: () => { readonly details: readonly string[] },
  ) => {
    await until(
      () => now().details.some((detail) => detail !== '') || undefined,
    );
  };
  const folder = `${home}/ledger`;
  const foldersListed = async (
    _: unknown,
    now: () => { readonly items: readonly string[] },
  ) => {
    await until(() => now().items.includes(folder) || undefined);
  };

  it('opens a page with an empty field, and lists what you write there by its first words', async () => {
    demo = await desk.look();
    await desk.run(command);
    await until(() => last('start') !== undefined);
    assert.deepEqual(
      [last('start')?.draft, tabs(), drafts()],
      ['', ['New conversation'], []],
    );
    say({ type: 'draft', text: 'Fix the build\nand the tests' });
    await until(() => drafts().length === 1);
    await until(() => tabs()[0] === 'Fix the build');
    assert.deepEqual(drafts(), ['Fix the build · Draft']);
    await desk.write('Write the docs');
    assert.deepEqual(drafts(), [
      'Write the docs · Draft',
      'Fix the build · Draft',
    ]);
    assert.equal(posts(), 0);
  });

  it('keeps a draft while its page is closed, and forgets an empty one with its page', async () => {
    demo = await desk.look();
    const id = await desk.write('Fix the build');
    await desk.pages.say({ type: 'attachText', name: 'a.txt', text: 'one' });
    await commands.executeCommand('workbench.action.closeAllEditors');
    await desk.run(command);
    await commands.executeCommand('workbench.action.closeAllEditors');
    await until(() => desk.switchboard.requested.all.length === 1);
    desk.pages.told.length = 0;
    await desk.run(command, id);
    await until(() => last('attachments') !== undefined);
    assert.equal(last('start')?.draft, 'Fix the build');
    assert.deepEqual(
      last('attachments')?.attachments.map(({ name }) => name),
      ['a.txt'],
    );
  });

  it('sends the message with what is attached, which you can look at and take off', async () => {
    demo = await desk.look({ interface: 'agentServer' });
    const id = await desk.write('Fix the build');
    await choose('folder', foldersListed, folder);
    say({ type: 'attachText', name: 'a.txt', text: 'one' });
    say({ type: 'attachText', name: 'b.txt', text: 'two' });
    say({
      type: 'attachPicture',
      name: 'c.png',
      mediaType: 'image/png',
      base64: 'iVBORw0KGgo=',
    });
    await until(() => last('attachments')?.attachments.length === 3);
    const [a, b, c] = wantedOf(id).attached ?? [];
    say({ type: 'lookAt', id: b?.id ?? NaN });
    say({ type: 'detach', id: a?.id ?? NaN });
    assert.deepEqual(last('attached')?.content, {
      kind: 'code',
      label: '',
      text: 'two',
    });
    say({ type: 'lookAt', id: c?.id ?? NaN });
    assert.equal(last('attached')?.content.kind, 'picture');
    say({ type: 'create', text: 'Fix the build now' });
    await until(() => desk.switchboard.requested.all.length === 0);
    assert.equal(posts(), 1);
    const entries = () =>
      told.flatMap((message) =>
        message.type === 'entries' ? message.added : [],
      );
    await until(() =>
      entries().some((each) =>
        /Fix the build now.+b\.txt.+two/.test(JSON.stringify(each)),
      ),
    );
    assert.deepEqual(last('attachments')?.attachments, []);
  });

  it('discards a draft, and undoes that', async () => {
    demo = await desk.look();
    const id = await desk.write('Fix the build');
    desk.person.presses.add('Undo');
    await desk.run('switchboard.conversations.cancelNew', id);
    await until(() => tabs().length === 1);
    assert.deepEqual(
      [drafts(), desk.person.heard],
      [['Fix the build · Draft'], ['Discarded the draft “Fix the build”.']],
    );
  });

  it('shows a failure at the field, keeps the message and all choices, and creates it from there', async () => {
    demo = await desk.look({
      interface: 'v1',
      misbehaviour: { forbidden: true, only: 'POST' },
    });
    const id = await desk.write('Fix it');
    say({ type: 'attachText', name: 'a.txt', text: 'one' });
    await choose('repository', 'northwind/storefront');
    const main = async (
      _: unknown,
      now: () => { readonly items: readonly string[] },
    ) => {
      await until(() => now().items.includes('main') || undefined);
    };
    await choose('branch', main, 'main');
    const chosen = [
      'Repository: northwind/storefront',
      'Branch: main',
      'New Sandbox',
    ];
    await until(() => labels().includes('Branch: main'));
    assert.deepEqual(labels().slice(0, 3), chosen);
    const { requested } = desk.switchboard;
    const kept: (string | undefined)[] = [];
    const listening = requested.onChange(() => {
      const { isDraft, error, wanted } = requested.find(id) ?? assert.fail();
      if (error !== undefined) kept.push(wanted.message);
      else if (!isDraft && kept.length === 0) {
        kept.push(undefined);
        say({ type: 'draft', text: 'Then the docs' });
      }
    });
    desk.pages.told.length = 0;
    await create(id);
    listening.dispose();
    await until(() => last('told') !== undefined);
    assert.match(last('told')?.text ?? '', /^Could not create a conversation/);
    assert.deepEqual(
      [last('told')?.tone, last('putBack')?.text],
      ['bad', 'Fix it'],
    );
    assert.ok(kept.includes('Fix it\n\nThen the docs'), String(kept));
    assert.deepEqual([labels().slice(0, 3), tabs().length], [chosen, 1]);
    assert.equal(desk.rows()[0], 'Fix it · Not created · northwind/storefront');
    demo.misbehave({ contractOnlyCreate: true });
    say({ type: 'create', text: 'Fix it all' });
    await until(() => desk.switchboard.requested.all.length === 0);
    const [created] = desk.switchboard.conversations.rows.values();
    const { title, repository, branch } = created ?? assert.fail();
    assert.deepEqual(
      [title, repository, branch],
      ['Fix it all', 'northwind/storefront', 'main'],
    );
    await until(() => tabs().join() === 'Fix it all');
  });

  it('begins with the choices that were made last, at each service', async () => {
    demo = await desk.look({ interface: 'v1' });
    await desk.write('Fix it');
    await choose('repository', 'northwind/storefront');
    const second = await desk.write('Fix the tests');
    assert.deepEqual(
      [wantedOf(second).repository, wantedOf(second).branch],
      ['northwind/storefront', ''],
    );
    await choose('repository', 'No Repository');
    assert.equal(wantedOf(await desk.write('Write the docs')).repository, '');
  });

  it('accepts a typed repository and branch when the service has no Git provider', async () => {
    demo = await desk.look({
      misbehaviour: { forbidden: true, only: '/api/v1/settings' },
    });
    const id = await desk.write('Fix it');
    const repository = 'somebody/something';
    await choose('repository', { typed: repository }, 'As Typed');
    await choose('branch', 'topic');
    await desk.skipUntilDone(create(id));
    const [first] = desk.switchboard.conversations.rows.values();
    assert.deepEqual([first?.repository, first?.branch], [repository, 'topic']);
    assert.ok(asks('Leave empty for the default branch'));
    assert.deepEqual(
      demo.requests.filter(({ path }) => path.startsWith('/api/v1/git/')),
      [],
    );
  });

  for (const [label, more, start] of [
    ['New Worktree from Current Commit', [], 'HEAD'],
    ['New Worktree from Default Branch', [], undefined],
    ['New Worktree from Upstream of Current Branch', [], '@{upstream}'],
    ['New Worktree from Another Branch…', ['origin/topic'], 'origin/topic'],
  ] as const) {
    it(`creates it in a worktree from ${start ?? 'the default branch'}`, async () => {
      demo = await desk.look({
        interface: 'agentServer',
        misbehaviour: { forbidden: true, only: 'POST' },
      });
      const id = await desk.write('Fix it');
      await choose('worktree', label, ...more);
      await choose('folder', foldersListed, folder);
      await choose('profile', 'default');
      await desk.skipUntilDone(create(id));
      const { worktree, worktreeStart, profile } = wantedOf(id);
      assert.deepEqual(
        [worktree, worktreeStart, profile?.name],
        [true, start, 'default'],
      );
    });
  }

  it('warns once for each service that a restart of its machine may empty the folder of its worktrees', async () => {
    demo = await desk.look({ interface: 'agentServer' });
    const warning =
      /^Worktrees of .+ are in \/tmp\/conversation-worktrees, which a restart of its machine may empty\./;
    for (const path of [folder, folder]) {
      const id = await desk.write('Fix it');
      await choose('worktree', 'New Worktree from Default Branch');
      await choose('folder', foldersListed, path);
      await desk.skipUntilDone(create(id));
    }
    const warnings = desk.person.heard.filter((text) => warning.test(text));
    assert.equal(warnings.length, 1);
  });

  it('says where a worktree starts when the Agent Server lets nobody choose', async () => {
    demo = await desk.look({
      interface: 'agentServer',
      misbehaviour: { noWorktreeOptions: true },
    });
    const id = await desk.write('Fix it');
    await choose('worktree', 'New Worktree from Default Branch');
    const { items } = answers.about(
      'A worktree starts without uncommitted changes.',
    );
    assert.deepEqual(items, [
      'Directly in the Folder',
      'New Worktree from Default Branch',
    ]);
    await desk.skipUntilDone(create(id));
    assert.deepEqual(
      desk.switchboard.requested.all,
      [],
      'The Agent Server took it.',
    );
  });

  it('asks for every action or for none where the service cannot rate them, and says why', async () => {
    demo = await desk.look({
      interface: 'agentServer',
      misbehaviour: { noRatings: true },
    });
    const id = await desk.write('Fix it');
    await until(() => wantedOf(id).approval === 'always' || undefined);
    await choose('approval', 'None');
    const { items } = answers.about(
      'This version of the service cannot rate actions',
    );
    assert.deepEqual(items, ['Every action', 'None']);
    await desk.skipUntilDone(create(id));
    assert.deepEqual(
      desk.switchboard.requested.all,
      [],
      'The Agent Server took it.',
    );
  });

  it('ignores Enter while the repositories on the screen are being replaced', async () => {
    demo = await desk.look({ interface: 'v1' });
    const id = await desk.write('Fix it');
    await choose('repository', pickDuringChange, ({ placeholder, items }) => {
      assert.equal(placeholder, 'Repository to work in, as owner/name');
      answers.responses.push(items.find((item) => item.includes('/')) ?? '');
    });
    assert.match(wantedOf(id).repository ?? '', /\//);
    assert.deepEqual(answers.responses, []);
  });

  it('takes the typed repository with Enter while others take its position on the screen', async () => {
    demo = await desk.look({ interface: 'v1' });
    const id = await desk.write('Fix it');
    const name = 'northwind/storefront';
    await choose('repository', { typed: 'storefront' }, { duringChange: name });
    assert.deepEqual([answers.responses, wantedOf(id).repository], [[], name]);
  });

  it('ignores Enter while a shorter list of branches replaces the one on the screen', async () => {
    demo = await desk.look({ interface: 'v1' });
    const id = await desk.write('Fix it');
    await choose('repository', foundByService, 'meridian/data-pipeline');
    await choose(
      'branch',
      async (_, now) => {
        await until(() => now().items.includes('release/2.5') || undefined);
      },
      { typed: '2.5' },
      { duringChange: 'release/2.5' },
      'release/2.5',
    );
    assert.deepEqual(
      [answers.responses, wantedOf(id).branch],
      [[], 'release/2.5'],
    );
  });

  it('lists the current repository first, so that Enter keeps it while more are found', async () => {
    demo = await desk.look();
    const current = 'northwind/storefront';
    await desk.write('Fix it');
    await choose('repository', current);
    const first: (string | undefined)[] = [];
    await choose('repository', async ({ items }, now) => {
      first.push(items[0]);
      await foundByService(undefined, now);
      first.push(now().items[0]);
      answers.responses.push(escape);
    });
    assert.deepEqual(first, [current, current]);
  });

  it('puts a task that the service suggests before the message, and chooses its repository', async () => {
    demo = await desk.look();
    const task = "#87 Show prices in the visitor's currency";
    const id = await desk.write('Keep it short.');
    await until(() => last('start') !== undefined);
    const listed = async (
      _: unknown,
      now: () => { readonly items: readonly string[] },
    ) => {
      await until(() => now().items.includes(task) || undefined);
    };
    await choose('task', listed, task);
    const text = `Resolve the merge conflicts of pull request #87 of northwind/storefront: Show prices in the visitor's currency`;
    await until(() => last('putBack') !== undefined);
    assert.deepEqual(last('putBack'), { type: 'putBack', text });
    const { message, repository } = wantedOf(id);
    assert.deepEqual(
      [message, repository],
      [`${text}\n\nKeep it short.`, 'northwind/storefront'],
    );
  });

  it('explains why the service suggests no tasks', async () => {
    demo = await desk.look({
      misbehaviour: { forbidden: true, only: /settings|git/ },
    });
    await desk.write('');
    await choose(
      'task',
      async () => {
        await until(() =>
          demo.requests.some(({ path }) => path.endsWith('/settings')),
        );
      },
      'The service suggests no tasks, because no Git provider is set up there.',
      escape,
    );
    assert.ok(asks('Select a task for the agent'));
  });

  it('says why it failed if its page was closed, and shows the page again', async () => {
    demo = await desk.look();
    desk.person.presses.add('Show');
    const creating = desk.create('Please fail');
    await until(() => posts() > 0);
    await commands.executeCommand('workbench.action.closeAllEditors');
    await desk.skipUntilDone(creating);
    assert.match(
      desk.person.heard[0] ?? '',
      /^The conversation “Please fail” was not created: The setup script ended with exit code 1/,
    );
    await until(() => tabs().includes('Please fail'));
  });

  for (const kind of ['agentServer', 'v1', 'v0'] as const) {
    it(`keeps its page and its row when it exists (${kind})`, async () => {
      demo = await desk.look({ interface: kind });
      demo.misbehave({ held: true, only: 'POST' });
      const id = await desk.write('Fix it');
      const creating = create(id);
      await until(() => posts() > 0);
      assert.equal(desk.rows()[0], 'Fix it · Sending');
      demo.misbehave({});
      // The deadline of the request must not be skipped.
      await until(() =>
        desk.switchboard.requested.all.every(({ task }) => task),
      );
      await desk.skipUntilDone(creating);
      const [[key, created] = []] = desk.switchboard.conversations.rows;
      assert.equal(created?.title, 'Fix it');
      assert.deepEqual(
        desk.rows().filter((row) => row.startsWith('Fix it')).length,
        1,
      );
      await desk.run('switchboard.conversations.showDetails', key);
      assert.deepEqual(tabs(), ['Fix it'], 'the same page');
    });
  }

  it('says why it is not created by a service that has not answered yet', async () => {
    demo = await desk.look();
    const id = await desk.write('Fix it');
    await desk.connectTo();
    demo.misbehave({ forbidden: true });
    await desk.connectTo({ url: demo.url });
    await desk.skipUntilDone(create(id));
    assert.match(
      desk.switchboard.requested.find(id)?.error ?? '',
      /^Could not connect to the service/,
    );
    await until(() => last('told') !== undefined);
    demo.misbehave({});
    await desk.skipUntilDone(create(id));
    assert.ok(titles().includes('Fix it'));
  });

  it('closes the page of a failed one that you discard', async () => {
    demo = await desk.look({ misbehaviour: { forbidden: true, only: 'POST' } });
    await desk.create('Fix it');
    assert.deepEqual(tabs(), ['Fix it']);
    await desk.run(
      'switchboard.conversations.cancelNew',
      desk.switchboard.requested.all[0]?.id,
    );
    await until(() => tabs().length === 0);
  });

  it('offers the open folders first at a service on this machine', async () => {
    demo = await desk.look({ interface: 'agentServer' });
    const here = workspace.workspaceFolders?.map(({ uri }) => uri.fsPath) ?? [];
    const id = await desk.write('Fix it');
    await choose('folder', foldersListed, ({ items }) => {
      assert.deepEqual(items.slice(0, here.length), here);
      assert.ok(here.length > 0);
    });
    assert.equal(wantedOf(id).folder, here[0], 'chosen at first');
  });

  it('refuses a folder that neither this machine nor the service has, before anything starts', async () => {
    demo = await desk.look({ interface: 'agentServer' });
    const id = await desk.write('Fix it');
    /** Picks it again while the list on the screen is being replaced. */
    const pick =
      (path: string, isDone: (shown: Asked) => boolean): Response =>
      (_, now) => {
        if (!isDone(now())) answers.responses.unshift(path, pick(path, isDone));
      };
    const before = wantedOf(id).folder;
    for (const [missing, why] of [
      [`${home}/no-such-folder`, 'There is no such folder.'],
      ['ledger', 'Enter the full path'],
    ] as const) {
      const isRefused = ({ details }: Asked) =>
        details.some((detail) => detail.startsWith(why));
      await choose(
        'folder',
        foldersListed,
        { typed: missing },
        pick(missing, isRefused),
        escape,
      );
      answers.responses.length = 0;
      assert.equal(wantedOf(id).folder, before);
    }
    for (const path of [`${home}/ledger/src`, '/tmp']) {
      await choose(
        'folder',
        foldersListed,
        { typed: path },
        pick(path, () => wantedOf(id).folder === path),
      );
      answers.responses.length = 0;
      assert.equal(wantedOf(id).folder, path);
    }
    desk.switchboard.requested.change(id, { folder: `${home}/deleted-since` });
    await create(id);
    assert.match(last('told')?.text ?? '', /^There is no such folder\./);
    assert.equal(posts(), 0);
  });

  it('keeps the folder that you picked when you click elsewhere while it is looked up', async () => {
    demo = await desk.look({ interface: 'agentServer' });
    const id = await desk.write('Fix it');
    const path = `${home}/ledger/src`;
    demo.misbehave({ held: true, only: 'search_subdirs' });
    const picked = { typed: path };
    await choose(
      'folder',
      foldersListed,
      picked,
      picked,
      clickElsewhere,
      () => {
        demo.misbehave({});
      },
    );
    assert.equal(wantedOf(id).folder, path);
  });

  it('asks for the folder if none is chosen, and creates nothing if you cancel', async () => {
    demo = await desk.look({ interface: 'agentServer' });
    const id = await desk.write('Fix it');
    desk.switchboard.requested.change(id, { folder: '' });
    answers.responses.push(escape);
    await create(id);
    assert.deepEqual([posts(), wantedOf(id).message], [0, 'Fix it']);
    answers.responses.push(foldersListed, folder);
    await desk.skipUntilDone(create(id));
    assert.equal(titles()[0], 'Fix it');
  });

  it('warns after a 502 that it may have been created, and sends no second request', async () => {
    demo = await desk.look({
      misbehaviour: { errorBody: 'html', errorStatus: 502, only: 'POST' },
    });
    await desk.create('Fix it');
    assert.deepEqual(
      [tabs(), desk.person.heard],
      [['Fix it'], []],
      'Its page says why.',
    );
    assert.equal(desk.rows()[0], 'Fix it · May have been created');
    const [row] = desk.trees.conversations.getChildren();
    assert.ok(row);
    assert.equal(
      (desk.trees.conversations.getTreeItem(row).iconPath as ThemeIcon).id,
      'question',
    );
    assert.equal(posts(), 1);
    await until(() => last('input')?.input.mustChoose === true);
  });

  it('reports on its page which sandbox the service paused for it, even if no list was opened', async () => {
    await desk.close();
    demo = await desk.connect();
    assert.equal(desk.switchboard.sandboxes.asOf, undefined);
    await desk.skipUntilDone(desk.create('Fix it'));
    // The service may pause it a while after the start.
    await desk.skipUntilDone(until(() => last('told') !== undefined));
    const said = told.flatMap((message) =>
      message.type === 'told' ? message.text : [],
    );
    assert.match(said.join(), /^The service paused .+ \(.+\) to make room\.$/);
    assert.deepEqual(desk.person.heard, []);
  });

  it('reports in a message which sandbox the service paused if its page was closed', async () => {
    demo = await desk.look();
    const creating = desk.create('Fix it');
    await until(() => posts() > 0);
    await commands.executeCommand('workbench.action.closeAllEditors');
    await desk.skipUntilDone(creating);
    assert.match(
      desk.person.heard.join(),
      /^The service paused .+ \(.+\) to make room\.$/,
    );
  });

  it('shows no warning or message about paused sandboxes if it uses a running one', async () => {
    demo = await desk.look({ misbehaviour: { contractOnlyCreate: true } });
    const [running] = desk.service.sandboxActions.othersRunning();
    assert.ok(running);
    const id = await desk.write('Fix it');
    await choose('sandbox', ({ items }) => {
      answers.responses.unshift(items[1] ?? '');
    });
    await desk.skipUntilDone(create(id));
    assert.equal(titles()[0], 'Fix it');
    assert.deepEqual(desk.person.heard, []);
  });

  describe('from the editor', () => {
    const canary = 'Zx81canaryQ7v';

    /**
     * Starts from a selection that contains a secret. Returns the id of the
     * draft.
     */
    async function start(): Promise<string> {
      const document = await workspace.openTextDocument({
        content: `a\nconst password = '${canary}';\nb\n`,
      });
      const editor = await window.showTextDocument(document);
      editor.selection = new Selection(0, 0, 2, 0);
      await desk.run('switchboard.conversations.newFromEditor');
      return desk.switchboard.requested.all[0]?.id ?? assert.fail();
    }

    const names = (id: string) =>
      (wantedOf(id).attached ?? []).map(({ name }) => name);

    it('attaches what is selected and the file, says what it left out, and sends nothing', async () => {
      demo = await desk.look();
      const id = await start();
      await until(() => last('attachments')?.attachments.length === 2);
      const [selection, file] = last('attachments')?.attachments ?? [];
      assert.match(
        selection?.name ?? '',
        /^Selection: Untitled-\d+, lines 1 to 2$/,
      );
      assert.match(
        selection?.leftOut?.join() ?? '',
        /^possible secret \(Untitled-\d+, line 2\)$/,
      );
      assert.match(file?.name ?? '', /^Untitled-\d+$/);
      assert.doesNotMatch(JSON.stringify([told, wantedOf(id)]), /canary/);
      assert.deepEqual([posts(), last('start')?.draft], [0, '']);
      say({ type: 'draft', text: `Use ${canary} as password: "${canary}"` });
      await until(() =>
        last('input')?.input.hint?.endsWith(
          'These lines may still contain secrets: 1',
        ),
      );
    });

    it('says that files of a menu were listed again, instead of all changes', async () => {
      demo = await desk.look();
      await desk.run('switchboard.conversations.newFromEditor', undefined);
      assert.deepEqual(desk.person.heard, [
        'These files have just been listed again. Open the menu again.',
      ]);
      assert.deepEqual(desk.switchboard.requested.all, []);
    });

    it('leaves off what was taken off when another service is chosen, and keeps what was added', async () => {
      demo = await desk.serve();
      const other = await desk.serve({ interface: 'agentServer' });
      await desk.connectTo(
        { url: demo.url, name: 'First' },
        { url: other.url, name: 'Other' },
      );
      await desk.open();
      await desk.loaded();
      const id = await start();
      const [selection, file] = wantedOf(id).attached ?? [];
      say({ type: 'detach', id: file?.id ?? NaN });
      say({ type: 'attachText', name: 'a.txt', text: 'one' });
      say({ type: 'draft', text: 'Fix it' });
      await choose('service', 'Other');
      assert.deepEqual(names(id), [selection?.name, 'a.txt']);
      assert.equal(wantedOf(id).message, 'Fix it');
      await until(() => labels().includes('Service: Other'));
      assert.equal(labels()[2], 'Directly in the Folder');
    });
  });
});
