import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { commands, Selection, ViewColumn, type WebviewPanel, window, workspace } from 'vscode';
import { type Conversation, keyOf } from '../../src/service/entities.ts';
import { titleOf } from '../../src/editor/words/conversationWords.ts';
import { Desk } from './desk.ts';
import { type Anything, replace } from './person.ts';
import { until } from '../support/eventually.ts';

describe('a conversation page that was just closed', () => {
  let desk: Desk;
  let conversation: Conversation;
  /** Restores the editor. */
  let restore: () => void;
  /** How many pages were made. */
  let made: number;
  /** What hears that a page was closed, and has not been told as yet. */
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

  /** The panel, of which the editor tells that it was closed only once it is asked to bring it to the front. */
  function told(panel: WebviewPanel): WebviewPanel {
    let isClosed = false;
    panel.onDidDispose(() => {
      isClosed = true;
    });
    return new Proxy(panel, {
      get: (_, name) => {
        if (name === 'onDidDispose')
          return (hear: () => void) => panel.onDidDispose(() => void untold.push(hear));
        if (name === 'reveal')
          return () => {
            if (!isClosed) panel.reveal();
            else queueMicrotask(tellAll);
          };
        if (isClosed && (name === 'visible' || name === 'active')) return false;
        const value: unknown = Reflect.get(panel, name);
        return typeof value === 'function' ? (value as Anything).bind(panel) : value;
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
    await workspace.getConfiguration('workbench').update('editor.enablePreview', undefined, true);
    await workspace.getConfiguration('workbench').update('list.openMode', undefined, true);
  });

  const tabs = () => window.tabGroups.all.flatMap((group) => group.tabs).map(({ label }) => label);
  const click = (index: number) => desk.run('switchboard.conversations.showDetails', keys[index], 'click');
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
    ['is opened', () => desk.run('switchboard.conversations.showDetails', keys[0])],
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
    await until(() => [titles[0], titles[1]].every((title) => tabs().includes(title ?? '')));
  });

  it('stays if the editor gives every file a tab of its own', async () => {
    await workspace.getConfiguration('workbench').update('editor.enablePreview', false, true);
    await click(0);
    await click(1);
    await shows(0, 1);
  });

  it('shows each clicked row, and stays after Enter or a double click', async () => {
    const { conversations } = desk.trees;
    const [first, second, third, fourth] = conversations
      .getChildren()
      .map((row) => conversations.getTreeItem(row).label);
    const next = async () => {
      await desk.skip(2);
      await commands.executeCommand('switchboard.conversations.focus');
      await commands.executeCommand('list.focusDown');
    };
    const shows = (...expected: readonly unknown[]) => until(() => isDeepStrictEqual(tabs(), expected));
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
    await workspace.getConfiguration('workbench').update('list.openMode', 'doubleClick', true);
    await focusFirstRow();
    await select();
    await until(() => tabs().length === 1);
    await click(2);
    await until(() => tabs().length === 2);
  });
});
