/** The page of one conversation: what happened in it, what it waits for, and what one writes to it. */
import { env, type TextEditor, type Uri, type WebviewPanel } from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { reason, UserError } from '../../base/errors.ts';
import { language, t } from '../../base/l10n.ts';
import type { PagePlace, Tone } from '../../protocol/drawn.ts';
import type { FromPage, ToPage } from '../../protocol/messages.ts';
import type { Conversation } from '../../service/entities.ts';
import type { ConnectedService } from '../../state/connectedService.ts';
import type { FollowedConversation } from '../../state/followedConversation.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import type { CommandId } from '../manifest.ts';
import { setting } from '../settings.ts';
import { asMarkdown, entryAsMarkdown } from '../words/asMarkdown.ts';
import { titleOf } from '../words/conversationWords.ts';
import type { Circumstances } from '../words/eventWords.ts';
import { headOf, headWithout } from '../words/headWords.ts';
import { pageWords } from '../words/pageWords.ts';
import { nameOf, serviceName } from '../words/serviceWords.ts';
import { Acting } from './acting.ts';
import { Attachments, notText } from './attachments.ts';
import type { Drafts } from './drafts.ts';
import { EntryFeed } from './entryFeed.ts';
import { readFromPage } from './fromPage.ts';
import { openWebAddress } from './openWebAddress.ts';
import { pageHtml } from './pageHtml.ts';
import { follow } from '../../state/agents.ts';

interface ConversationPageOptions {
  readonly panel: WebviewPanel;
  readonly key: string;
  /** Undefined for one that is restored, which has to be found first. */
  readonly conversation: Conversation | undefined;
  readonly switchboard: Switchboard;
  readonly folder: Uri;
  readonly drafts: Drafts;
  /** What was edited last. */
  readonly editor: () => TextEditor | undefined;
  readonly run: (command: CommandId, ...args: readonly string[]) => PromiseLike<unknown>;
  /** Takes what nobody expects. */
  readonly report: (error: unknown) => void;
}

/** What there is while the conversation is followed. */
interface Following {
  readonly service: ConnectedService;
  readonly followed: FollowedConversation;
  readonly feed: EntryFeed;
  readonly acting: Acting;
  readonly stop: () => void;
}

/** Messages that say how it is, and not what has happened. */
const states: ReadonlySet<ToPage['type']> = new Set(['head', 'waiting', 'input', 'attachments']);

export class ConversationPage {
  readonly #options: ConversationPageOptions;
  readonly #attachments = new Attachments();
  readonly #closed = new AbortController();
  #following: Following | undefined;
  /** The service at which it is being looked for. */
  #lookingAt: ConnectedService | undefined;
  /** Why there is nothing to follow. */
  #missing = '';
  /** Whether the script of the page runs. */
  #isReady = false;
  #anchor: string | undefined;
  #olderAsked = false;
  /** What the keyboard is wanted at, as soon as the page is there. */
  #place: PagePlace | undefined;
  /** What the page was told last, so that it is not told again. */
  readonly #told = new Map<ToPage['type'], string>();

  constructor(options: ConversationPageOptions) {
    this.#options = options;
    const { panel, folder, key, conversation } = options;
    panel.webview.onDidReceiveMessage((given: unknown) => {
      const message = readFromPage(given);
      if (message) this.#take(message).catch(this.#tellError);
    });
    panel.onDidChangeViewState(() => {
      this.#see();
    });
    panel.webview.html = pageHtml(panel.webview, folder, key);
    const service = this.#service;
    if (conversation && service) this.#follow(service, conversation);
    else this.renew();
  }

  reveal(): void {
    this.#options.panel.reveal();
  }

