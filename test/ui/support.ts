/** What the tests that drive a window share. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Frame, Locator, Page } from 'playwright-core';
import { pictures } from '../host/paths.ts';
import { linkExtension, type Server, type ServerOptions, startServer } from '../host/vscodeServer.ts';
import { openWindow, type Window, type WindowOptions } from '../host/window.ts';

interface Theme {
  readonly label: string;
  /** What the window has as its class. */
  readonly kind: string;
}

/** For how many milliseconds something is waited for. */
const patience = 30_000;

export const themes: Readonly<Record<string, Theme>> = {
  dark: { label: 'Dark Modern', kind: 'vs-dark' },
  light: { label: 'Light Modern', kind: 'vs' },
  'high-contrast': { label: 'Default High Contrast', kind: 'hc-black' },
};

/** The windows that are open, of all desks. */
const opened = new Set<Window>();

/** A VS Code with a home folder and settings of its own, and the extension as it was built last. */
export interface Desk {
  readonly home: string;
  readonly server: Server;
  open(target?: WindowOptions): Promise<Window>;
  /** Closes every window and leaves nothing. */
  clear(): Promise<void>;
}

/** `extension` is the folder of the extension, where it is not the one of the project. */
export async function setUpDesk(
  options: Partial<ServerOptions> & { readonly extension?: string } = {},
): Promise<Desk> {
  const scratch = await mkdtemp(join(tmpdir(), 'switchboard-ui-'));
  const home = join(scratch, 'home');
  await mkdir(home);
  const extensions = join(scratch, 'extensions');
  await linkExtension(extensions, join(scratch, 'user-data'), options.extension);
  const server = await startServer({
    userData: join(scratch, 'user-data'),
    extensions,
    ...options,
    env: { HOME: home, USERPROFILE: home, ...options.env },
  });
  const windows: Window[] = [];
  return {
    home,
    server,
    open: async (target = {}) => {
      const window = await openWindow(server, target);
      windows.push(window);
      opened.add(window);
      window.page.setDefaultTimeout(patience);
      return window;
    },
    clear: async () => {
      for (const window of windows) opened.delete(window);
      await Promise.all(windows.map((window) => window.close()));
      await server.stop();
      await rm(scratch, { recursive: true, force: true });
    },
  };
}

/** Gives the window another theme, as a person does. */
export async function changeTheme(page: Page, { label, kind }: Theme): Promise<void> {
  await eventually(async () => {
    await page.keyboard.press('Control+k');
    await page.keyboard.press('Control+t');
    await page.getByPlaceholder('Select Color Theme').fill(label, { timeout: 3_000 });
    await page
      .locator('.quick-input-list .monaco-list-row.focused')
      .filter({ hasText: label })
      .waitFor({ timeout: 3_000 });
    await page.keyboard.press('Enter');
    await page.locator(`.monaco-workbench.${kind}`).waitFor({ timeout: 3_000 });
  });
}

// Outside of mocha, pictures are taken for the README.
if ('afterEach' in globalThis) {
  afterEach('a test that fails leaves a picture of its windows', async function () {
    if (this.currentTest?.state !== 'failed') return;
    const name = this.currentTest.fullTitle().replace(/\W+/g, '-').slice(0, 150);
    await Promise.all([...opened].map(({ page }, index) => takePicture(page, `failed-${name}-${index}`)));
  });
}

