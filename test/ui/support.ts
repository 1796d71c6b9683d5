/** Shared by the tests that drive a window. */
import assert from 'node:assert/strict';
import { glob, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Frame, Locator, Page } from 'playwright-core';
import { addToFailure } from '../host/mocha.ts';
import { pictures } from '../host/paths.ts';
import {
  linkExtension,
  type Server,
  type ServerOptions,
  startServer,
} from '../host/vscodeServer.ts';
import { openWindow, type Window, type WindowOptions } from '../host/window.ts';
import { eventually } from '../support/eventually.ts';
import { lastRequests } from '../support/lastRequests.ts';
import { installSkipTime, skipTime } from './skipTime.ts';

export { eventually };

interface Theme {
  readonly label: string;
  /** The CSS class of the window. */
  readonly kind: string;
}

/** The time to wait, in milliseconds. */
const patience = 30_000;

export const themes: Readonly<Record<string, Theme>> = {
  dark: { label: 'Dark Modern', kind: 'vs-dark' },
  light: { label: 'Light Modern', kind: 'vs' },
  'high-contrast': { label: 'Default High Contrast', kind: 'hc-black' },
};

/** The open windows, with the folder that the server of each logs into. */
const opened = new Map<Window, string>();

/**
 * A VS Code with its own home folder and settings, and the last build of the
 * extension.
 */
export interface Desk {
  readonly home: string;
  readonly server: Server;
  open(target?: WindowOptions): Promise<Window>;
  /**
   * Waits for something in a window while it skips what the extension waits
   * for: polls, retries, pauses. Needs `skipsTime`.
   */
  appears(what: Locator, state?: 'visible' | 'detached'): Promise<void>;
  /** Closes all windows and cleans up. */
  clear(): Promise<void>;
}

/**
 * `extension` is the folder of the extension, by default that of the project.
 * `installMore` can put others into the folder of extensions.
 */
export async function setUpDesk(
  options: Partial<ServerOptions> & {
    readonly extension?: string;
    readonly installMore?: (extensions: string) => Promise<void>;
    /** Lets the test skip time for the extension. */
    readonly skipsTime?: boolean;
  } = {},
): Promise<Desk> {
  const scratch = await mkdtemp(join(tmpdir(), 'switchboard-ui-'));
  const home = join(scratch, 'home');
  await mkdir(home);
  const extensions = join(scratch, 'extensions');
  await linkExtension(
    extensions,
    join(scratch, 'user-data'),
    options.extension,
  );
  await options.installMore?.(extensions);
  if (options.skipsTime === true) await installSkipTime(extensions);
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
      opened.set(window, join(scratch, 'user-data'));
      window.page.setDefaultTimeout(patience);
      return window;
    },
    appears: (what, state = 'visible') =>
      eventually(async () => {
        await skipTime(extensions, 5);
        await what.first().waitFor({ state, timeout: 300 });
      }),
    clear: async () => {
      for (const window of windows) opened.delete(window);
      await Promise.all(windows.map((window) => window.close()));
      await server.stop();
      await rm(scratch, { recursive: true, force: true });
    },
  };
}

/** Changes the theme of the window, as a user would. */
export async function changeTheme(
  page: Page,
  { label, kind }: Theme,
): Promise<void> {
  await eventually(async () => {
    await page.keyboard.press('Control+k');
    await page.keyboard.press('Control+t');
    await page
      .getByPlaceholder('Select Color Theme')
      .fill(label, { timeout: 3_000 });
    await page
      .locator('.quick-input-list .monaco-list-row.focused')
      .filter({ hasText: label })
      .waitFor({ timeout: 3_000 });
    await page.keyboard.press('Enter');
    await page.locator(`.monaco-workbench.${kind}`).waitFor({ timeout: 3_000 });
  });
}

