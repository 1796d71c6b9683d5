import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import {
  changeTheme,
  type Desk,
  eventually,
  goTo,
  hasKeyboard,
  hasWalkthrough,
  fold,
  hears,
  messages,
  openSideBar,
  rows,
  runCommand,
  setUpDesk,
  takePicture,
  themes,
  view,
  webviewOf,
} from './support.ts';

const servers = `{
  "mcpServers": {
    "files": { "command": "npx", "args": ["-y", "files"] },
    "issues": { "url": "https://issues.example.com/mcp", "transport": "http", "enabled": false }
  }
}
`;

describe('access by keyboard and screen reader', () => {
  let desk: Desk;
  let page: Page;
  let opened: string;

  /** The text of the focused element. */
  const focused = (place: Page | Frame = page) =>
    place.evaluate<string>('document.activeElement?.textContent ?? ""');

  before(async () => {
    desk = await setUpDesk({ settings: { 'switchboard.notifications': 'off' } });
    await mkdir(join(desk.home, '.agent'));
    await writeFile(join(desk.home, '.agent', 'mcp.json'), servers, { mode: 0o600 });
    ({ page } = await desk.open());
    await openSideBar(page);
  });

  after(async () => {
    await desk.clear();
  });

  it('reaches the buttons of an empty view with Tab and presses them with Enter', async () => {
    await view(page, 'Conversations').locator('.pane-header').focus();
    await eventually(async () => {
      await page.keyboard.press('Tab');
      assert.equal(await focused(), 'Try the Demo Service');
    });
    await page.keyboard.press('Enter');
    await rows(page, 'Conversations').first().waitFor();
    // If focus stayed where the button was, the keyboard would have no effect.
    await hears(page, /Watch your conversations/);
    await hasWalkthrough(page);
  });

  it('labels each view and its focused row for a screen reader', async () => {
    for (const title of ['Conversations', 'Sandboxes', 'MCP Servers']) {
      await rows(page, title).first().waitFor();
      const tree = view(page, title).getByRole('tree');
      assert.match((await tree.getAttribute('aria-label')) ?? '', new RegExp(title));
      const row = await goTo(page, title);
      assert.match((await row.getAttribute('aria-label')) ?? '', /\w+, \w+/);
    }
  });

  it('opens a row with Enter and its menu with Shift+F10', async () => {
    const label = (await (await goTo(page, 'Conversations')).getAttribute('aria-label')) ?? '';
    await page.keyboard.press('Shift+F10');
    for (const name of ['Open Conversation in Browser', 'Copy Conversation ID']) {
      await page.getByRole('menuitem', { name }).waitFor();
    }
    await page.keyboard.press('Escape');
    await page.getByRole('menuitem', { name: 'Copy Conversation ID' }).waitFor({ state: 'hidden' });
    await hasKeyboard(page, 'Conversations');
    await page.keyboard.press('Enter');
    opened = label.split(',')[0] ?? '';
    await webviewOf(page, opened);
  });

  it('gives a page a language, a heading, labelled facts, and buttons that Tab reaches', async () => {
    const frame = await webviewOf(page, opened);
    assert.equal(await frame.locator('html').getAttribute('lang'), 'en');
    assert.equal(await frame.getByRole('heading', { level: 1 }).count(), 1);
    assert.equal(await frame.locator('dt').count(), await frame.locator('dt + dd').count());
    // For a link without a title, the editor shows and announces the address of its command.
    assert.equal(await frame.locator('a[title^="command:"]').count(), 0);
    await frame.getByRole('button', { name: 'Details' }).press('Enter');
    await eventually(async () => {
      await page.keyboard.press('Tab');
      assert.equal(await focused(frame), 'Copy the ID');
    });
    await page.keyboard.press('Enter');
    await runCommand(page, 'View: Close All Editors');
  });

  it('shows pages in high-contrast and light themes without errors', async () => {
    for (const name of ['high-contrast', 'light']) {
      const theme = themes[name];
      assert.ok(theme);
      await changeTheme(page, theme);
      await rows(page, 'MCP Servers', /files/).click();
      await webviewOf(page, 'files');
      await takePicture(page, `page-server-${name}`);
      await runCommand(page, 'Switchboard: Show Active MCP Servers and Pending Changes');
      await webviewOf(page, 'Active MCP Servers and Pending Changes');
      await takePicture(page, `page-status-${name}`);
    }
    assert.equal(await messages(page, /went wrong/).count(), 0);
  });

  it('shows each state by an icon and a word, not by colour alone', async () => {
    await page.mouse.move(640, 400);
    await fold(page, 'Sandboxes', 'MCP Servers');
    // All at once, because the demo changes in the meantime.
    const looks = await rows(page, 'Conversations').evaluateAll((found: readonly Row[]) =>
      found.map((row) => [
        row.getAttribute('aria-label') ?? '',
        row.querySelector('.custom-view-tree-node-item-icon')?.getAttribute('class') ?? '',
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
    // Different idle states may look alike, but states that need the user look like no other.
    for (const word of ['Waiting for you', 'Failed', 'Finished']) {
      const shape = shapes.get(word);
      if (shape !== undefined)
        assert.equal([...shapes.values()].filter((other) => other === shape).length, 1, word);
    }
  });
});

/** The part of the DOM's Element used here. */
interface Row {
  getAttribute(name: string): string | null;
  querySelector(selector: string): Row | null;
}
