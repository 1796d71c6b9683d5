import type { TextEditor, Uri, WebviewPanel } from 'vscode';
import { reason, UserError } from '../../../base/errors.ts';
import { language, t, words } from '../../../base/l10n.ts';
import { joinParts } from '../../../base/parts.ts';
import type { PagePlace } from '../../../protocol/drawn.ts';
import { handle, type Handlers } from '../../../protocol/handlers.ts';
import { type FromPage, readFromPage } from '../../../protocol/pageMessages.ts';
import { pageWords } from '../../../protocol/pageWords.ts';
import {
  type ConversationKey,
  type Conversation,
  partsOfKey,
} from '../../../service/model/entities.ts';
import type { AllowedOrigins } from '../../../state/allowedOrigins.ts';
import type { ConnectedService } from '../../../state/connectedService.ts';
import {
  type RequestedConversation,
  requestedIdOf,
} from '../../../state/newConversation/requestedConversations.ts';
import type { Switchboard } from '../../../state/switchboard.ts';
import type { TranscriptEntry } from '../../../state/transcript/transcriptEntry.ts';
import { setting } from '../../settings.ts';
import { openWebAddress } from '../../ui/openLink.ts';
import { pageHtml } from '../../ui/pageHtml.ts';
import { deletedWords } from '../../words/conversations/headWords.ts';
import { nameOf } from '../../words/serviceWords.ts';
import type { DraftActions } from '../new/draftActions.ts';
import { Attachments } from './attachments.ts';
import type { ConversationActions } from './conversationActions.ts';
import { ConversationPage } from './conversationPage.ts';
import { DraftPage } from './draftPage.ts';
import type { Drafts } from './drafts.ts';
import { MessageField } from './messageField.ts';
import { MissingPage } from './missingPage.ts';
import { PageChannel } from './pageChannel.ts';
import type { PageContent, SharedMessage } from './pageContent.ts';

interface PageShellOptions {
  readonly panel: WebviewPanel;
  readonly key: ConversationKey;
  /**
   * Undefined for a conversation that must be found first: a restored one, or
   * one that is being created.
   */
  readonly conversation: Conversation | undefined;
  readonly switchboard: Switchboard;
  readonly allowed: AllowedOrigins;
  readonly folder: Uri;
  readonly drafts: Drafts;
  readonly draftActions: DraftActions;
  /** Returns the editor that was active last. */
  readonly editor: () => TextEditor | undefined;
  readonly openConversation: (key: ConversationKey) => void;
  /** Called when the user has written or changed something. */
  readonly used: () => void;
  readonly report: (error: unknown) => void;
}

/** The panel, the message field and the attachments of a page. */
export class PageShell {
  readonly panel: WebviewPanel;
  readonly #options: PageShellOptions;
  readonly #channel: PageChannel;
  readonly #field: MessageField;
  readonly #attachments: Attachments;
  readonly #closed = new AbortController();
  readonly #handlers: Handlers<SharedMessage, unknown>;
  #content: PageContent | undefined;
  /** The first message of a conversation that was created here. */
  #firstEntry: TranscriptEntry | undefined;
  #isChecking = false;
  #anchor: string | undefined;
  #place: PagePlace | undefined;

  constructor(options: PageShellOptions) {
    this.#options = options;
    this.panel = options.panel;
    const { panel, folder, key, conversation, editor, switchboard, drafts } =
      options;
    this.#channel = new PageChannel(panel.webview);
    this.#field = new MessageField(drafts, switchboard.requested, key);
    this.#attachments = new Attachments(editor, this.#field, this.#channel);
    this.#handlers = {
      ...this.#attachments.handlers,
      ready: ({ anchor }) => {
        this.#begin(anchor);
      },
      draft: ({ text: message }) => this.#field.change({ message }),
      lookAt: ({ id }) => {
        this.#attachments.drawContent(id);
      },
      openLink: ({ address }) => openWebAddress(address),
    };
    panel.webview.onDidReceiveMessage(async (data: unknown) => {
      const message = readFromPage(data);
      if (message) await this.#handle(message).catch(this.#tellError);
    });
    panel.onDidChangeViewState(this.#see);
    panel.webview.html = pageHtml(panel.webview, folder, key);
    const service = this.#service;
    if (conversation && service) this.#follow(service, conversation);
    else this.renew();
  }

