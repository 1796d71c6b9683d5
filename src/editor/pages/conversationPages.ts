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
import type { AllowedOrigins } from '../../state/allowedOrigins.ts';
import type { Store } from '../../state/store.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import { contextKeys, conversationPage } from '../manifest.ts';
import { rememberShown } from '../restored.ts';
import { titleOf } from '../words/conversationWords.ts';
import type { Attachments } from './attachments.ts';
import { ConversationPage } from './conversationPage.ts';
import { Drafts } from './drafts.ts';
import { readPageKey } from './fromPage.ts';
import { pageFolder } from './pageHtml.ts';

interface PagesOptions {
  readonly switchboard: Switchboard;
  readonly allowed: AllowedOrigins;
  /** Of the workspace. */
  readonly store: Store;
  /** Of the extension. */
  readonly folder: Uri;
  /** When the services of the settings are connected. */
  readonly restored: () => Promise<unknown>;
  /** The page of a conversation is on the screen, by its key. */
  readonly seen: (key: string) => void;
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
      new Disposable(switchboard.changes.onChange(renew)),
      window.onDidChangeActiveTextEditor((editor) => {
        if (editor) this.#editor = editor;
      }),
    ];
  }

  /** `place` gets the keyboard: what waits, or the field for a message. */
  async show(conversation: Conversation, place?: PagePlace): Promise<void> {
    const key = keyOf(conversation);
    await this.#show(key, conversation);
    if (place) this.#pages.get(key)?.goTo(place);
  }

  /** Without the conversation, it is looked for at its service. */
  async #show(key: string, conversation: Conversation | undefined): Promise<void> {
    const open = this.#pages.get(key);
    if (open && (await this.#reveal(open))) return;
    rememberShown(this.#options.store);
    const title = titleOf(conversation ?? { id: key.slice(key.lastIndexOf(' ') + 1), title: '' });
    this.#add(window.createWebviewPanel(conversationPage, title, ViewColumn.Active), key, conversation);
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

  /**
   * Adds something to the next message: on the page that somebody was in last, else on that of the chosen conversation.
   * Rejects with a UserError where something cannot be attached.
   */
  async attach(
    add: (attachments: Attachments) => Promise<void> | void,
    choose: () => Promise<Conversation | undefined>,
  ): Promise<void> {
    while (this.#last && !(await this.#reveal(this.#last)));
    if (!this.#last) {
      const conversation = await choose();
      if (!conversation) return;
      await this.show(conversation);
    }
    const page = this.#last;
    page?.goTo('message');
    await page?.attach(add);
  }

  /** The page that is the active editor. */
  get active(): ConversationPage | undefined {
    return [...this.#pages.values()].find(({ isActive }) => isActive);
  }

  /** True if the page of this conversation is on the screen. */
  isSeen(key: string): boolean {
    return this.#pages.get(key)?.isVisible === true;
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    for (const page of [...this.#pages.values()]) page.dispose();
  }

  #add(panel: WebviewPanel, key: string, conversation: Conversation | undefined): void {
    const { switchboard, allowed, folder, seen, report } = this.#options;
    panel.webview.options = { enableScripts: true, localResourceRoots: [pageFolder(folder)] };
    const page = new ConversationPage({
      panel,
      key,
      conversation,
      switchboard,
      allowed,
      folder,
      drafts: this.#drafts,
      editor: () => this.#editor,
      run: (command, ...args) => commands.executeCommand(command, ...args),
      openConversation: (other) => void this.#show(other, switchboard.conversation(other)),
      report,
    });
    this.#pages.set(key, page);
    this.#last = page;
    void this.#tellOpen();
    seen(key);
    panel.onDidChangeViewState(() => {
      if (panel.active) this.#last = page;
      if (panel.visible) seen(key);
    });
    panel.onDidDispose(() => {
      this.#pages.delete(key);
      if (this.#last === page) this.#last = [...this.#pages.values()].at(-1);
      page.dispose();
      void this.#tellOpen();
    });
  }

  /** False if it just has been closed, which is told before the editor answers. */
  async #reveal(page: ConversationPage): Promise<boolean> {
    page.reveal();
    await this.#tellOpen();
    return [...this.#pages.values()].includes(page);
  }

  async #tellOpen(): Promise<void> {
    await commands.executeCommand('setContext', contextKeys.pageOpen, this.#pages.size > 0);
  }
}
