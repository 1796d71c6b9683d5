import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { type DemoService, startDemo } from '../../src/demo/demoService.ts';
import {
  answer,
  asks,
  changeTheme,
  choose,
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
} from './support.ts';

describe('the group of MCP servers of a service', () => {
  let desk: Desk;
  let page: Page;
  let service: DemoService;
  let file: string;

  const view = 'MCP Servers';
  const disk = async () =>
    (JSON.parse(await readFile(file, 'utf8')) as { mcpServers: Record<string, unknown> }).mcpServers;
  /** What the service really has. */
  const there = async (name: string) => {
    const headers = { 'x-session-api-key': service.key, 'x-expose-secrets': 'plaintext' };
    const settings = await (await fetch(`${service.url}/api/settings`, { headers })).json();
    return (settings as { agent_settings: { mcp_config: Record<string, { enabled: boolean }> } })
      .agent_settings.mcp_config[name];
  };
  const serverThere = (name: string) => rows(page, view, new RegExp(`^MCP server ${name} of `));
  const clear = () => runCommand(page, 'Notifications: Clear All Notifications');
  const button = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true });

  before(async () => {
    service = await startDemo({ interface: 'agentServer' });
    desk = await setUpDesk({
      settings: { 'switchboard.notifications': 'off' },
      env: { SWITCHBOARD_SERVICE_URL: service.url, SWITCHBOARD_API_KEY: service.key },
    });
    file = join(desk.home, '.agent', 'mcp.json');
    await mkdir(join(desk.home, '.agent'));
    const servers = {
      database: { command: 'npx', args: ['-y', '@example/mcp-database'], env: { DATABASE_URL: 'canary' } },
      files: {
        command: 'docker',
        args: ['run', 'files'],
        env: { FILES_TOKEN: 'canary' },
        tools: { delete_file: { enabled: false } },
      },
    };
    await writeFile(file, `${JSON.stringify({ mcpServers: servers }, null, 2)}\n`, { mode: 0o600 });
    ({ page } = await desk.open());
    await openSideBar(page);
    await rows(page, 'Conversations').first().waitFor();
    await fold(page, 'Conversations', 'Sandboxes');
    await rows(page, view, /^MCP servers of /).waitFor();
  });

  after(async () => {
    await desk.clear();
    await service.stop();
  });

  it('lists the servers without secrets and with their differences from the file', async () => {
    await serverThere('tracker').waitFor();
    const all = (await labels(page, view)).join('\n');
    assert.match(all, /MCP server tracker of .+, enabled, http · https:\/\/tracker\.example\.com\/mcp/);
    assert.match(all, /MCP server database of .+, enabled, differs from the file: arguments · stdio/);
    assert.match(all, /MCP server browser of .+, disabled/);
    assert.match(all, /^MCP server database, enabled, .*, differs at .+: arguments$/m);
    assert.doesNotMatch(all, /demo-token|postgres/);
  });

  for (const [name, theme] of Object.entries(themes)) {
    it(`masks secrets in the tooltip of a server in the ${name} theme`, async () => {
      await changeTheme(page, theme);
      await showTooltip(page, serverThere('database'), /DATABASE_URL=••••••/);
      await takePicture(page, `service-servers-${name}`);
      await page.keyboard.press('Escape');
    });
  }

  it('switches servers off and on with their check boxes', async () => {
    /** Presses the box with the keyboard, again where the row was drawn anew in between, which takes the keyboard away. */
    const press = async (label: RegExp) => {
      await eventually(async () => {
        await goTo(page, view, /^MCP server tracker of/);
        await page.keyboard.press('Tab');
        await page.keyboard.press('Space');
        await rows(page, view, label).waitFor({ timeout: 5_000 });
      });
    };
    await press(/^MCP server tracker of .+, disabled/);
    assert.equal((await there('tracker'))?.enabled, false);
    await serverThere('browser').getByRole('checkbox').click();
    await rows(page, view, /^MCP server browser of .+, enabled/).waitFor();
    assert.equal((await there('browser'))?.enabled, true);
    await press(/^MCP server tracker of .+, enabled/);
    assert.equal((await there('tracker'))?.enabled, true);
  });

  it('checks a server at the service after a question', async () => {
    const row = serverThere('tracker');
    await row.hover();
    await row.getByRole('button', { name: 'Check MCP Server of a Service' }).click();
    await hears(page, /^Do Not Check; .*Check “tracker” at /);
    await takePicture(page, 'service-servers-check');
    await button('Check').click();
    await messages(page, /“tracker” works at .+: 4 tools\./).waitFor();
    await clear();
  });

  it('copies a server from the file after a question that names what is lost and what is sent', async () => {
    await goTo(page, view, /^MCP server files/);
    await runCommand(page, 'Switchboard: Copy MCP Server to a Service');
    await hears(page, /^Select the MCP server to copy to a service/);
    await page.keyboard.type('files');
    await page.keyboard.press('Enter');
    await hears(page, /^Copy “files” to .+Secrets are masked in the preview/);
    const preview = page.locator('.monaco-diff-editor .editor.modified .view-lines');
    await preview.filter({ hasText: 'FILES_TOKEN' }).waitFor();
    assert.doesNotMatch(await preview.innerText(), /canary/);
    await takePicture(page, 'service-servers-preview');
    await page.keyboard.press('Enter');
    await hears(page, /^Do Not Send; .*Send the secrets of “files” to /);
    const dialog = page.getByRole('dialog');
    assert.match(await dialog.innerText(), /They go to http:[^]*the variable FILES_TOKEN[^]*: delete_file\./);
    assert.doesNotMatch(await dialog.innerText(), /canary/);
    await takePicture(page, 'service-servers-copy');
    assert.equal(await there('files'), undefined);
    await button('Send').click();
    await messages(page, /“files” is in the settings of /).waitFor();
    await rows(
      page,
      view,
      /^MCP server files of .+, enabled, differs from the file: tools · stdio · docker run files/,
    ).waitFor();
    assert.deepEqual(await there('files'), {
      ...{ command: 'docker', args: ['run', 'files'], env: { FILES_TOKEN: 'canary' }, enabled: true },
    });
    await clear();
  });

  it('adds a server from its button, asks before sending secrets, and removes it on Undo', async () => {
    const group = rows(page, view, /^MCP servers of /);
    await group.hover();
    await group.getByRole('button', { name: 'Add MCP Server to a Service', exact: true }).click();
    await choose(page, /^Add MCP Server to /, 'Local Program');
    await asks(page, '(2/6)');
    await question(page).fill('a/b');
    await page.getByText('The service takes no name with a slash.').first().waitFor();
    await answer(page, '(2/6)', 'notes');
    await answer(page, '(3/6)', 'npx -y notes');
    await choose(page, '(4/6)', 'Add Variable');
    await answer(page, /name of the variable/i, 'NOTES_TOKEN');
    await answer(page, /NOTES_TOKEN/, 'canary');
    await choose(page, '(4/6)', 'Done');
    await choose(page, '(5/6)', 'Enabled');
    await hears(page, /^Add “notes”\? Secrets are masked/);
    await takePicture(page, 'service-servers-add');
    await page.keyboard.press('Enter');
    await hears(page, /^Do Not Send; .*Send the secrets of “notes” to /);
    await button('Send').click();
    await messages(page, /“notes” is in the settings of /).waitFor();
    await rows(page, view, /^MCP server notes of .+, enabled, stdio · npx -y notes/).waitFor();
    assert.deepEqual(await there('notes'), {
      ...{ command: 'npx', args: ['-y', 'notes'], env: { NOTES_TOKEN: 'canary' }, enabled: true },
    });
    await press(page, /“notes” is in the settings of /, 'Undo');
    await serverThere('notes').waitFor({ state: 'detached' });
    assert.equal(await there('notes'), undefined);
  });

  it('adds a server from copied text after naming what the service does not accept', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const pasted = { mcpServers: { web: { command: 'npx', args: ['web'], include_tags: ['x'] } } };
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(JSON.stringify(pasted))})`);
    await runCommand(page, 'Switchboard: Add MCP Server to a Service from Text');
    await hears(
      page,
      /The clipboard has an MCP server\. Choose what to add\. - Add MCP Server to .+ from Text/,
    );
    await page.keyboard.press('Enter');
    await hears(page, /^Add “web”\? Secrets are masked/);
    await page.keyboard.press('Enter');
    await hears(page, /^Do Not Send; .*Send “web” to /);
    assert.match(await page.getByRole('dialog').innerText(), /"include_tags" is left out/);
    await button('Send').click();
    await messages(page, /“web” is in the settings of /).waitFor();
    assert.deepEqual(await there('web'), { command: 'npx', args: ['web'], enabled: true });
    await clear();
  });

  it('asks for another name if the chosen one was taken in the meantime', async () => {
    await page.evaluate(`navigator.clipboard.writeText('mcp add late -- npx late')`);
    await runCommand(page, 'Switchboard: Add MCP Server to a Service from Text');
    await hears(page, /The clipboard has an MCP server/);
    await page.keyboard.press('Enter');
    await hears(page, /^Add “late”\? Secrets are masked/);
    const headers = { 'x-session-api-key': service.key, 'content-type': 'application/json' };
    const address = `${service.url}/api/settings/mcp/late`;
    await fetch(address, { method: 'POST', headers, body: '{"command": "other"}' });
    await page.keyboard.press('Enter');
    await messages(page, /already exists/).waitFor();
    await hears(page, /The clipboard has an MCP server/);
    await page.keyboard.press('Enter');
    await hears(page, /^There is already an MCP server “late”/);
    await page.keyboard.press('Escape');
    assert.deepEqual(await there('late'), { command: 'other', enabled: true });
    await fetch(address, { method: 'DELETE', headers });
    await clear();
  });

  it('checks a server from the file at the service after a question', async () => {
    await runCommand(page, 'Switchboard: Check MCP Server at a Service');
    await hears(page, /^Select the MCP server to check at a service/);
    await page.keyboard.type('files');
    await page.keyboard.press('Enter');
    await hears(page, /^Do Not Check; .*Check “files” at /);
    await button('Send and Check').click();
    await messages(page, /“files” does not work at .+No such file or directory: 'docker'/).waitFor();
    const row = rows(
      page,
      view,
      /^MCP server files, .*, differs at .+: tools, not at .+: docker not found there$/,
    );
    await row.waitFor();
    await showTooltip(page, row, /Last check.+“files” does not work/);
    await takePicture(page, 'service-servers-not-there');
    await page.keyboard.press('Escape');
    await clear();
  });

  it('copies a server to the file with the secrets you enter', async () => {
    await runCommand(page, 'Switchboard: Copy MCP Server of a Service to the File');
    await hears(page, /^Select the MCP server to copy to the file/);
    await page.keyboard.type('tracker');
    await page.keyboard.press('Enter');
    await hears(page, /^Do Not Copy; .*Copy “tracker” from /);
    assert.match(await page.getByRole('dialog').innerText(), /the header X-Team, its token/);
    await button('Copy').click();
    await answer(page, /the header X-Team/, 'northwind');
    await answer(page, /its token/, 'entered');
    await eventually(async () => {
      assert.deepEqual((await disk()).tracker, {
        ...{ url: 'https://tracker.example.com/mcp', transport: 'http' },
        ...{ headers: { 'X-Team': 'northwind' }, auth: 'entered' },
      });
    });
    await clear();
  });

  it('edits one part of a server and keeps its secrets', async () => {
    const row = serverThere('database');
    await row.hover();
    await row.getByRole('button', { name: 'Edit MCP Server of a Service' }).click();
    await hears(page, /^Select what to change/);
    await page.keyboard.type('Command');
    await page.keyboard.press('Enter');
    await answer(page, /as in a shell/, 'npx -y @example/mcp-database');
    await rows(page, view, /^MCP server database of .+, enabled, stdio/).waitFor();
    assert.deepEqual(await there('database'), {
      ...{ command: 'npx', args: ['-y', '@example/mcp-database'], enabled: true },
      env: { DATABASE_URL: 'postgres://reader:demo@db.example.com/shop' },
    });
  });

  it('removes a server after a question that names the lost values', async () => {
    const row = serverThere('database');
    await row.hover();
    await row.getByRole('button', { name: 'Remove MCP Server From a Service' }).click();
    await hears(page, /^Keep; .*Remove “database” from /);
    assert.match(await page.getByRole('dialog').innerText(), /does not reveal them: DATABASE_URL/);
    await takePicture(page, 'service-servers-remove');
    await button('Remove').click();
    await serverThere('database').waitFor({ state: 'detached' });
    assert.equal(await there('database'), undefined);
    assert.ok((await disk()).database);
  });
});
