import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import {
  commands,
  Selection,
  ViewColumn,
  type WebviewPanel,
  window,
  workspace,
} from 'vscode';
import { type Conversation, keyOf } from '../../src/service/model/entities.ts';
import type { MisbehavingDemo } from '../support/demo/faults/misbehavingDemo.ts';
import type { FromPage, ToPage } from '../../src/protocol/pageMessages.ts';
import { titleOf } from '../../src/editor/words/conversations/conversationWords.ts';
import { Desk } from './desk.ts';
import { type Anything, replace } from './person.ts';
import { until } from '../support/eventually.ts';

describe('a conversation page that was just closed', () => {
  let desk: Desk;
  let conversation: Conversation;
  /** Restores the editor. */
  let restore: () => void;
  /** The number of pages that were made. */
  let made: number;
  /** Listeners that have yet to hear that a page was closed. */
  let untold: (() => void)[];

  before(async () => {
    desk = await Desk.setUp({ refreshInterval: 0 });
    await desk.look({ interface: 'agentServer' });
    const [row] = desk.switchboard.conversations.rows.values();
    conversation = row ?? assert.fail();
  });

  after(async () => {
    await desk.clear();
  });

  beforeEach(() => {
    made = 0;
    untold = [];
    const create = window.createWebviewPanel.bind(window) as Anything;
    restore = replace(window, 'createWebviewPanel', (...given) => {
      made++;
      return told(create(...given) as WebviewPanel);
    });
  });

  afterEach(async () => {
    restore();
    await commands.executeCommand('workbench.action.closeAllEditors');
    tellAll();
    await until(() => tabs().length === 0);
  });

  const key = () => keyOf(conversation);
  const tabs = () =>
    window.tabGroups.all
      .flatMap((group) => group.tabs)
      .filter(({ label }) => label === titleOf(conversation));

  function tellAll(): void {
    for (const tell of untold.splice(0)) tell();
  }

  /**
   * The panel, of which the editor tells that it was closed only once it is
   * asked to bring it to the front.
   */
  function told(panel: WebviewPanel): WebviewPanel {
    let isClosed = false;
    panel.onDidDispose(() => {
      isClosed = true;
    });
    return new Proxy(panel, {
      get: (_, name) => {
        if (name === 'onDidDispose')
          return (hear: () => void) =>
            panel.onDidDispose(() => void untold.push(hear));
        if (name === 'reveal')
          return () => {
            if (!isClosed) panel.reveal();
            else queueMicrotask(tellAll);
          };
        if (isClosed && (name === 'visible' || name === 'active')) return false;
        const value: unknown = Reflect.get(panel, name);
        return typeof value === 'function'
          ? (value as Anything).bind(panel)
          : value;
      },
      set: (_, name, value) => Reflect.set(panel, name, value),
    });
  }

  async function openAndClose(): Promise<void> {
    await desk.run('switchboard.conversations.showDetails', key());
    await until(() => tabs().length === 1);
    await window.tabGroups.close(tabs());
    await until(() => untold.length > 0);
    assert.equal(tabs().length, 0);
  }

  it('opens again in a new panel when shown at once', async () => {
    await openAndClose();
    await desk.run('switchboard.conversations.showDetails', key());
    await until(() => tabs().length === 1);
    assert.equal(made, 2);
  });

  it('asks for the conversation to attach to instead of using the closed page', async () => {
    await openAndClose();
    desk.person.answers.push(titleOf(conversation));
    await desk.run('switchboard.conversations.attachSelection');
    await until(() => tabs().length === 1);
    assert.equal(made, 2);
    assert.equal(desk.person.offered.length, 1);
  });
});

