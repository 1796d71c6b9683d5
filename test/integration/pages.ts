/** Stands between the extension and the pages that it opens. */
import assert from 'node:assert/strict';
import { type WebviewPanel, window } from 'vscode';
import type { ChoiceName } from '../../src/protocol/drawn.ts';
import type { FromPage, ToPage } from '../../src/protocol/pageMessages.ts';
import { type Anything, replace } from './person.ts';

type Receive = (message: FromPage) => Promise<void>;

export class Pages {
  /** Everything that pages were told, the oldest first. */
  readonly told: ToPage[] = [];
  readonly #restore: () => void;
  #receive: Receive | undefined;

  constructor() {
    const create = window.createWebviewPanel.bind(window) as Anything;
    this.#restore = replace(window, 'createWebviewPanel', (...options) => {
      const panel = create(...options) as WebviewPanel;
      const { webview } = panel;
      const listen = webview.onDidReceiveMessage.bind(webview);
      replace(webview, 'onDidReceiveMessage', (receive) => {
        this.#receive = receive as Receive;
        return listen(receive as Receive);
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
   * Sends a message as the page that was opened last. Resolves when it was
   * acted on.
   */
  async say(message: FromPage): Promise<void> {
    assert.ok(this.#receive, 'No page was opened.');
    await this.#receive(message);
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
