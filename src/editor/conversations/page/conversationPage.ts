import type { TextEditor, Uri, WebviewPanel } from 'vscode';
import { reason, UserError } from '../../../base/errors.ts';
import { language, t, words } from '../../../base/l10n.ts';
import type { PagePlace } from '../../../protocol/drawn.ts';
import { type FromPage, readFromPage } from '../../../protocol/pageMessages.ts';
import { pageWords } from '../../../protocol/pageWords.ts';
import {
  type Conversation,
  partsOfKey,
} from '../../../service/model/entities.ts';
import type { AllowedOrigins } from '../../../state/allowedOrigins.ts';
import type { ConnectedService } from '../../../state/connectedService.ts';
import {
  canChange,
  isFilled,
  type RequestedConversation,
  requestedIdOf,
} from '../../../state/newConversation/requestedConversations.ts';
import type { Switchboard } from '../../../state/switchboard.ts';
import type { TranscriptEntry } from '../../../state/transcript/transcriptEntry.ts';
import { setting } from '../../settings.ts';
import { requestedTitle } from '../../words/conversations/conversationWords.ts';
import {
  deletedWords,
  headWithout,
} from '../../words/conversations/headWords.ts';
import { nameOf } from '../../words/serviceWords.ts';
import { Attachments, isAboutAttachments } from './attachments.ts';
import type { Drafts } from './drafts.ts';
import { FollowedPage } from './followedPage.ts';
import { PageChannel } from './pageChannel.ts';
import { pageHtml } from '../../ui/pageHtml.ts';
import { firstEntry, RequestedPage } from './requestedPage.ts';

interface ConversationPageOptions {
  readonly panel: WebviewPanel;
  readonly key: string;
  /**
   * Undefined for a conversation that must be found first: a restored one, or
   * one that is being created.
   */
  readonly conversation: Conversation | undefined;
  readonly switchboard: Switchboard;
  readonly allowed: AllowedOrigins;
  readonly folder: Uri;
  readonly drafts: Drafts;
  /** Returns the editor that was active last. */
  readonly editor: () => TextEditor | undefined;
  readonly openConversation: (key: string) => void;
  /** Called when the user has written or changed something. */
  readonly used: () => void;
  readonly report: (error: unknown) => void;
}

export class ConversationPage {
  readonly panel: WebviewPanel;
  readonly #options: ConversationPageOptions;
  readonly #channel: PageChannel;
  readonly #attachments: Attachments;
  readonly #closed = new AbortController();
  #key: string;
  /** Set until the conversation exists. */
  #new: RequestedPage | undefined;
  /**
   * True while the message in the field is the first one of the conversation.
   */
  #isWriting = false;
  /** The first message of a conversation that was created here. */
  #message: TranscriptEntry | undefined;
  #followed: FollowedPage | undefined;
  #lookingAt: ConnectedService | undefined;
  #missing = '';
  /** True for a deleted conversation whose page holds an unsent message. */
  #isDeleted = false;
  #isChecking = false;
  #anchor: string | undefined;
  #place: PagePlace | undefined;

