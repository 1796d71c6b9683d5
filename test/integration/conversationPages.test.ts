import assert from 'node:assert/strict';
import { commands, type WebviewPanel, window } from 'vscode';
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
