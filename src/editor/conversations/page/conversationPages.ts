/** The open pages of conversations. */
import {
  commands,
  type Disposable,
  type TextEditor,
  type Uri,
  ViewColumn,
  type WebviewPanel,
  window,
} from 'vscode';
import { type Conversation, keyOf } from '../../../service/entities.ts';
import type { PagePlace } from '../../../protocol/drawn.ts';
import type { AllowedOrigins } from '../../../state/allowedOrigins.ts';
import type { Subscription } from '../../../base/event.ts';
import {
  keyOfRequested,
  type RequestedConversation,
  requestedIdOf,
} from '../../../state/newConversation/requestedConversations.ts';
import type { ListChange } from '../../../state/lists/remoteList.ts';
import type { Store } from '../../../base/store.ts';
import type { Switchboard } from '../../../state/switchboard.ts';
import { contextKeys, conversationPage } from '../../manifest.ts';
import { requestedTitle, titleOf } from '../../words/conversations/conversationWords.ts';
import type { Attachments } from './attachments.ts';
import { ConversationPage } from './conversationPage.ts';
import { Drafts } from './drafts.ts';
import { readPageKey } from './fromPage.ts';
import { pageFolder } from '../../ui/pageHtml.ts';

interface PagesOptions {
  readonly switchboard: Switchboard;
  readonly allowed: AllowedOrigins;
  /** The store of the workspace. */
  readonly store: Store;
  /** The folder of the extension. */
  readonly folder: Uri;
  /** When the services of the settings are connected. */
  readonly restored: () => Promise<unknown>;
  /** The page of a conversation is on the screen, by its key. */
  readonly seen: (key: string) => void;
  readonly report: (error: unknown) => void;
}

interface ShowOptions {
  readonly conversation: Conversation | undefined;
  readonly isPreview?: boolean;
}

export class ConversationPages implements Disposable {
  readonly #options: PagesOptions;
  readonly #drafts: Drafts;
  #pages: readonly ConversationPage[] = [];
  readonly #subscriptions: readonly Subscription[];
  /** The one that somebody was in last. */
  #last: ConversationPage | undefined;
  /** The one that the next click on a row replaces. */
  #preview: ConversationPage | undefined;
  /** The editor that was active last, also while a page has the keyboard. */
  #editor: TextEditor | undefined = window.activeTextEditor;

  constructor(options: PagesOptions) {
    this.#options = options;
    this.#drafts = new Drafts(options.store);
    const { switchboard } = options;
    const renew = () => {
      for (const page of this.#pages) page.renew();
    };
    this.#subscriptions = [
      switchboard.conversations.onChange((change) => {
        // A page draws its own conversation when its snapshot changes.
        for (const page of this.#pages) if (!isOnlyRow(change, page.key)) page.renew();
      }),
      switchboard.sandboxes.onChange(renew),
      switchboard.requested.onChange(renew),
      switchboard.onServices(renew),
      switchboard.changes.onChange(renew),
      window.onDidChangeActiveTextEditor((editor) => {
        if (editor) this.#editor = editor;
      }),
    ];
  }

  /** `place` gets the keyboard: what waits, or the field for a message. */
  async show(conversation: Conversation, place?: PagePlace): Promise<void> {
    const key = keyOf(conversation);
    await this.#show(key, titleOf(conversation), { conversation });
    if (place) this.#find(key)?.goTo(place);
  }

  /** Shows it in the tab that the next click replaces, and leaves the keyboard where it is. */
  async preview(conversation: Conversation): Promise<void> {
    await this.#show(keyOf(conversation), titleOf(conversation), { conversation, isPreview: true });
  }

  /** Shows one that is being created, or has just been. */
  async showRequested(requested: RequestedConversation, isPreview = false): Promise<void> {
    const key = this.#current(keyOfRequested(requested));
    if (this.#isDiscarded(key)) return;
    await this.#show(key, requestedTitle(requested), {
      conversation: this.#options.switchboard.conversation(key),
      isPreview,
    });
    if (!isPreview) this.#find(key)?.goTo('message');
  }

  /** Has the next click on a row open another tab. */
  keepOpen(): void {
    this.#setPreview(undefined);
  }

