import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { root } from '../host/paths.ts';
import {
  eventually,
  hasWalkthrough,
  labels,
  messages,
  openPage,
  openSideBar,
  rows,
  runCommand,
  setUpDesk,
  showTooltip,
  statusBar,
  takePicture,
  type Desk,
  webviewOf,
} from './support.ts';

const servers = `{
  "mcpServers": {
    "files": { "command": "npx", "args": ["-y", "files"] },
    "issues": { "url": "https://issues.example.com/mcp", "transport": "http", "enabled": false },
    "odd": { "type": "http" }
  }
}
`;

/**
 * The German translation, with each sentence between marks. Words outside the
 * marks that come neither from the service nor from the file were not
 * translated.
 */
describe('the German interface with marked sentences', () => {
  let desk: Desk;
  let page: Page;
  let extension: string;
  let file: string;

  before(async () => {
    extension = await markedExtension();
    desk = await setUpDesk({ extension, language: 'de' });
    file = join(desk.home, '.agent', 'mcp.json');
    await mkdir(join(desk.home, '.agent'));
    ({ page } = await desk.open());
    await openSideBar(page, '«MCP-Server»');
  });

  after(async () => {
    await desk.clear();
    await rm(extension, { recursive: true });
  });

  /**
   * Checks that only data is outside the marks, in the screen reader label or
   * else in the text.
   */
  async function isMarked(place: Locator, data = /(?!)/): Promise<void> {
    const texts = await place.evaluateAll((elements: readonly Shown[]) =>
      elements.map(
        (element) => element.getAttribute('aria-label') ?? element.innerText,
      ),
    );
    areMarked(texts, data);
  }

  it('covers every word of the views, before and after they are filled', async () => {
    await page.locator('.welcome-view-content').first().waitFor();
    await isMarked(
      page.locator(
        '.welcome-view-content p, .welcome-view-content .monaco-button',
      ),
    );
    await writeFile(file, servers, { mode: 0o600 });
    await runCommand(page, '«Demo-Dienst ausprobieren»');
    await hasWalkthrough(page);
    await rows(page, '«Konversationen»', /«Wartet auf Sie»/)
      .first()
      .waitFor();
    await rows(page, '«Sandboxes»', /«Läuft»/)
      .first()
      .waitFor();
    await rows(page, '«MCP-Server»', /odd/).first().waitFor();
    await isMarked(page.locator('.pane-header .description'));
    // After the title, which is data.
    const conversations = await labels(page, '«Konversationen»');
    areMarked(conversations.map((label) => label.slice(label.indexOf(','))));
    // Without the name, which can be the title of a conversation.
    const sandboxes = await labels(page, '«Sandboxes»');
    areMarked(
      sandboxes.map((label) => label.replace(/, [^«]+, /, ', ')),
      sandbox,
    );
    await isMarked(
      rows(page, '«Sandboxes»').locator('.label-description'),
      sandbox,
    );
    await isMarked(rows(page, '«MCP-Server»'), server);
    await isMarked(
      rows(page, '«MCP-Server»').locator('.label-description'),
      server,
    );
    const status = statusBar(page).locator('[id*="agent-switchboard"]');
    await isMarked(status);
    areMarked(await status.allInnerTexts());
    await takePicture(page, 'marks');
  });

  it('covers every word of the tooltips and pages', async () => {
    const row = rows(page, '«Konversationen»', /«Wartet auf Sie»/).first();
    const [, state = ''] = (
      await (await showTooltip(page, row, '«Wartet auf Sie»')).innerText()
    ).split('\n');
    areMarked([state]);
    const title = (await row.getAttribute('aria-label'))?.split(', «')[0] ?? '';
    const conversation = await openPage(page, row, title);
    await isMarked(
      conversation.locator(
        'dt, nav button, .tools button, [role=menuitem], .notes p',
      ),
    );
    await isMarked(
      await showTooltip(page, rows(page, '«MCP-Server»', /files/), '«Befehl»'),
      server,
    );
    await runCommand(page, '«MCP-Status anzeigen»');
    const status = await webviewOf(page, /^«MCP-Server laufender/);
    await isMarked(status.locator('h1, p, nav a, dt'), server);
    const titles = (await labels(page, '«Konversationen»')).map(
      (label) => label.split(', «')[0],
    );
    const values = await status.locator('h2, dd').allInnerTexts();
    areMarked(
      values.filter(
        (value) => !titles.includes(value) && !value.includes('mcp.json'),
      ),
      server,
    );
  });

  it('covers every word of the questions', async () => {
    for (const command of [
      '«Mit einem Dienst verbinden»',
      '«Konversationen gruppieren nach»',
      '«Konversationen filtern»',
      '«MCP-Server hinzufügen»',
    ]) {
      await runCommand(page, command);
      const words = page.locator(
        '.quick-input-title, .quick-input-message, .quick-input-list .label-name:visible, .quick-input-box input:visible',
      );
      // The palette is still closing.
      await eventually(() => isMarked(words, server));
      await page.keyboard.press('Escape');
      await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
    }
  });

  it('covers every word of a new conversation', async () => {
    await runCommand(page, '«Neue Konversation (Agenten-Chat)»');
    const draft = await webviewOf(page, '«Neue Konversation»');
    await isMarked(
      draft.locator('h1, .stateLine, .notes p, button:visible, dt:visible'),
    );
    assert.match(
      (await draft.locator('textarea').getAttribute('placeholder')) ?? '',
      /^«.*»$/,
    );
    await draft.getByRole('button', { name: '«Verwerfen»' }).click();
  });

  it('covers every word of a message', async () => {
    await rows(page, '«MCP-Server»', /files/)
      .locator('.monaco-checkbox, [role=checkbox]')
      .first()
      .click();
    const message = messages(page, 'deaktiviert').first();
    await message.waitFor();
    await isMarked(
      message.locator(
        '.notification-list-item-message, .notification-list-item-buttons-container a',
      ),
      server,
    );
  });

  it('covers every word of the help in the file', async () => {
    await writeFile(
      file,
      servers.replace('"type": "http"', '"command": "npx", "disabled": true'),
    );
    await runCommand(page, '«Konfigurationsdatei öffnen»');
    await page.locator('.codelens-decoration').first().waitFor();
    await isMarked(page.locator('.codelens-decoration a'));
    await page.locator('.squiggly-warning').first().waitFor();
    await page.keyboard.press('F8');
    const problem = page.locator('.marker-widget .message').first();
    await problem.waitFor();
    // The editor prepends the line.
    await isMarked(problem, /^(odd|command|npx|disabled|true|Warning)$/);
    await takePicture(page, 'marks-file');
  });
});

