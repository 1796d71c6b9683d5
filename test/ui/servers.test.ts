/**
 * Everything about MCP servers and Agent Servers that one window can show,
 * because a window costs more than its tests.
 */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type Server } from 'node:tls';
import type { Page } from 'playwright-core';
import {
  type MisbehavingDemo,
  startMisbehavingDemo,
} from '../support/demo/faults/misbehavingDemo.ts';
import { type Certified, selfSigned } from '../support/certificate.ts';
import { type Proxy, startProxy } from '../support/proxy.ts';
import { type Behaviour, toolServer } from '../support/toolServer.ts';
import {
  answer,
  asks,
  changeTheme,
  choose,
  chooseInHeader,
  chooseInMenu,
  closeEditors,
  type Desk,
  eventually,
  fold,
  goTo,
  hears,
  labels,
  messages,
  openPage,
  openSideBar,
  press,
  pressBox,
  question,
  rows,
  runCommand,
  setUpDesk,
  showTooltip,
  statusBar,
  takePicture,
  themes,
  unfold,
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
      description:
        'Deletes a repository with everything in it. This cannot be undone.',
      annotations: { destructiveHint: true },
    },
  ],
};

// Only the proxy knows these.
const plain = 'agents.example';
const secure = 'secure.agents.example';
const untrusted = 'untrusted.agents.example';

const view = 'MCP Servers';