describe('the tab of a clicked row', () => {
  let desk: Desk;
  let titles: readonly string[];
  let keys: readonly string[];

  before(async () => {
    desk = await Desk.setUp({ refreshInterval: 0 });
    await desk.look({ interface: 'agentServer' });
    const rows = [...desk.switchboard.conversations.rows.values()].slice(0, 3);
    titles = rows.map(titleOf);
    keys = rows.map(keyOf);
  });

  after(async () => {
    await desk.clear();
  });

  afterEach(async () => {
    await commands.executeCommand('workbench.action.closeAllEditors');
    await until(() => tabs().length === 0);
    await workspace
      .getConfiguration('workbench')
      .update('editor.enablePreview', undefined, true);
    await workspace
      .getConfiguration('workbench')
      .update('list.openMode', undefined, true);
  });

  const tabs = () =>
    window.tabGroups.all
      .flatMap((group) => group.tabs)
      .map(({ label }) => label);
  const click = (index: number) =>
    desk.run('switchboard.conversations.showDetails', keys[index], 'click');
  const shows = async (...expected: readonly number[]) => {
    const labels = expected.map((index) => titles[index]);
    await until(() => tabs().join('\n') === labels.join('\n'));
  };
  /** Opens the row in the list, as a click does. */
  const select = () => commands.executeCommand('list.select');

  async function focusFirstRow(): Promise<void> {
    await commands.executeCommand('switchboard.conversations.focus');
    await commands.executeCommand('list.focusFirst');
  }

  it('shows the next conversation that is clicked', async () => {
    await click(0);
    await click(1);
    await shows(1);
    await click(1);
    await shows(1);
  });

  for (const [what, keep] of [
    [
      'is opened',
      () => desk.run('switchboard.conversations.showDetails', keys[0]),
    ],
    ['is kept open', () => desk.run('switchboard.conversations.keepOpen')],
  ] as const) {
    it(`stays when it ${what}`, async () => {
      await click(0);
      await shows(0);
      await keep();
      await click(1);
      await shows(0, 1);
      await click(2);
      await shows(0, 2);
    });
  }

  it('stays when something is attached there', async () => {
    await click(0);
    const document = await workspace.openTextDocument({ content: 'one\ntwo' });
    const editor = await window.showTextDocument(document, ViewColumn.Beside);
    editor.selection = new Selection(0, 0, 1, 0);
    await desk.run('switchboard.conversations.attachSelection');
    await click(1);
    await until(() =>
      [titles[0], titles[1]].every((title) => tabs().includes(title ?? '')),
    );
  });

  it('stays if the editor gives every file a tab of its own', async () => {
    await workspace
      .getConfiguration('workbench')
      .update('editor.enablePreview', false, true);
    await click(0);
    await click(1);
    await shows(0, 1);
  });

  it('shows each clicked row, and stays after Enter or a double click', async () => {
    const { conversations } = desk.trees;
    const [first, second, third, fourth] = conversations
      .getChildren()
      .flatMap((row) =>
        row.kind === 'conversation'
          ? (desk.switchboard.conversation(row.id) ?? [])
          : [],
      )
      .map(titleOf);
    const next = async () => {
      await desk.skip(2);
      await commands.executeCommand('switchboard.conversations.focus');
      await commands.executeCommand('list.focusDown');
    };
    const shows = (...expected: readonly unknown[]) =>
      until(() => isDeepStrictEqual(tabs(), expected));
    await focusFirstRow();
    await select();
    await shows(first);
    await next();
    await select();
    await shows(second);
    await select();
    await next();
    await commands.executeCommand('runCommands', {
      commands: ['list.select', '_switchboard.conversations.enterRow'],
    });
    await shows(second, third);
    await next();
    await select();
    await shows(second, third, fourth);
  });

  it('stays if rows open with a double click only', async () => {
    await workspace
      .getConfiguration('workbench')
      .update('list.openMode', 'doubleClick', true);
    await focusFirstRow();
    await select();
    await until(() => tabs().length === 1);
    await click(2);
    await until(() => tabs().length === 2);
  });
});

