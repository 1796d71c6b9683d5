import {
  type Disposable,
  type TextEditor,
  type Uri,
  ViewColumn,
  type WebviewPanel,
  window,
} from 'vscode';
import {
  type ConversationKey,
  isConversationKey,
  type Conversation,
  keyOf,
  partsOfKey,
} from '../../../service/model/entities.ts';
import type { MessageEvent } from '../../../service/model/events.ts';
import type { PagePlace } from '../../../protocol/drawn.ts';
import { readPageKey } from '../../../protocol/pageMessages.ts';
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
import {
  requestedTitle,
  titleOf,
} from '../../words/conversations/conversationWords.ts';
import type { CostPage } from './costPage.ts';
import { DraftActions } from '../new/draftActions.ts';
import type { Attachments } from './attachments.ts';
import { Drafts } from './drafts.ts';
import { PageShell } from './pageShell.ts';
import { pageFolder } from '../../ui/pageHtml.ts';
import { setContext } from '../../ui/rememberedContext.ts';
import { windowAnswered } from '../../ui/windowCaughtUp.ts';

interface PagesOptions {
  readonly switchboard: Switchboard;
  readonly allowed: AllowedOrigins;
  /** The store of the workspace. */
  readonly store: Store;
  readonly globalStore: Store;
  readonly folder: Uri;
  /** Resolves when the services of the settings are connected. */
  readonly restored: () => Promise<unknown>;
  /** Called with the key of a conversation whose page is visible. */
  readonly seen: (key: ConversationKey) => void;
  readonly report: (error: unknown) => void;
}

export class ConversationPages implements Disposable {
  readonly #options: PagesOptions;
  readonly #drafts: Drafts;
  readonly draftActions: DraftActions;
  #pages: readonly PageShell[] = [];
  readonly #subscriptions: readonly Subscription[];
  #last: PageShell | undefined;
  /** The page that the next click on a row replaces. */
  #preview: PageShell | undefined;
  #editor: TextEditor | undefined = window.activeTextEditor;

