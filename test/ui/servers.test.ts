import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import {
  activityIcon,
  changeTheme,
  type Desk,
  eventually,
  goTo,
  fold,
  labels,
  messages,
  openSideBar,
  press,
  rows,
  runCommand,
  setUpDesk,
  showTooltip,
  statusBar,
  takePicture,
  themes,
  tryDemo,
  webviewOf,
} from './support.ts';

const text = `{
  "mcpServers": {
    "files": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-filesystem", "/srv/shop"]
    },
    "issues": {
      "url": "https://issues.example.com/mcp?key=canary",
      "transport": "http",
      "headers": { "Authorization": "Bearer canary" }
    },
    "metrics": { "url": "https://metrics.example.com/sse", "enabled": false },
    "odd one": { "url": "htp://odd.example.com/mcp" }
  }
}
`;

describe('the MCP Servers view', () => {
  let desk: Desk;
  let page: Page;
  let file: string;

  const disk = () => readFile(file, 'utf8');

  before(async () => {
    desk = await setUpDesk();
    file = join(desk.home, '.agent', 'mcp.json');
    await mkdir(join(desk.home, '.agent'));
    await writeFile(file, text, { mode: 0o600 });
    ({ page } = await desk.open());
    await openSideBar(page);
    await fold(page, 'Conversations', 'Sandboxes');
    await rows(page, 'MCP Servers').first().waitFor();
  });

  after(async () => {
    await desk.clear();
  });

  it('labels servers with name, state, kind and target, without secrets, for a screen reader', async () => {
    assert.deepEqual(await labels(page, 'MCP Servers'), [
      'MCP server files, enabled, local program, npx -y @modelcontextprotocol/server-filesystem /srv/shop',
      'MCP server issues, enabled, HTTP, https://issues.example.com/mcp?key=••••••',
      'MCP server metrics, disabled, server-sent events, https://metrics.example.com/sse',
      'MCP server odd one, enabled, HTTP, htp://odd.example.com/mcp, problem: MCP servers are reached over "https://", or "http://" on this machine. Change the URL.',
    ]);
  });

  for (const [name, theme] of Object.entries(themes)) {
    it(`shows servers and a tooltip in the ${name} theme, wide and narrow`, async () => {
      await changeTheme(page, theme);
      await showTooltip(page, rows(page, 'MCP Servers', /issues/), 'Headers');
      await takePicture(page, `servers-${name}`);
      await page.keyboard.press('Escape');
      await page.setViewportSize({ width: 520, height: 800 });
      await takePicture(page, `servers-${name}-narrow`);
      await page.setViewportSize({ width: 1280, height: 800 });
    });
  }

  it('disables a server by keyboard and enables it again with Undo', async () => {
    await goTo(page, 'MCP Servers');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await eventually(async () => {
      assert.match(await disk(), /"\/srv\/shop"\],\n {6}"enabled": false\n/);
    });
    await messages(page, 'Disabled "files"').waitFor();
    await takePicture(page, 'servers-disabled');
    await press(page, 'Disabled "files"', 'Undo');
    await eventually(async () => {
      assert.equal(await disk(), text);
    });
    await rows(page, 'MCP Servers', /files, enabled/).waitFor();
  });

  it('removes a server by keyboard and restores it with Undo', async () => {
    await runCommand(page, 'Switchboard: Remove MCP Server');
    const choice = page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'metrics' });
    await choice.waitFor();
    await page.keyboard.type('metrics');
    await page.keyboard.press('ArrowDown');
    await choice.and(page.locator('.focused')).waitFor();
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    await messages(page, 'Removed "metrics"').waitFor();
    assert.equal((await disk()).includes('metrics'), false);
    await takePicture(page, 'servers-removed');
    await press(page, 'Removed "metrics"', 'Undo');
    await eventually(async () => {
      assert.equal(await disk(), text);
    });
    await rows(page, 'MCP Servers', /metrics, disabled/).waitFor();
  });

  it('opens a page with the details of a server but no secrets', async () => {
    await rows(page, 'MCP Servers', /issues/).click();
    const frame = await webviewOf(page, 'issues');
    await frame.getByText('Authorization: ••••••').waitFor();
    assert.doesNotMatch(await frame.content(), /canary/);
    await takePicture(page, 'servers-details');
    await runCommand(page, 'View: Close All Editors');
  });

  it('opens the page of active servers and pending changes', async () => {
    await tryDemo(page);
    await runCommand(page, 'Switchboard: Show Active MCP Servers and Pending Changes');
    const frame = await webviewOf(page, 'Active MCP Servers and Pending Changes');
    await frame.getByText(/started last/).waitFor();
    await takePicture(page, 'servers-status');
    await runCommand(page, 'View: Close All Editors');
    await runCommand(page, 'Switchboard: Stop the Demo Service');
  });

  it('shows a row for a refused file that opens it at the error', async () => {
    await writeFile(file, text.replace('"mcpServers": {', '"mcpServers": { // mine'));
    const refused = rows(
      page,
      'MCP Servers',
      'This file is refused as it is, so agents get none of these servers. Line 2, column 19: A comment makes the program refuse the whole file. Remove it.',
    );
    await refused.waitFor();
    await showTooltip(page, rows(page, 'MCP Servers', /issues/), 'Refused');
    await takePicture(page, 'servers-refused');
    await page.keyboard.press('Escape');
    await refused.click();
    await statusBar(page).getByText('Ln 2, Col 19').waitFor();
    await runCommand(page, 'View: Close All Editors');
    await writeFile(file, text);
    await refused.waitFor({ state: 'detached' });
  });

  it('keeps its servers when the file is broken, with a row that opens it at the error', async () => {
    await writeFile(file, text.replace('"npx",', '"npx"'));
    const problem = rows(page, 'MCP Servers', /^This file is refused as it is/);
    await problem.waitFor();
    await takePicture(page, 'servers-broken');
    const box = rows(page, 'MCP Servers', /^MCP server files/).getByRole('checkbox');
    await box.click();
    await messages(page, 'cannot be read').waitFor();
    await eventually(async () => {
      assert.equal(await box.getAttribute('aria-checked'), 'true');
    });
    await runCommand(page, 'Notifications: Clear All Notifications');
    await problem.click();
    await statusBar(page).getByText('Ln 5, Col 7').waitFor();
    await takePicture(page, 'servers-broken-open');
    await runCommand(page, 'View: Close All Editors');
    await writeFile(file, text);
    await problem.waitFor({ state: 'detached' });
    await activityIcon(page).waitFor();
  });
});
