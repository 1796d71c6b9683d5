import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  activityIcon,
  type Desk,
  openSideBar,
  setUpDesk,
  takePicture,
  themes,
  typeInPalette,
  view,
} from './support.ts';

const themeClass = {
  dark: '.monaco-workbench.vs-dark',
  light: '.monaco-workbench.vs',
  'high-contrast': '.monaco-workbench.hc-black',
};

describe('the side bar', () => {
  let desk: Desk;

  before(async () => {
    desk = await setUpDesk();
  });

  after(async () => {
    await desk.clear();
  });

  for (const [name, theme] of Object.entries(themes)) {
    it(`says in the ${name} theme what each view is for, and offers what leads on`, async () => {
      await desk.server.configure({ 'workbench.colorTheme': theme });
      const { page, close } = await desk.open();
      await page.locator(themeClass[name as keyof typeof themes]).waitFor();
      await openSideBar(page);

      const conversations = view(page, 'Conversations');
      const sandboxes = view(page, 'Sandboxes');
      const servers = view(page, 'MCP Servers');
      await conversations.getByText('No agent service is connected').waitFor();
      await sandboxes.getByText('No agent service is connected').waitFor();
      await servers.getByText('MCP servers give your agents tools').waitFor();
      const buttons = [
        [conversations, 'Connect to a Service', false],
        [conversations, 'Try the Demo Service', false],
        [sandboxes, 'Connect to a Service', false],
        [servers, 'Add MCP Server', false],
        [servers, 'Open Configuration File', true],
      ] as const;
      for (const [pane, label, works] of buttons) {
        const button = pane.locator('.welcome-view-content').getByRole('button', { name: label });
        await button.waitFor();
        assert.equal(await button.getAttribute('aria-disabled'), String(!works), label);
      }
      await activityIcon(page).hover();
      await takePicture(page, `side-bar-${name}`);
      await close();
    });
  }

  it('stays readable when it is narrow', async () => {
    const { page, close } = await desk.open({ width: 520 });
    await openSideBar(page);
    await view(page, 'MCP Servers')
      .getByRole('button', { name: 'Open Configuration File' })
      .first()
      .waitFor();
    await takePicture(page, 'side-bar-narrow');
    await close();
  });

  it('opens the configuration file with its button, and completes and explains it there', async () => {
    const { page, close } = await desk.open();
    await openSideBar(page);
    await view(page, 'MCP Servers')
      .locator('.welcome-view-content')
      .getByRole('button', { name: 'Open' })
      .click();
    const editor = page.locator('.editor-instance .view-lines');
    await editor.getByText('"mcpServers"').waitFor();
    const path = join(desk.home, '.agent/mcp.json');
    assert.deepEqual(JSON.parse(await readFile(path, 'utf8')), { mcpServers: {} });

    await editor.getByText('"mcpServers"').hover();
    await page.locator('.monaco-hover').getByText('The MCP servers by name').first().waitFor();
    await takePicture(page, 'configuration-file-hover');
    await close();
  });

  it('has its commands in the palette', async () => {
    const { page, close } = await desk.open();
    const rows = await typeInPalette(page, 'Switchboard: ');
    await rows.getByText('Switchboard: Open Configuration File').waitFor();
    await rows.getByText('Switchboard: Show Log').waitFor();
    await takePicture(page, 'palette');
    await close();
  });
});