  /** Changes when the conversation that is being created exists. */
  get key(): ConversationKey {
    return this.#field.key;
  }

  get conversation(): Conversation | undefined {
    return this.#followed?.conversation;
  }

  get actions(): ConversationActions | undefined {
    return this.#followed?.actions;
  }

  async stop(): Promise<void> {
    await this.actions?.stop().catch(this.#tellError);
  }

  /** Moves the focus, now or when the page is ready. */
  goTo(place: PagePlace): void {
    if (this.#channel.isReady) this.#channel.send({ type: 'goTo', place });
    else this.#place = place;
  }

  /** Returns false if the page is hidden. */
  report(words: string): boolean {
    if (!this.panel.visible || !this.#channel.isReady) return false;
    this.#channel.report(words, 'plain');
    return true;
  }

  dispose(): void {
    this.#content?.release();
    this.#closed.abort();
    this.#channel.end();
    this.panel.dispose();
  }

  /** Draws again, after services, their rows or the time have changed. */
  readonly renew = (): void => {
    const content = this.#content;
    if (content instanceof MissingPage && content.isDeleted) return;
    const { switchboard } = this.#options;
    const { requested } = switchboard;
    const id = requestedIdOf(this.key);
    const request = requested.find(id);
    if (request) {
      this.#showRequest(request);
      return;
    }
    if (id !== undefined) {
      const key = requested.createdAs(id);
      if (key === undefined) {
        this.panel.dispose();
        return;
      }
      if (content instanceof DraftPage) this.#firstEntry = content.firstEntry;
      this.#field.moveTo(key);
      this.#channel.send({ type: 'key', key });
    }
    const service = this.#service;
    const listed = service && switchboard.conversation(this.key);
    const isCurrent = content?.service === service;
    if (content instanceof ConversationPage && isCurrent) content.draw();
    else if (listed) this.#follow(service, listed);
    else if (service) {
      if (!isCurrent) void this.#find(service);
    } else {
      this.#showMissing(
        t('{0} is not connected.', nameOf(switchboard, this.#address)),
      );
    }
  };

  /**
   * Adds attachments to the next message. Rejects with a `UserError` if one
   * cannot be attached.
   */
  async attach(
    add: (attachments: Attachments) => Promise<void> | void,
  ): Promise<void> {
    this.#options.used();
    await add(this.#attachments);
  }

  readonly putBack = (text: string): void => {
    void this.#field.change({
      message: joinParts('\n\n', text, this.#field.text),
    });
    this.#channel.send({ type: 'putBack', text });
  };

  /** Returns a queued message to the field, before what is written there. */
  readonly #editQueued = (id: number): void => {
    const { queuedMessages } = this.#options.switchboard;
    const message = queuedMessages.remove(this.key, id);
    if (!message) return;
    this.#attachments.putBack(message.attached);
    this.putBack(message.text);
  };

  get #followed(): ConversationPage | undefined {
    const content = this.#content;
    return content instanceof ConversationPage ? content : undefined;
  }

  /** Shows a draft, or the progress of the creation. */
  #showRequest(request: RequestedConversation) {
    if (this.#content instanceof DraftPage) {
      this.#content.draw(request);
      return;
    }
    this.#show(
      new DraftPage(request, {
        ...this.#options,
        channel: this.#channel,
        field: this.#field,
        attachments: this.#attachments,
      }),
    );
  }

  #show(content: PageContent) {
    this.#content?.release();
    this.#content = content;
    if (this.#channel.isReady) content.begin(this.#anchor);
    content.see?.(this.panel.visible);
    content.draw();
  }

