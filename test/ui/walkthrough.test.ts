import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { type Behaviour, toolServer } from '../support/toolServer.ts';
import {
  changeTheme,
  type Desk,
  eventually,
  rows,
  runCommand,
  setUpDesk,
  takePicture,
  themes,
  typeInPalette,
  webviewOf,
} from './support.ts';

const walkthrough = 'Get Started with Agent Switchboard';

const titles = [
  'Connect to a service, or try the demo',
  'Watch your conversations',
  'Follow an agent, and answer it',
  'Look at what an agent changed',
  'Add an MCP server',
  'Check a server, and see its tools',
  'Check pending changes',
] as const;
const [connect, watch, follow, changes, add, tools, check] = titles;

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

  it('shows a new user only seven commands in the palette', async () => {
    let offered = page.locator('.quick-input-list .monaco-list-row');
    await eventually(async () => {
      // A newly loaded window may not know the commands of extensions yet.
      offered = await typeInPalette(page, 'Switchboard');
      await offered.filter({ hasText: 'Try the Demo Service' }).waitFor({ timeout: 3_000 });
    });
    const all = (await offered.allInnerTexts()).map((text) => /Switchboard: ([^\n]+)/.exec(text)?.[1] ?? '');
    // The editor itself adds one for each view.
    const own = all.filter((title) => title !== '' && !/^Focus on .* View$/.test(title));
    assert.deepEqual(own.sort(), [
      'Add MCP Server',
      'Add MCP Server from Text',
      'Connect to a Service',
      'Find Services on This Machine',
      'Open Configuration File',
      'Show Log',
      'Try the Demo Service',
    ]);
    await takePicture(page, 'palette-new-user');
    await page.keyboard.press('Escape');
  });

  for (const [name, theme] of Object.entries(themes)) {
    it(`shows each step with its picture in the ${name} theme`, async () => {
      await changeTheme(page, theme);
      await openWalkthrough();
      for (const title of titles) {
        await open(title);
        await picture().waitFor();
        await eventually(() =>
          picture().evaluate((image: { complete: boolean; naturalWidth: number }) => {
            if (!image.complete || image.naturalWidth === 0) throw new Error('The picture is missing.');
          }),
        );
        await takePicture(page, `walkthrough-${name}-${titles.indexOf(title) + 1}`);
      }
    });
  }

  it('ticks no step before it is done', async () => {
    for (const title of titles) await tick(title).waitFor({ state: 'hidden' });
  });

  it('ticks connecting and watching when the demo service starts', async () => {
    await (await open(connect)).getByRole('button', { name: 'Try the Demo Service' }).click();
    await tick(connect).waitFor();
    await rows(page, 'Conversations').first().waitFor();
    await tick(watch).waitFor();
  });

  it('shows a hidden list again from its button', async () => {
    await runCommand(page, 'View: Toggle Primary Side Bar Visibility');
    await rows(page, 'Conversations').first().waitFor({ state: 'hidden' });
    await (await open(watch)).getByRole('button', { name: 'Show Conversations' }).click();
    await rows(page, 'Conversations').first().waitFor();
  });

  const pick = () => page.locator('.quick-input-widget:visible');

  /** Presses a button of a step and chooses in the list that it opens. */
  async function chooseAfter(
    title: string,
    button: string,
    label: string,
    isOneOfMany = false,
  ): Promise<void> {
    await eventually(async () => {
      // The walkthrough may take the focus from the question once more, which closes it.
      await (await open(title)).getByRole('button', { name: button }).click();
      await pick().locator('.monaco-list-row').filter({ hasText: label }).click({ timeout: 3_000 });
      if (isOneOfMany) await pick().getByRole('button', { name: 'OK' }).click({ timeout: 3_000 });
    });
  }

  async function cancelAfter(title: string, button: string): Promise<void> {
    await (await open(title)).getByRole('button', { name: button }).click();
    await pick().waitFor();
    await page.keyboard.press('Escape');
    await pick().waitFor({ state: 'hidden' });
  }

  const asking = 'Split the backup job into two modules';

  it('ticks following when a conversation page opens, but not when the question is cancelled', async () => {
    await cancelAfter(follow, 'Show Conversation Details');
    await tick(follow).waitFor({ state: 'hidden' });
    await chooseAfter(follow, 'Show Conversation Details', asking);
    await webviewOf(page, asking);
    await openWalkthrough();
    await tick(follow).waitFor();
  });

  it('ticks looking at changes when they are shown, but not when the question is cancelled', async () => {
    await cancelAfter(changes, 'Show Changes');
    await tick(changes).waitFor({ state: 'hidden' });
    await chooseAfter(changes, 'Show Changes', asking);
    await page.locator('.multiDiffEntry').first().waitFor();
    await openWalkthrough();
    await tick(changes).waitFor();
  });

  it('ticks adding when a server exists, but not when the command was only opened', async () => {
    await (await open(add)).getByRole('button', { name: 'Add MCP Server' }).click();
    await page.locator('.quick-input-title').getByText('Add MCP Server').waitFor();
    await page.keyboard.press('Escape');
    await tick(add).waitFor({ state: 'hidden' });
    await mkdir(join(desk.home, '.agent'));
    const behaviour = join(desk.home, 'tools.json');
    await writeFile(behaviour, JSON.stringify({ tools: [{ name: 'search_code' }] } satisfies Behaviour));
    const text = JSON.stringify({ mcpServers: { a: toolServer(behaviour) } });
    await writeFile(join(desk.home, '.agent', 'mcp.json'), text, { mode: 0o600 });
    await tick(add).waitFor();
  });

  it('ticks checking a server only when its tools are known', async () => {
    const begin = () => chooseAfter(tools, 'Check MCP Server', 'toolServer.ts', true);
    const agreement = page.locator('.monaco-dialog-box');
    await begin();
    await agreement.getByRole('button', { name: 'Do Not Check' }).click();
    await tick(tools).waitFor({ state: 'hidden' });
    await begin();
    await agreement.getByRole('button', { name: 'Check', exact: true }).click();
    await tick(tools).waitFor();
    await runCommand(page, 'Notifications: Clear All Notifications');
  });

  it('ticks pending changes when their page opens', async () => {
    await (await open(check)).getByRole('button', { name: 'Show Active MCP Servers' }).click();
    await webviewOf(page, 'Active MCP Servers and Pending Changes');
    await openWalkthrough();
    await tick(check).waitFor();
    await takePicture(page, 'walkthrough-done');
  });
});
