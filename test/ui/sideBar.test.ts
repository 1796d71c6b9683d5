import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame, Locator, Page } from 'playwright-core';
import {
  type MisbehavingDemo,
  startMisbehavingDemo,
} from '../support/demo/faults/misbehavingDemo.ts';
import { SteppedClock } from '../support/steppedClock.ts';
import { type Behaviour, toolServer } from '../support/toolServer.ts';
import {
  answer,
  asks,
  changeTheme,
  choose,
  type Desk,
  eventually,
  fold,
  goTo,
  hasKeyboard,
  hasWalkthrough,
  hears,
  labels,
  messages,
  openChoice,
  openPage,
  openSideBar,
  press,
  question,
  rows,
  runCommand,
  setUpDesk,
  statusBar,
  takePicture,
  themes,
  typeInPalette,
  unfold,
  view,
  webviewOf,
  writeInto,
  writeNew,
} from './support.ts';

const key = 'canary-key-of-the-service';

/** Longer than anything takes in the demo service. */
const duration = 10_000;

/**
 * All tests share one window: first nothing is connected, then the demo, then a
 * service with a key.
 */
describe('the side bar', () => {
  let desk: Desk;
  let page: Page;
  let service: MisbehavingDemo;
  let clock: SteppedClock;
  let file: string;

  before(async () => {
    // The service changes only when a test advances its clock, so every stage
    // can be seen.
    clock = new SteppedClock(Date.now());
    service = await startMisbehavingDemo({ key, clock });
    desk = await setUpDesk({
      // Without automatic refreshes, every request comes from a command.
      settings: {
        'switchboard.notifications': 'off',
        'switchboard.refreshInterval': 0,
      },
    });
    file = join(desk.home, '.agent', 'mcp.json');
    ({ page } = await desk.open());
    await openSideBar(page);
  });

  after(async () => {
    await desk.clear();
    await service.stop();
  });

  /** The text of the focused element. */
  const focused = (place: Page | Frame = page) =>
    place.evaluate<string>('document.activeElement?.textContent ?? ""');

  /** Waits until this is what Enter chooses. */
  async function isFocusedInList(label: string): Promise<void> {
    await page
      .locator('.quick-input-list .monaco-list-row.focused')
      .filter({ hasText: label })
      .waitFor();
  }

  /** A list ignores Enter while one from the service replaces it. */
  async function takeFocused(): Promise<void> {
    await eventually(async () => {
      if (await question(page).isVisible()) await page.keyboard.press('Enter');
      await question(page).waitFor({ state: 'hidden', timeout: 1_000 });
    });
  }

  describe('without a service', () => {
    it('explains each view and offers the first steps without scrolling', async () => {
      const conversations = view(page, 'Conversations');
      const servers = view(page, 'MCP Servers');
      await conversations
        .getByText('See which OpenHands agents need you')
        .waitFor();
      await servers.getByText('MCP servers give your agents tools').waitFor();
      const buttons = [
        [conversations, 'Find Services on This Machine'],
        [conversations, 'Try the Demo Service'],
        [servers, 'Add MCP Server'],
      ] as const;
      for (const [pane, label] of buttons) {
        const button = pane
          .locator('.welcome-view-content')
          .getByRole('button', { name: label });
        await button.waitFor();
        assert.equal(
          await button.getAttribute('aria-disabled'),
          'false',
          label,
        );
        assert.ok(await isInside(pane, button), label);
      }
      const links = [
        [conversations, 'connect to a service'],
        [conversations, 'Start an Agent Server'],
        [servers, 'add servers from text'],
        [servers, 'open the configuration file'],
      ] as const;
      for (const [pane, text] of links) {
        const link = pane
          .locator('.welcome-view-content a')
          .filter({ hasText: new RegExp(`^${text}$`) });
        assert.ok(await isInside(pane, link), text);
      }
      assert.equal(await view(page, 'Sandboxes').count(), 0);
      await takePicture(page, 'side-bar-empty');
    });

    it('keeps its buttons visible when it is narrow', async () => {
      await page.setViewportSize({ width: 520, height: 800 });
      const add = view(page, 'MCP Servers').getByRole('button', {
        name: 'Add MCP Server',
      });
      await add.first().waitFor();
      await takePicture(page, 'side-bar-narrow');
      await page.setViewportSize({ width: 1280, height: 800 });
    });

    it('shows a new user only eight commands in the palette', async () => {
      const offered = await typeInPalette(page, 'Switchboard');
      await offered.filter({ hasText: 'Try the Demo Service' }).waitFor();
      const all = (await offered.allInnerTexts()).map(
        (text) => /Switchboard: ([^\n]+)/.exec(text)?.[1] ?? '',
      );
      // The editor itself adds one for each view.
      const own = all.filter(
        (title) => title !== '' && !/^Focus on .* View$/.test(title),
      );
      assert.deepEqual(own.sort(), [
        'Add MCP Server',
        'Add MCP Server from Text',
        'Connect to a Service',
        'Find Services on This Machine',
        'Open Configuration File',
        'Show Log',
        'Start an Agent Server',
        'Try the Demo Service',
      ]);
      await takePicture(page, 'palette-new-user');
      await page.keyboard.press('Escape');
    });

    it('opens the configuration file with its button', async () => {
      await view(page, 'MCP Servers')
        .locator('.welcome-view-content')
        .getByRole('button', { name: 'Open' })
        .click();
      await page
        .locator('.editor-instance .view-lines')
        .getByText('"mcpServers"')
        .waitFor();
      assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), {
        mcpServers: {},
      });
      await runCommand(page, 'View: Close All Editors');
    });
  });

  describe('with the walkthrough and the demo', () => {
    const walkthrough = 'Get Started with Agent Switchboard';
    const titles = [
      'Connect to a service, or try the demo',
      'Open a conversation, and answer its agent',
      "Review an agent's changes",
      'Add an MCP server',
      'Test a server, and choose its tools',
      'See which servers a conversation has',
    ] as const;
    const [connect, follow, changes, add, tools, pending] = titles;
    const asking = 'Split the backup job into two modules';

    const step = (title: string) =>
      page.locator('.getting-started-step').filter({ hasText: title });
    const tick = (title: string) =>
      step(title).locator('[role=checkbox].complete');
    const pick = () => page.locator('.quick-input-widget:visible');

    /**
     * Opens a step, and waits until the editor has given it the focus, which
     * would close a question.
     */
    async function open(title: string): Promise<Locator> {
      const focusedStep = step(title).and(page.locator('.expanded:focus'));
      // A click of the mouse would give it the focus at once, before the editor
      // does.
      if ((await focusedStep.count()) === 0)
        await step(title).dispatchEvent('click');
      await focusedStep.waitFor();
      return step(title);
    }

    async function cancel(title: string): Promise<void> {
      await pick().waitFor();
      await page.keyboard.press('Escape');
      await pick().waitFor({ state: 'hidden' });
      await tick(title).waitFor({ state: 'hidden' });
    }

    async function chooseConversation(): Promise<void> {
      await pick().waitFor();
      await question(page).fill(asking);
      await isFocusedInList(asking);
      await page.keyboard.press('Enter');
    }

    it('shows each step with its picture and without a tick', async () => {
      await runCommand(page, 'Welcome: Open Walkthrough...');
      await page.getByPlaceholder('walkthrough').fill(walkthrough);
      await page
        .locator('.quick-input-list .monaco-list-row')
        .filter({ hasText: walkthrough })
        .click();
      await hasWalkthrough(page);
      for (const title of titles) {
        await open(title);
        await tick(title).waitFor({ state: 'hidden' });
        const picture = page.locator('.getting-started-media img').first();
        await picture.waitFor();
        await eventually(() =>
          picture.evaluate(
            (image: { complete: boolean; naturalWidth: number }) => {
              if (!image.complete || image.naturalWidth === 0)
                throw new Error('The picture is missing.');
            },
          ),
        );
        await takePicture(page, `walkthrough-${titles.indexOf(title) + 1}`);
      }
      await runCommand(page, 'View: Close All Editors');
    });

    it('reaches the buttons of an empty view with Tab, and starts the demo with Enter', async () => {
      await view(page, 'Conversations').locator('.pane-header').focus();
      await eventually(async () => {
        await page.keyboard.press('Tab');
        assert.equal(await focused(), 'Try the Demo Service');
      });
      await page.keyboard.press('Enter');
      await rows(page, 'Conversations').first().waitFor();
      // If focus stayed where the button was, the keyboard would have no
      // effect.
      await hears(page, /Open a conversation, and answer its agent/);
      await hasWalkthrough(page);
      await tick(connect).waitFor();
      await tick(follow).waitFor({ state: 'hidden' });
    });

    it('ticks opening a conversation when its page opens, but not when the question is cancelled', async () => {
      const show = (await open(follow)).getByRole('button', {
        name: 'Open a Conversation',
      });
      await show.click();
      await cancel(follow);
      await show.click();
      await chooseConversation();
      await webviewOf(page, asking);
      await runCommand(page, 'View: Close Editor');
      await tick(follow).waitFor();
    });

    it('ticks reviewing changes when they are shown, but not when the question is cancelled', async () => {
      const show = (await open(changes)).getByRole('button', {
        name: 'Show Changes',
      });
      await show.click();
      await cancel(changes);
      await show.click();
      await chooseConversation();
      await page.locator('.multiDiffEntry').first().waitFor();
      await runCommand(page, 'View: Close Editor');
      await tick(changes).waitFor();
    });

    it('ticks adding when a server exists, but not when the question is cancelled', async () => {
      await (
        await open(add)
      )
        .getByRole('button', { name: 'Add MCP Server' })
        .click();
      await cancel(add);
      const behaviour = join(desk.home, 'tools.json');
      await writeFile(
        behaviour,
        JSON.stringify({
          tools: [{ name: 'search_code' }],
        } satisfies Behaviour),
      );
      const issues = {
        url: 'https://issues.example.com/mcp',
        transport: 'http',
        enabled: false,
      };
      const text = JSON.stringify({
        mcpServers: { files: toolServer(behaviour), issues },
      });
      await writeFile(file, text, { mode: 0o600 });
      await tick(add).waitFor();
    });

    it('ticks testing a server when its tools are known', async () => {
      await tick(tools).waitFor({ state: 'hidden' });
      await (
        await open(tools)
      )
        .getByRole('button', { name: 'Check MCP Server' })
        .click();
      await pick()
        .locator('.monaco-list-row')
        .filter({ hasText: 'This Machine' })
        .click();
      await pick()
        .locator('.monaco-list-row')
        .filter({ hasText: 'toolServer.ts' })
        .click();
      await pick().getByRole('button', { name: 'OK' }).click();
      await page
        .locator('.monaco-dialog-box')
        .getByRole('button', { name: 'Check', exact: true })
        .click();
      await tick(tools).waitFor();
      await runCommand(page, 'Notifications: Clear All Notifications');
    });

    it('ticks pending changes when their page opens', async () => {
      await (
        await open(pending)
      )
        .getByRole('button', { name: 'Show MCP Status' })
        .click();
      await webviewOf(page, 'MCP Servers of Running Conversations');
      await runCommand(page, 'View: Close Editor');
      await tick(pending).waitFor();
      await takePicture(page, 'walkthrough-done');
      await runCommand(page, 'View: Close All Editors');
      await runCommand(page, 'Switchboard: Stop the Demo Service');
      await view(page, 'Conversations')
        .getByRole('button', { name: 'Find Services on This Machine' })
        .waitFor();
      await view(page, 'Sandboxes').waitFor({ state: 'detached' });
    });
  });

  describe('with a service and its key', () => {
    let opened: string;

    it('keeps your input when an address or key is wrong, and connects by keyboard', async () => {
      await runCommand(page, 'Switchboard: Connect to a Service');
      await answer(page, 'Address of the service', 'ftp://agents.example.com');
      await asks(page, '"ftp://" is not supported');
      await takePicture(page, 'connect-wrong-address');
      await answer(page, 'Connect to a Service', service.url);
      await asks(page, /^Key of http/);
      assert.equal(await question(page).getAttribute('type'), 'password');
      await answer(page, /^Key of http/, 'wrong');
      await messages(page, 'refused access. Check the key.').waitFor();
      await takePicture(page, 'connect-wrong-key');

      // The button "Change".
      await runCommand(
        page,
        'Notifications: Accept Notification Primary Action',
      );
      await asks(page, /^Key of http/);
      assert.equal(await question(page).inputValue(), 'wrong');
      await page.getByRole('button', { name: 'Back' }).click();
      await asks(page, 'Address of the service');
      assert.equal(await question(page).inputValue(), service.url);
      await page.keyboard.press('Enter');
      await answer(page, /^Key of http/, key);

      const host = new URL(service.url).host;
      await rows(page, 'Conversations').first().waitFor();
      await rows(page, 'Sandboxes').first().waitFor();
      await hears(page, /^Conversations; .+, .+/);
      await view(page, 'Conversations')
        .locator('.pane-header .description')
        .getByText(host)
        .waitFor();
      await statusBar(page).getByText(host).waitFor();
      // When several messages appear within a second, VS Code hides the last
      // ones.
      await runCommand(page, 'Notifications: Show Notifications');
      const told = page.locator(
        '.notifications-center .notification-list-item',
      );
      await told
        .filter({ hasText: `Connected to ${service.url} (V0).` })
        .waitFor();
      await takePicture(page, 'connected');
      await runCommand(page, 'Notifications: Clear All Notifications');
      assert.ok(!(await page.content()).includes(key));
    });

    it('asks once for another key when a working key is refused', async () => {
      service.misbehave({ unauthorized: true });
      await runCommand(page, 'Switchboard: Refresh Conversations');
      const asked = messages(page, 'did not accept the key').filter({
        hasText: 'Set API Key',
      });
      await asked.first().waitFor();
      await rows(page, 'Conversations', /^Key not accepted, as of /).waitFor();
      await runCommand(page, 'Switchboard: Refresh Conversations');
      await rows(page, 'Sandboxes', /^Key not accepted, as of /).waitFor();
      assert.equal(await asked.count(), 1);
      await takePicture(page, 'key-refused');
      service.misbehave({});
      await press(page, 'did not accept the key', 'Set API Key');
      await answer(page, 'Set API Key', key);
      for (const list of ['Conversations', 'Sandboxes']) {
        await rows(page, list, /^Key not accepted/).waitFor({
          state: 'hidden',
        });
      }
      assert.ok((await rows(page, 'Conversations').count()) > 5);
      await asked.waitFor({ state: 'hidden' });
      await runCommand(page, 'Notifications: Clear All Notifications');
    });

    it('labels each view and its focused row for a screen reader', async () => {
      for (const title of ['Conversations', 'Sandboxes', 'MCP Servers']) {
        const tree = view(page, title).getByRole('tree');
        assert.match(
          (await tree.getAttribute('aria-label')) ?? '',
          new RegExp(title),
        );
        const row = await goTo(page, title);
        assert.match((await row.getAttribute('aria-label')) ?? '', /\w+, \w+/);
      }
    });

    it('opens a row with Enter and its menu with Shift+F10', async () => {
      const label =
        (await (
          await goTo(page, 'Conversations')
        ).getAttribute('aria-label')) ?? '';
      await page.keyboard.press('Shift+F10');
      for (const name of ['Open in Browser', 'Copy Conversation ID']) {
        await page.getByRole('menuitem', { name }).waitFor();
      }
      await page.keyboard.press('Escape');
      await page
        .getByRole('menuitem', { name: 'Copy Conversation ID' })
        .waitFor({ state: 'hidden' });
      await hasKeyboard(page, 'Conversations');
      await page.keyboard.press('Enter');
      opened = label.split(',')[0] ?? '';
      await webviewOf(page, opened);
    });

    it('shows clicked rows in one tab, keeps it after a double click, and leaves the keyboard in the list', async () => {
      await runCommand(page, 'View: Close All Editors');
      const titles = (await labels(page, 'Conversations')).map(
        (label) => label.split(',')[0] ?? '',
      );
      const tabs = page.locator('.tabs-container .tab');
      const clickOn = async (index: number, count = 1) => {
        await rows(page, 'Conversations')
          .nth(index)
          .click({ clickCount: count });
        await webviewOf(page, titles[index] ?? '');
      };
      for (const index of [1, 2, 3]) {
        await clickOn(index);
        await hasKeyboard(page, 'Conversations');
        await eventually(async () => {
          assert.equal(await tabs.count(), 1);
        });
      }
      await page
        .locator('.editor-actions')
        .getByRole('button', { name: 'Keep Open' })
        .waitFor();
      await takePicture(page, 'reused-tab');
      await clickOn(2, 2);
      const frame = await webviewOf(page, titles[2] ?? '');
      await frame.locator('textarea:focus').waitFor();
      await clickOn(1);
      await eventually(async () => {
        assert.equal(await tabs.count(), 2);
      });
      await runCommand(page, 'View: Close All Editors');
      await goTo(page, 'Conversations', new RegExp(`^${opened}`));
      await page.keyboard.press('Enter');
      await webviewOf(page, opened);
    });

    it('keeps what you write in the tab of a clicked row', async () => {
      const titles = (await labels(page, 'Conversations')).map(
        (label) => label.split(',')[0] ?? '',
      );
      const [first = '', second = ''] = titles.filter(
        (title) => title !== opened,
      );
      const frame = await openPage(
        page,
        rows(page, 'Conversations', first).first(),
        first,
      );
      await writeInto(
        frame.getByRole('textbox', { name: 'Message to the agent' }),
        'Wait for me',
      );
      await openPage(page, rows(page, 'Conversations', second).first(), second);
      const tab = page
        .locator('.tabs-container .tab')
        .filter({ hasText: first });
      await tab.click();
      const again = await webviewOf(page, first);
      await eventually(async () => {
        const field = again.getByRole('textbox', {
          name: 'Message to the agent',
        });
        assert.equal(await field.inputValue(), 'Wait for me');
      });
      await runCommand(page, 'View: Close All Editors');
      await goTo(page, 'Conversations', new RegExp(`^${opened}`));
      await page.keyboard.press('Enter');
      await webviewOf(page, opened);
    });

    it('gives a page a language, a heading, labelled facts, and buttons that Tab reaches', async () => {
      const frame = await webviewOf(page, opened);
      assert.equal(await frame.locator('html').getAttribute('lang'), 'en');
      assert.equal(await frame.getByRole('heading', { level: 1 }).count(), 1);
      assert.equal(
        await frame.locator('dt').count(),
        await frame.locator('dt + dd').count(),
      );
      // For a link without a title, the editor shows and announces the address
      // of its command.
      assert.equal(await frame.locator('a[title^="command:"]').count(), 0);
      await frame.getByRole('button', { name: 'Details' }).press('Enter');
      const more = frame.getByRole('button', { name: 'More Actions…' });
      await eventually(async () => {
        await page.keyboard.press('Tab');
        assert.equal(await more.and(frame.locator(':focus')).count(), 1);
      });
      await page.keyboard.press('Enter');
      await page.keyboard.press('End');
      await eventually(async () => {
        assert.equal(await frame.locator('[role=menuitem]:focus').count(), 1);
      });
      await page.keyboard.press('Escape');
      await runCommand(page, 'View: Close All Editors');
    });

    it('shows itself and the page of a server in each theme without errors', async () => {
      await openPage(page, rows(page, 'MCP Servers', /files/), 'files');
      for (const [name, theme] of Object.entries(themes).toReversed()) {
        await changeTheme(page, theme);
        await webviewOf(page, 'files');
        await takePicture(page, `side-bar-${name}`);
      }
      assert.equal(await messages(page, /went wrong/).count(), 0);
      await runCommand(page, 'View: Close All Editors');
    });
  });

  describe('with a list of conversations', () => {
    before(async () => {
      await fold(page, 'Sandboxes', 'MCP Servers');
    });

    it('shows each state by an icon and a word, not by colour alone', async () => {
      await page.mouse.move(640, 400);
      const looks = await rows(page, 'Conversations').evaluateAll(
        (found: readonly Row[]) =>
          found.map((row) => [
            row.getAttribute('aria-label') ?? '',
            row
              .querySelector('.custom-view-tree-node-item-icon')
              ?.getAttribute('class') ?? '',
          ]),
      );
      const shapes = new Map<string, string>();
      for (const [label = '', classes = ''] of looks) {
        const word = /^[^,]+, ([^,]+)/.exec(label)?.[1];
        if (word === undefined || classes === '') continue;
        const shape = /codicon-[\w-]+/.exec(classes)?.[0];
        assert.ok(shape, `${word} has no icon`);
        assert.equal(shapes.get(word) ?? shape, shape, `${word} has two icons`);
        shapes.set(word, shape);
      }
      assert.ok(shapes.size >= 4, JSON.stringify([...shapes]));
      // Different idle states may look alike, but states that need the user
      // look like no other.
      for (const word of ['Waiting for you', 'Failed', 'Finished']) {
        const shape = shapes.get(word);
        if (shape !== undefined)
          assert.equal(
            [...shapes.values()].filter((other) => other === shape).length,
            1,
            word,
          );
      }
    });

    it('shows the filter above its conversations in groups, and all again with one click', async () => {
      await runCommand(page, 'Switchboard: Group Conversations By');
      await choose(page, 'Group Conversations', 'State');
      await rows(
        page,
        'Conversations',
        /^Waiting for you, \d loaded$/,
      ).waitFor();
      await takePicture(page, 'group-state');
      await runCommand(page, 'Switchboard: Filter Conversations');
      await choose(page, 'Filter Conversations', 'Title');
      await answer(page, 'Filter by Title', 'FIX');
      const filter = rows(
        page,
        'Conversations',
        /^Filter: .*“FIX”, \d of 20 loaded$/,
      );
      await filter.waitFor();
      const [first = '', ...others] = await labels(page, 'Conversations');
      assert.match(first, /^Filter/);
      const found = others.filter((label) => !label.endsWith(' loaded'));
      assert.ok(found.length > 0);
      for (const label of found) assert.match(label, /^[^,]*fix/i);
      await filter.hover();
      await takePicture(page, 'filter-text');
      await filter.getByRole('button', { name: 'Clear Filters' }).click();
      await filter.waitFor({ state: 'hidden' });
      await runCommand(page, 'Switchboard: Group Conversations By');
      await choose(page, 'Group Conversations', 'Nothing');
      await rows(page, 'Conversations', /^Waiting for you, \d loaded$/).waitFor(
        { state: 'hidden' },
      );
      await eventually(async () => {
        assert.equal((await labels(page, 'Conversations')).length, 21);
      });
    });

    it('shows a new conversation at once, in the repository that you found as you typed', async () => {
      // However long the tests before took, what is created now is new.
      clock.advance(Date.now() - clock.now());
      const frame = await writeNew(page, 'Draw a chart');
      await openChoice(frame, 'No Repository');
      await asks(page, 'Repository to work in');
      await page.keyboard.type('DATA-pipe');
      await page
        .locator('.quick-input-list .monaco-list-row')
        .filter({ hasText: 'As Typed' })
        .waitFor();
      await isFocusedInList('meridian/data-pipeline');
      await takePicture(page, 'new-conversation-repositories');
      await takeFocused();
      await openChoice(frame, 'Default Branch');
      await asks(page, 'Branch to start from');
      await isFocusedInList('Default Branch');
      await page
        .locator('.quick-input-list .monaco-list-row')
        .filter({ hasText: 'develop' })
        .waitFor();
      await page.keyboard.type('2.5');
      await page
        .locator('.quick-input-list .monaco-list-row')
        .filter({ hasText: 'As Typed' })
        .waitFor();
      await isFocusedInList('release/2.5');
      await takePicture(page, 'new-conversation-branches');
      await takeFocused();
      await frame
        .getByRole('button', { name: 'Branch: release/2.5' })
        .waitFor();
      await openChoice(frame, 'New Sandbox');
      await choose(page, 'Sandbox to run in', 'New Sandbox');
      await frame.getByRole('button', { name: 'Attach File…' }).waitFor();
      await takePicture(page, 'new-conversation');
      assert.deepEqual(
        service.requests.filter(({ method }) => method === 'POST'),
        [],
      );
      await frame.getByRole('button', { name: 'Create' }).click();
      const requested = rows(page, 'Conversations', /^Draw a chart, Beginning/);
      await requested.waitFor();
      await frame.locator('.entry').getByText('Draw a chart').waitFor();
      await frame.locator('.stateLine').getByText('Starting…').waitFor();
      const field = frame.getByRole('textbox', {
        name: 'Message to the agent',
      });
      assert.equal(await field.inputValue(), '');
      await field.focus();
      await page.keyboard.type('And another one');
      await takePicture(page, 'new-conversation-pending');
      for (const [name, theme] of Object.entries(themes).toReversed()) {
        await changeTheme(page, theme);
        await takePicture(page, `new-conversation-page-${name}`);
      }
      // From then on, it takes as long as the clock of the service says.
      await eventually(() => {
        assert.ok(
          service.requests.some(({ path }) => path.endsWith('/start-tasks')),
        );
        return Promise.resolve();
      });
      clock.advance(1_000);
      await rows(
        page,
        'Conversations',
        /^Draw a chart, Waiting for the sandbox/,
      ).waitFor();
      clock.advance(duration);
      await eventually(async () => {
        const created = (await labels(page, 'Conversations')).find((label) =>
          label.startsWith('Draw a chart'),
        );
        assert.match(
          created ?? '',
          /, (Working|Starting), repository meridian\/data-pipeline, branch release\/2\.5, (cost .+, )?just now$/,
        );
      });
      await frame.getByRole('button', { name: 'Send', exact: true }).waitFor();
      await frame.locator('.entry').getByText('Draw a chart').first().waitFor();
      assert.equal(
        await field.inputValue(),
        'And another one',
        'The same page.',
      );
      assert.equal(
        await page.locator('.tab').filter({ hasText: 'Draw a chart' }).count(),
        1,
      );
      await takePicture(page, 'new-conversation-started');
      const created = service.requests.filter(
        ({ method }) => method === 'POST',
      );
      assert.equal(created.length, 1);
    });
  });

  describe('with a list of sandboxes', () => {
    before(async () => {
      await fold(page, 'Conversations');
      await unfold(page, 'Sandboxes');
      await rows(page, 'Sandboxes', /, 5 conversations,/)
        .first()
        .waitFor();
    });

    it('shows the conversations and addresses of a sandbox below it', async () => {
      const label =
        /^Sandbox, server:1\.9-python, Running, \d conversations, created 3 days ago$/;
      const below = rows(page, 'Sandboxes').and(
        page.locator('[aria-level="2"]'),
      );
      await eventually(async () => {
        // A row that is redrawn at that moment stays collapsed.
        const row = await goTo(page, 'Sandboxes', label);
        if ((await row.getAttribute('aria-expanded')) === 'false')
          await page.keyboard.press('ArrowRight');
        await below.first().waitFor({ timeout: 3_000 });
      });
      const said = await below.evaluateAll((found: readonly Row[]) =>
        found.map((row) => row.getAttribute('aria-label') ?? ''),
      );
      assert.ok(
        said.some((label) =>
          /, (Working|Idle|Waiting for you|Finished|Failed|Paused)\b/.test(
            label,
          ),
        ),
      );
      assert.ok(said.some((label) => label.startsWith('Address ')));
      await takePicture(page, 'sandbox-children');
      await page.keyboard.press('ArrowLeft');
      await below.first().waitFor({ state: 'hidden' });
    });

    it('pauses a sandbox with the button of its row', async () => {
      const running = rows(
        page,
        'Sandboxes',
        /^Sandbox, server:1\.9-python, Running/,
      ).first();
      await running.hover();
      await running.getByRole('button', { name: 'Pause Sandbox' }).click();
      await rows(
        page,
        'Sandboxes',
        /^Sandbox, server:1\.9-python, Pausing/,
      ).waitFor();
      await takePicture(page, 'sandbox-pausing');
      await eventually(() => {
        assert.ok(service.requests.some(({ path }) => path.endsWith('/pause')));
        return Promise.resolve();
      });
      clock.advance(duration);
      await rows(
        page,
        'Sandboxes',
        /^Sandbox, server:1\.9-python, Paused, \d conversation/,
      ).waitFor();
      await messages(page, 'Pausing').waitFor({ state: 'hidden' });
    });
  });
});

/** True if all of the element can be seen without scrolling the pane. */
async function isInside(pane: Locator, element: Locator): Promise<boolean> {
  const [outer, inner] = [
    await pane.boundingBox(),
    await element.boundingBox(),
  ];
  return (
    outer !== null &&
    inner !== null &&
    inner.y >= outer.y &&
    inner.y + inner.height <= outer.y + outer.height
  );
}

/** The part of the DOM's Element used here. */
interface Row {
  getAttribute(name: string): string | null;
  querySelector(selector: string): Row | null;
}
