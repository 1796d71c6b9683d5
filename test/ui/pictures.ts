/** npm run pictures: retakes the pictures for README.md and the walkthrough in a real window, and draws the icon. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import manifest from '../../package.json' with { type: 'json' };
import { startDemo } from '../../src/demo/demoService.ts';
import { launchBrowser } from '../host/browser.ts';
import { root } from '../host/paths.ts';
import { run, stopAll } from '../host/processes.ts';
import { main, step } from '../host/steps.ts';
import {
  answer,
  asks,
  choose,
  type Desk,
  eventually,
  focusList,
  fold,
  labels,
  messages,
  openSideBar,
  rows,
  runCommand,
  setUpDesk,
  themes,
  tryDemo,
  unfold,
  view,
  webviewOf,
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

/** A rectangle in the window. */
interface Frame {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

class Camera {
  readonly #page: Page;
  readonly theme: string;

  constructor(page: Page, theme: string) {
    this.#page = page;
    this.theme = theme;
  }

  async take(path: string, frame: Frame = { x: 0, y: 0, ...size }): Promise<void> {
    // So that nothing is hovered over.
    await this.#page.mouse.move(size.width - 1, size.height - 30);
    const session = await this.#page.context().newCDPSession(this.#page);
    const { data } = await session.send('Page.captureScreenshot', {
      format: 'webp',
      // Pictures of the walkthrough are part of the package, so they are smaller.
      ...(path.startsWith('walkthrough')
        ? { quality: 55, clip: { ...frame, scale: 1 } }
        : { quality: 75, clip: { ...frame, scale: 1.6 } }),
    });
    await session.detach();
    const file = join(root, 'media', `${path}-${this.theme}.webp`);
    await mkdir(join(file, '..'), { recursive: true });
    await writeFile(file, Buffer.from(data, 'base64'));
  }

  /** The bounds of an element, cut off at a height if given, but never in the middle of a line. */
  async frame(element: Locator, atMost?: number, lines?: Locator, margin = 0): Promise<Frame> {
    const box = await element.boundingBox();
    if (!box) throw new Error('The subject of a picture is missing.');
    const height = Math.min(box.height, atMost ?? box.height);
    const ends = await Promise.all(
      ((await lines?.all()) ?? []).map(async (line) => {
        // The demo keeps changing, and may remove a line.
        const place = await line.boundingBox({ timeout: 1_000 }).catch(() => null);
        return place ? place.y + place.height - box.y : 0;
      }),
    );
    const whole = ends.filter((end) => end <= height);
    return { ...box, height: whole.length > 0 ? Math.max(...whole) + margin : height };
  }
}

const size = { width: 1200, height: 750 };

/** Draws the marketplace icon: the side bar icon on the colour of the banner. */
async function drawIcon(): Promise<void> {
  const lines = await readFile(join(root, 'media', 'switchboard.svg'), 'utf8');
  const { color } = manifest.galleryBanner;
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 256, height: 256 } });
    await page.setContent(`<style>
      body { margin: 0; }
      div { width: 176px; padding: 40px; border-radius: 52px; background: ${color}; }
      svg { display: block; width: 100%; height: auto; stroke: #e6e9f2; }
      path { stroke: #62a8ff; }
    </style><div>${lines}</div>`);
    await page.screenshot({ path: join(root, 'media', 'icon.png'), omitBackground: true });
  } finally {
    await browser.close();
  }
}

