import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import {
  changeTheme,
  type Desk,
  eventually,
  hasKeyboard,
  rows,
  runCommand,
  setUpDesk,
  takePicture,
  themes,
  webviewOf,
} from './support.ts';

const walkthrough = 'Get Started with Agent Switchboard';

const titles = [
  'Connect to a service, or try the demo',
  'Watch your conversations',
  'Add an MCP server',
  'Check pending changes',
] as const;
const [connect, watch, add, check] = titles;

describe('the walkthrough', () => {
  let desk: Desk;
  let page: Page;

  const step = (title: string) => page.locator('.getting-started-step').filter({ hasText: title });
  const tick = (title: string) => step(title).locator('[role=checkbox].complete');
  const picture = () => page.locator('.getting-started-media img').first();

  const isOpen = async (title: string) => (await step(title).and(page.locator('.expanded')).count()) > 0;

  async function openWalkthrough(): Promise<void> {
    await runCommand(page, 'View: Close All Editors');
    await eventually(async () => {
      // A newly loaded window may take the focus from the question, which closes it.
      await runCommand(page, 'Welcome: Open Walkthrough...');
      await page.getByPlaceholder('walkthrough').fill(walkthrough, { timeout: 3_000 });
      const choice = page.locator('.quick-input-list .monaco-list-row').filter({ hasText: walkthrough });
      await choice.click({ timeout: 3_000 });
    });
    await step(connect).waitFor();
  }

  async function open(title: string): Promise<Locator> {
    await eventually(async () => {
      // The first unfinished step is already open, and a click would close it.
      if (!(await isOpen(title))) await step(title).click();
      assert.ok(await isOpen(title));
    });
    return step(title);
  }

  before(async () => {
    desk = await setUpDesk({ settings: { 'switchboard.notifications': 'off' } });
    ({ page } = await desk.open());
    await page.locator('.part.activitybar').waitFor();
  });

  after(async () => {
    await desk.clear();
  });

  for (const [name, theme] of Object.entries(themes)) {
    it(`shows each step with its picture in the ${name} theme`, async () => {
      await changeTheme(page, theme);
      await openWalkthrough();
      for (const title of titles) {
        await open(title);
        await picture().waitFor();
        await picture().evaluate((image: { complete: boolean; naturalWidth: number }) => {
          if (!image.complete || image.naturalWidth === 0) throw new Error('The picture is missing.');
        });
        await takePicture(page, `walkthrough-${name}-${titles.indexOf(title) + 1}`);
      }
    });
  }

  it('ticks no step before it is done', async () => {
    for (const title of titles) await tick(title).waitFor({ state: 'hidden' });
  });

  it('ticks connecting and watching when the demo service is started, because the list opens', async () => {
    await (await open(connect)).getByRole('button', { name: 'Try the Demo Service' }).click();
    await tick(connect).waitFor();
    await hasKeyboard(page, 'Conversations');
    await tick(watch).waitFor();
  });

  it('shows the list again if it was hidden', async () => {
    await runCommand(page, 'View: Toggle Primary Side Bar Visibility');
    await rows(page, 'Conversations').first().waitFor({ state: 'hidden' });
    await (await open(watch)).getByRole('button', { name: 'Show Conversations' }).click();
    await rows(page, 'Conversations').first().waitFor();
  });

  it('ticks adding only when there is a server, not when the command was just opened', async () => {
    await (await open(add)).getByRole('button', { name: 'Add MCP Server' }).click();
    await page.locator('.quick-input-title').getByText('Add MCP Server').waitFor();
    await page.keyboard.press('Escape');
    await tick(add).waitFor({ state: 'hidden' });
    await mkdir(join(desk.home, '.agent'));
    await writeFile(join(desk.home, '.agent', 'mcp.json'), '{ "mcpServers": { "a": { "command": "a" } } }');
    await tick(add).waitFor();
  });

  it('ticks checking when the page with pending changes is opened', async () => {
    await (await open(check)).getByRole('button', { name: 'Show Active MCP Servers' }).click();
    await webviewOf(page, 'Active MCP Servers and Pending Changes');
    await openWalkthrough();
    await tick(check).waitFor();
    await takePicture(page, 'walkthrough-done');
  });
});