describe('the MCP servers of a window', () => {
  let desk: Desk;
  let page: Page;
  let file: string;
  let service: MisbehavingDemo;
  let proxy: Proxy;
  let encrypted: readonly Server[];
  let trusted: string;

  const disk = () => readFile(file, 'utf8');
  const has = async (text: string) => {
    await eventually(async () => {
      assert.equal(await disk(), text);
    });
  };

  /** A modal question. Notifications have the same role. */
  const dialog = () => page.locator('.monaco-dialog-box');

  before(async () => {
    service = await startMisbehavingDemo({ interface: 'agentServer' });
    const { port } = new URL(service.url);
    const certificates = [selfSigned(secure), selfSigned(untrusted)] as const;
    encrypted = await Promise.all(
      certificates.map((own) => inTls(Number(port), own)),
    );
    const [securePort = 0, untrustedPort = 0] = encrypted.map(
      (each) => (each.address() as AddressInfo).port,
    );
    proxy = await startProxy({
      [plain]: Number(port),
      [secure]: securePort,
      [untrusted]: untrustedPort,
    });
    trusted = await mkdtemp(join(tmpdir(), 'switchboard-trusted-'));
    await writeFile(join(trusted, 'trusted.pem'), certificates[0].certificate);
    desk = await setUpDesk({
      settings: {
        'http.proxy': proxy.url,
        'http.systemCertificates': true,
        'http.systemCertificatesNode': true,
        'switchboard.notifications': 'off',
      },
      // The editor takes what the system trusts for all that is trusted, and
      // asks its Node for that.
      env: { SSL_CERT_FILE: join(trusted, 'trusted.pem') },
    });
    file = join(desk.home, '.agent', 'mcp.json');
    await mkdir(join(desk.home, '.agent'));
    await writeFile(file, text, { mode: 0o600 });
    ({ page } = await desk.open());
    await page
      .context()
      .grantPermissions(['clipboard-read', 'clipboard-write']);
    await openSideBar(page);
    await fold(page, 'Conversations', 'Sandboxes');
    await rows(page, view).first().waitFor();
  });

  after(async () => {
    await desk.clear();
    await proxy.stop();
    for (const server of encrypted) server.close();
    await service.stop();
    await rm(trusted, { recursive: true });
  });

  describe('the MCP Servers view', () => {
    it('labels servers with name, state, kind and target, without secrets, for a screen reader', async () => {
      assert.deepEqual(await labels(page, view), [
        'MCP server files, enabled, local program, npx -y @modelcontextprotocol/server-filesystem /srv/shop',
        'MCP server issues, enabled, HTTP, https://issues.example.com/mcp?key=••••••',
        'MCP server metrics, disabled, server-sent events, https://metrics.example.com/sse',
        'MCP server odd one, enabled, HTTP, htp://odd.example.com/mcp, problem: MCP servers are reached over "https://", or "http://" on this machine. Change the URL.',
      ]);
    });

    it('disables a server by keyboard and enables it again with Undo', async () => {
      await goTo(page, view);
      await pressBox(page);
      await messages(page, 'Disabled "files"').waitFor();
      assert.match(await disk(), /"\/srv\/shop"\],\n {6}"enabled": false\n/);
      await takePicture(page, 'servers-disabled');
      await press(page, 'Disabled "files"', 'Undo');
      await has(text);
      await rows(page, view, /files, enabled/).waitFor();
    });

    it('keeps its servers when the file is broken, with a row that opens it at the error', async () => {
      await writeFile(file, text.replace('"npx",', '"npx"'));
      const problem = rows(page, view, /^This file is invalid/);
      await problem.waitFor();
      const box = rows(page, view, /^MCP server files/).getByRole('checkbox');
      await box.click();
      await messages(page, 'cannot be read').waitFor();
      await eventually(async () => {
        assert.equal(await box.getAttribute('aria-checked'), 'true');
      });
      await problem.click();
      await statusBar(page).getByText('Ln 5, Col 7').waitFor();
      await takePicture(page, 'servers-broken-open');
      await closeEditors(page);
      await writeFile(file, text);
      await problem.waitFor({ state: 'detached' });
    });
  });

  describe('Add MCP Server by keyboard', () => {
    const empty = '{\n  "mcpServers": {}\n}\n';
    const pick = async (label: string) => {
      // All questions have the same title, and typing goes to the previous one
      // until it disappears.
      await page
        .locator('.quick-input-list .monaco-list-row')
        .filter({ hasText: label })
        .first()
        .waitFor();
      await choose(page, 'Add MCP Server', label);
    };

    it('adds a local program after a masked preview, and removes it on Undo', async () => {
      await writeFile(file, empty);
      await runCommand(page, 'Switchboard: Add MCP Server');
      await asks(page, 'Command or URL of the server');
      await page.keyboard.type('npx -y files "/srv/my files"');
      await takePicture(page, 'add-server-command');
      await page.keyboard.press('Enter');
      await hears(page, /^Add “files”\?/);
      await takePicture(page, 'add-server-options');
      await pick('Variables');
      await pick('Add Variable');
      await answer(page, 'Name of the variable', 'TOKEN');
      await answer(page, 'Value of the variable TOKEN', 'canary');
      await pick('Done');
      await page
        .locator('.monaco-diff-editor .modified .view-line')
        .getByText('TOKEN')
        .first()
        .waitFor();
      await hears(page, /^Add “files”\?/);
      await takePicture(page, 'add-server-preview');
      assert.doesNotMatch(await page.locator('body').innerText(), /canary/);
      await page.keyboard.press('Enter');
      await rows(page, view, /files, enabled/).waitFor();
      assert.deepEqual(JSON.parse(await disk()), {
        mcpServers: {
          files: {
            command: 'npx',
            args: ['-y', 'files', '/srv/my files'],
            env: { TOKEN: 'canary' },
          },
        },
      });
      await press(page, 'files', 'Undo');
      await has(empty);
      await rows(page, view).first().waitFor({ state: 'detached' });
    });
  });

  describe('a check of an MCP server', () => {
    let original: string;
    const toolRow = (name: string) =>
      rows(page, view, new RegExp(`^Tool ${name} of code`));

    before(async () => {
      const what = join(desk.home, 'tools.json');
      await writeFile(what, JSON.stringify(behaviour));
      const servers = {
        code: { ...toolServer(what), env: { CODE_TOKEN: 'canary' } },
        browser: {
          command: 'no-such-browser',
          args: ['--headless'],
          env: { BROWSER_TOKEN: 'canary' },
        },
        issues: {
          url: 'https://issues.invalid/mcp',
          headers: { Authorization: 'Bearer canary' },
        },
      };
      original = `${JSON.stringify({ mcpServers: servers }, null, 2)}\n`;
      await writeFile(file, original);
      await rows(page, view, /^MCP server code/).waitFor();
    });

    it('asks first, naming the command, with Check and Cancel as the only buttons', async () => {
      const row = rows(page, view, /^MCP server code/);
      await row.hover();
      await row.getByRole('button', { name: 'Check MCP Server' }).click();
      await hears(page, /^Check; .*Check “code”\?/);
      assert.match(await dialog().innerText(), /toolServer\.ts[^]*CODE_TOKEN=/);
      assert.doesNotMatch(await dialog().innerText(), /canary/);
      const buttons = await dialog()
        .locator('.dialog-buttons')
        .getByRole('button')
        .allInnerTexts();
      assert.deepEqual([...buttons].sort(), ['Cancel', 'Check']);
      await takePicture(page, 'checks-question');
      await page.keyboard.press('Escape');
      await dialog().waitFor({ state: 'detached' });
      assert.doesNotMatch((await labels(page, view)).join('\n'), /\d tools/);
    });

    it('checks all servers and reports which do not work and why', async () => {
      await chooseInHeader(page, view, 'Check All MCP Servers');
      await hears(page, /^Check; .*Check 3 MCP servers\?/);
      await takePicture(page, 'checks-question-all');
      await dialog()
        .getByRole('button', { name: 'Check', exact: true })
        .click();
      await messages(
        page,
        /1 of 3 MCP servers work\. These do not: /,
      ).waitFor();
      await rows(page, view, /^MCP server code, .*, 4 tools$/).waitFor();
      await rows(
        page,
        view,
        /^MCP server browser, .*, no-such-browser not found$/,
      ).waitFor();
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
      await messages(page, 'Turned off “delete_repo” of “code”.').waitFor();
      assert.match(
        await disk(),
        /"tools": \{\s+"delete_repo": \{\s*"enabled": false\s*\}\s+\}/,
      );
      await rows(page, view, /^Tool delete_repo of code, off/).waitFor();
      await rows(
        page,
        view,
        /^MCP server code, .*, 3 of 4 tools on$/,
      ).waitFor();
      await takePicture(page, 'checks-tool-off');
      await press(page, 'Turned off “delete_repo”', 'Undo');
      await has(original);
      await rows(page, view, /^Tool delete_repo of code, on/).waitFor();
    });

    it('chooses many tools at once, with a button for the read-only ones', async () => {
      await runCommand(page, 'Switchboard: Choose Tools of MCP Server');
      await hears(page, /^Select the MCP server whose tools to choose .*code/);
      await page.keyboard.type('code');
      await page.keyboard.press('Enter');
      await page
        .locator('.quick-input-title')
        .getByText('Tools of code: 4 of 4 on')
        .waitFor();
      await page
        .locator('.quick-input-widget')
        .getByRole('button', { name: 'Only Read-Only Tools' })
        .click();
      await page
        .locator('.quick-input-title')
        .getByText('Tools of code: 2 of 4 on')
        .waitFor();
      await takePicture(page, 'checks-pick');
      await question(page).focus();
      await page.keyboard.press('Enter');
      await rows(
        page,
        view,
        /^MCP server code, .*, 2 of 4 tools on$/,
      ).waitFor();
      await press(page, 'Turned off 2 tools of “code”.', 'Undo');
      await has(original);
    });

    it('shows its result on the page of the server without secrets, with a link to the file', async () => {
      const frame = await openPage(
        page,
        rows(page, view, /^MCP server browser/),
        'browser',
      );
      await frame
        .getByText(
          /no program no-such-browser was found in the folders of PATH/,
        )
        .waitFor();
      await frame.getByRole('link', { name: 'Check', exact: true }).waitFor();
      await frame.getByText('BROWSER_TOKEN').waitFor();
      assert.doesNotMatch(await frame.content(), /canary/);
      await takePicture(page, 'checks-page');
      await frame.getByRole('link', { name: 'Show in the File' }).click();
      await hears(page, 'mcp.json');
      await statusBar(page)
        .getByText(/^Ln 1\d/)
        .waitFor();
    });

    it('starts from above the entry in the file and shows what changed since the last check', async () => {
      await writeFile(
        file,
        original.replace('tools.json"', 'tools.json", "--more"'),
      );
      await rows(
        page,
        view,
        /^MCP server code, .*, changed since its check$/,
      ).waitFor();
      const lens = page
        .locator('.codelens-decoration')
        .getByRole('button', { name: 'Check', exact: true });
      await lens.first().click();
      await hears(page, /^Check; .*Check “code”\?/);
      assert.match(await dialog().innerText(), /● Previously: /);
      await takePicture(page, 'checks-question-changed');
      await page.keyboard.press('Escape');
    });

    it('shows servers, tools, problems and actions in each theme, wide and narrow', async () => {
      await writeFile(
        file,
        original.replace('"issues": {', '"issues": { "transport": "htp",'),
      );
      await page.locator('.squiggly-error').first().waitFor();
      for (const [name, theme] of Object.entries(themes)) {
        await changeTheme(page, theme);
        await showTooltip(
          page,
          rows(page, view, /^MCP server browser/),
          'Last check',
        );
        await takePicture(page, `servers-${name}`);
        await page.keyboard.press('Escape');
      }
      await page.setViewportSize({ width: 520, height: 800 });
      await takePicture(page, 'servers-narrow');
      await page.setViewportSize({ width: 1280, height: 800 });
      await closeEditors(page);
    });
  });

  describe('a service behind the proxy of VS Code', () => {
    const title = 'Split the backup job into two modules';

    before(() => unfold(page, 'Conversations'));

    async function connectTo(address: string): Promise<void> {
      await runCommand(page, 'Switchboard: Connect to a Service');
      await answer(page, 'Address of the service', address);
      await answer(page, /^Key of /, service.key);
    }

    /** Requests through the proxy that begin like this. */
    const through = (begin: string) =>
      proxy.seen.filter((each) => each.startsWith(begin));

    /**
     * The agents of the service at this address are listed and followed live.
     */
    async function isFollowed(address: string): Promise<void> {
      await messages(page, `Connected to ${address}`).waitFor();
      const row = rows(
        page,
        'Conversations',
        new RegExp(`^${title}, Waiting for you`),
      ).first();
      const frame = await openPage(page, row, title);
      await frame.getByText('Live', { exact: true }).waitFor();
      await closeEditors(page);
      await runCommand(page, 'Switchboard: Remove Service');
      await messages(page, 'Its key is kept.').first().waitFor();
      await runCommand(page, 'Notifications: Clear All Notifications');
    }

    it('answers and streams live through the proxy', async () => {
      await connectTo(`http://${plain}`);
      await dialog().getByRole('button', { name: 'Send' }).click();
      await isFollowed(`http://${plain}`);
      assert.ok(
        through(`UPGRADE http://${plain}/sockets/`).length +
          through(`CONNECT ${plain}`).length >
          0,
      );
    });

    it('answers and streams live through the proxy with a certificate that this machine trusts', async () => {
      await connectTo(`https://${secure}`);
      await isFollowed(`https://${secure}`);
      assert.ok(through(`CONNECT ${secure}:443`).length > 0);
    });

    it('shows an error when its certificate is not trusted', async () => {
      await runCommand(page, 'Switchboard: Connect to a Service');
      await answer(page, 'Address of the service', `https://${untrusted}`);
      await messages(page, 'its certificate is not trusted here').waitFor();
    });
  });

  describe('the group of MCP servers of a service', () => {
    const inFile = async () =>
      (JSON.parse(await disk()) as { mcpServers: Record<string, unknown> })
        .mcpServers;
    /** The servers that the service really has. */
    const there = async (name: string) => {
      const headers = {
        'x-session-api-key': service.key,
        'x-expose-secrets': 'plaintext',
      };
      const settings = await (
        await fetch(`${service.url}/api/settings`, { headers })
      ).json();
      return (
        settings as {
          agent_settings: { mcp_config: Record<string, { enabled: boolean }> };
        }
      ).agent_settings.mcp_config[name];
    };
    const serverThere = (name: string) =>
      rows(page, view, new RegExp(`^MCP server ${name} of `));
    const fromMenu = async (row: RegExp, command: string) => {
      await goTo(page, view, row);
      await page.keyboard.press('Shift+F10');
      await chooseInMenu(page, command);
    };
    const button = (name: string) =>
      dialog().getByRole('button', { name, exact: true });

    before(async () => {
      const servers = {
        database: {
          command: 'npx',
          args: ['-y', '@example/mcp-database'],
          env: { DATABASE_URL: 'canary' },
        },
        files: {
          command: 'docker',
          args: ['run', 'files'],
          env: { FILES_TOKEN: 'canary' },
          tools: { delete_file: { enabled: false } },
        },
      };
      await writeFile(
        file,
        `${JSON.stringify({ mcpServers: servers }, null, 2)}\n`,
      );
      await runCommand(page, 'Switchboard: Connect to a Service');
      await answer(page, 'Address of the service', service.url);
      await answer(page, /^Key of http/, service.key);
      await rows(page, view, /^MCP servers of /).waitFor();
    });

    it('lists the servers without secrets and with their differences from the file', async () => {
      await serverThere('tracker').waitFor();
      const all = (await labels(page, view)).join('\n');
      assert.match(
        all,
        /MCP server tracker of .+, enabled, http · https:\/\/tracker\.example\.com\/mcp/,
      );
      assert.match(
        all,
        /MCP server database of .+, enabled, differs from the file: arguments · stdio/,
      );
      assert.match(all, /MCP server browser of .+, disabled/);
      assert.match(
        all,
        /^MCP server database, enabled, .*, differs at .+: arguments$/m,
      );
      assert.doesNotMatch(all, /demo-token|postgres/);
    });

    it('masks secrets in the tooltip of a server', async () => {
      await showTooltip(page, serverThere('database'), /DATABASE_URL=••••••/);
      await takePicture(page, 'service-servers');
      await page.keyboard.press('Escape');
    });

    it('switches servers off and on with their check boxes', async () => {
      await serverThere('tracker').getByRole('checkbox').click();
      await rows(page, view, /^MCP server tracker of .+, disabled/).waitFor();
      assert.equal((await there('tracker'))?.enabled, false);
      await serverThere('tracker').getByRole('checkbox').click();
      await rows(page, view, /^MCP server tracker of .+, enabled/).waitFor();
      assert.equal((await there('tracker'))?.enabled, true);
    });

    it('checks a server at the service after a question', async () => {
      const row = serverThere('tracker');
      await row.hover();
      await row.getByRole('button', { name: 'Check MCP Server' }).click();
      await hears(page, /^Check; .*Check “tracker” at /);
      await takePicture(page, 'service-servers-check');
      await button('Check').click();
      await messages(page, /“tracker” works at .+: 4 tools\./).waitFor();
    });

    it('copies a server from the file after a question that names what is lost and what is sent', async () => {
      await fromMenu(/^MCP server files,/, 'Copy MCP Server to a Service');
      await hears(page, /^Copy “files” to .+Secrets are masked in the preview/);
      const preview = page.locator(
        '.monaco-diff-editor .editor.modified .view-lines',
      );
      await preview.filter({ hasText: 'FILES_TOKEN' }).waitFor();
      assert.doesNotMatch(await preview.innerText(), /canary/);
      await takePicture(page, 'service-servers-preview');
      await page.keyboard.press('Enter');
      await hears(page, /^Send; .*Send the secrets of “files” to /);
      assert.match(
        await dialog().innerText(),
        /They go to http:[^]*the variable FILES_TOKEN[^]*: delete_file\./,
      );
      assert.doesNotMatch(await dialog().innerText(), /canary/);
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
        ...{
          command: 'docker',
          args: ['run', 'files'],
          env: { FILES_TOKEN: 'canary' },
          enabled: true,
        },
      });
    });

    it('adds a server from its button, asks before sending secrets, and removes it on Undo', async () => {
      const group = rows(page, view, /^MCP servers of /);
      await group.hover();
      await group
        .getByRole('button', { name: 'Add MCP Server', exact: true })
        .click();
      await answer(page, 'Command or URL of the server', 'npx -y notes');
      await hears(page, /^Add “notes”\?/);
      await choose(page, /^Add MCP Server to /, 'Name');
      await asks(page, 'Name of the server');
      await question(page).fill('a/b');
      await page
        .getByText('The service does not accept a slash in a name.')
        .first()
        .waitFor();
      await answer(page, /^Add MCP Server to /, 'notes');
      await hears(page, /^Add “notes”\?/);
      await choose(page, /^Add MCP Server to /, 'Variables');
      await hears(page, /^Does the server need variables/);
      await choose(page, /^Add MCP Server to /, 'Add Variable');
      await answer(page, /name of the variable/i, 'NOTES_TOKEN');
      await answer(page, /NOTES_TOKEN/, 'canary');
      await hears(page, /^The variables of the server/);
      await choose(page, /^Add MCP Server to /, 'Done');
      await hears(page, /^Add “notes”\? Secrets are masked/);
      await takePicture(page, 'service-servers-add');
      await page.keyboard.press('Enter');
      await hears(page, /^Send; .*Send the secrets of “notes” to /);
      await button('Send').click();
      await messages(page, /“notes” is in the settings of /).waitFor();
      await rows(
        page,
        view,
        /^MCP server notes of .+, enabled, stdio · npx -y notes/,
      ).waitFor();
      assert.deepEqual(await there('notes'), {
        ...{
          command: 'npx',
          args: ['-y', 'notes'],
          env: { NOTES_TOKEN: 'canary' },
          enabled: true,
        },
      });
      await press(page, /“notes” is in the settings of /, 'Undo');
      await serverThere('notes').waitFor({ state: 'detached' });
      assert.equal(await there('notes'), undefined);
    });

    it('adds a server from copied text after naming what the service does not accept', async () => {
      const pasted = {
        mcpServers: {
          web: { command: 'npx', args: ['web'], include_tags: ['x'] },
        },
      };
      await page.evaluate(
        `navigator.clipboard.writeText(${JSON.stringify(JSON.stringify(pasted))})`,
      );
      await runCommand(page, 'Switchboard: Add MCP Server from Text');
      await hears(
        page,
        /^Select where to add the MCP server; (?!This Machine)/,
      );
      await takePicture(page, 'add-server-where');
      await page.keyboard.press('Enter');
      await hears(
        page,
        /The clipboard has an MCP server\. Choose what to add\. - Add MCP Server to .+ from Text/,
      );
      await page.keyboard.press('Enter');
      await hears(page, /^Add “web”\? Secrets are masked/);
      await page.keyboard.press('Enter');
      await hears(page, /^Send; .*Send “web” to /);
      assert.match(await dialog().innerText(), /"include_tags" is left out/);
      await button('Send').click();
      await messages(page, /“web” is in the settings of /).waitFor();
      assert.deepEqual(await there('web'), {
        command: 'npx',
        args: ['web'],
        enabled: true,
      });
    });

    it('asks for another name if the chosen one was taken in the meantime', async () => {
      await page.evaluate(
        `navigator.clipboard.writeText('mcp add late -- npx late')`,
      );
      await runCommand(page, 'Switchboard: Add MCP Server from Text');
      await hears(
        page,
        /^Select where to add the MCP server; (?!This Machine)/,
      );
      await takePicture(page, 'add-server-where');
      await page.keyboard.press('Enter');
      await hears(page, /The clipboard has an MCP server/);
      await page.keyboard.press('Enter');
      await hears(page, /^Add “late”\? Secrets are masked/);
      const headers = {
        'x-session-api-key': service.key,
        'content-type': 'application/json',
      };
      const address = `${service.url}/api/settings/mcp/late`;
      await fetch(address, {
        method: 'POST',
        headers,
        body: '{"command": "other"}',
      });
      await page.keyboard.press('Enter');
      await messages(page, /already exists/).waitFor();
      await hears(page, /The clipboard has an MCP server/);
      await page.keyboard.press('Enter');
      await hears(page, /^There is already an MCP server “late”/);
      await page.keyboard.press('Escape');
      assert.deepEqual(await there('late'), {
        command: 'other',
        enabled: true,
      });
      await fetch(address, { method: 'DELETE', headers });
    });

    it('checks a server from the file at the service after a question', async () => {
      await fromMenu(/^MCP server files,/, 'Check MCP Server at a Service');
      await hears(page, /^Send and Check; .*Check “files” at /);
      await button('Send and Check').click();
      await messages(
        page,
        /“files” does not work at .+No such file or directory: 'docker'/,
      ).waitFor();
      const row = rows(
        page,
        view,
        /^MCP server files, .*, differs at .+: tools, not at .+: docker not found there$/,
      );
      await row.waitFor();
      await showTooltip(page, row, /Last check.+“files” does not work/);
      await takePicture(page, 'service-servers-not-there');
      await page.keyboard.press('Escape');
    });

    it('copies a server to the file with the secrets you enter', async () => {
      await fromMenu(/^MCP server tracker of /, 'Copy MCP Server to mcp.json');
      await hears(page, /^Copy; .*Copy “tracker” from /);
      assert.match(await dialog().innerText(), /the header X-Team, its token/);
      await button('Copy').click();
      await answer(page, /the header X-Team/, 'northwind');
      await answer(page, /its token/, 'entered');
      await rows(page, view, /^MCP server tracker, enabled/).waitFor();
      assert.deepEqual((await inFile()).tracker, {
        ...{ url: 'https://tracker.example.com/mcp', transport: 'http' },
        ...{ headers: { 'X-Team': 'northwind' }, auth: 'entered' },
      });
    });

    it('edits one part of a server and keeps its secrets', async () => {
      // The copied row makes the editor replace the buttons of all rows.
      await fromMenu(/^MCP server database of /, 'Edit MCP Server');
      await hears(page, /^Select what to change/);
      await page.keyboard.type('Command');
      await page.keyboard.press('Enter');
      await answer(page, /as in a shell/, "npx -y '@example/mcp-database");
      await answer(
        page,
        'A quote is not closed.',
        'npx -y @example/mcp-database',
      );
      await rows(
        page,
        view,
        /^MCP server database of .+, enabled, stdio/,
      ).waitFor();
      assert.deepEqual(await there('database'), {
        ...{
          command: 'npx',
          args: ['-y', '@example/mcp-database'],
          enabled: true,
        },
        env: { DATABASE_URL: 'postgres://reader:demo@db.example.com/shop' },
      });
    });

    it('removes a server after a question that names the lost values', async () => {
      const row = serverThere('database');
      await row.hover();
      await row.getByRole('button', { name: 'Remove MCP Server' }).click();
      await hears(page, /^Remove; .*Remove “database” from /);
      assert.match(
        await dialog().innerText(),
        /does not reveal them: DATABASE_URL/,
      );
      await takePicture(page, 'service-servers-remove');
      await button('Remove').click();
      await serverThere('database').waitFor({ state: 'detached' });
      assert.equal(await there('database'), undefined);
      assert.ok((await inFile()).database);
    });
  });
});

/** Passes on to this port what comes encrypted. */
async function inTls(
  port: number,
  { key, certificate }: Certified,
): Promise<Server> {
  const server = createServer({ key, cert: certificate }, (socket) => {
    const passed = connect(port, '127.0.0.1');
    socket.pipe(passed).pipe(socket);
    socket.on('error', () => passed.destroy());
    socket.on('close', () => passed.destroy());
    passed.on('error', () => socket.destroy());
    passed.on('close', () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
