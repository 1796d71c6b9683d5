import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { type Behaviour, toolServer } from '../support/toolServer.ts';
import {
  changeTheme,
  type Desk,
  eventually,
  fold,
  goTo,
  hears,
  labels,
  messages,
  openSideBar,
  press,
  question,
  rows,
  runCommand,
  setUpDesk,
  showTooltip,
  takePicture,
  themes,
  webviewOf,
} from './support.ts';

const behaviour: Behaviour = {
  tools: [
    {
      name: 'list_repos',
      description: 'Lists the repositories that you can see.',
      annotations: { readOnlyHint: true },
    },
    {
      name: 'search_code',
      description: 'Finds code in all repositories.',
      annotations: { readOnlyHint: true },
    },
    { name: 'create_issue', description: 'Opens an issue in a repository.' },
    {
      name: 'delete_repo',
      description: 'Deletes a repository with everything in it. This cannot be undone.',
      annotations: { destructiveHint: true },
    },
  ],
};

describe('a check of an MCP server', () => {
  let desk: Desk;
  let page: Page;
  let file: string;
  let original: string;

  const view = 'MCP Servers';
  const disk = () => readFile(file, 'utf8');
  const toolRow = (name: string) => rows(page, view, new RegExp(`^Tool ${name} of code`));
  const has = async (text: string) => {
    await eventually(async () => {
      assert.equal(await disk(), text);
    });
  };

  before(async () => {
    desk = await setUpDesk();
    const what = join(desk.home, 'tools.json');
    await writeFile(what, JSON.stringify(behaviour));
    file = join(desk.home, '.agent', 'mcp.json');
    await mkdir(join(desk.home, '.agent'));
    const servers = {
      code: { ...toolServer(what), env: { CODE_TOKEN: 'canary' } },
      browser: { command: 'no-such-browser', args: ['--headless'] },
      issues: { url: 'https://issues.invalid/mcp', headers: { Authorization: 'Bearer canary' } },
    };
    original = `${JSON.stringify({ mcpServers: servers }, null, 2)}\n`;
    await writeFile(file, original, { mode: 0o600 });
    ({ page } = await desk.open());
    await openSideBar(page);
    await fold(page, 'Conversations', 'Sandboxes');
    await rows(page, view).first().waitFor();
  });

  after(async () => {
    await desk.clear();
  });

  it('asks first, naming the command, with the focus on the harmless button', async () => {
    const row = rows(page, view, /^MCP server code/);
    await row.hover();
    await row.getByRole('button', { name: 'Check MCP Server' }).click();
    await hears(page, /^Do Not Check; .*Check “code”\?/);
    const dialog = page.locator('.monaco-dialog-box');
    assert.match(await dialog.innerText(), /toolServer\.ts[^]*Variables: CODE_TOKEN/);
    assert.doesNotMatch(await dialog.innerText(), /canary/);
    await takePicture(page, 'checks-question');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    assert.doesNotMatch((await labels(page, view)).join('\n'), /\d tools/);
  });

  it('reports how many tools a server has', async () => {
    const row = rows(page, view, /^MCP server code/);
    await row.hover();
    await row.getByRole('button', { name: 'Check MCP Server' }).click();
    await hears(page, /^Do Not Check; /);
    await page.locator('.monaco-dialog-box').getByRole('button', { name: 'Check', exact: true }).click();
    await messages(page, /“code” works: 4 tools in [\d.]+ s\./).waitFor();
    await rows(page, view, /^MCP server code, .*, 4 tools$/).waitFor();
    await takePicture(page, 'checks-works');
    await runCommand(page, 'Notifications: Clear All Notifications');
  });

  it('lists the tools below their server and labels them for a screen reader', async () => {
    const row = await goTo(page, view, /^MCP server code/);
    await page.keyboard.press('ArrowRight');
    await toolRow('delete_repo').waitFor();
    assert.equal(await row.getAttribute('aria-expanded'), 'true');
    assert.deepEqual((await labels(page, view)).slice(1, 5), [
      'Tool list_repos of code, on, read-only · Lists the repositories that you can see.',
      'Tool search_code of code, on, read-only · Finds code in all repositories.',
      'Tool create_issue of code, on, Opens an issue in a repository.',
      'Tool delete_repo of code, on, destructive · Deletes a repository with everything in it. This cannot be undone.',
    ]);
  });

  it('switches a tool off with the mouse and on again with Undo', async () => {
    await toolRow('delete_repo').getByRole('checkbox').click();
    await messages(page, 'Agents no longer get “delete_repo” of “code”.').waitFor();
    assert.match(await disk(), /"tools": \{\s+"delete_repo": \{\s*"enabled": false\s*\}\s+\}/);
    await rows(page, view, /^Tool delete_repo of code, off/).waitFor();
    await rows(page, view, /^MCP server code, .*, 3 of 4 tools on$/).waitFor();
    await takePicture(page, 'checks-tool-off');
    await press(page, 'Agents no longer get “delete_repo”', 'Undo');
    await has(original);
    await rows(page, view, /^Tool delete_repo of code, on/).waitFor();
  });

  it('switches a tool off and on by keyboard', async () => {
    // The editor loses the keyboard of a check box whose row it draws anew at that moment, and a key that comes then.
    const toggle = (from: RegExp, to: RegExp) =>
      eventually(async () => {
        if ((await rows(page, view, to).count()) > 0) return;
        await goTo(page, view, from);
        await page.keyboard.press('Tab');
        await rows(page, view, from).locator('[role=checkbox]:focus').waitFor({ timeout: 1_000 });
        await page.keyboard.press('Space');
        await rows(page, view, to).waitFor({ timeout: 5_000 });
      });
    await toggle(/^Tool create_issue of code, on/, /^Tool create_issue of code, off/);
    await eventually(async () => {
      assert.match(await disk(), /"create_issue": \{\s*"enabled": false/);
    });
    await toggle(/^Tool create_issue of code, off/, /^Tool create_issue of code, on/);
    await has(original);
    await runCommand(page, 'Notifications: Clear All Notifications');
  });

  it('chooses many tools at once, with a button for the read-only ones', async () => {
    await runCommand(page, 'Switchboard: Choose Tools of MCP Server');
    await hears(page, /^Select the MCP server whose tools to choose; .*code/);
    await page.keyboard.type('code');
    await page.keyboard.press('Enter');
    await page.locator('.quick-input-title').getByText('Tools of code: 4 of 4 on').waitFor();
    await page.locator('.quick-input-widget').getByRole('button', { name: 'Only Read-Only Ones' }).click();
    await page.locator('.quick-input-title').getByText('Tools of code: 2 of 4 on').waitFor();
    await page.locator('.quick-input-list').getByText('code_delete_repo').waitFor();
    await takePicture(page, 'checks-pick');
    await question(page).focus();
    await page.keyboard.press('Enter');
    await messages(page, 'Agents no longer get 2 tools of “code”.').waitFor();
    await rows(page, view, /^MCP server code, .*, 2 of 4 tools on$/).waitFor();
    await press(page, 'Agents no longer get 2 tools', 'Undo');
    await has(original);
  });

  it('checks all servers and reports which do not work and why', async () => {
    await runCommand(page, 'Switchboard: Check All MCP Servers');
    await hears(page, /^Do Not Check; .*Check 2 MCP servers\?/);
    await takePicture(page, 'checks-question-all');
    await page.locator('.monaco-dialog-box').getByRole('button', { name: 'Check', exact: true }).click();
    await messages(page, /1 of 3 MCP servers work\. These do not: /).waitFor();
    await rows(page, view, /^MCP server browser, .*, no-such-browser not found$/).waitFor();
    await takePicture(page, 'checks-all');
    await runCommand(page, 'Notifications: Clear All Notifications');
  });

  it('shows its result on the page of the server, with links to check again and to the file', async () => {
    await rows(page, view, /^MCP server browser/).click();
    const frame = await webviewOf(page, 'browser');
    await frame.getByText(/no program no-such-browser was found in the folders of PATH/).waitFor();
    await frame.getByRole('link', { name: 'Check', exact: true }).waitFor();
    await takePicture(page, 'checks-page');
    await frame.getByRole('link', { name: 'Show the place in the file' }).click();
    await hears(page, 'mcp.json');
    await page
      .locator('.part.statusbar')
      .getByText(/^Ln 1\d/)
      .waitFor();
    await runCommand(page, 'View: Close All Editors');
  });

  for (const [name, theme] of Object.entries(themes)) {
    it(`shows tools and results in the ${name} theme, wide and narrow`, async () => {
      await changeTheme(page, theme);
      await showTooltip(page, toolRow('search_code'), 'Agents see: code_search_code');
      await takePicture(page, `checks-tools-${name}`);
      await page.keyboard.press('Escape');
      await showTooltip(page, rows(page, view, /^MCP server browser/), 'Last check');
      await takePicture(page, `checks-failed-${name}`);
      await page.keyboard.press('Escape');
      await page.setViewportSize({ width: 520, height: 800 });
      await takePicture(page, `checks-${name}-narrow`);
      await page.setViewportSize({ width: 1280, height: 800 });
    });
  }

  it('labels the tools of a disabled server and still switches them', async () => {
    await rows(page, view, /^MCP server code/)
      .getByRole('checkbox')
      .click();
    await rows(page, view, /^Tool list_repos of code, on, its server is disabled/).waitFor();
    await takePicture(page, 'checks-disabled');
    // The tooltip of the box above would be in the way.
    await page.mouse.move(0, 0);
    const box = rows(page, view, /^Tool list_repos of code, on/).getByRole('checkbox');
    // The editor loses a click on a row that it draws anew at that moment.
    await eventually(async () => {
      if (await box.isVisible()) await box.click({ timeout: 1_000 });
      await rows(page, view, /^Tool list_repos of code, off/).waitFor({ timeout: 3_000 });
    });
    await writeFile(file, original);
    await rows(page, view, /^Tool list_repos of code, on, read-only/).waitFor();
    await runCommand(page, 'Notifications: Clear All Notifications');
  });

  it('starts from above the entry in the file and shows what changed since the last check', async () => {
    await writeFile(file, original.replace('tools.json"', 'tools.json", "--more"'));
    const row = rows(page, view, /^MCP server code, .*, changed since its check$/);
    await row.waitFor();
    await showTooltip(page, row, 'Before, it was');
    await takePicture(page, 'checks-changed');
    await page.keyboard.press('Escape');
    await runCommand(page, 'Switchboard: Open Configuration File');
    const lens = page.locator('.codelens-decoration').getByRole('button', { name: 'Check', exact: true });
    await lens.first().waitFor();
    await takePicture(page, 'checks-lens');
    await lens.first().click();
    await hears(page, /^Do Not Check; .*Check “code”\?/);
    assert.match(await page.locator('.monaco-dialog-box').innerText(), /● Before, it was: /);
    await takePicture(page, 'checks-question-changed');
    await page.keyboard.press('Escape');
  });
});
