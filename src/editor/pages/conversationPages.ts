/** The open pages of conversations. */
import {
  commands,
  Disposable,
  type TextEditor,
  type Uri,
  ViewColumn,
  type WebviewPanel,
  window,
} from 'vscode';
import { type Conversation, keyOf } from '../../service/entities.ts';
import type { PagePlace } from '../../protocol/drawn.ts';
import type { Store } from '../../state/store.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import { conversationPage } from '../manifest.ts';
import { titleOf } from '../words/conversationWords.ts';
import { ConversationPage } from './conversationPage.ts';
import { Drafts } from './drafts.ts';
import { readPageKey } from './fromPage.ts';
import { pageFolder } from './pageHtml.ts';

interface PagesOptions {
  readonly switchboard: Switchboard;
  /** Of the workspace. */
  readonly store: Store;
  /** Of the extension. */
  readonly folder: Uri;
  /** When the services of the settings are connected. */
  readonly restored: () => Promise<unknown>;
  readonly report: (error: unknown) => void;
}

export class ConversationPages implements Disposable {
  readonly #options: PagesOptions;
  readonly #drafts: Drafts;
  readonly #pages = new Map<string, ConversationPage>();
  readonly #subscriptions: readonly Disposable[];
  /** The one that somebody was in last. */
  #last: ConversationPage | undefined;
  /** What was edited last, also while a page has the keyboard. */
  #editor: TextEditor | undefined = window.activeTextEditor;

  constructor(options: PagesOptions) {
    this.#options = options;
    this.#drafts = new Drafts(options.store);
    const { switchboard } = options;
    const renew = () => {
      for (const page of this.#pages.values()) page.renew();
    };
    this.#subscriptions = [
      new Disposable(switchboard.conversations.onChange(renew)),
      new Disposable(switchboard.sandboxes.onChange(renew)),
      new Disposable(switchboard.onServices(renew)),
      window.onDidChangeActiveTextEditor((editor) => {
        if (editor) this.#editor = editor;
      }),
    ];
  }

  /** `place` gets the keyboard: what waits, or the field for a message. */
  show(conversation: Conversation, place?: PagePlace): void {
    const key = keyOf(conversation);
    const open = this.#pages.get(key);
    if (open) open.reveal();
    else {
      const panel = window.createWebviewPanel(conversationPage, titleOf(conversation), ViewColumn.Active);
      this.#add(panel, key, conversation);
    }
    if (place) this.#pages.get(key)?.goTo(place);
  }

  /** Takes up a page that was open when the window was closed. */
  async restore(panel: WebviewPanel, state: unknown): Promise<void> {
    const key = readPageKey(state);
    if (key === undefined || this.#pages.has(key)) {
      panel.dispose();
      return;
    }
    await this.#options.restored();
    this.#add(panel, key, undefined);
  }

  /** Attaches what is selected in the editor to the message of the page that was looked at last. */
  async attachSelection(): Promise<boolean> {
    if (!this.#last) return false;
    this.#last.reveal();
    await this.#last.attach('selection');
    return true;
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    for (const page of [...this.#pages.values()]) page.dispose();
  }

  #add(panel: WebviewPanel, key: string, conversation: Conversation | undefined): void {
    const { switchboard, folder, report } = this.#options;
    panel.webview.options = { enableScripts: true, localResourceRoots: [pageFolder(folder)] };
    const page = new ConversationPage({
      panel,
      key,
      conversation,
      switchboard,
      folder,
      drafts: this.#drafts,
      editor: () => this.#editor,
      run: (command, ...args) => commands.executeCommand(command, ...args),
      report,
    });
    this.#pages.set(key, page);
    this.#last = page;
    panel.onDidChangeViewState(() => {
      if (panel.active) this.#last = page;
    });
    panel.onDidDispose(() => {
      this.#pages.delete(key);
      if (this.#last === page) this.#last = undefined;
      page.dispose();
    });
  }
}