// The script that takes the pictures runs without mocha.
if ('afterEach' in globalThis) {
  afterEach(
    'report the windows and the requests of a failed test',
    async function () {
      if (this.currentTest?.state !== 'failed') return;
      const tell = (text: string) => {
        console.log(text);
        addToFailure(text);
      };
      console.log(`\nFailed: ${this.currentTest.fullTitle()}`);
      const name = this.currentTest
        .fullTitle()
        .replace(/\W+/g, '-')
        .slice(0, 150);
      for (const [index, { page }] of [...opened.keys()].entries()) {
        // The test may have closed the window itself.
        tell(
          `Picture: ${await takePicture(page, `failed-${name}-${index}`).catch(String)}`,
        );
        tell(`It shows: ${await textOf(page).catch(String)}`);
        tell(`It has the focus: ${await spoken(page).catch(String)}`);
      }
      for (const userData of new Set(opened.values()))
        tell(await lastLogLines(userData));
      tell(lastRequests());
    },
  );
}

/** Saves a picture of the window for people to look at. */
export async function takePicture(page: Page, name: string): Promise<string> {
  await mkdir(pictures, { recursive: true });
  const path = join(pictures, `${name}.png`);
  await page.screenshot({ path, animations: 'disabled' });
  return path;
}

/**
 * The lines of text in a window, because pictures do not outlive a machine that
 * only keeps what was printed.
 */
async function textOf(page: Page): Promise<string> {
  // The worker's frame has only its script.
  const frames = page
    .frames()
    .filter((frame) => !frame.url().includes('webWorkerExtensionHost'));
  const texts = await Promise.all(
    frames.map((frame) => frame.locator('body').innerText()),
  );
  const lines = texts
    .flatMap((text) => text.split('\n'))
    .filter((line) => line.trim() !== '');
  return lines.join(' | ').slice(0, 2_500);
}

/**
 * The end of the extension's logs and of the extension host's, without
 * successful polls, stacks and lists.
 */
async function lastLogLines(userData: string): Promise<string> {
  const files = glob('**/{Agent Switchboard,remoteexthost}.log', {
    cwd: userData,
  });
  const logs = await Array.fromAsync(files, async (file) => {
    const lines = (await readFile(join(userData, file), 'utf8'))
      .trim()
      .split('\n');
    const other = lines.filter(
      (line) =>
        !/GET list(Conversations|Sandboxes): 200|^\s+at |^- |Creating extension host/.test(
          line,
        ),
    );
    return [
      `${file}:`,
      ...other.slice(-12).map((line) => line.slice(0, 160)),
    ].join('\n');
  });
  return logs.length === 0 ? 'No log.' : logs.join('\n');
}

/** The icon in the activity bar. */
export function activityIcon(page: Page): Locator {
  return page
    .locator('.part.activitybar')
    .getByRole('tab', { name: 'Switchboard' });
}

/**
 * Opens the side bar with its icon in the activity bar, unless it is open, and
 * waits for its views.
 */
export async function openSideBar(
  page: Page,
  lastView = 'MCP Servers',
): Promise<void> {
  const servers = view(page, lastView);
  await activityIcon(page).waitFor();
  await eventually(async () => {
    // If the window is just restoring its side bar, a click on the icon would
    // close it again.
    if (!(await servers.isVisible())) await activityIcon(page).click();
    await servers.waitFor({ timeout: 3_000 });
  });
}

/** A view in the side bar, by its title. */
export function view(page: Page, title: string): Locator {
  return page.locator('.part.sidebar .pane').filter({
    has: page
      .locator('.pane-header .title')
      .filter({ hasText: new RegExp(`^${title}$`, 'i') }),
  });
}

/** Shows the tooltip of a row and waits until it has this text. */
export async function showTooltip(
  page: Page,
  row: Locator,
  text: string | RegExp,
): Promise<Locator> {
  const tooltip = page
    .locator('.monaco-hover')
    .filter({ hasText: text })
    .first();
  await eventually(async () => {
    // A row that is redrawn under a resting mouse shows no tooltip.
    await page.mouse.move(0, 0);
    await row.hover();
    await tooltip.waitFor({ timeout: 3_000 });
  });
  return tooltip;
}

/** Focuses a list of rows. */
export async function focusList(page: Page, title: string): Promise<void> {
  await view(page, title).locator('.monaco-list').focus();
}

/**
 * Uses the keyboard to go to the first row of a list, or to the first with this
 * label.
 */