describe('a conversation page in a window', () => {
  let desk: Desk;
  let demo: MisbehavingDemo;
  /** Everything the page was told, the oldest first. */
  let told: readonly ToPage[];

  before(async () => {
    desk = await Desk.setUp({ refreshInterval: 0 });
    demo = await desk.look({ interface: 'agentServer' });
    ({ told } = desk.pages);
  });

  after(async () => {
    await desk.clear();
  });

  beforeEach(() => {
    desk.pages.told.length = 0;
  });

  afterEach(async () => {
    demo.misbehave({});
    await commands.executeCommand('workbench.action.closeAllEditors');
    await until(() => tabs().length === 0);
  });

  const tabs = () => window.tabGroups.all.flatMap((group) => group.tabs);
  const say = (message: FromPage) => void desk.pages.say(message);
  const last = <Type extends ToPage['type']>(type: Type) =>
    desk.pages.last(type);

  /** Opens the page of one that has finished, or waits. */
  async function open(
    wanted = 'finished',
    how = 'send',
  ): Promise<Conversation> {
    const conversation =
      [...desk.switchboard.conversations.rows.values()].find(
        ({ execution }) => execution === wanted,
      ) ?? assert.fail();
    await desk.run(
      'switchboard.conversations.showDetails',
      keyOf(conversation),
    );
    await until(() => last('input')?.input.ways[0]?.how === how);
    return conversation;
  }

  async function deleteElsewhere({ id }: Conversation): Promise<void> {
    const headers = { 'X-Session-API-Key': demo.key };
    await fetch(`${demo.url}/api/conversations/${id}`, {
      method: 'DELETE',
      headers,
    });
    await desk.switchboard.refresh();
  }

  it('closes when you delete its conversation', async () => {
    const conversation = await open();
    desk.person.presses.add('Delete');
    await desk.run('switchboard.conversations.delete', keyOf(conversation));
    await until(() => tabs().length === 0);
  });

  it('closes when its conversation is gone at the service', async () => {
    await deleteElsewhere(await open());
    await until(() => tabs().length === 0);
  });

  it('stays with nothing to do while it has unsent text, when its conversation is gone', async () => {
    const conversation = await open();
    say({ type: 'draft', text: 'Not sent yet' });
    await deleteElsewhere(conversation);
    await until(() => last('input')?.input.obstacle !== undefined);
    assert.equal(tabs().length, 1);
    const { head } = last('head') ?? assert.fail();
    assert.deepEqual(
      [head.state.text, head.buttons, head.menu],
      ['Deleted', [], []],
    );
    say({ type: 'draft', text: '' });
  });

  it('puts queued messages back when its conversation is gone', async () => {
    const conversation = await open('waitingForConfirmation', 'rejectAndSend');
    for (const text of ['Then push it', 'And tell me'])
      say({ type: 'send', how: 'queue', text, shown: undefined });
    await until(() => last('pending')?.entries.length === 2);
    await deleteElsewhere(conversation);
    await until(() => last('input')?.input.obstacle !== undefined);
    assert.equal(tabs().length, 1);
    assert.deepEqual(
      told.flatMap((message) =>
        message.type === 'putBack' ? message.text : [],
      ),
      ['And tell me', 'Then push it'],
    );
    say({ type: 'draft', text: '' });
  });

  it('takes off one attachment of a queued message that is edited on a page opened later', async () => {
    const key = keyOf(await open('waitingForConfirmation', 'rejectAndSend'));
    const attached = () => last('attachments')?.attachments ?? [];
    const attach = async (name: string) => {
      const { length } = attached();
      say({ type: 'attachText', name, text: name });
      await until(() => attached().length > length);
    };
    await attach('a.txt');
    say({ type: 'send', how: 'queue', text: 'Look', shown: undefined });
    await until(() => attached().length === 0);
    await commands.executeCommand('workbench.action.closeAllEditors');
    await until(() => tabs().length === 0);
    desk.pages.told.length = 0;
    await desk.run('switchboard.conversations.showDetails', key);
    await until(() => last('pending')?.entries.length === 1);
    await attach('b.txt');
    const [entry] = last('pending')?.entries ?? [];
    assert.ok(entry && 'queued' in entry && entry.queued !== undefined);
    say({ type: 'editQueued', id: entry.queued });
    await until(() => attached().length === 2);
    say({ type: 'detach', id: attached()[0]?.id ?? 0 });
    await until(() => attached().length < 2);
    assert.deepEqual(
      attached().map(({ name }) => name),
      ['b.txt'],
    );
    say({ type: 'detach', id: attached()[0]?.id ?? 0 });
    say({ type: 'draft', text: '' });
  });

  it('shows a message as on its way, and puts it back when it cannot be sent', async () => {
    await open();
    demo.misbehave({ errorStatus: 400, only: /^POST .*\/events/ });
    say({ type: 'send', how: 'send', text: 'Go on', shown: undefined });
    await until(() => last('pending')?.entries.length === 1);
    assert.equal(last('input')?.input.stop, 'Stop');
    await until(() => last('putBack') !== undefined);
    assert.deepEqual(last('putBack'), { type: 'putBack', text: 'Go on' });
    assert.match(last('told')?.text ?? '', /^Could not/);
    assert.deepEqual(last('pending')?.entries, []);
    say({ type: 'draft', text: '' });
  });

  it('queues a message that can be edited and removed, and sends it once the agent has finished', async () => {
    const { id } = await open('waitingForConfirmation', 'rejectAndSend');
    const queued = () =>
      last('pending')?.entries.flatMap((entry) =>
        'queued' in entry ? entry : [],
      ) ?? [];
    const queue = async (text: string) => {
      const { length } = queued();
      say({ type: 'send', how: 'queue', text, shown: undefined });
      await until(() => queued().length > length);
    };
    const { requestCount } = demo;
    await queue('Then push it');
    await queue('And tell me');
    await queue('Not this');
    assert.deepEqual(
      queued().map(({ text, time }) => `${text}: ${time}`),
      ['Then push it', 'And tell me', 'Not this'].map(
        (text) => `${text}: Queued until the agent has finished`,
      ),
    );
    const [first, , third] = queued().map((entry) => entry.queued ?? 0);
    say({ type: 'removeQueued', id: third ?? 0 });
    await until(() => queued().length === 2);
    say({ type: 'editQueued', id: first ?? 0 });
    await until(() => last('putBack') !== undefined);
    assert.deepEqual(
      [last('putBack')?.text, queued().length],
      ['Then push it', 1],
    );
    assert.equal(demo.requestCount, requestCount);

    say({
      type: 'answer',
      shown: last('waiting')?.waiting?.shown ?? 0,
      accept: true,
    });
    await until(() =>
      last('pending')?.entries.every(({ id }) => !id.startsWith('queued-')),
    );
    const isMessage = ({ path, method }: { path: string; method: string }) =>
      method === 'POST' && path === `/api/conversations/${id}/events`;
    assert.equal(demo.requests.filter(isMessage).length, 1);
    say({ type: 'draft', text: '' });
  });

  it('can be answered again if an answer fails while the page begins again', async () => {
    await open('waitingForConfirmation', 'rejectAndSend');
    const obstacle = () => last('waiting')?.waiting?.obstacle;
    const shown = () => last('waiting')?.waiting?.shown ?? 0;
    const first = shown();
    demo.misbehave({ held: true, errorStatus: 400, only: /confirmation$/ });
    say({ type: 'answer', shown: first, accept: false });
    await until(() =>
      demo.requests.at(-1)?.path.endsWith('/respond_to_confirmation'),
    );
    say({ type: 'ready', anchor: undefined });
    await until(() => shown() > first);
    assert.equal(obstacle(), 'Your answer is being sent…');
    demo.misbehave({});
    await until(() => last('told') !== undefined);
    assert.match(last('told')?.text ?? '', /^Could not answer/);
    assert.ok(last('waiting')?.waiting);
    assert.equal(obstacle(), undefined);
  });

  it('keeps what is attached to an unsent message when the page is closed, until it is sent', async () => {
    const key = keyOf(await open());
    const attached = () =>
      last('attachments')?.attachments.map(({ name }) => name);
    const reopen = async () => {
      await commands.executeCommand('workbench.action.closeAllEditors');
      await until(() => tabs().length === 0);
      desk.pages.told.length = 0;
      await desk.run('switchboard.conversations.showDetails', key);
      await until(() => attached() !== undefined);
    };
    say({ type: 'attachText', name: 'a.txt', text: 'one' });
    say({
      type: 'attachPicture',
      name: 'b.png',
      mediaType: 'image/png',
      base64: 'iVBORw0KGgo=',
    });
    await until(() => attached()?.length === 2);
    await reopen();
    assert.deepEqual(attached(), ['a.txt', 'b.png']);
    await until(() => last('input')?.input.ways[0]?.how === 'send');
    say({ type: 'send', how: 'send', text: 'Look', shown: undefined });
    await until(() => attached()?.length === 0);
    await reopen();
    assert.deepEqual(attached(), []);
  });

  it('draws each part of the page at most once per event of a message that leads to a waiting action', async () => {
    const { id } = await open();
    const ask = async (method: string, path: string, body?: unknown) => {
      const headers = {
        'X-Session-API-Key': demo.key,
        'Content-Type': 'application/json',
      };
      const url = `${demo.url}/api/conversations/${id}/${path}`;
      return await fetch(url, {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    };
    await ask('POST', 'confirmation_policy', {
      policy: { kind: 'AlwaysConfirm' },
    });
    await until(() => last('head')?.head.confirmation?.value === 'always');
    const states = async () => {
      const page = (await (
        await ask('GET', 'events/search?limit=100&sort_order=TIMESTAMP_DESC')
      ).json()) as {
        readonly items: readonly { readonly kind: string }[];
      };
      return page.items.filter(
        ({ kind }) => kind === 'ConversationStateUpdateEvent',
      ).length;
    };
    const before = await states();
    desk.pages.told.length = 0;
    const content = [
      { type: 'text', text: 'call: terminal {"command": "echo one"}' },
    ];
    await ask('POST', 'events', { role: 'user', content, run: true });
    await until(() => last('waiting')?.waiting !== undefined);
    const events = (await states()) - before;
    assert.ok(events > 0);
    for (const part of ['head', 'input', 'waiting'] as const) {
      const draws = told.filter(({ type }) => type === part).length;
      assert.ok(draws <= events, `${part}: ${draws} for ${events} events`);
    }
  });

  it('stops the agent of the active page without asking which', async () => {
    await open();
    demo.misbehave({ held: true, only: /^POST .*\/events/ });
    say({ type: 'send', how: 'send', text: 'Go on', shown: undefined });
    await until(() => last('input')?.input.stop !== undefined);
    await desk.run('switchboard.conversations.stop');
    await until(() => last('told') !== undefined);
    demo.misbehave({});
    assert.deepEqual(desk.person.offered, []);
  });

  it('says that a message may not have arrived when its page is closed before it is sent', async () => {
    await open();
    demo.misbehave({ held: true });
    const count = demo.requestCount;
    say({ type: 'send', how: 'send', text: 'Go on', shown: undefined });
    await until(() => demo.requestCount > count);
    desk.person.presses.add('Show');
    await commands.executeCommand('workbench.action.closeAllEditors');
    await until(() =>
      desk.person.heard.join().includes('may not have arrived'),
    );
    await until(() => last('start')?.draft === 'Go on');
    desk.person.presses.delete('Show');
    say({ type: 'draft', text: '' });
  });

  it('answers a request for older entries after its service was disconnected', async () => {
    await open();
    await desk.run('switchboard.disconnect');
    await until(() => last('head')?.head.state.text === 'Unknown');
    desk.pages.told.length = 0;
    await desk.pages.say({ type: 'older' });
    assert.ok(last('olderEnded'));
    await desk.connectTo(demo);
  });
});
