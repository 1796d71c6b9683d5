/**
 * npm run pictures: retakes the pictures for README.md, docs/, and the walkthrough in a real window, and draws the icon.
 * npm run pictures -- checks: only those of checks; see `sets`.
 */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import manifest from '../../package.json' with { type: 'json' };
import { type Behaviour, toolServer } from '../support/toolServer.ts';
import {
  type MisbehavingDemo,
  startMisbehavingDemo,
} from '../support/demo/faults/misbehavingDemo.ts';
import { launchBrowser } from '../host/browser.ts';
import { root } from '../host/paths.ts';
import { run, stopAll } from '../host/processes.ts';
import { main, step } from '../host/steps.ts';
import { AskingAgents } from './askingAgents.ts';
import { Camera, dismissMessages, drag, size, widenSideBar } from './camera.ts';
import { takeChangesPictures, takeFixPicture } from './changePictures.ts';
import { takeCostPicture } from './costPicture.ts';
import { inFewColours } from './fewColours.ts';
import { takeRulePictures, takeWorktreePicture } from './rulePictures.ts';
import {
  asks,
  choose,
  type Desk,
  eventually,
  fold,
  goTo,
  labels,
  messages,
  openChoice,
  openPage,
  openSideBar,
  pressBox,
  rows,
  runCommand,
  setUpDesk,
  themes,
  tryDemo,
  unfold,
  view,
  webviewOf,
  writeNew,
} from './support.ts';

const servers = `{
  "mcpServers": {
    "browser": {
      "command": "npx",
      "args": ["-y", "@playwright/mcp", "--headless"]
    },
    "database": {
      "command": "uvx",
      "args": ["postgres-mcp", "--read-only"],
      "env": { "DATABASE_URI": "postgresql://reader@db.internal/shop" }
    },
    "docs": { "url": "https://docs.example.com/mcp", "transport": "http" },
    "files": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-filesystem", "/srv/shop"]
    },
    "issues": {
      "url": "https://issues.example.com/sse",
      "transport": "sse",
      "headers": { "Authorization": "Bearer 2f1c7a" },
      "enabled": false
    }
  }
}
`;

/** The same file with a pasted entry that was meant for another program. */
const withProblems = servers.replace(
  '"url": "https://docs.example.com/mcp", "transport": "http"',
  `
      "type": "http",
      "url": "docs.example.com/mcp",
      "disabled": true,
    `.trimEnd() + '\n    ',
);

/**
 * Draws the marketplace icon: the side bar icon on the colour of the banner.
 */
async function drawIcon(): Promise<void> {
  const lines = await readFile(join(root, 'media', 'switchboard.svg'), 'utf8');
  const { color } = manifest.galleryBanner;
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({
      viewport: { width: 256, height: 256 },
    });
    await page.setContent(`<style>
      body { margin: 0; }
      div { width: 176px; padding: 40px; border-radius: 52px; background: ${color}; }
      svg { display: block; width: 100%; height: auto; stroke: #e6e9f2; }
      path { stroke: #62a8ff; }
    </style><div>${lines}</div>`);
    const png = (await page.screenshot({ omitBackground: true })).toString(
      'base64',
    );
    const icon = await page.evaluate(inFewColours, {
      png,
      most: 10,
      type: 'image/png',
    });
    await writeFile(
      join(root, 'media', 'icon.png'),
      Buffer.from(icon, 'base64'),
    );
  } finally {
    await browser.close();
  }
}

async function takePictures(name: string): Promise<void> {
  const theme = themes[name];
  if (!theme) throw new Error(`There is no theme ${name}.`);
  const folder = join(
    await mkdtemp(join(tmpdir(), 'switchboard-pictures-')),
    'shop',
  );
  await mkdir(folder);
  const desk = await setUpDesk({
    settings: {
      'workbench.colorTheme': theme.label,
      'switchboard.notifications': 'off',
      'workbench.editor.showTabs': 'none',
      'breadcrumbs.enabled': false,
      'editor.minimap.enabled': false,
      'workbench.reduceMotion': 'on',
    },
  });
  try {
    const { page } = await desk.open({ ...size, folder });
    await page.locator(`.monaco-workbench.${theme.kind}`).waitFor();
    await openSideBar(page);
    await widenSideBar(page, 390);
    await photograph(desk, page, new Camera(page, name));
  } finally {
    await desk.clear();
    await rm(join(folder, '..'), { recursive: true, force: true });
  }
}

