import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import {
  activityIcon,
  changeTheme,
  type Desk,
  openSideBar,
  question,
  setUpDesk,
  takePicture,
  themes,
  typeInPalette,
  view,
  eventually,
} from './support.ts';

describe('the side bar', () => {
  let desk: Desk;
  let page: Page;

  before(async () => {
    desk = await setUpDesk();
    ({ page } = await desk.open());
    await openSideBar(page);
  });

  after(async () => {
    await desk.clear();
  });

  for (const [name, theme] of Object.entries(themes)) {
    it(`explains each view and offers the first steps in the ${name} theme`, async () => {
      await changeTheme(page, theme);

      const conversations = view(page, 'Conversations');
      const sandboxes = view(page, 'Sandboxes');
      const servers = view(page, 'MCP Servers');
      await conversations.getByText('See what your coding agents are doing').waitFor();
      await sandboxes.getByText('Conversations run in sandboxes').waitFor();
      await servers.getByText('MCP servers give your agents tools').waitFor();
      const buttons = [
        [conversations, 'Connect to a Service'],
        [conversations, 'Try the Demo Service'],
        [sandboxes, 'Connect to a Service'],
        [servers, 'Add MCP Server'],
        [servers, 'Add from Text'],
        [servers, 'Open Configuration File'],
      ] as const;
      for (const [pane, label] of buttons) {
        const button = pane.locator('.welcome-view-content').getByRole('button', { name: label });
        await button.waitFor();
        assert.equal(await button.getAttribute('aria-disabled'), 'false', label);
      }
      await activityIcon(page).hover();
      await takePicture(page, `side-bar-${name}`);
    });
  }

  it('keeps its buttons visible when it is narrow', async () => {
    await page.setViewportSize({ width: 520, height: 800 });
    await view(page, 'MCP Servers')
      .getByRole('button', { name: 'Open Configuration File' })
      .first()
      .waitFor();
    await takePicture(page, 'side-bar-narrow');
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('opens the configuration file with its button and explains it on hover', async () => {
    await view(page, 'MCP Servers')
      .locator('.welcome-view-content')
      .getByRole('button', { name: 'Open' })
      .click();
    const editor = page.locator('.editor-instance .view-lines');
    await editor.getByText('"mcpServers"').waitFor();
    const path = join(desk.home, '.agent/mcp.json');
    assert.deepEqual(JSON.parse(await readFile(path, 'utf8')), { mcpServers: {} });

    // Hovering before the editor has loaded the schema shows nothing, so hover again.
    const explanation = page.locator('.monaco-hover').getByText('The MCP servers by name').first();
    await eventually(async () => {
      await page.mouse.move(0, 0);
      await editor.getByText('"mcpServers"').hover();
      await explanation.waitFor({ timeout: 2_000 });
    });
    await takePicture(page, 'configuration-file-hover');
  });

  it('offers its commands in the palette, but none that needs a service', async () => {
    const rows = await typeInPalette(page, 'Switchboard: ');
    await rows.getByText('Switchboard: Connect to a Service').waitFor();
    await takePicture(page, 'palette');
    for (const title of ['Switchboard: Open Configuration File', 'Switchboard: Show Log']) {
      await question(page).fill(`>${title}`);
      await rows.getByText(title).waitFor();
    }
    // Commands that need a service are offered only when there is one.
    await question(page).fill('>Switchboard: New Conversation');
    await rows.getByText('Switchboard: New Conversation').waitFor({ state: 'hidden' });
  });
});
