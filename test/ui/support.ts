/** What the tests that drive a window share. */
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { extensionId } from '../../src/editor/manifest.ts';
import { pictures, root } from '../host/paths.ts';
import { type Server, type ServerOptions, startServer } from '../host/vscodeServer.ts';
import { openWindow, type Window, type WindowOptions } from '../host/window.ts';

export const themes = {
  dark: 'Dark Modern',
  light: 'Light Modern',
  'high-contrast': 'Default High Contrast',
} as const;

/** A VS Code with a home folder and settings of its own, and the extension as it was built last. */
export interface Desk {
  readonly home: string;
  readonly server: Server;
  open(target?: WindowOptions): Promise<Window>;
  /** Closes every window and leaves nothing. */
  clear(): Promise<void>;
}

export async function setUpDesk(options: Partial<ServerOptions> = {}): Promise<Desk> {
  const scratch = await mkdtemp(join(tmpdir(), 'switchboard-ui-'));
  const home = join(scratch, 'home');
  await mkdir(home);
  const extensions = join(scratch, 'extensions');
  await mkdir(extensions);
  // As an installed one: beside an extension under development, VS Code ignores the colour theme of the settings.
  await symlink(root, join(extensions, `${extensionId}-0.0.0`), 'junction');
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
      return window;
    },
    clear: async () => {
      await Promise.all(windows.map((window) => window.close()));
      await server.stop();
      await rm(scratch, { recursive: true, force: true });
    },
  };
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

/** Opens the container by its icon in the activity bar, and waits until its views stand. */
export async function openSideBar(page: Page): Promise<void> {
  await activityIcon(page).click();
  await view(page, 'MCP Servers').waitFor();
}

/** A view in the side bar, by its title. */
export function view(page: Page, title: string): Locator {
  return page
    .locator('.part.sidebar .pane')
    .filter({ has: page.locator('.pane-header').filter({ hasText: new RegExp(`^${title}$`, 'i') }) });
}

/** Opens the command palette and types. */
export async function typeInPalette(page: Page, text: string): Promise<Locator> {
  await page.keyboard.press('F1');
  const input = page.locator('.quick-input-widget input');
  await input.waitFor();
  await input.fill(`>${text}`);
  return page.locator('.quick-input-list .monaco-list-row');
}