  /** Once the page is there. */
  goTo(place: PagePlace): void {
    if (this.#isReady) this.#send({ type: 'goTo', place });
    else this.#place = place;
  }

  dispose(): void {
    this.#closed.abort();
    this.#leave();
    this.#options.panel.dispose();
  }

  /** Something beside its events is different: the services, their rows, or the time. */
  renew(): void {
    const service = this.#service;
    if (this.#following && this.#following.service !== service) this.#leave();
    if (this.#following) this.#drawState();
    else if (service) void this.#look(service);
    else this.#showMissing(t('{0} is not connected.', nameOf(this.#options.switchboard, this.#address)));
  }

  async attach(what: 'file' | 'selection'): Promise<void> {
    try {
      if (what === 'file') await this.#attachments.choose();
      else this.#attachments.addSelection(this.#options.editor());
    } catch (error) {
      this.#tellError(error);
    }
    this.#sendAttachments();
  }

  get #address(): string {
    const { key } = this.#options;
    return key.slice(0, key.lastIndexOf(' '));
  }

  get #service(): ConnectedService | undefined {
    return this.#options.switchboard.service(this.#address);
  }

  async #look(service: ConnectedService): Promise<void> {
    if (this.#lookingAt === service) return;
    this.#lookingAt = service;
    this.#showMissing('');
    const { key, switchboard } = this.#options;
    try {
      const listed = switchboard.conversation(key);
      const id = key.slice(key.lastIndexOf(' ') + 1);
      const { signal } = this.#closed;
      const found =
        listed ?? (await (await service.client.recognise({ signal })).conversations.find(id, { signal }));
      if (signal.aborted || this.#following || service !== this.#service) return;
      if (found) this.#follow(service, found);
      else this.#showMissing(t('The service does not have this conversation any more.'));
    } catch (error) {
      if (!(error instanceof UserError)) this.#options.report(error);
      this.#showMissing(reason(error));
    } finally {
      if (this.#lookingAt === service && !this.#missing) this.#lookingAt = undefined;
    }
  }

  #follow(service: ConnectedService, conversation: Conversation): void {
    const followed = follow(service, conversation);
    const send = (message: ToPage) => {
      this.#send(message);
    };
    const feed = new EntryFeed({
      followed,
      send,
      circumstances: () => this.#circumstances,
      empty: () => this.#emptyWords(followed),
    });
    const acting: Acting = new Acting({
      service,
      followed,
      send,
      attachments: this.#attachments,
      switchboard: this.#options.switchboard,
      signal: this.#closed.signal,
      run: this.#options.run,
      redraw: () => {
        this.#told.delete('head');
        this.#drawState();
      },
      sent: (text) => {
        void this.#options.drafts.set(this.#options.key, '');
        this.#send({ type: 'sent', text });
        this.#sendAttachments();
      },
    });
    const stop = followed.onState(() => {
      this.#drawState();
      if (followed.entries.length === 0) feed.renew();
    });
    this.#following = { service, followed, feed, acting, stop };
    this.#missing = '';
    if (this.#isReady) feed.begin(this.#anchor);
    this.#see();
    this.#drawState();
  }

  #leave(): void {
    const { followed, feed, acting, stop } = this.#following ?? {};
    this.#following = undefined;
    this.#lookingAt = undefined;
    stop?.();
    acting?.release();
    feed?.release();
    followed?.release();
  }

  /** Nothing is asked for while the page is not seen. Its script ends then, and begins again. */
  #see(): void {
    const { visible } = this.#options.panel;
    if (!visible) {
      this.#isReady = false;
      this.#following?.feed.end();
    }
    if (this.#following) this.#following.followed.visible = visible;
  }

  async #take(message: FromPage): Promise<void> {
    if (message.type === 'ready') {
      this.#begin(message.anchor);
      return;
    }
    const { key, drafts, report } = this.#options;
    if (message.type === 'draft') {
      await drafts.set(key, message.text);
      return;
    }
    if (message.type === 'retry' && !this.#following) {
      this.#lookingAt = undefined;
      this.renew();
      return;
    }
    if (this.#following) await this.#takeFollowing(message, this.#following);
    else report(new Error(`The page said "${message.type}" without a conversation.`));
  }

  async #takeFollowing(message: FromPage, { followed, feed, acting }: Following): Promise<void> {
    const { key, run } = this.#options;
    switch (message.type) {
      case 'ready':
      case 'draft':
        return;
      case 'older':
        await this.#older(followed, feed);
        return;
      case 'open':
        feed.open(message.id);
        return;
      case 'close':
        feed.close(message.id);
        return;
      case 'whole':
        await this.#whole(message.id, followed, feed);
        return;
      case 'find':
        feed.find(message.query);
        return;
      case 'answer':
        await acting.answer(message);
        return;
      case 'send':
        await acting.send(message);
        return;
      case 'stop':
        await acting.stop();
        return;
      case 'setConfirmation':
        await acting.setConfirmation(message.value);
        return;
      case 'retry':
        followed.retry();
        return;
      case 'openLink':
        await openWebAddress(message.address);
        return;
      case 'openConversation':
        await run('switchboard.conversations.showDetails', message.id);
        return;
      case 'copyEntry': {
        const entry = feed.entry(message.id);
        if (entry) await env.clipboard.writeText(entryAsMarkdown(entry, this.#circumstances));
        return;
      }
      case 'run':
        if (message.action === 'copyAll') {
          const { entries, conversation } = followed;
          await env.clipboard.writeText(asMarkdown(titleOf(conversation), entries, this.#circumstances));
          this.#tell(
            followed.hasOlder
              ? t('Copied what is loaded. There are older ones, which are not.')
              : t('Copied.'),
            'good',
          );
        } else await run(`switchboard.conversations.${message.action}`, key);
        return;
      case 'attach':
        await this.attach(message.what);
        return;
      case 'attachDropped':
      case 'attachPicture':
      case 'attachText':
      case 'cannotAttach':
      case 'detach':
        await this.#attachGiven(message);
        return;
    }
  }

  async #attachGiven(
    message: Extract<
      FromPage,
      { type: 'attachDropped' | 'attachPicture' | 'attachText' | 'cannotAttach' | 'detach' }
    >,
  ): Promise<void> {
    try {
      if (message.type === 'attachDropped') await this.#attachments.addDropped(message.addresses);
      else if (message.type === 'attachText') this.#attachments.addText(message.name, message.text);
      else if (message.type === 'detach') this.#attachments.remove(message.id);
      else if (message.type === 'cannotAttach') throw notText(message.name);
      else this.#attachments.addPicture(message.name, message.mediaType, message.base64);
    } finally {
      this.#sendAttachments();
    }
  }

  #begin(anchor: string | undefined): void {
    this.#isReady = true;
    this.#told.clear();
    this.#anchor = anchor;
    const { drafts, key } = this.#options;
    this.#send({
      type: 'start',
      words: pageWords(),
      language: language(),
      enterSends: setting('conversations.enterSends'),
      draft: drafts.get(key),
    });
    this.#sendAttachments();
    const { feed, acting } = this.#following ?? {};
    acting?.forget();
    feed?.begin(anchor);
    if (feed) this.#drawState();
    else this.#showMissing(this.#missing);
    if (this.#place) this.#send({ type: 'goTo', place: this.#place });
    this.#place = undefined;
  }

  async #older(followed: FollowedConversation, feed: EntryFeed): Promise<void> {
    // What is loaded is on its way.
    if (feed.hasMore || this.#olderAsked) return;
    this.#olderAsked = true;
    try {
      if (followed.hasOlder) await followed.loadOlder(this.#closed.signal);
    } finally {
      this.#olderAsked = false;
      this.#send({ type: 'olderEnded' });
    }
  }

  async #whole(id: string, followed: FollowedConversation, feed: EntryFeed): Promise<void> {
    const entry = feed.entry(id);
    if (!entry) return;
    const outcome = entry.kind === 'action' && entry.outcome?.kind === 'result' ? entry.outcome : undefined;
    const ids = [entry.id, ...(outcome?.leftOut === undefined ? [] : [outcome.id])];
    for (const each of ids) {
      const whole = await followed.whole(each, this.#closed.signal);
      if (whole) feed.setWhole(whole);
      else this.#tell(t('The service does not have this any more.'), 'attention');
    }
  }

  #drawState(): void {
    if (!this.#following || !this.#isReady) {
      this.#title();
      return;
    }
    const { switchboard } = this.#options;
    const { service, followed, acting } = this.#following;
    const head = headOf(followed, {
      now: systemClock.now(),
      service: serviceName(switchboard, service.address),
      abilities: service.client.service,
    });
    this.#send({ type: 'head', head });
    acting.draw();
    this.#title();
  }

  #title(): void {
    const { panel } = this.#options;
    const title = this.#following && titleOf(this.#following.followed.conversation);
    if (title !== undefined && panel.title !== title) panel.title = title;
  }