/** Keeps a picture of the window, for people to look at. */
export async function takePicture(page: Page, name: string): Promise<void> {
  await mkdir(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`), animations: 'disabled' });
}

/** The icon in the activity bar. */
export function activityIcon(page: Page): Locator {
  return page.locator('.part.activitybar').getByRole('tab', { name: 'Switchboard' });
}

/** Opens the container by its icon in the activity bar, where it is not open, and waits until its views stand. */
export async function openSideBar(page: Page, lastView = 'MCP Servers'): Promise<void> {
  const servers = view(page, lastView);
  await activityIcon(page).waitFor();
  await eventually(async () => {
    // A window that restores its side bar may do so just now, and the icon would close it again.
    if (!(await servers.isVisible())) await activityIcon(page).click();
    await servers.waitFor({ timeout: 3_000 });
  });
}

/** A view in the side bar, by its title. */
export function view(page: Page, title: string): Locator {
  return page
    .locator('.part.sidebar .pane')
    .filter({ has: page.locator('.pane-header .title').filter({ hasText: new RegExp(`^${title}$`, 'i') }) });
}

/** Shows the tooltip of a row, in which this text is. */
export async function showTooltip(page: Page, row: Locator, text: string | RegExp): Promise<Locator> {
  const tooltip = page.locator('.monaco-hover').filter({ hasText: text }).first();
  await eventually(async () => {
    // A row that is drawn again under a mouse that rests shows none.
    await page.mouse.move(0, 0);
    await row.hover();
    await tooltip.waitFor({ timeout: 3_000 });
  });
  return tooltip;
}

/** Gives a list of rows the keyboard. */
export async function focusList(page: Page, title: string): Promise<void> {
  await view(page, title).locator('.monaco-list').focus();
}

/** Goes to the first row of a list, or to the first with these words, with the keyboard. */
export async function goTo(page: Page, title: string, label?: string | RegExp): Promise<Locator> {
  const here = rows(page, title, label).and(page.locator('.monaco-list:focus .monaco-list-row.focused'));
  await eventually(async () => {
    // A palette that goes away just now gives the keyboard back to where it was before.
    await focusList(page, title);
    await page.keyboard.press('Home');
    for (let left = await rows(page, title).count(); left > 0 && (await here.count()) === 0; left -= 1) {
      await page.keyboard.press('ArrowDown');
    }
    await here.waitFor({ timeout: 1_000 });
  });
  return here;
}

/** Waits until a row of a list has the keyboard. Whoever types before that may have it taken away. */
export async function hasKeyboard(page: Page, title: string): Promise<void> {
  await view(page, title).locator('.monaco-list:focus .monaco-list-row.focused').waitFor();
}

/** Starts the demo service, which gives the keyboard to the list of conversations. */
export async function tryDemo(page: Page): Promise<void> {
  await runCommand(page, 'Switchboard: Try the Demo Service');
  await hasKeyboard(page, 'Conversations');
}

/** Opens the command palette and types. */
export async function typeInPalette(page: Page, text: string): Promise<Locator> {
  await eventually(async () => {
    // A question that goes away just now would take the palette with it.
    await page.keyboard.press('F1');
    await page.locator('.quick-input-widget input').fill(`>${text}`, { timeout: 3_000 });
  });
  return page.locator('.quick-input-list .monaco-list-row');
}

/** Runs a command as a person does who knows its title. */
export async function runCommand(page: Page, title: string): Promise<void> {
  await eventually(async () => {
    const rows = await typeInPalette(page, title);
    await rows.filter({ hasText: title }).first().waitFor({ timeout: 5_000 });
  });
  await page.keyboard.press('Enter');
  // A key that is pressed before the palette has given the keyboard back is lost.
  await eventually(async () => {
    assert.ok(!(await isPalette(page)), `The palette stays, with "${title}".`);
  });
}

/** Whether the command palette is there, and no other question. */
async function isPalette(page: Page): Promise<boolean> {
  const input = page.locator('.quick-input-widget input[type=text]');
  return (
    (await isShown(input)) && (await input.inputValue({ timeout: 1_000 }).catch(() => '')).startsWith('>')
  );
}

/** The rows of a view that can be seen, or those of them whose words for a screen reader match. */
export function rows(page: Page, title: string, label?: string | RegExp): Locator {
  return view(page, title).getByRole('treeitem', label === undefined ? {} : { name: label });
}

/** What a screen reader says of each row that can be seen. */
export async function labels(page: Page, title: string): Promise<string[]> {
  const all = await rows(page, title).evaluateAll((found: readonly Row[]) =>
    found.map(
      (row) => [Number(row.getAttribute('data-index')), row.getAttribute('aria-label') ?? ''] as const,
    ),
  );
  return all.sort(([a], [b]) => a - b).map(([, label]) => label);
}

/** An element of the page, as far as it is needed here. */
interface Row {
  getAttribute(name: string): string | null;
}

/** What a screen reader says of what has the keyboard: its name, what is chosen in it, and what describes it. */
export async function spoken(page: Page): Promise<string> {
  const said = await Promise.all(
    page.frames().map((frame) => frame.evaluate<string | undefined>(focus).catch(() => undefined)),
  );
  return said.findLast((words) => words !== undefined) ?? '';
}

/** Runs in the page. */
const focus = `(() => {
  const element = document.activeElement;
  if (!document.hasFocus() || !element || element.tagName === 'IFRAME') return undefined;
  const texts = (ids) => (ids ?? '').split(' ').map((id) => document.getElementById(id)?.textContent ?? '').join(' ').trim();
  const nameOf = (element) =>
    element?.getAttribute('aria-label') || texts(element?.getAttribute('aria-labelledby')) ||
    (element === document.body ? document.title : element?.textContent.trim());
  return [
    nameOf(element),
    nameOf(document.getElementById(element.getAttribute('aria-activedescendant') ?? '')),
    texts(element.getAttribute('aria-describedby')),
    nameOf(element.closest('[role=dialog]')),
  ].filter(Boolean).join('; ');
})()`;

/** Waits until a screen reader says this of what has the keyboard. */
export async function hears(page: Page, words: string | RegExp, milliseconds = patience): Promise<void> {
  await eventually(async () => {
    const said = await spoken(page);
    assert.ok(
      typeof words === 'string' ? said.includes(words) : words.test(said),
      `${String(words)}: ${said}`,
    );
  }, milliseconds);
}

/** Presses keys that ask for something, again where the editor has called that off because the file just changed. */
export async function askWith(page: Page, keys: string, words: string | RegExp): Promise<void> {
  await eventually(async () => {
    await page.keyboard.press(keys);
    await hears(page, words, 3_000);
  });
}

/** Waits until a screen reader is told this, wherever the keyboard is. */
export async function isTold(page: Page, words: string | RegExp): Promise<void> {
  await page.locator('.monaco-aria-container').getByText(words).first().waitFor({ state: 'attached' });
}

export function statusBar(page: Page): Locator {
  return page.locator('.part.statusbar');
}

/** Messages that can be seen, or those of them with this text. */
export function messages(page: Page, text?: string | RegExp): Locator {
  const all = page.locator('.notifications-toasts .notification-list-item');
  return text === undefined ? all : all.filter({ hasText: text });
}

/** The text field of the question that is being asked. */
export function question(page: Page): Locator {
  return page.locator('.quick-input-widget input[type=text], .quick-input-widget input[type=password]');
}

/** Waits until what is looked at is as it should be, and fails with the last difference. */
export async function eventually(check: () => Promise<void>, milliseconds = patience): Promise<void> {
  const deadline = performance.now() + milliseconds;
  for (;;) {
    try {
      await check();
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await sleep(50);
  }
}

/** The frame of the page in an editor whose heading this is. */
export async function webviewOf(page: Page, heading: string | RegExp): Promise<Frame> {
  let found: Frame | undefined;
  await eventually(async () => {
    const shown = await Promise.all(
      page.frames().map((frame) => isShown(frame.getByRole('heading', { name: heading }))),
    );
    found = page.frames()[shown.indexOf(true)];
    assert.ok(found, `No page has the heading ${String(heading)}.`);
  });
  assert.ok(found);
  return found;
}

/** A frame that goes away meanwhile shows nothing. */
async function isShown(locator: Locator): Promise<boolean> {
  return await locator.isVisible().catch(() => false);
}

/** Waits until a question is asked whose title or words match, and until a screen reader would say which it is. */
export async function asks(page: Page, words: string | RegExp): Promise<void> {
  await page.locator('.quick-input-title, .quick-input-message').filter({ hasText: words }).first().waitFor();
  // The editor leaves out which step it is.
  const title = await page.locator('.quick-input-title').innerText();
  const name = title.replace(/ \(\d+(\/\d+)?\)$/, '');
  await eventually(async () => {
    assert.ok((await question(page).getAttribute('aria-label'))?.includes(name), name);
  });
}

/** Types the answer to a question, in place of what stands there. */
export async function answer(page: Page, words: string | RegExp, text: string): Promise<void> {
  await asks(page, words);
  // Typing could begin before the question has taken the focus from the one before.
  await question(page).fill(text);
  await page.keyboard.press('Enter');
}

/** Chooses from a list by typing what is looked for. */
export async function choose(page: Page, words: string | RegExp, label: string): Promise<void> {
  await asks(page, words);
  await page.keyboard.type(label);
  await page.locator('.quick-input-list .monaco-list-row.focused').filter({ hasText: label }).waitFor();
  await page.keyboard.press('Enter');
}

/** Presses a button of a message. */
export async function press(page: Page, message: string | RegExp, button: string): Promise<void> {
  await messages(page, message).getByRole('button', { name: button }).click();
}

/** Loads the window again as a person does; the editor keeps first what it has to keep. */
export async function reload(page: Page): Promise<void> {
  const loaded = page.waitForEvent('load');
  await runCommand(page, 'Developer: Reload Window');
  await loaded;
}

/** Folds views, so that there is more room for the others. */
export async function fold(page: Page, ...titles: readonly string[]): Promise<void> {
  await turn(page, titles, 'true');
}

export async function unfold(page: Page, ...titles: readonly string[]): Promise<void> {
  await turn(page, titles, 'false');
}

async function turn(page: Page, titles: readonly string[], expanded: 'true' | 'false'): Promise<void> {
  for (const title of titles) {
    const header = view(page, title).locator('.pane-header');
    if ((await header.getAttribute('aria-expanded')) === expanded) await header.click();
  }
}