async function takePictures(name: string): Promise<void> {
  const theme = themes[name];
  if (!theme) throw new Error(`There is no theme ${name}.`);
  const folder = join(await mkdtemp(join(tmpdir(), 'switchboard-pictures-')), 'shop');
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

async function photograph(desk: Desk, page: Page, camera: Camera): Promise<void> {
  const sideBar = page.locator('.part.sidebar');
  const editor = page.locator('.part.editor');
  const listed = sideBar.locator('.monaco-list-row');

  await fold(page, 'Sandboxes', 'MCP Servers');
  await page.getByText('Try the Demo Service').first().waitFor();
  await camera.take('walkthrough/connect', await camera.frame(sideBar, 300));

  const file = join(desk.home, '.agent', 'mcp.json');
  await mkdir(join(file, '..'));
  await writeFile(file, servers, { mode: 0o600 });
  await tryDemo(page);
  await rows(page, 'Conversations', /Waiting for you/)
    .first()
    .waitFor();
  await camera.take('walkthrough/watch', await camera.frame(sideBar, 300, listed));
  await startConversation(page);
  await widenSideBar(page, 560);
  // The demo has changed in the meantime.
  await eventually(async () => {
    const shown = (await labels(page, 'Conversations')).slice(0, 12);
    assert.ok(shown.some((label) => label.includes('Waiting for you')));
  });
  await camera.take('pictures/conversations', await camera.frame(sideBar, 380, listed));
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
  await camera.take('pictures/sandboxes', await camera.frame(sideBar, 420, listed));

  await fold(page, 'Sandboxes');
  await unfold(page, 'MCP Servers');
  await rows(page, 'MCP Servers', /issues, disabled/).waitFor();
  await focusList(page, 'MCP Servers');
  await page.keyboard.press('End');
  await rows(page, 'MCP Servers', /issues/)
    .and(page.locator('.focused'))
    .waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await rows(page, 'MCP Servers', /issues, enabled.*pending/).waitFor();
  await dismissMessages(page);
  await camera.take('pictures/servers', await camera.frame(sideBar, 235, listed));

  await runCommand(page, 'Switchboard: Show Active MCP Servers and Pending Changes');
  const status = await webviewOf(page, /Active MCP Servers/);
  await status.getByRole('heading', { name: /started last/ }).waitFor();
  const facts = status.locator('dd');
  await camera.take('walkthrough/pending', await camera.frame(editor, 330, facts, 6));
  await camera.take('pictures/pending', await camera.frame(editor, 400, facts, 6));

  await runCommand(page, 'Switchboard: Add MCP Server');
  await asks(page, /Add MCP Server/);
  await camera.take('walkthrough/add', await camera.frame(page.locator('.quick-input-widget')));
  await page.keyboard.press('Escape');
  await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
  await dismissMessages(page);
  await runCommand(page, 'View: Close All Editors');

  await writeFile(file, withProblems, { mode: 0o600 });
  await runCommand(page, 'Switchboard: Open Configuration File');
  await page.locator('.squiggly-error, .squiggly-warning').first().waitFor();
  await page.locator('.codelens-decoration').first().waitFor();
  await camera.take('pictures/file', await camera.frame(editor, 560, editor.locator('.view-line')));
  await writeFile(file, servers.replace(',\n      "enabled": false', ''), { mode: 0o600 });
  await runCommand(page, 'View: Close All Editors');

  await unfold(page, 'Conversations', 'Sandboxes');
  const waiting = rows(page, 'Conversations', /Waiting for you/).first();
  await waiting.click();
  await webviewOf(page, (await waiting.getAttribute('aria-label'))?.split(',')[0] ?? '');
  await drag(page, view(page, 'Sandboxes'), 0, 150);
  // The first picture is large, so it is taken in one theme only.
  const { y } = await camera.frame(page.locator('.part.statusbar'));
  if (camera.theme === 'dark') await camera.take('pictures/overview', { x: 0, y: 0, ...size, height: y });
}

/** The page of an agent that waits. */
async function takeAgentPictures(name: string): Promise<void> {
  const theme = themes[name];
  if (!theme) throw new Error(`There is no theme ${name}.`);
  const service = await startDemo({ interface: 'agentServer' });
  const desk = await setUpDesk({
    settings: {
      'workbench.colorTheme': theme.label,
      'switchboard.notifications': 'off',
      'workbench.editor.showTabs': 'none',
      'workbench.reduceMotion': 'on',
    },
    env: { SWITCHBOARD_SERVICE_URL: service.url, SWITCHBOARD_API_KEY: service.key },
  });
  try {
    const { page } = await desk.open(size);
    await page.locator(`.monaco-workbench.${theme.kind}`).waitFor();
    await openSideBar(page);
    const camera = new Camera(page, name);
    const title = 'Move the rate limiter from callbacks to async/await';
    await rows(page, 'Conversations', new RegExp(`^${title}`)).click();
    const frame = await webviewOf(page, title);
    await frame.getByRole('button', { name: 'Accept' }).waitFor();
    await dismissMessages(page);
    await camera.take('pictures/conversation', await camera.frame(page.locator('.part.editor')));
  } finally {
    await desk.clear();
    await service.stop();
  }
}

/** Starts a conversation after the file was read, so that its servers are known. */
async function startConversation(page: Page): Promise<void> {
  const message = 'Show the delivery date in the shopping cart';
  await runCommand(page, 'Switchboard: New Conversation');
  await answer(page, '(1/4)', message);
  await choose(page, '(2/4)', 'northwind/storefront');
  await answer(page, '(3/4)', 'main');
  await choose(page, '(4/4)', 'New Sandbox');
  await rows(page, 'Conversations', new RegExp(`^${message}, Working`)).waitFor();
  await dismissMessages(page);
}

async function widenSideBar(page: Page, width: number): Promise<void> {
  const sideBar = page.locator('.part.sidebar');
  const box = await sideBar.boundingBox();
  await drag(page, sideBar, width - (box?.width ?? 0), 0);
}

/** Moves an edge of a part: the right edge sideways, or the top edge down. */
async function drag(page: Page, part: Locator, right: number, down: number): Promise<void> {
  const box = await part.boundingBox();
  if (!box) throw new Error('The part to resize is missing.');
  const [x, y] = right === 0 ? [box.x + box.width / 2, box.y] : [box.x + box.width, box.y + 300];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + right, y + down, { steps: 5 });
  await page.mouse.up();
}

async function dismissMessages(page: Page): Promise<void> {
  await runCommand(page, 'Notifications: Clear All Notifications');
  await messages(page).first().waitFor({ state: 'detached' });
}

await main(async () => {
  await step('Building the extension', () =>
    run(process.execPath, ['esbuild.mjs'], 'Fix the errors above.', { cwd: root }),
  );
  try {
    await step('Drawing the icon', drawIcon);
    for (const theme of ['dark', 'light'])
      await step(`Taking the pictures of the ${theme} theme`, async () => {
        await takePictures(theme);
        await takeAgentPictures(theme);
      });
  } finally {
    await stopAll();
  }
  return 0;
});