export async function goTo(
  page: Page,
  title: string,
  label?: string | RegExp,
): Promise<Locator> {
  const here = rows(page, title, label).and(
    page.locator('.monaco-list:focus .monaco-list-row.focused'),
  );
  await eventually(async () => {
    // A palette that is just closing returns the focus to where it was before.
    await focusList(page, title);
    await page.keyboard.press('Home');
    for (
      let left = await rows(page, title).count();
      left > 0 && (await here.count()) === 0;
      left -= 1
    ) {
      await page.keyboard.press('ArrowDown');
    }
    await here.waitFor({ timeout: 1_000 });
  });
  return here;
}

/**
 * Waits until a row of a list has the focus. What is typed before that may go
 * elsewhere.
 */
export async function hasKeyboard(page: Page, title: string): Promise<void> {
  await view(page, title)
    .locator('.monaco-list:focus .monaco-list-row.focused')
    .waitFor();
}

/**
 * Waits until the walkthrough has the keyboard, which the editor gives to it a
 * moment after it has opened.
 */
export async function hasWalkthrough(page: Page): Promise<void> {
  await page.locator('.getting-started-step.expanded:focus').waitFor();
}

/**
 * Starts the demo service where nothing else is open, and goes to the list of
 * conversations.
 */
export async function tryDemo(page: Page): Promise<void> {
  await runCommand(page, 'Switchboard: Try the Demo Service');
  await rows(page, 'Conversations').first().waitFor();
  await hasWalkthrough(page);
  await goTo(page, 'Conversations');
}

/** Opens the command palette and types. */
export async function typeInPalette(
  page: Page,
  text: string,
): Promise<Locator> {
  const input = page.locator('.quick-input-widget input');
  await eventually(async () => {
    // The same text once more would find the same again, even if there is
    // something else by now.
    const isOpen =
      (await isPalette(page)) && (await input.inputValue()) === `>${text}`;
    // A question that is just closing would close the palette too.
    await page.keyboard.press('F1');
    if (isOpen) await input.fill('>', { timeout: 3_000 });
    await input.fill(`>${text}`, { timeout: 3_000 });
  });
  return page.locator('.quick-input-list .monaco-list-row');
}

/** Runs a command by its title, as a user would. */
export async function runCommand(page: Page, title: string): Promise<void> {
  await eventually(async () => {
    const rows = await typeInPalette(page, title);
    // Another command that has these words, or begins with them, may come
    // before it.
    const hasText = new RegExp(
      `${title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?! [A-Za-z])`,
    );
    await rows.filter({ hasText }).first().waitFor({ timeout: 5_000 });
    const here = rows.filter({ hasText }).and(page.locator('.focused'));
    for (
      let left = await rows.count();
      left > 0 && (await here.count()) === 0;
      left -= 1
    ) {
      await page.keyboard.press('ArrowDown');
    }
    await here.waitFor({ timeout: 1_000 });
    await page.evaluate(listen);
    await page.keyboard.press('Enter');
    // A walkthrough takes the focus a moment after it appears, and the palette
    // closes. A reload ends the script.
    const isTaken = await page
      .evaluate<boolean>('window.isKeyTaken')
      .catch(() => true);
    assert.ok(isTaken, `The palette closed before "${title}" was chosen.`);
  });
  // A key pressed before the palette has returned the focus is lost.
  await eventually(async () => {
    assert.ok(
      !(await isPalette(page)),
      `The palette did not close after "${title}".`,
    );
  });
}

/**
 * Closes all editors with the editor's keys, which costs less than its command
 * in the palette.
 */
export async function closeEditors(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.keyboard.press('Control+w');
  await page
    .locator('.part.editor .tab')
    .first()
    .waitFor({ state: 'detached' });
}

/** True if the command palette is open, rather than another question. */
async function isPalette(page: Page): Promise<boolean> {
  const input = page.locator('.quick-input-widget input[type=text]');
  return (
    (await isShown(input)) &&
    (await input.inputValue({ timeout: 1_000 }).catch(() => '')).startsWith('>')
  );
}

/** The visible rows of a view, or those whose screen reader label matches. */
export function rows(
  page: Page,
  title: string,
  label?: string | RegExp,
): Locator {
  return view(page, title).getByRole(
    'treeitem',
    label === undefined ? {} : { name: label },
  );
}

/** The screen reader labels of the visible rows. */
export async function labels(page: Page, title: string): Promise<string[]> {
  const all = await rows(page, title).evaluateAll((found: readonly Row[]) =>
    found.map(
      (row) =>
        [
          Number(row.getAttribute('data-index')),
          row.getAttribute('aria-label') ?? '',
        ] as const,
    ),
  );
  return all.sort(([a], [b]) => a - b).map(([, label]) => label);
}