  constructor(options: PagesOptions) {
    this.#options = options;
    this.#drafts = new Drafts(options.store);
    const { switchboard } = options;
    this.draftActions = new DraftActions(
      switchboard,
      this,
      options.globalStore,
    );
    const renew = () => {
      for (const page of this.#pages) page.renew();
    };
    this.#subscriptions = [
      switchboard.conversations.onChange((change) => {
        // A page draws its own conversation when its snapshot changes.
        for (const page of this.#pages)
          if (!isOnlyRow(change, page.key)) page.renew();
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

  /**
   * Shows the page. `isPreview`: in the tab that the next click replaces,
   * without focusing it.
   */
  async show(
    conversation: Conversation,
    place?: PagePlace,
    isPreview = false,
  ): Promise<void> {
    const key = keyOf(conversation);
    await this.#show(key, titleOf(conversation), conversation, isPreview);
    if (place) this.#find(key)?.goTo(place);
  }

  async showUnsent(
    conversation: Conversation,
    { text, images }: MessageEvent,
  ): Promise<void> {
    const key = keyOf(conversation);
    await this.#drafts.set(key, { message: text });
    await this.show(conversation, 'message');
    await this.#find(key)?.attach((attachments) => {
      for (const image of images)
        if ('base64' in image)
          attachments.addPicture('', image.mediaType, image.base64);
    });
  }

  async showRequested(
    requested: RequestedConversation,
    isPreview = false,
  ): Promise<void> {
    const key = this.#current(keyOfRequested(requested));
    if (this.#isDiscarded(key)) return;
    await this.#show(
      key,
      requestedTitle(requested),
      this.#options.switchboard.conversation(key),
      isPreview,
    );
    if (!isPreview) this.#find(key)?.goTo('message');
  }

  /** Keeps the preview open: the next click on a row opens another tab. */
  keepOpen(): void {
    this.#setPreview(undefined);
  }

  async #show(
    key: ConversationKey,
    title: string,
    conversation: Conversation | undefined,
    isPreview = false,
  ) {
    const open = this.#find(key);
    if (open && !isPreview && open === this.#preview) this.keepOpen();
    if (open && (await this.#reveal(open, isPreview))) return;
    const before = isPreview ? this.#preview : undefined;
    const placement = {
      viewColumn: before?.panel.viewColumn ?? ViewColumn.Active,
      preserveFocus: isPreview,
    };
    const page = this.#add(
      window.createWebviewPanel(conversationPage, title, placement),
      key,
      conversation,
    );
    if (!isPreview) return;
    this.#setPreview(page);
    before?.dispose();
  }

  async restore(panel: WebviewPanel, state: unknown): Promise<void> {
    const saved = readPageKey(state);
    const key = isConversationKey(saved) ? this.#current(saved) : undefined;
    if (key === undefined || this.#find(key) || this.#isDiscarded(key)) {
      panel.dispose();
      return;
    }
    await this.#options.restored();
    this.#add(panel, key, undefined);
  }

  /**
   * Adds attachments to the next message on the last active page, else on that
   * of a chosen conversation. Rejects with a `UserError` if one cannot be
   * attached.
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

  get active(): PageShell | undefined {
    return this.#pages.find(({ panel }) => panel.active);
  }

  isSeen(key: ConversationKey): boolean {
    return this.#find(key)?.panel.visible === true;
  }

  /**
   * Shows a text on the page of a conversation or a request. Returns false if
   * the page is hidden.
   */
  report(key: ConversationKey, words: string): boolean {
    return this.#find(this.#current(key))?.report(words) === true;
  }

  putBack(key: ConversationKey, text: string): void {
    this.#find(this.#current(key))?.putBack(text);
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    for (const page of this.#pages) page.dispose();
  }

  #find(key: ConversationKey): PageShell | undefined {
    return this.#pages.find((page) => page.key === key);
  }

  /**
   * The key of the conversation that the request created, if any; else the same
   * key.
   */
  #current(key: ConversationKey): ConversationKey {
    const id = requestedIdOf(key);
    const { requested } = this.#options.switchboard;
    return (id === undefined ? undefined : requested.createdAs(id)) ?? key;
  }

  #isDiscarded(key: ConversationKey): boolean {
    const id = requestedIdOf(key);
    return id !== undefined && !this.#options.switchboard.requested.find(id);
  }

  #setPreview(page: PageShell | undefined) {
    this.#preview = page;
    this.#setContext();
  }

  #add(
    panel: WebviewPanel,
    key: ConversationKey,
    conversation: Conversation | undefined,
  ): PageShell {
    const { switchboard, allowed, folder, seen, report } = this.#options;
    panel.webview.options = {
      enableScripts: true,
      localResourceRoots: [pageFolder(folder)],
    };
    const page: PageShell = new PageShell({
      panel,
      key,
      conversation,
      switchboard,
      allowed,
      folder,
      drafts: this.#drafts,
      draftActions: this.draftActions,
      editor: () => this.#editor,
      openConversation: (other) => {
        const conversation = switchboard.conversation(other);
        const { id } = partsOfKey(other);
        void this.#show(
          other,
          titleOf(conversation ?? { id, title: '' }),
          conversation,
        );
      },
      used: () => {
        if (this.#preview === page) this.keepOpen();
      },
      report,
    });
    this.#pages = [...this.#pages, page];
    this.#last = page;
    this.#setContext();
    seen(key);
    panel.onDidChangeViewState(() => {
      if (panel.active) this.#last = page;
      this.#setContext();
      if (panel.visible) seen(page.key);
    });
    panel.onDidDispose(() => {
      this.#pages = this.#pages.filter((other) => other !== page);
      if (this.#last === page) this.#last = this.#pages.at(-1);
      if (this.#preview === page) this.#preview = undefined;
      page.dispose();
      this.#setContext();
    });
    return page;
  }

  async #reveal(page: PageShell, preserveFocus = false): Promise<boolean> {
    page.panel.reveal(undefined, preserveFocus);
    this.#setContext();
    await windowAnswered();
    return this.#pages.includes(page);
  }

  #setContext() {
    setContext(contextKeys.pageReused, this.#preview?.panel.active === true);
    setContext(contextKeys.pageOpen, this.#pages.length > 0);
  }
}

function isOnlyRow(
  { rows, structure, state }: ListChange,
  key: ConversationKey,
): boolean {
  return rows.size === 1 && rows.has(key) && !structure && state.size === 0;
}

export interface ConversationParts {
  readonly switchboard: Switchboard;
  readonly conversationPages: () => Promise<ConversationPages>;
  readonly costPage: () => Promise<CostPage>;
  readonly activeConversation: () => Conversation | undefined;
}
