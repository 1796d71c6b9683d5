/** Tells a page what is to be drawn: nothing while its script does not run, and no state twice. */
import type { Webview } from 'vscode';
import type { Tone } from '../../../protocol/drawn.ts';
import type { ToPage } from '../../../protocol/pageMessages.ts';

/** Messages that say how it is, and not what has happened. */
const states: ReadonlySet<ToPage['type']> = new Set(['head', 'waiting', 'input', 'attachments', 'pending']);

export class PageChannel {
  readonly #webview: Webview;
  #isReady = false;
  /** What the page was told last, so that it is not told again. */
  readonly #told = new Map<ToPage['type'], string>();
  /** The last outcome that was told while the page was hidden. */
  #missed: ToPage | undefined;

  constructor(webview: Webview) {
    this.#webview = webview;
  }

  /** Whether the script of the page runs. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** Its script runs, and knows nothing. */
  begin(): void {
    this.#isReady = true;
    this.#told.clear();
  }

  end(): void {
    this.#isReady = false;
  }

  /** The next one of this kind is sent even if it says the same. */
  forget(type: ToPage['type']): void {
    this.#told.delete(type);
  }

  readonly send = (message: ToPage): void => {
    if (!this.#isReady) {
      if (message.type === 'told') this.#missed = message;
      return;
    }
    if (states.has(message.type)) {
      const said = JSON.stringify(message);
      if (this.#told.get(message.type) === said) return;
      this.#told.set(message.type, said);
    }
    void this.#webview.postMessage(message);
    if (message.type !== 'start' || !this.#missed) return;
    void this.#webview.postMessage(this.#missed);
    this.#missed = undefined;
  };

  /** What has become of what the person did. */
  tell(text: string, tone: Tone): void {
    this.send({ type: 'told', text, tone });
  }
}
