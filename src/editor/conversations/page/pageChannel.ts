/**
 * Sends messages to a page while its script runs. Skips states that the page
 * already shows.
 */
import type { Webview } from 'vscode';
import type { Tone } from '../../../protocol/drawn.ts';
import type { ToPage } from '../../../protocol/pageMessages.ts';

/** Messages that replace the previous one of their type. */
const states = new Set<ToPage['type']>([
  'head',
  'waiting',
  'input',
  'attachments',
  'pending',
  'asides',
]);

export class PageChannel {
  readonly #webview: Webview;
  #isReady = false;
  #versions = 0;
  /** The last state that was sent, by message type. */
  readonly #lastJson = new Map<ToPage['type'], string>();
  /** The last result that was reported while the page was hidden. */
  #missed: ToPage | undefined;

  constructor(webview: Webview) {
    this.#webview = webview;
  }

  /** True while the script of the page runs. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** Begins with a new script, which has no state. */
  begin(): void {
    this.#isReady = true;
    this.#lastJson.clear();
  }

  end(): void {
    this.#isReady = false;
  }

  /** Sends the next message of this type even if it is the same. */
  forget(type: ToPage['type']): void {
    this.#lastJson.delete(type);
  }

  /** Returns a number that the page has not seen, whatever it shows. */
  newVersion(): number {
    return ++this.#versions;
  }

  readonly send = (message: ToPage): void => {
    if (!this.#isReady) {
      if (message.type === 'told') this.#missed = message;
      return;
    }
    if (states.has(message.type)) {
      const json = JSON.stringify(message);
      if (this.#lastJson.get(message.type) === json) return;
      this.#lastJson.set(message.type, json);
    }
    void this.#webview.postMessage(message);
    if (message.type !== 'start' || !this.#missed) return;
    void this.#webview.postMessage(this.#missed);
    this.#missed = undefined;
  };

  report(text: string, tone: Tone): void {
    this.send({ type: 'told', text, tone });
  }
}
