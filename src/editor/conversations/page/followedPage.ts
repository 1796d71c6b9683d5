/** The page of a conversation while it is followed: draws it, and does what the user does there. */
import { env } from 'vscode';
import { systemClock } from '../../../base/clock.ts';
import { t } from '../../../base/l10n.ts';
import { isThisMachine } from '../../../base/loopback.ts';
import type { FromPage } from '../../../protocol/pageMessages.ts';
import { type Conversation, keyOf } from '../../../service/entities.ts';
import type { AllowedOrigins } from '../../../state/allowedOrigins.ts';
import type { ConnectedService } from '../../../state/connectedService.ts';
import type {
  ConversationModel,
  ConversationSnapshot,
} from '../../../state/conversation/conversationModel.ts';
import type { TranscriptEntry } from '../../../state/transcript/transcriptEntry.ts';
import { confirm } from '../../ui/messages.ts';
import type { CommandId } from '../../manifest.ts';
import { titleOf } from '../../words/conversations/conversationWords.ts';
import type { DrawingContext } from '../../words/conversations/eventWords.ts';
import { headOf } from '../../words/conversations/headWords.ts';
import { serviceName } from '../../words/serviceWords.ts';
import type { Subscription } from '../../../base/event.ts';
import { type ActionsOptions, ConversationActions } from './conversationActions.ts';
import type { AttachmentMessage } from './attachments.ts';
import { EntryFeed } from './entryFeed.ts';
import { openWebAddress } from '../../ui/openLink.ts';
import { entryAsMarkdown, asMarkdown } from '../../words/conversations/asMarkdown.ts';

interface FollowedPageOptions extends ActionsOptions {
  readonly conversation: Conversation;
  readonly allowed: AllowedOrigins;
  readonly run: (command: CommandId, ...args: readonly string[]) => PromiseLike<unknown>;
  /** The conversation is not found where it is followed. */
  readonly notFound: () => void;
  /** Opens a conversation by its key: it may not be listed. */
  readonly openConversation: (key: string) => void;
  readonly title: (title: string) => void;
  /** The message that it was created with, until its events are read. */
  readonly message: TranscriptEntry | undefined;
}

type FollowedMessage = Exclude<FromPage, { type: 'ready' | 'draft' } | AttachmentMessage>;

export class FollowedPage {
  readonly service: ConnectedService;
  readonly #options: FollowedPageOptions;
  readonly #followed: ConversationModel;
  readonly #feed: EntryFeed;
  readonly #actions: ConversationActions;
  readonly #subscription: Subscription;
  #olderAsked = false;