async function photograph(
  desk: Desk,
  page: Page,
  camera: Camera,
): Promise<void> {
  const sideBar = page.locator('.part.sidebar');
  const editor = page.locator('.part.editor');
  const listed = sideBar.locator('.monaco-list-row');

  await fold(page, 'MCP Servers');
  await page.getByText('Try the Demo Service').first().waitFor();
  await camera.take('walkthrough/connect', await camera.frame(sideBar, 250));

  const file = join(desk.home, '.agent', 'mcp.json');
  await mkdir(join(file, '..'));
  await writeFile(file, servers, { mode: 0o600 });
  await tryDemo(page);
  await rows(page, 'Conversations', /Waiting for you/)
    .first()
    .waitFor();
  // The walkthrough that comes with it.
  await runCommand(page, 'View: Close All Editors');
  await rows(page, 'Sandboxes').first().waitFor();
  await fold(page, 'Sandboxes');
  await startConversation(page);
  await widenSideBar(page, 430);
  // The demo has changed in the meantime.
  await eventually(async () => {
    const shown = (await labels(page, 'Conversations')).slice(0, 12);
    assert.ok(shown.some((label) => label.includes('Waiting for you')));
  });
  await camera.take(
    'pictures/conversations',
    await camera.frame(sideBar, 380, listed),
  );
  await widenSideBar(page, 390);

  await fold(page, 'Conversations');
  await unfold(page, 'Sandboxes');
  await rows(page, 'Sandboxes', /Running/)
    .first()
    .locator('.monaco-tl-twistie')
    .click();
  await rows(page, 'Sandboxes', /^Conversation/)
    .first()
    .waitFor();
  await rows(page, 'Sandboxes', /WORKER_1/).waitFor();
  await rows(page, 'Sandboxes', /Failed/)
    .first()
    .waitFor();
  await camera.take(
    'pictures/sandboxes',
    await camera.frame(sideBar, 420, listed),
  );

  await fold(page, 'Sandboxes');
  await unfold(page, 'MCP Servers');
  await goTo(page, 'MCP Servers', /issues, disabled/);
  await pressBox(page);
  await rows(page, 'MCP Servers', /issues, enabled/).waitFor();
  await dismissMessages(page);
  await camera.take(
    'pictures/servers',
    await camera.frame(sideBar, 235, listed),
  );

  await runCommand(page, 'Switchboard: Show MCP Status');
  const status = await webviewOf(page, /MCP Servers of Running Conversations/);
  await status.getByText('Active').first().waitFor();
  const facts = status.locator('dd');
  const { y, height, ...place } = await camera.frame(editor, 330, facts, 6);
  const heading = await camera.frame(
    status.getByRole('heading', { level: 2 }).first(),
  );
  await camera.take('walkthrough/pending', {
    ...place,
    y: heading.y - 8,
    height: y + height + 8 - heading.y,
  });
  await camera.take(
    'pictures/pending',
    await camera.frame(editor, 400, facts, 6),
  );

  await runCommand(page, 'Switchboard: Add MCP Server');
  await page
    .locator('.quick-input-list .monaco-list-row')
    .filter({ hasText: 'This Machine' })
    .click();
  await asks(page, /Add MCP Server/);
  await camera.take(
    'walkthrough/add',
    await camera.frame(page.locator('.quick-input-widget')),
  );
  await page.keyboard.press('Escape');
  await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
  await dismissMessages(page);
  await runCommand(page, 'View: Close All Editors');

  await writeFile(file, withProblems, { mode: 0o600 });
  await runCommand(page, 'Switchboard: Open Configuration File');
  await page.locator('.squiggly-error, .squiggly-warning').first().waitFor();
  await page.locator('.codelens-decoration').first().waitFor();
  await camera.take(
    'pictures/file',
    await camera.frame(editor, 560, editor.locator('.view-line')),
  );
  await writeFile(file, servers.replace(',\n      "enabled": false', ''), {
    mode: 0o600,
  });
  await runCommand(page, 'View: Close All Editors');

  await unfold(page, 'Conversations', 'Sandboxes');
  const title = 'Split the backup job into two modules';
  const row = rows(
    page,
    'Conversations',
    new RegExp(`^${title}.*Waiting for you`),
  );
  const conversation = await openPage(page, row, title);
  const accept = conversation.getByRole('button', {
    name: 'Accept',
    exact: true,
  });
  await accept.waitFor();
  await drag(page, view(page, 'Sandboxes'), 0, 150);
  // The first picture is large, so it is taken in one theme only.
  const bar = await camera.frame(page.locator('.part.statusbar'));
  if (camera.theme === 'dark')
    await camera.take('pictures/overview', {
      x: 0,
      y: 0,
      ...size,
      height: bar.y,
    });
  const { x, width } = await camera.frame(editor);
  const top = await camera.frame(
    conversation.getByText('May I commit this and push the branch?'),
  );
  const end = await camera.frame(accept);
  const from = top.y - 8;
  await camera.take('walkthrough/follow', {
    x,
    y: from,
    width,
    height: end.y + end.height + 12 - from,
  });
}