  async #show(key: string, title: string, { conversation, isPreview = false }: ShowOptions): Promise<void> {
    const open = this.#find(key);
    if (open && !isPreview && open === this.#preview) this.keepOpen();
    if (open && (await this.#reveal(open, isPreview))) return;
    const before = isPreview ? this.#preview : undefined;
    const where = { viewColumn: before?.column ?? ViewColumn.Active, preserveFocus: isPreview };
    const page = this.#add(window.createWebviewPanel(conversationPage, title, where), key, conversation);
    if (!isPreview) return;
    this.#setPreview(page);
    before?.dispose();
  }

  /** Takes up a page that was open when the window was closed. */
  async restore(panel: WebviewPanel, state: unknown): Promise<void> {
    const saved = readPageKey(state);
    const key = saved && this.#current(saved);
    if (key === undefined || this.#find(key) || this.#isDiscarded(key)) {
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
    return this.#find(key)?.isVisible === true;
  }

  /** Says something on a page, also on one that was of a request; false if it cannot be seen there. */
  tell(key: string, words: string): boolean {
    return this.#find(this.#current(key))?.tell(words) === true;
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    for (const page of this.#pages) page.dispose();
  }

  /** The page of this conversation, or of the request that became it. */
  #find(key: string): ConversationPage | undefined {
    return this.#pages.find((page) => page.key === key);
  }

  /** The key of the conversation that was asked for under this one, once it exists. */
  #current(key: string): string {
    const id = requestedIdOf(key);
    const { requested } = this.#options.switchboard;
    return (id === undefined ? undefined : requested.createdAs(id)) ?? key;
  }

  /** True if there is nothing that this is the key of any more. */
  #isDiscarded(key: string): boolean {
    const id = requestedIdOf(key);
    return id !== undefined && !this.#options.switchboard.requested.find(id);
  }

  #setPreview(page: ConversationPage | undefined): void {
    this.#preview = page;
    void this.#tellOpen();
  }

  #add(panel: WebviewPanel, key: string, conversation: Conversation | undefined): ConversationPage {
    const { switchboard, allowed, folder, seen, report } = this.#options;
    panel.webview.options = { enableScripts: true, localResourceRoots: [pageFolder(folder)] };
    const page: ConversationPage = new ConversationPage({
      panel,
      key,
      conversation,
      switchboard,
      allowed,
      folder,
      drafts: this.#drafts,
      editor: () => this.#editor,
      run: (command, ...args) => commands.executeCommand(command, ...args),
      openConversation: (other) => {
        const conversation = switchboard.conversation(other);
        const id = other.slice(other.lastIndexOf(' ') + 1);
        void this.#show(other, titleOf(conversation ?? { id, title: '' }), { conversation });
      },
      used: () => {
        if (this.#preview === page) this.keepOpen();
      },
      report,
    });
    this.#pages = [...this.#pages, page];
    this.#last = page;
    void this.#tellOpen();
    seen(key);
    panel.onDidChangeViewState(() => {
      if (panel.active) this.#last = page;
      void this.#tellOpen();
      if (panel.visible) seen(page.key);
    });
    panel.onDidDispose(() => {
      this.#pages = this.#pages.filter((other) => other !== page);
      if (this.#last === page) this.#last = this.#pages.at(-1);
      if (this.#preview === page) this.#preview = undefined;
      page.dispose();
      void this.#tellOpen();
    });
    return page;
  }

  /** False if it just has been closed, which is told before the editor answers. */
  async #reveal(page: ConversationPage, preserveFocus = false): Promise<boolean> {
    page.reveal(preserveFocus);
    await this.#tellOpen();
    return this.#pages.includes(page);
  }

  async #tellOpen(): Promise<void> {
    const { pageOpen, pageReused } = contextKeys;
    void commands.executeCommand('setContext', pageReused, this.#preview?.isActive === true);
    await commands.executeCommand('setContext', pageOpen, this.#pages.length > 0);
  }
}

function isOnlyRow({ rows, structure, state }: ListChange, key: string): boolean {
  return rows.size === 1 && rows.has(key) && !structure && state.size === 0;
}