  constructor(options: ConversationPageOptions) {
    this.#options = options;
    this.panel = options.panel;
    const { panel, folder, key, conversation, editor } = options;
    this.#key = key;
    this.#channel = new PageChannel(panel.webview);
    this.#attachments = new Attachments(editor, this.#attachmentsChanged);
    const attached = options.drafts.attached(key);
    if (attached.length > 0) this.#attachments.all = attached;
    panel.webview.onDidReceiveMessage((data: unknown) => {
      const message = readFromPage(data);
      if (message) this.#take(message).catch(this.#tellError);
    });
    panel.onDidChangeViewState(this.#see);
    panel.webview.html = pageHtml(panel.webview, folder, key);
    const service = this.#service;
    if (conversation && service) this.#follow(service, conversation);
    else this.renew();
  }

  /** Changes when the conversation that is being created exists. */
  get key(): string {
    return this.#key;
  }

  get conversation(): Conversation | undefined {
    return this.#followed?.conversation;
  }

  /**
   * Answers the actions that were shown in full. Returns false if the page must
   * show them first.
   */
  async answer(accept: boolean): Promise<boolean> {
    return (await this.#followed?.actions.answerShown(accept)) === true;
  }

  get canStop(): boolean {
    return this.#followed?.actions.canStop === true;
  }

  async stop(): Promise<void> {
    await this.#followed?.actions.stop().catch(this.#tellError);
  }

  /** Moves the focus, now or when the page is ready. */
  goTo(place: PagePlace): void {
    if (this.#channel.isReady) this.#channel.send({ type: 'goTo', place });
    else this.#place = place;
  }

  /** Returns false if the page is hidden. */
  tell(words: string): boolean {
    if (!this.panel.visible || !this.#channel.isReady) return false;
    this.#channel.tell(words, 'plain');
    return true;
  }

  dispose(): void {
    const { requested } = this.#options.switchboard;
    if (this.#written && !isFilled(this.#written))
      requested.dismiss(this.#written.id);
    this.#closed.abort();
    this.#channel.end();
    this.#leave();
    this.panel.dispose();
  }

  /** Draws again, after services, their rows or the time have changed. */
  renew(): void {
    if (this.#isDeleted) return;
    const requestedId = requestedIdOf(this.#key);
    if (requestedId !== undefined && !this.#start(requestedId)) return;
    const service = this.#service;
    if (this.#followed && this.#followed.service !== service) this.#leave();
    const listed = service && this.#options.switchboard.conversation(this.#key);
    if (this.#followed) this.#followed.draw();
    else if (listed) this.#follow(service, listed);
    else if (service) void this.#look(service);
    else
      this.#showMissing(
        t(
          '{0} is not connected.',
          nameOf(this.#options.switchboard, this.#address),
        ),
      );
  }

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
    void this.#keepText([text, this.#text].filter(Boolean).join('\n\n'));
    this.#channel.send({ type: 'putBack', text });
  };

  /**
   * Shows the draft, or the progress of the creation. Returns true once the
   * conversation exists.
   */
  #start(id: string): boolean {
    const { switchboard, drafts } = this.#options;
    const key = switchboard.requested.createdAs(id);
    const requested = switchboard.requested.find(id);
    if (requested) {
      this.#message = firstEntry(requested);
      this.#write(requested);
      this.#setTitle(requestedTitle(requested));
      if (this.#new) this.#new.draw(requested);
      else {
        this.#new = new RequestedPage(requested, this.#channel, switchboard);
        if (this.#channel.isReady) this.#new.begin();
      }
      return false;
    }
    if (key === undefined) {
      this.panel.dispose();
      return false;
    }
    const draft = drafts.get(this.#key);
    if (draft !== '') void drafts.set(key, draft);
    void drafts.set(this.#key, '');
    this.#new?.release();
    this.#new = undefined;
    void drafts.setAttached(this.#key, []);
    this.#key = key;
    void drafts.setAttached(key, this.#attachments.all);
    this.#channel.send({ type: 'key', key });
    return true;
  }

  /**
   * Keeps the text and the attachments in step with a draft, or with a request
   * that failed.
   */
  #write(requested: RequestedConversation): void {
    const { id, wanted } = requested;
    const { all } = this.#attachments;
    const wasWriting = this.#isWriting;
    this.#isWriting = canChange(requested);
    if (!this.#isWriting) {
      if (wasWriting) this.#attachments.all = [];
      return;
    }
    if (wasWriting) {
      if (wanted.attached && wanted.attached !== all)
        this.#attachments.all = wanted.attached;
      return;
    }
    // The next message may have been begun while this one was on its way.
    const next = this.#options.drafts.get(this.#key);
    this.#attachments.all = [...(wanted.attached ?? []), ...all].map(
      (attachment, index) => ({
        ...attachment,
        id: index,
      }),
    );
    void this.#options.drafts.setAttached(this.#key, []);
    if (this.#new)
      this.#channel.send({ type: 'putBack', text: wanted.message });
    if (next === '') return;
    void this.#options.drafts.set(this.#key, '');
    this.#options.switchboard.requested.change(id, {
      message: `${wanted.message}\n\n${next}`,
    });
  }

  get #written(): RequestedConversation | undefined {
    const id = this.#isWriting ? requestedIdOf(this.#key) : undefined;
    return this.#options.switchboard.requested.find(id);
  }

  get #text(): string {
    return this.#written?.wanted.message ?? this.#options.drafts.get(this.#key);
  }

  async #keepText(message: string): Promise<void> {
    const { drafts, switchboard } = this.#options;
    if (this.#written)
      switchboard.requested.change(this.#written.id, { message });
    else await drafts.set(this.#key, message);
  }

  readonly #attachmentsChanged = (): void => {
    const { all: attached } = this.#attachments;
    if (this.#written)
      this.#options.switchboard.requested.change(this.#written.id, {
        attached,
      });
    else void this.#options.drafts.setAttached(this.#key, attached);
    this.#sendAttachments();
  };

  readonly #setTitle = (title: string): void => {
    if (this.panel.title !== title) this.panel.title = title;
  };

  get #address(): string {
    return partsOfKey(this.#key).service;
  }

  get #service(): ConnectedService | undefined {
    return this.#options.switchboard.service(this.#address);
  }

  async #look(service: ConnectedService): Promise<void> {
    if (this.#lookingAt === service) return;
    this.#lookingAt = service;
    this.#showMissing('');
    try {
      const { signal } = this.#closed;
      const conversation = await this.#options.switchboard.find(
        this.#key,
        signal,
      );
      if (signal.aborted || this.#followed || service !== this.#service) return;
      if (conversation) this.#follow(service, conversation);
      else this.#closeDeleted();
    } catch (error) {
      if (!(error instanceof UserError)) this.#options.report(error);
      this.#showMissing(reason(error));
    } finally {
      if (this.#lookingAt === service && !this.#missing)
        this.#lookingAt = undefined;
    }
  }

  #follow(service: ConnectedService, conversation: Conversation): void {
    const channel = this.#channel;
    this.#missing = '';
    this.#followed = new FollowedPage({
      ...this.#options,
      service,
      conversation,
      channel,
      attachments: this.#attachments,
      signal: this.#closed.signal,
      putBack: this.putBack,
      notFound: () => {
        this.#closeIfDeleted(service).catch(this.#tellError);
      },
      title: this.#setTitle,
      message: this.#message,
    });
    if (channel.isReady) this.#followed.begin(this.#anchor);
    this.#see();
    this.#followed.draw();
  }

  #leave(): void {
    this.#new?.release();
    this.#followed?.release();
    this.#followed = undefined;
    this.#lookingAt = undefined;
  }

  /**
   * Asks the service, because the agent's machine may have lost the events of
   * an existing conversation.
   */
  async #closeIfDeleted(service: ConnectedService): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    try {
      const { switchboard } = this.#options;
      const conversation = await switchboard.find(
        this.#key,
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
  #closeDeleted(): void {
    const { drafts } = this.#options;
    const isUnsent =
      drafts.get(this.#key) !== '' ||
      this.#attachments.all.length > 0 ||
      this.#followed?.actions.isSending;
    if (!isUnsent) {
      this.panel.dispose();
      return;
    }
    this.#isDeleted = true;
    this.#leave();
    this.#showMissing(deletedWords());
  }

  /**
   * The script of a hidden page ends, and begins again when the page is
   * visible.
   */
  readonly #see = (): void => {
    const { visible } = this.panel;
    if (!visible) this.#channel.end();
    this.#followed?.see(visible);
  };

  async #take(message: FromPage): Promise<void> {
    const { report, used } = this.#options;
    if (isUse(message)) used();
    if (message.type === 'ready') this.#begin(message.anchor);
    else if (message.type === 'draft') await this.#keepText(message.text);
    else if (message.type === 'lookAt') this.#showAttached(message.id);
    else if (isAboutAttachments(message))
      await this.attach((attachments) => attachments.take(message));
    else if (this.#new) await this.#new.take(message);
    else if (message.type === 'create' || message.type === 'choose') return;
    else if (this.#followed) await this.#followed.take(message);
    else if (message.type === 'retry') {
      this.#lookingAt = undefined;
      this.renew();
    } else if (!this.#isDeleted)
      report(
        new Error(`The page said "${message.type}" without a conversation.`),
      );
  }

  #begin(anchor: string | undefined): void {
    this.#anchor = anchor;
    const channel = this.#channel;
    channel.begin();
    channel.send({
      type: 'start',
      words: pageWords(words),
      language: language(),
      enterSends: setting('conversations.enterSends'),
      draft: this.#text,
    });
    channel.send({ type: 'key', key: this.#key });
    this.#sendAttachments();
    if (this.#followed) this.#followed.begin(anchor);
    else if (this.#new) this.#new.begin();
    else this.#showMissing(this.#missing);
    if (this.#place) channel.send({ type: 'goTo', place: this.#place });
    this.#place = undefined;
  }

  #showMissing(why: string): void {
    this.#missing = why;
    if (this.#followed) return;
    const { send } = this.#channel;
    const head = headWithout(this.panel.title, why, this.#isDeleted);
    send({ type: 'head', head });
    send({
      type: 'input',
      input: { ways: [], obstacle: why === '' ? t('Loading…') : why },
    });
    send({ type: 'waiting', waiting: undefined });
    send({ type: 'pending', entries: [] });
  }

  #showAttached(id: number): void {
    const content = this.#attachments.content(id);
    if (content) this.#channel.send({ type: 'attached', id, content });
  }

  readonly #sendAttachments = (): void => {
    this.#channel.send({
      type: 'attachments',
      attachments: this.#attachments.drawn,
    });
  };

  readonly #tellError = (error: unknown): void => {
    if (this.#closed.signal.aborted) return;
    if (!(error instanceof UserError)) this.#options.report(error);
    this.#channel.tell(reason(error), 'bad');
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