  #showMissing(why: string): void {
    this.#missing = why;
    if (!this.#isReady || this.#following) return;
    const { panel } = this.#options;
    this.#send({ type: 'head', head: headWithout(panel.title, why, why !== '') });
    this.#send({ type: 'input', input: { ways: [], obstacle: why === '' ? t('Looking for it …') : why } });
    this.#send({ type: 'waiting', waiting: undefined });
  }

  get #circumstances(): Circumstances {
    const { confirmation, conversation } = this.#following?.followed ?? {};
    return { now: systemClock.now(), confirmation, folder: conversation?.folder };
  }

  #emptyWords({ connection: { how } }: FollowedConversation): string {
    if (how === 'connecting') return t('Loading what happened …');
    if (how === 'unreachable') return t('What happened cannot be loaded at the moment.');
    return t('Nothing has happened yet.');
  }

  #sendAttachments(): void {
    this.#send({ type: 'attachments', attachments: this.#attachments.drawn });
  }

  #tell(text: string, tone: Tone): void {
    this.#send({ type: 'told', text, tone });
  }

  readonly #tellError = (error: unknown): void => {
    if (this.#closed.signal.aborted) return;
    if (!(error instanceof UserError)) this.#options.report(error);
    this.#tell(reason(error), 'bad');
  };

  #send(message: ToPage): void {
    if (!this.#isReady) return;
    if (states.has(message.type)) {
      const said = JSON.stringify(message);
      if (this.#told.get(message.type) === said) return;
      this.#told.set(message.type, said);
    }
    void this.#options.panel.webview.postMessage(message);
  }
}
