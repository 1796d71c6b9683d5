/** A window of the VS Code server in a headless browser. */
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from './browser.ts';
import type { Server, WindowTarget } from './vscodeServer.ts';

/**
 * Drawing what turns and fades keeps a machine without a graphics card busy.
 */
const drawAtOnce = `document.addEventListener('DOMContentLoaded', () => {
  const style = document.createElement('style');
  style.textContent = '*, *::before, *::after { animation: none !important; transition: none !important; }';
  document.head.append(style);
});`;

export interface WindowOptions extends WindowTarget {
  readonly width?: number;
  readonly height?: number;
  /** Prepares the page before it loads the window. */
  readonly prepare?: (page: Page) => Promise<void>;
  /** Called for each console line of the extension host. */
  readonly onLog?: (type: string, args: readonly unknown[]) => void;
}

export interface Window {
  readonly page: Page;
  /**
   * Resolves with the exit code once the tests of `extensionTestsPath` have
   * run.
   */
  readonly exit: Promise<number>;
  readonly close: () => Promise<void>;
}

/** Opens a window and waits until the workbench is ready. */
export async function openWindow(
  server: Server,
  options: WindowOptions,
): Promise<Window> {
  const { width = 1280, height = 800, onLog, prepare, ...target } = options;
  const browser: Browser = await launchBrowser();
  try {
    const page = await browser.newPage({ viewport: { width, height } });
    // The workbench calls these two by name, and fails without them.
    await page.exposeFunction(
      'codeAutomationLog',
      (type: string, args: unknown[]) => onLog?.(type, args),
    );
    const exit = new Promise<number>((resolve, reject) => {
      void page.exposeFunction('codeAutomationExit', resolve);
      browser.once('disconnected', () => {
        reject(new Error('The browser exited before the tests finished.'));
      });
    });
    exit.catch(() => undefined);
    await page.addInitScript(drawAtOnce);
    await prepare?.(page);
    await page.goto(server.address(target));
    await page.waitForSelector('.monaco-workbench .part.activitybar', {
      timeout: 60_000,
    });
    return {
      page,
      exit,
      close: () => browser.close(),
    };
  } catch (error) {
    await browser.close();
    throw error;
  }
}