/** The page of an agent that waits. */
async function takeAgentPictures(name: string): Promise<void> {
  const theme = themes[name];
  if (!theme) throw new Error(`There is no theme ${name}.`);
  const service = await startMisbehavingDemo({ interface: 'agentServer' });
  const desk = await setUpDesk({
    settings: {
      'workbench.colorTheme': theme.label,
      'switchboard.notifications': 'off',
      'workbench.editor.showTabs': 'none',
      'workbench.reduceMotion': 'on',
    },
    env: {
      SWITCHBOARD_SERVICE_URL: service.url,
      SWITCHBOARD_API_KEY: service.key,
    },
  });
  try {
    const { page } = await desk.open(size);
    await page.locator(`.monaco-workbench.${theme.kind}`).waitFor();
    await openSideBar(page);
    const camera = new Camera(page, name);
    const title = 'Move the rate limiter from callbacks to async/await';
    const frame = await openPage(
      page,
      rows(page, 'Conversations', new RegExp(`^${title}`)),
      title,
    );
    await frame.getByRole('button', { name: 'Accept', exact: true }).waitFor();
    await dismissMessages(page);
    await camera.take(
      'pictures/conversation',
      await camera.frame(page.locator('.part.editor')),
    );

    const text = 'Add a demo file';
    await begin(service, text);
    await runCommand(page, 'Switchboard: Refresh Conversations');
    const begun = await openPage(
      page,
      rows(page, 'Conversations', new RegExp(`^${text}`)),
      text,
    );
    await begun.locator('.tasks summary').click();
    await dismissMessages(page);
    const header = await camera.frame(begun.locator('header'));
    await camera.take('pictures/head', header);
  } finally {
    await desk.clear();
    await service.stop();
  }
}

async function begin(
  { url, key }: MisbehavingDemo,
  text: string,
): Promise<void> {
  const path = `${url}/api/conversations`;
  const headers = {
    'X-Session-API-Key': key,
    'content-type': 'application/json',
  };
  const initial_message = {
    role: 'user',
    content: [{ type: 'text', text }],
    run: true,
  };
  const wanted = {
    workspace: { working_dir: '/home/dev' },
    agent_settings: {},
    initial_message,
  };
  const response = await fetch(path, {
    method: 'POST',
    headers,
    body: JSON.stringify(wanted),
  });
  assert.equal(response.status, 201);
  const { id } = (await response.json()) as { readonly id: string };
  await fetch(`${path}/${id}`, {
    method: 'PATCH',
    headers,
    body: JSON.stringify({ title: text }),
  });
}