  get #address(): string {
    return partsOfKey(this.key).service;
  }

  get #service(): ConnectedService | undefined {
    return this.#options.switchboard.service(this.#address);
  }

  #showMissing(
    why: string,
    service?: ConnectedService,
    isDeleted = false,
  ): MissingPage {
    const { panel, renew } = this;
    const options = { panel, channel: this.#channel, isDeleted, renew };
    const missing = new MissingPage(options, why, service);
    this.#show(missing);
    return missing;
  }

  async #find(service: ConnectedService) {
    const missing = this.#showMissing('', service);
    const isShown = () => this.#content === missing;
    try {
      const { signal } = this.#closed;
      const conversation = await this.#options.switchboard.find(
        this.key,
        signal,
      );
      if (signal.aborted || !isShown()) return;
      if (conversation) this.#follow(service, conversation);
      else this.#closeDeleted();
    } catch (error) {
      if (!(error instanceof UserError)) this.#options.report(error);
      if (isShown()) missing.draw(reason(error));
    }
  }

  #follow(service: ConnectedService, conversation: Conversation) {
    this.#show(
      new ConversationPage({
        ...this.#options,
        service,
        conversation,
        channel: this.#channel,
        attachments: this.#attachments,
        signal: this.#closed.signal,
        putBack: this.putBack,
        editQueued: this.#editQueued,
        notFound: () => {
          this.#closeIfDeleted(service).catch(this.#tellError);
        },
        message: this.#firstEntry,
      }),
    );
  }

  /**
   * Asks the service, because the agent's machine may have lost the events of
   * an existing conversation.
   */
  async #closeIfDeleted(service: ConnectedService) {
    if (this.#isChecking) return;
    this.#isChecking = true;
    try {
      const conversation = await this.#options.switchboard.find(
        this.key,
        this.#closed.signal,
      );
      if (conversation === undefined && this.#service === service)
        this.#closeDeleted();
    } finally {
      this.#isChecking = false;
    }
  }

  /**
   * Closes the page, unless it holds an unsent message, which can still be
   * copied.
   */
  #closeDeleted() {
    const queue = this.#options.switchboard.queuedMessages.of(this.key);
    for (const { id } of queue.toReversed()) this.#editQueued(id);
    const { text, attached } = this.#field;
    const isUnsent =
      text !== '' || attached.length > 0 || this.actions?.isSending;
    if (!isUnsent) this.panel.dispose();
    else this.#showMissing(deletedWords(), undefined, true);
  }

  /**
   * The script of a hidden page ends, and begins again when the page is
   * visible.
   */
  readonly #see = (): void => {
    const { visible } = this.panel;
    if (!visible) this.#channel.end();
    this.#content?.see?.(visible);
  };

  async #handle(message: FromPage) {
    if (isUse(message) || message.type in this.#attachments.handlers)
      this.#options.used();
    const handlers: Partial<Handlers<FromPage, unknown>> = {
      ...this.#content?.handlers,
      ...this.#handlers,
    };
    await handle(handlers, message);
  }

  #begin(anchor: string | undefined) {
    this.#anchor = anchor;
    const channel = this.#channel;
    channel.begin();
    channel.send({
      type: 'start',
      words: pageWords(words),
      language: language(),
      enterSends: setting('conversations.enterSends'),
      draft: this.#field.text,
    });
    channel.send({ type: 'key', key: this.key });
    this.#attachments.draw();
    this.#content?.begin(anchor);
    if (this.#place) channel.send({ type: 'goTo', place: this.#place });
    this.#place = undefined;
  }

  readonly #tellError = (error: unknown): void => {
    if (this.#closed.signal.aborted) return;
    if (!(error instanceof UserError)) this.#options.report(error);
    this.#channel.report(reason(error), 'bad');
  };
}

/**
 * True if the message shows that the user works with the page, so it should
 * stay open.
 */
function isUse(message: FromPage): boolean {
  if (message.type === 'draft') return message.text !== '';
  return ['send', 'create', 'choose', 'answer', 'setConfirmation'].includes(
    message.type,
  );
}
