/** Stands between the extension and the pages that it opens. */
import assert from 'node:assert/strict';
import { type WebviewPanel, window } from 'vscode';
import type { ChoiceName } from '../../src/protocol/drawn.ts';
import type { FromPage, ToPage } from '../../src/protocol/pageMessages.ts';
import { until } from '../support/eventually.ts';
import { type Anything, replace } from './person.ts';

type Receive = (message: FromPage) => Promise<void>;

interface Page {
  readonly receive: Receive;
  /** True when its script runs: nobody can act on it before. */
  isReady: boolean;
}

export class Pages {
  /** Everything that pages were told, the oldest first. */
  readonly told: ToPage[] = [];
  readonly #restore: () => void;
  /** The page that was opened last. */
  #page: Page | undefined;

  constructor() {
    const create = window.createWebviewPanel.bind(window) as Anything;
    this.#restore = replace(window, 'createWebviewPanel', (...options) => {
      const panel = create(...options) as WebviewPanel;
      const { webview } = panel;
      const listen = webview.onDidReceiveMessage.bind(webview);
      replace(webview, 'onDidReceiveMessage', (receive) => {
        const page: Page = { receive: receive as Receive, isReady: false };
        this.#page = page;
        return listen((message: FromPage) => {
          page.isReady ||= message.type === 'ready';
          return page.receive(message);
        });
      });
      const post = webview.postMessage.bind(webview);
      replace(webview, 'postMessage', (message) => {
        this.told.push(message as ToPage);
        return post(message);
      });
      return panel;
    });
  }

  /**
   * Sends a message as the page that was opened last, once its script runs.
   * Resolves when it was acted on.
   */
  async say(message: FromPage): Promise<void> {
    const page = this.#page;
    assert.ok(page, 'No page was opened.');
    if (!page.isReady) await until(() => page.isReady);
    await page.receive(message);
  }

  /** Makes a choice for the draft on the page that was opened last. */
  async choose(name: ChoiceName): Promise<void> {
    await this.say({ type: 'choose', name });
  }

  /** The last message of this type. */
  last<Type extends ToPage['type']>(type: Type) {
    return this.told.findLast(
      (message): message is Extract<ToPage, { type: Type }> =>
        message.type === type,
    );
  }

  leave(): void {
    this.#restore();
  }
}