/** A notification of an agent that asks. */
async function takeNotificationPicture(name: string): Promise<void> {
  const theme = themes[name];
  if (!theme) throw new Error(`There is no theme ${name}.`);
  const service = await startMisbehavingDemo({
    interface: 'agentServer',
    conversations: 0,
  });
  const agents = new AskingAgents(service);
  const desk = await setUpDesk({
    settings: {
      'workbench.colorTheme': theme.label,
      'switchboard.refreshInterval': 1,
      'workbench.reduceMotion': 'on',
    },
    env: {
      SWITCHBOARD_SERVICE_URL: service.url,
      SWITCHBOARD_API_KEY: service.key,
    },
  });
  try {
    const id = await agents.create('Fix login');
    const { page } = await desk.open(size);
    await page.locator(`.monaco-workbench.${theme.kind}`).waitFor();
    await openSideBar(page);
    await rows(page, 'Conversations', /^Fix login, Finished/).waitFor();
    await agents.wantTo(id, 'npm test');
    await messages(page, 'wants to run `npm test`').waitFor();
    const camera = new Camera(page, name);
    const { x, y, width, height } = await camera.frame(messages(page));
    const margin = 12;
    await camera.take('pictures/notification', {
      x: x - margin,
      y: y - margin,
      width: width + 2 * margin,
      height: height + 2 * margin,
    });
  } finally {
    await desk.clear();
    await service.stop();
  }
}

/** The tools of a server, and the page of one that does not work. */
async function takeCheckPictures(name: string): Promise<void> {
  const theme = themes[name];
  if (!theme) throw new Error(`There is no theme ${name}.`);
  const programs = await mkdtemp(join(tmpdir(), 'switchboard-pictures-'));
  await pretend(programs, 'npx', {
    tools: [
      {
        name: 'search_code',
        description: 'Finds code in all repositories.',
        annotations: { readOnlyHint: true },
      },
      {
        name: 'get_issue',
        description: 'Reads an issue and its comments.',
        annotations: { readOnlyHint: true },
      },
      { name: 'create_issue', description: 'Opens an issue in a repository.' },
      {
        name: 'delete_repo',
        description: 'Deletes a repository and everything in it.',
        annotations: { destructiveHint: true },
      },
    ],
  });
  const says =
    'psycopg.OperationalError: connection to server at "db.internal", port 5432 failed: timeout expired';
  await pretend(programs, 'uvx', { exits: { code: 1, says } });
  const desk = await setUpDesk({
    settings: {
      'workbench.colorTheme': theme.label,
      'switchboard.notifications': 'off',
      'workbench.editor.showTabs': 'none',
      'workbench.reduceMotion': 'on',
    },
  });
  try {
    // The editor asks the shell for the environment.
    await writeFile(
      join(desk.home, '.profile'),
      `export PATH='${programs}':"$PATH"\n`,
    );
    const file = join(desk.home, '.agent', 'mcp.json');
    await mkdir(join(file, '..'));
    await writeFile(
      file,
      servers
        .replace('"browser"', '"code"')
        .replace('"@playwright/mcp"', '"@northwind/code"'),
      {
        mode: 0o600,
      },
    );
    const { page } = await desk.open(size);
    await page.locator(`.monaco-workbench.${theme.kind}`).waitFor();
    await openSideBar(page);
    await widenSideBar(page, 560);
    const camera = new Camera(page, name);
    await fold(page, 'Conversations', 'Sandboxes');
    const row = (label: RegExp) => rows(page, 'MCP Servers', label);
    for (const [server, button] of [
      [/^MCP server code/, /4 tools$/],
      [/^MCP server database/, /ended with exit code 1$/],
    ] as const) {
      await row(server).hover();
      await row(server)
        .getByRole('button', { name: 'Check MCP Server' })
        .click();
      await page
        .locator('.monaco-dialog-box')
        .getByRole('button', { name: 'Check', exact: true })
        .click();
      await row(new RegExp(`${server.source}.*${button.source}`)).waitFor();
    }
    await dismissMessages(page);
    const frame = await openPage(page, row(/^MCP server database/), 'database');
    await frame.getByText('Last output').waitFor();
    await camera.take(
      'pictures/check',
      await camera.frame(
        page.locator('.part.editor'),
        470,
        frame.locator('dd'),
        6,
      ),
    );
    await row(/^MCP server code/)
      .locator('.monaco-tl-twistie')
      .click();
    await row(/^Tool delete_repo/)
      .getByRole('checkbox')
      .click();
    await row(/^Tool delete_repo of code, off/).waitFor();
    await dismissMessages(page);
    const sideBar = page.locator('.part.sidebar');
    await camera.take(
      'pictures/tools',
      await camera.frame(sideBar, 420, sideBar.locator('.monaco-list-row')),
    );
    await widenSideBar(page, 390);
    const { x, y, width } = await camera.frame(view(page, 'MCP Servers'));
    const last = await camera.frame(row(/^Tool delete_repo/));
    await camera.take('walkthrough/tools', {
      x,
      y,
      width,
      height: last.y + last.height - y,
    });
  } finally {
    await desk.clear();
    await rm(programs, { recursive: true, force: true });
  }
}