interface Shown {
  readonly innerText: string;
  getAttribute(name: string): string | null;
}

/** The data in the rows of the demo and in the file. */
const sandbox = /^(server|node|python|java)$/;
const server =
  /^(agents|files|issues|odd|tracker|database|browser|npx|docker|run|read|only|https?|example|com|mcp|stdio|sse|type|command|url|transport|HTTP|SSE)$/;

function areMarked(texts: readonly string[], data = /(?!)/): void {
  assert.ok(
    texts.some((text) => text.includes('«')),
    `Nothing is translated in ${JSON.stringify(texts)}.`,
  );
  for (const text of texts)
    assert.deepEqual(wordsOutside(text, data), [], text);
}

/** Words of three or more letters outside the marks that are not data. */
function wordsOutside(text: string, data: RegExp): string[] {
  // The editor appends its own words to a question.
  let outside = text
    .replace(/\(Press 'Enter' .*\)/, '')
    .replaceAll(
      /\b(?:vor \d+ \p{L}+\.?|gestern|vorgestern|jetzt|gerade eben)\b/gu,
      '',
    );
  for (let before = ''; before !== outside;) {
    before = outside;
    outside = outside.replaceAll(/«[^«»]*»/g, ' ');
  }
  return [...outside.matchAll(/\p{L}{3,}/gu)]
    .map(String)
    .filter((word) => !data.test(word));
}

/** The last build of the extension, with marks in its German translation. */
async function markedExtension(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'switchboard-marks-'));
  // Copied rather than linked, because the editor identifies an extension by
  // the real path of its code.
  for (const name of ['package.json', 'package.nls.json', 'media', 'dist']) {
    await cp(join(root, name), join(folder, name), { recursive: true });
  }
  await mkdir(join(folder, 'l10n'));
  for (const name of ['l10n/bundle.l10n.de.json', 'package.nls.de.json']) {
    const words = JSON.parse(
      await readFile(join(root, name), 'utf8'),
    ) as Record<string, string>;
    const marked = Object.entries(words).map(([key, value]) => [
      key,
      mark(value),
    ]);
    await writeFile(
      join(folder, name),
      JSON.stringify(Object.fromEntries(marked)),
    );
  }
  return folder;
}

/**
 * Puts marks around each line, but not around a path or the target of a button.
 */
function mark(text: string): string {
  if (text.startsWith('./')) return text;
  return text
    .split('\n')
    .map((line) => {
      const button = /^\[(.*)\](\(command:.*\))$/.exec(line);
      return button ? `[«${button[1] ?? ''}»]${button[2] ?? ''}` : `«${line}»`;
    })
    .join('\n');
}
