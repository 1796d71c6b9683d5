import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import {
  type MisbehavingDemo,
  startMisbehavingDemo,
} from '../support/demo/faults/misbehavingDemo.ts';
import {
  chooseInHeader,
  type Desk,
  messages,
  openSideBar,
  press,
  rows,
  runCommand,
  setUpDesk,
  statusBar,
  takePicture,
  typeInPalette,
  view,
} from './support.ts';

const ours = '{ "mcpServers": { "ours": { "command": "npx" } } }';
const theirs = '{ "mcpServers": { "theirs": { "command": "rm" } } }';

describe('an untrusted workspace', () => {
  let desk: Desk;
  let page: Page;
  let attacker: MisbehavingDemo;
  let folder: string;
  let file: string;

  before(async () => {
    attacker = await startMisbehavingDemo();
    folder = await mkdtemp(join(tmpdir(), 'switchboard-untrusted-'));
    // Every setting that a workspace might try to change.
    const settings = {
      'switchboard.services': [
        { url: attacker.url, authentication: 'bearer', interface: 'v0' },
      ],
      'switchboard.mcp.file': join(folder, 'mcp.json'),
      'switchboard.cliDirectory': '.theirs',
      'switchboard.refreshInterval': 1,
      'switchboard.onAttention': { command: ['rm'], url: attacker.url },
    };
    await mkdir(join(folder, '.vscode'));
    await writeFile(
      join(folder, '.vscode', 'settings.json'),
      JSON.stringify(settings),
    );
    await writeFile(join(folder, 'mcp.json'), theirs);
    desk = await setUpDesk({
      asksForTrust: true,
      settings: {
        'security.workspace.trust.startupPrompt': 'never',
        'switchboard.notifications': 'off',
      },
      // A key without an address is for nobody.
      env: { SWITCHBOARD_API_KEY: 'canary-key' },
    });
    file = join(desk.home, '.agent', 'mcp.json');
    await mkdir(join(desk.home, '.agent'));
    await writeFile(file, ours, { mode: 0o600 });
    ({ page } = await desk.open({ folder }));
    await statusBar(page).getByText('Restricted Mode').waitFor();
    await openSideBar(page);
  });

  after(async () => {
    await desk.clear();
    await attacker.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Fails if something from the settings of the workspace is used or shown. */
  async function ignoresTheirs(): Promise<void> {
    await view(page, 'Conversations')
      .getByText('See which OpenHands agents need you')
      .waitFor();
    await rows(page, 'MCP Servers', /ours, enabled/).waitFor();
    assert.equal(await rows(page, 'MCP Servers', /theirs/).count(), 0);
    const title = 'Send a Test Notification';
    const offers = await typeInPalette(page, `Switchboard: ${title}`);
    await page.locator('.quick-input-list .monaco-list-row').first().waitFor();
    assert.equal(await offers.filter({ hasText: title }).count(), 0);
    await page.keyboard.press('Escape');
    assert.deepEqual(attacker.requests, []);
    assert.equal(await readFile(join(folder, 'mcp.json'), 'utf8'), theirs);
  }

  it('never applies its settings', async () => {
    await ignoresTheirs();
  });

  it('refuses to check MCP servers and says why', async () => {
    await chooseInHeader(page, 'MCP Servers', 'Check All MCP Servers');
    await messages(
      page,
      /A check starts programs, so MCP servers are checked only in a workspace/,
    ).waitFor();
    await takePicture(page, 'untrusted-check');
    await runCommand(page, 'Notifications: Clear All Notifications');
  });

  it('still runs the demo, and changes the configuration file of the user', async () => {
    await view(page, 'Conversations')
      .getByRole('button', { name: 'Try the Demo Service' })
      .click();
    await rows(page, 'Conversations').first().waitFor();
    await takePicture(page, 'untrusted');
    // The tooltip of a conversation would lie over the rows below.
    await page.mouse.move(640, 400);
    await rows(page, 'MCP Servers', /ours/).getByRole('checkbox').click();
    await messages(page, 'Disabled "ours"').waitFor();
    assert.match(await readFile(file, 'utf8'), /"enabled": false/);
    await press(page, 'Disabled "ours"', 'Undo');
    await rows(page, 'MCP Servers', /ours, enabled/).waitFor();
  });

  it('refuses to take over changes and says why', async () => {
    await runCommand(page, 'Switchboard: Take Over Changes');
    await messages(
      page,
      /You can take over changes only into a trusted workspace/,
    ).waitFor();
    await takePicture(page, 'untrusted-take-over');
    await runCommand(page, 'Notifications: Clear All Notifications');
    await runCommand(page, 'Switchboard: Stop the Demo Service');
  });

  it('never applies its settings, even after you trust it', async () => {
    await statusBar(page).getByText('Restricted Mode').click();
    await page
      .getByRole('button', { name: 'Trust', exact: true })
      .first()
      .click();
    await statusBar(page)
      .getByText('Restricted Mode')
      .waitFor({ state: 'hidden' });
    await runCommand(page, 'View: Close All Editors');
    // This check comes after the trust of the workspace has arrived, so it uses
    // the settings.
    await chooseInHeader(page, 'MCP Servers', 'Check All MCP Servers');
    await page
      .locator('.monaco-dialog-box')
      .getByText('Check “ours”?')
      .waitFor();
    await page.keyboard.press('Escape');
    await ignoresTheirs();
  });
});