  constructor(options: FollowedPageOptions) {
    this.#options = options;
    const { service, conversation, channel } = options;
    this.service = service;
    const followed = (this.#followed = service.conversations.follow(conversation));
    const feed = (this.#feed = new EntryFeed({
      followed,
      send: channel.send,
      clock: systemClock,
      circumstances: () => this.#circumstances,
      empty: () => emptyWords(followed.snapshot),
      placeholder: options.message,
      onSent: () => {
        this.#actions.drawPending();
      },
    }));
    this.#actions = new ConversationActions(followed, options);
    this.#subscription = followed.onSnapshot(() => {
      if (isNotFound(followed.snapshot)) options.notFound();
      this.draw();
      if (followed.isEmpty) feed.renew();
    });
  }

  /** The script of the page runs, and knows nothing. It wants to show this entry again. */
  begin(anchor: string | undefined): void {
    this.#actions.forget();
    this.#feed.begin(anchor);
    this.draw();
  }

  /** Nothing is asked for while the page is not seen. */
  see(visible: boolean): void {
    if (!visible) this.#feed.end();
    this.#followed.visible = visible;
  }

  get isSending(): boolean {
    return this.#actions.isSending;
  }

  get canStop(): boolean {
    return this.#actions.canStop;
  }

  async stop(): Promise<void> {
    await this.#actions.stop();
  }

  release(): void {
    this.#subscription.dispose();
    this.#actions.release();
    this.#feed.release();
    this.#followed.release();
  }

  /** Everything but what happened. */
  draw(): void {
    const { switchboard, service, channel, title } = this.#options;
    title(titleOf(this.conversation));
    if (!channel.isReady) return;
    const head = headOf(this.#followed.snapshot, {
      now: systemClock.now(),
      service: serviceName(switchboard, service.address),
      offered: service.client.service,
      find: (key) => switchboard.conversation(key),
      changedFiles: switchboard.changes.known(this.#key)?.files.length,
    });
    channel.send({ type: 'head', head });
    this.#actions.draw();
  }

  get conversation(): Conversation {
    return this.#followed.snapshot.conversation;
  }

  /** Answers what has been shown in full. False if it must be seen first. */
  answer(accept: boolean): Promise<boolean> {
    return this.#actions.answerShown(accept);
  }

  async take(message: FollowedMessage): Promise<void> {
    const feed = this.#feed;
    const actions = this.#actions;
    switch (message.type) {
      case 'older':
        await this.#older();
        return;
      case 'open':
        feed.open(message.id);
        return;
      case 'whole':
        await this.#whole(message.id);
        return;
      case 'find':
        feed.find(message.query);
        return;
      case 'answer':
        await actions.answer(message);
        return;
      case 'send':
        await actions.send(message);
        return;
      case 'stop':
        await actions.stop();
        return;
      case 'setConfirmation':
        try {
          await actions.setConfirmation(message.value);
        } finally {
          // The page shows what was chosen, until it is told what it is.
          this.#options.channel.forget('head');
          this.draw();
        }
        return;
      case 'allowOrigin':
        await this.#allowOrigin();
        return;
      case 'retry':
        this.#followed.retry();
        return;
      case 'openLink':
        await openWebAddress(message.address);
        return;
      case 'openConversation':
        this.#options.openConversation(message.id);
        return;
      case 'copyEntry': {
        const entry = feed.entry(message.id);
        if (!entry) return;
        await env.clipboard.writeText(entryAsMarkdown(entry, this.#circumstances));
        return;
      }
      case 'run':
        if (message.action === 'copyAll') await this.#copyAll();
        else await this.#options.run(`switchboard.conversations.${message.action}`, this.#key);
        return;
    }
  }

  get #key(): string {
    return keyOf(this.conversation);
  }

  get #circumstances(): DrawingContext {
    const { confirmation, conversation } = this.#followed.snapshot;
    return { now: systemClock.now(), confirmation, folder: conversation.folder };
  }

  /** The key of a sandbox goes to another origin only after a person has allowed exactly that one. */
  async #allowOrigin(): Promise<void> {
    const { conversation, abilities } = this.#followed.snapshot;
    const origin = abilities?.origin;
    if (origin === undefined || !(await mayAllow(origin, titleOf(conversation)))) return;
    await this.#options.allowed.allow(conversation.service, origin);
    this.#followed.retry();
  }

  async #older(): Promise<void> {
    // Loaded entries are on their way.
    if (this.#feed.hasMore || this.#olderAsked) return;
    const { channel, signal } = this.#options;
    this.#olderAsked = true;
    try {
      await this.#followed.loadOlder(signal);
    } finally {
      this.#olderAsked = false;
      channel.send({ type: 'olderEnded' });
    }
  }

  async #whole(id: string): Promise<void> {
    const { channel, signal } = this.#options;
    const entry = this.#feed.entry(id);
    if (!entry) return;
    const outcome = entry.kind === 'action' && entry.outcome?.kind === 'result' ? entry.outcome : undefined;
    const ids = [entry.id, ...(outcome?.leftOut === undefined ? [] : [outcome.id])];
    for (const each of ids) {
      const whole = await this.#followed.whole(each, signal);
      if (whole) this.#feed.setWhole(whole);
      else channel.tell(t('The service does not have this any more.'), 'attention');
    }
  }

  async #copyAll(): Promise<void> {
    const { entries, snapshot } = this.#followed;
    const { conversation, hasOlder } = snapshot;
    await env.clipboard.writeText(asMarkdown(titleOf(conversation), entries, this.#circumstances));
    const words = hasOlder ? t('Copied what is loaded. Older entries are not included.') : t('Copied.');
    this.#options.channel.tell(words, 'good');
  }
}

async function mayAllow(origin: string, title: string): Promise<boolean> {
  const { protocol, hostname } = new URL(origin);
  const isOpen = protocol === 'http:' && !isThisMachine(hostname);
  const detail = [
    t(
      'The service says that the sandbox of “{0}” is there. Whoever runs what answers there could then read what its agents do, and steer them.',
      title,
    ),
    ...(isOpen ? [t('The connection to it is not encrypted.')] : []),
    t('You can take this back in Manage Services.'),
  ];
  const question = t('Send the keys of sandboxes of this service to {0}?', origin);
  return await confirm(question, detail.join('\n\n'), t('Allow'));
}

function isNotFound({ connection: { how, error }, abilities }: ConversationSnapshot): boolean {
  return (how === 'unreachable' && error?.kind === 'notFound') || abilities?.status === 'gone';
}

function emptyWords({ connection: { how } }: ConversationSnapshot): string {
  if (how === 'connecting') return t('Loading what happened…');
  if (how === 'unreachable') return t('What happened cannot be loaded at the moment.');
  return t('Nothing has happened yet.');
}