/** The part of the DOM's Element used here. */
interface Row {
  getAttribute(name: string): string | null;
}

/**
 * The words of a screen reader for the focused element: its name, the selected
 * item and its description.
 */
export async function spoken(page: Page): Promise<string> {
  const said = await Promise.all(
    page
      .frames()
      .map((frame) =>
        frame.evaluate<string | undefined>(focus).catch(() => undefined),
      ),
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

/** Waits until a screen reader says this of the focused element. */
export async function hears(
  page: Page,
  words: string | RegExp,
  milliseconds = patience,
): Promise<void> {
  await eventually(async () => {
    const said = await spoken(page);
    assert.ok(
      typeof words === 'string' ? said.includes(words) : words.test(said),
      `${String(words)}: ${said}`,
    );
  }, milliseconds);
}

/**
 * Presses keys that request something, again if the editor cancelled it because
 * the file just changed.
 */
export async function askWith(
  page: Page,
  keys: string,
  words: string | RegExp,
): Promise<void> {
  await eventually(async () => {
    await page.keyboard.press(keys);
    await hears(page, words, 3_000);
  });
}

/**
 * Waits until this is announced to a screen reader, wherever the focus is,
 * since the last command was run.
 */
export async function isTold(
  page: Page,
  words: string | RegExp,
): Promise<void> {
  await eventually(async () => {
    const told = await page.evaluate<readonly string[]>(announced);
    const isSaid = (said: string) =>
      typeof words === 'string' ? said.includes(words) : words.test(said);
    assert.ok(told.some(isSaid), `${String(words)}: ${told.join(' | ')}`);
  });
}

/**
 * Runs in the page before a key that chooses from the palette. Keeps whether
 * the palette gets the key, and all announcements: the editor keeps only its
 * last one, and the next may follow at once.
 */
const listen = `(() => {
  window.isKeyTaken = false;
  const keepTarget = ({ target }) => {
    window.isKeyTaken = target.closest('.quick-input-widget') !== null;
  };
  window.addEventListener('keydown', keepTarget, { capture: true, once: true });
  window.announcements = [];
  window.announcementObserver ??= new MutationObserver((changes) => {
    for (const { addedNodes } of changes) {
      for (const { textContent } of addedNodes) window.announcements.push(textContent);
    }
  });
  window.announcementObserver.observe(document.querySelector('.monaco-aria-container'), { childList: true, subtree: true });
})()`;

/** Runs in the page. */
const announced = `[
  ...(window.announcements ?? []),
  ...Array.from(document.querySelectorAll('.monaco-aria-container > *'), ({ textContent }) => textContent),
]`;

export function statusBar(page: Page): Locator {
  return page.locator('.part.statusbar');
}

/** The visible messages, or those with this text. */
export function messages(page: Page, text?: string | RegExp): Locator {
  const all = page.locator('.notifications-toasts .notification-list-item');
  return text === undefined ? all : all.filter({ hasText: text });
}

/** The text field of the current question. */
export function question(page: Page): Locator {
  return page.locator(
    '.quick-input-widget input[type=text], .quick-input-widget input[type=password]',
  );
}

/**
 * Writes into a field of a page. While the editor gives the page the keyboard,
 * what is written can go elsewhere.
 */
export async function writeInto(field: Locator, text: string): Promise<void> {
  await eventually(async () => {
    await field.fill(text);
    assert.equal(await field.inputValue(), text);
  });
}

/**
 * Opens a page by its row. The editor loses a click on a row that it draws anew
 * at that moment.
 */
export async function openPage(
  page: Page,
  row: Locator,
  heading: string | RegExp,
): Promise<Frame> {
  let frame: Frame | undefined;
  await eventually(async () => {
    await row.click({ timeout: 5_000 });
    frame = await webviewOf(page, heading, 5_000);
  });
  assert.ok(frame);
  return frame;
}

/** Opens the page of a new conversation, and writes its message. */
export async function writeNew(page: Page, message: string): Promise<Frame> {
  await runCommand(page, 'Switchboard: New Conversation');
  const frame = await webviewOf(page, 'New conversation');
  await frame.locator('textarea:focus').waitFor();
  await page.keyboard.type(message);
  return frame;
}

/**
 * Opens the question about a choice of a new conversation. `shown` is its
 * current value.
 */
export async function openChoice(
  frame: Frame,
  shown: string | RegExp,
): Promise<void> {
  await frame.locator('.choices').getByRole('button', { name: shown }).click();
}

/**
 * Chooses from the menu that is open. The editor takes no click on one that it
 * has just opened.
 */
export async function chooseInMenu(page: Page, name: string): Promise<void> {
  const item = page.getByRole('menuitem', { name, exact: true });
  await item.waitFor();
  await eventually(async () => {
    if (await item.isVisible()) await item.click({ timeout: 1_000 });
    await item.waitFor({ state: 'detached', timeout: 1_000 });
  });
}

/**
 * Chooses from the menu of a row. A click that comes just when the row is drawn
 * anew opens none.
 */
export async function chooseInMenuOf(
  row: Locator,
  name: string,
): Promise<void> {
  const item = row.page().getByRole('menuitem', { name, exact: true });
  await eventually(async () => {
    if (!(await item.isVisible()))
      await row.click({ button: 'right', timeout: 3_000 });
    await item.waitFor({ timeout: 3_000 });
  }, patience);
  await chooseInMenu(row.page(), name);
}

/**
 * Chooses the first item of the menu that is open with the keyboard, once the
 * menu has it.
 */
export async function takeFirstInMenu(page: Page, name: string): Promise<void> {
  await page.getByRole('menuitem', { name, exact: true }).waitFor();
  await page
    .locator('.monaco-menu:focus, .monaco-menu :focus')
    .first()
    .waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
}

/**
 * Presses the check box of the focused row with the keyboard, once the box has
 * had it.
 */
export async function pressBox(page: Page): Promise<void> {
  await page.evaluate(listenForBox);
  await page.keyboard.press('Tab');
  // The editor drops the focus to the body when it draws the row again, maybe
  // before anything here could see it.
  await page.waitForFunction('window.hadBox');
  const box = page.locator('.monaco-list-row.focused').getByRole('checkbox');
  await eventually(async () => {
    await box.press('Space');
    // A box that was replaced right before it gets no key.
    assert.ok(await page.evaluate('window.pressedBox'));
  });
}

/**
 * Runs in the page: notes that a check box of a row gets the focus, and that it
 * gets the key.
 */
const listenForBox = `(() => {
  window.hadBox = window.pressedBox = false;
  const isBox = ({ target }) =>
    target.matches('.monaco-list-row [role=checkbox]');
  const noteFocus = (event) => {
    window.hadBox = isBox(event);
  };
  const noteKey = (event) => {
    window.pressedBox ||= event.key === ' ' && isBox(event);
  };
  window.addEventListener('focusin', noteFocus, { capture: true, once: true });
  window.addEventListener('keydown', noteKey, { capture: true });
})()`;

/**
 * Checks the only item that is to be checked in the current question, and
 * accepts that.
 */
export async function acceptChecked(page: Page): Promise<void> {
  await page.keyboard.press('Space');
  await page.locator('.quick-input-count').getByText('1 Selected').waitFor();
  await page.keyboard.press('Enter');
}

/**
 * Presses a button in the header of a view, where it is shown while the pointer
 * is there.
 */
export async function chooseInHeader(
  page: Page,
  title: string,
  name: string,
): Promise<void> {
  await view(page, title).hover();
  await view(page, title).getByRole('button', { name, exact: true }).click();
}

/** The frame of the webview page with this heading. */
export async function webviewOf(
  page: Page,
  heading: string | RegExp,
  milliseconds = patience,
): Promise<Frame> {
  let found: Frame | undefined;
  await eventually(async () => {
    const shown = await Promise.all(
      page
        .frames()
        .map((frame) => isShown(frame.getByRole('heading', { name: heading }))),
    );
    found = page.frames()[shown.indexOf(true)];
    assert.ok(found, `No page has the heading ${String(heading)}.`);
  }, milliseconds);
  assert.ok(found);
  return found;
}

/** False if the frame disappears in the meantime. */
async function isShown(locator: Locator): Promise<boolean> {
  return await locator.isVisible().catch(() => false);
}

/** Finds an open question by its title, its text, or its placeholder. */
function asked(page: Page, words: string | RegExp): Locator {
  const said = page
    .locator('.quick-input-title, .quick-input-message')
    .filter({ hasText: words });
  return said.or(page.getByPlaceholder(words)).first();
}

/**
 * Waits for a question whose title or text matches, and until a screen reader
 * would announce it.
 */
export async function asks(page: Page, words: string | RegExp): Promise<void> {
  await asked(page, words).waitFor();
  // The editor leaves out the number of the step.
  const title = await page.locator('.quick-input-title').innerText();
  const name = title.replace(/ \(\d+(\/\d+)?\)$/, '');
  await eventually(async () => {
    assert.ok(
      (await question(page).getAttribute('aria-label'))?.includes(name),
      name,
    );
  });
}

/**
 * Presses Enter until this is asked next: what was pressed while the list came
 * anew chooses nothing.
 */
export async function accept(page: Page, next: string | RegExp): Promise<void> {
  await eventually(async () => {
    if (!(await asked(page, next).isVisible()))
      await page.keyboard.press('Enter');
    await asked(page, next).waitFor({ timeout: 3_000 });
  });
  await asks(page, next);
}

/** Types the answer to a question, replacing its initial text. */
export async function answer(
  page: Page,
  words: string | RegExp,
  text: string,
): Promise<void> {
  await asks(page, words);
  // Keys could be typed before the question has taken the focus from the
  // previous one.
  await question(page).fill(text);
  await page.keyboard.press('Enter');
}

/** Chooses from a list by its label, with the keyboard. */
export async function choose(
  page: Page,
  words: string | RegExp,
  label: string,
): Promise<void> {
  await asks(page, words);
  await question(page).fill(label);
  await page
    .locator('.quick-input-list .monaco-list-row.focused')
    .filter({ hasText: label })
    .waitFor();
  await page.keyboard.press('Enter');
}

/**
 * Sorts conversations as if none needed anybody, so that those that do are not
 * the only ones to be seen.
 */
export async function sortByCreation(page: Page): Promise<void> {
  await runCommand(page, 'Switchboard: Sort Conversations By');
  await asks(page, 'Sort Conversations');
  const creation = page.getByRole('option', { name: 'Creation', exact: true });
  await creation.click();
  await creation.waitFor({ state: 'detached' });
}

/**
 * Presses a button of a message, without the mouse: a message that closes moves
 * the others away from it.
 */
export async function press(
  page: Page,
  message: string | RegExp,
  button: string,
): Promise<void> {
  await messages(page, message)
    .getByRole('button', { name: button })
    .dispatchEvent('click');
}

/**
 * Waits until the editor has stored a text of the workspace. It does so shortly
 * after it was given one, and a window in a browser cannot catch up on it while
 * it reloads.
 */
export async function untilStored(page: Page, text: string): Promise<void> {
  await eventually(async () => {
    const state = await page.context().storageState({ indexedDB: true });
    assert.ok(JSON.stringify(state.origins).includes(text));
  });
}

/**
 * Reloads the window as a user would, so that the editor saves its state first.
 */
export async function reload(page: Page): Promise<void> {
  const loaded = page.waitForEvent('load');
  await runCommand(page, 'Developer: Reload Window');
  await loaded;
}

/** Collapses views to make room for the others. */
export async function fold(
  page: Page,
  ...titles: readonly string[]
): Promise<void> {
  await turn(page, titles, 'true');
}

export async function unfold(
  page: Page,
  ...titles: readonly string[]
): Promise<void> {
  await turn(page, titles, 'false');
}

async function turn(
  page: Page,
  titles: readonly string[],
  expanded: 'true' | 'false',
): Promise<void> {
  for (const title of titles) {
    const header = view(page, title).locator('.pane-header');
    // Sandboxes is hidden where no service has any.
    if ((await header.count()) === 0) continue;
    if ((await header.getAttribute('aria-expanded')) !== expanded) continue;
    // In the middle of a narrow header may be a button.
    await header.locator('.title').click();
    // The headers below move.
    await header
      .and(page.locator(`:not([aria-expanded="${expanded}"])`))
      .waitFor();
  }
}
