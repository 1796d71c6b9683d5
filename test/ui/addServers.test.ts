import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { root } from '../host/paths.ts';
import {
  answer,
  asks,
  choose,
  changeTheme,
  type Desk,
  eventually,
  fold,
  messages,
  openSideBar,
  press,
  rows,
  runCommand,
  setUpDesk,
  takePicture,
  themes,
} from './support.ts';

const empty = '{\n  "mcpServers": {}\n}\n';

describe('Add MCP Server by keyboard', () => {
  let desk: Desk;
  let page: Page;
  let file: string;

  const disk = () => readFile(file, 'utf8');
  const has = (servers: object) =>
    eventually(async () => {
      assert.deepEqual(JSON.parse(await disk()), { mcpServers: servers });
    });
  const pick = async (label: string) => {
    // All questions have the same title, and typing goes to the previous one until it disappears.
    await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: label }).first().waitFor();
    await choose(page, 'Add MCP Server', label);
  };
  const previewed = async (name: string) => {
    await page.locator('.monaco-diff-editor .modified .view-line').getByText(`"${name}"`).first().waitFor();
    await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'Cancel' }).waitFor();
  };
  const closeAll = () => runCommand(page, 'View: Close All Editors');

  before(async () => {
    desk = await setUpDesk();
    file = join(desk.home, '.agent', 'mcp.json');
    await mkdir(join(desk.home, '.agent'));
    await writeFile(file, empty, { mode: 0o600 });
    ({ page } = await desk.open());
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await openSideBar(page);
    await fold(page, 'Conversations', 'Sandboxes');
  });

  after(async () => {
    await desk.clear();
  });

  it('adds a local program after a masked preview, and removes it on Undo', async () => {
    await runCommand(page, 'Switchboard: Add MCP Server');
    await pick('Local program');
    await answer(page, 'Name of the server', 'files');
    await asks(page, 'Command that starts the server');
    await page.keyboard.type('npx -y files "/srv/my files"');
    await takePicture(page, 'add-server-command');
    await page.keyboard.press('Enter');
    await pick('Add Variable');
    await answer(page, 'Name of the variable', 'TOKEN');
    await answer(page, 'Value of the variable TOKEN', 'canary');
    await pick('Done');
    await pick('Enabled');
    await previewed('files');
    await takePicture(page, 'add-server-preview');
    assert.doesNotMatch(await page.locator('body').innerText(), /canary/);
    await pick('Add');
    await has({
      files: { command: 'npx', args: ['-y', 'files', '/srv/my files'], env: { TOKEN: 'canary' } },
    });
    await rows(page, 'MCP Servers', /files, enabled/).waitFor();
    await press(page, 'files', 'Undo');
    await eventually(async () => {
      assert.equal(await disk(), empty);
    });
  });

  for (const [label, transport] of [
    ['HTTP', 'http'],
    ['Server-sent events', 'sse'],
  ] as const) {
    it(`adds a server over ${label}`, async () => {
      await writeFile(file, empty);
      await runCommand(page, 'Switchboard: Add MCP Server');
      await pick(label);
      await answer(page, 'Name of the server', 'search');
      await answer(page, 'URL of the server', `https://example.com/${transport}`);
      await pick('No Headers');
      await pick('OAuth');
      await pick('Disabled');
      await previewed('search');
      await pick('Add');
      const url = `https://example.com/${transport}`;
      await has({ search: { url, transport, auth: 'oauth', enabled: false } });
      await rows(page, 'MCP Servers', /search, disabled/).waitFor();
      await closeAll();
    });
  }

  for (const [name, theme] of Object.entries(themes)) {
    it(`adds a server from a copied command line in the ${name} theme`, async () => {
      await writeFile(file, empty);
      await changeTheme(page, theme);
      const text = 'claude mcp add issues --env API_KEY=YOUR_KEY -- npx -y issues-server';
      await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
      await runCommand(page, 'Switchboard: Add MCP Server from Text');
      await asks(page, 'Add MCP Server from Text');
      await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'issues' }).waitFor();
      await takePicture(page, `add-from-text-${name}`);
      await page.keyboard.press('Enter');
      await asks(page, 'YOUR_KEY');
      await page.keyboard.type('canary');
      await page.keyboard.press('Enter');
      await previewed('issues');
      await takePicture(page, `add-from-text-${name}-preview`);
      await pick('Add');
      await has({ issues: { command: 'npx', args: ['-y', 'issues-server'], env: { API_KEY: 'canary' } } });
      await closeAll();
    });
  }

  it('updates the view when a server is added in the terminal', async () => {
    const cli = join(root, 'dist/cli.js');
    const options = ['--file', file, '--transport', 'http', 'https://example.com'];
    await promisify(execFile)(process.execPath, [cli, 'mcp', 'add', 'outside', ...options]);
    await rows(page, 'MCP Servers', /outside, enabled/).waitFor();
    await messages(page, 'outside').waitFor({ state: 'detached' });
  });
});

describe('a broken configuration file in the editor', () => {
  let desk: Desk;
  let page: Page;
  let file: string;

  const broken = `{
  "servers": {
    "files": { "type": "stdio", "command": ["npx", "-y", "files"], "disabled": true, },
    "search": { "type": "http", "url": "https://example.com/mcp", },
  },
}
`;

  before(async () => {
    desk = await setUpDesk();
    file = join(desk.home, '.agent', 'mcp.json');
    await mkdir(join(desk.home, '.agent'));
    await writeFile(file, broken, { mode: 0o600 });
    ({ page } = await desk.open());
    await openSideBar(page);
  });

  after(async () => {
    await desk.clear();
  });

  for (const [name, theme] of Object.entries(themes)) {
    it(`shows its problems in the ${name} theme`, async () => {
      await changeTheme(page, theme);
      await runCommand(page, 'Switchboard: Open Configuration File');
      await page.locator('.squiggly-error').first().waitFor();
      await page.locator('.codelens-decoration').first().waitFor();
      await takePicture(page, `broken-file-${name}`);
      await runCommand(page, 'View: Close All Editors');
    });
  }

  it('becomes valid and keeps its servers with Fix All alone', async () => {
    await runCommand(page, 'Switchboard: Open Configuration File');
    await page.locator('.squiggly-error, .squiggly-warning').first().waitFor();
    for (let turn = 0; turn < 4; turn++) {
      const left = await page.locator('.squiggly-error, .squiggly-warning').count();
      if (left === 0) break;
      await runCommand(page, 'Fix All');
      await page
        .locator('.squiggly-error, .squiggly-warning')
        .nth(left - 1)
        .waitFor({ state: 'detached' });
    }
    await eventually(async () => {
      assert.equal(await page.locator('.squiggly-error, .squiggly-warning').count(), 0);
    });
    await takePicture(page, 'fixed-file');
    await page.keyboard.press('Control+S');
    await eventually(async () => {
      assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), {
        mcpServers: {
          files: { type: 'stdio', command: 'npx', args: ['-y', 'files'], enabled: false },
          search: { transport: 'http', url: 'https://example.com/mcp' },
        },
      });
    });
  });
});