/** Has a command start a server of our own. */
async function pretend(
  folder: string,
  command: string,
  behaviour: Behaviour,
): Promise<void> {
  const what = join(folder, `${command}.json`);
  await writeFile(what, JSON.stringify(behaviour));
  const { command: program, args } = toolServer(what);
  const words = [program, ...args].map((word) => `'${word}'`).join(' ');
  await writeFile(join(folder, command), `#!/bin/sh\nexec ${words}\n`, {
    mode: 0o755,
  });
}

/**
 * Starts a conversation after the file was read, so that its servers are known.
 */
async function startConversation(page: Page): Promise<void> {
  const message = 'Show the delivery date in the shopping cart';
  const frame = await writeNew(page, message);
  await openChoice(frame, 'No Repository');
  await choose(page, 'Repository to work in', 'northwind/storefront');
  await openChoice(frame, 'Default Branch');
  await choose(page, 'Branch to start from', 'main');
  await frame.getByRole('button', { name: 'Branch: main' }).waitFor();
  await frame.getByRole('button', { name: 'Create' }).click();
  await rows(
    page,
    'Conversations',
    new RegExp(`^${message}, Working`),
  ).waitFor();
  await dismissMessages(page);
}

const sets: Readonly<Record<string, (theme: string) => Promise<void>>> = {
  window: takePictures,
  agent: takeAgentPictures,
  notification: takeNotificationPicture,
  checks: takeCheckPictures,
  changes: takeChangesPictures,
  fix: takeFixPicture,
  rules: takeRulePictures,
  worktrees: takeWorktreePicture,
  costs: takeCostPicture,
};

await main(async () => {
  const wanted = process.argv.slice(2);
  const chosen = wanted.length === 0 ? Object.keys(sets) : wanted;
  await step('Building the extension', () =>
    run(process.execPath, ['esbuild.mjs'], 'Fix the errors above.', {
      cwd: root,
    }),
  );
  try {
    if (wanted.length === 0) await step('Drawing the icon', drawIcon);
    for (const theme of ['dark', 'light'])
      await step(`Taking the pictures of the ${theme} theme`, async () => {
        for (const set of chosen) {
          const take = sets[set];
          if (!take)
            throw new Error(
              `There are no pictures ${set}, but ${Object.keys(sets).join(', ')}.`,
            );
          await take(theme);
        }
      });
  } finally {
    await stopAll();
  }
  return 0;
});
