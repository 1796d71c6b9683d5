import { FollowedConversation } from '../../../state/conversation/followedConversation.ts';
import { Disposable, env, type WebviewPanel, workspace } from 'vscode';
import { systemClock } from '../../../base/clock.ts';
import { t } from '../../../base/l10n.ts';
import { isThisMachine } from '../../../base/loopback.ts';
import { joinParts } from '../../../base/parts.ts';
import type { Handlers } from '../../../protocol/handlers.ts';
import type { FromPage } from '../../../protocol/pageMessages.ts';
import {
  type ConversationKey,
  isConversationKey,
  type Conversation,
  keyOf,
} from '../../../service/model/entities.ts';
import type { AllowedOrigins } from '../../../state/allowedOrigins.ts';
import type { ConnectedService } from '../../../state/connectedService.ts';
import type { ConversationSnapshot } from '../../../state/conversation/conversationModel.ts';
import type { TranscriptEntry } from '../../../state/transcript/transcriptEntry.ts';
import { confirm } from '../../ui/messages.ts';
import { runOwnCommand } from '../../ui/runOwnCommand.ts';
import { titleOf } from '../../words/conversations/conversationWords.ts';
import {
  type DrawingContext,
  lastEventOf,
} from '../../words/conversations/eventWords.ts';
import { canSwitchModel, headOf } from '../../words/conversations/headWords.ts';
import { serviceName } from '../../words/serviceWords.ts';
import {
  type ActionsOptions,
  ConversationActions,
} from './conversationActions.ts';
import { EntryFeed } from './entryFeed.ts';
import type { PageContent, SharedMessage } from './pageContent.ts';
import {
  entryAsMarkdown,
  asMarkdown,
} from '../../words/conversations/asMarkdown.ts';

interface ConversationPageOptions extends ActionsOptions {
  readonly conversation: Conversation;
  readonly allowed: AllowedOrigins;
  readonly notFound: () => void;
  readonly editQueued: (id: number) => void;
  readonly panel: WebviewPanel;
  /** The first message, shown until the events are loaded. */
  readonly message: TranscriptEntry | undefined;
}

type ConversationMessage = Exclude<
  FromPage,
  SharedMessage | { type: 'create' | 'choose' }
>;

export class ConversationPage implements PageContent {
  readonly service: ConnectedService;
  readonly actions: ConversationActions;
  readonly #options: ConversationPageOptions;
  readonly #followed: FollowedConversation;
  readonly #feed: EntryFeed;
  readonly #subscription: Disposable;
  #olderAsked = false;
  readonly handlers: Handlers<ConversationMessage, unknown> = {
    older: () => this.#older(),
    open: ({ id }) => {
      this.#feed.open(id);
    },
    whole: ({ id }) => this.#whole(id),
    find: ({ query }) => {
      this.#feed.find(query);
    },
    answer: (message) => this.actions.answer(message),
    acceptByRule: ({ shown }) => this.actions.acceptByRule(shown),
    send: (message) => this.actions.send(message),
    stop: () => this.actions.stop(),
    setConfirmation: ({ value }) => this.#setConfirmation(value),
    allowOrigin: () => this.#allowOrigin(),
    retry: () => {
      this.#followed.retry();
    },
    openConversation: ({ id }) => {
      if (isConversationKey(id)) this.#options.openConversation(id);
    },
    removeAside: ({ id }) => {
      this.actions.asides.remove(id);
    },
    copyAside: ({ id }) => this.#copyAside(id),
    editQueued: ({ id }) => {
      this.#options.editQueued(id);
    },
    removeQueued: ({ id }) => {
      this.#options.switchboard.queuedMessages.remove(this.#key, id);
    },
    fork: ({ id, isBefore }) => this.#fork(id, isBefore),
    copyEntry: ({ id }) => this.#copyEntry(id),
    run: ({ action }) =>
      action === 'copyAll'
        ? this.#copyAll()
        : runOwnCommand(`switchboard.conversations.${action}`, this.#key),
  };

  constructor(options: ConversationPageOptions) {
    this.#options = options;
    const { service, conversation, channel } = options;
    this.service = service;
    const followed = (this.#followed = service.conversations.follow(
      conversation,
      FollowedConversation,
    ));
    const feed = (this.#feed = new EntryFeed({
      followed,
      send: channel.send,
      clock: systemClock,
      circumstances: () => this.#circumstances,
      empty: () => emptyWords(followed.snapshot),
      placeholder: options.message,
      onSent: () => {
        this.actions.drawPending();
      },
    }));
    this.actions = new ConversationActions(followed, options);
    void options.switchboard.acceptedActions.read();
    this.#subscription = Disposable.from(
      followed.onSnapshot(() => {
        if (isNotFound(followed.snapshot)) options.notFound();
        this.draw();
        if (followed.isEmpty) feed.renew();
      }),
      options.switchboard.limits.onChange(() => {
        this.draw();
      }),
      workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('switchboard.limits')) this.draw();
      }),
    );
  }

  /** Serves a new script, which returns to the entry `anchor`. */
  begin(anchor: string | undefined): void {
    this.actions.forget();
    this.#feed.begin(anchor);
    this.draw();
  }

  /** A hidden page makes no requests. */
  see(visible: boolean): void {
    if (!visible) this.#feed.end();
    this.#followed.setVisible(visible);
  }

  release(): void {
    this.#subscription.dispose();
    this.actions.release();
    this.#feed.release();
    this.#followed.release();
  }

  draw(): void {
    const { switchboard, service, channel, panel } = this.#options;
    panel.title = titleOf(this.conversation);
    if (!channel.isReady) return;
    const head = headOf(this.#followed.snapshot, {
      now: systemClock.now(),
      service: serviceName(switchboard, service.address),
      offered: service.client.service,
      find: (key) => switchboard.conversation(key),
      changedFiles: switchboard.changes.known(this.#key)?.files,
      limit: switchboard.limits.of(this.conversation),
    });
    channel.send({ type: 'head', head });
    this.actions.draw();
  }

  get conversation(): Conversation {
    return this.#followed.snapshot.conversation;
  }

  get #key(): ConversationKey {
    return keyOf(this.conversation);
  }

  get #circumstances(): DrawingContext {
    const { service, switchboard } = this.#options;
    const { acceptedActions } = switchboard;
    return {
      now: systemClock.now(),
      folder: this.conversation.folder,
      ruleOf: (actionId) => acceptedActions.ruleOf(actionId),
      canSwitchModel: canSwitchModel(this.conversation, service.client.service),
    };
  }

  async #setConfirmation(value: string) {
    try {
      await this.actions.setConfirmation(value);
    } finally {
      // The page shows the choice, which may have failed.
      this.#options.channel.forget('head');
      this.draw();
    }
  }

  async #fork(id: string, isBefore: boolean) {
    const entry = this.#feed.entry(id);
    if (entry)
      await runOwnCommand(
        'switchboard.conversations.fork',
        this.#key,
        lastEventOf(entry),
        isBefore,
      );
  }

  async #copyEntry(id: string) {
    const entry = this.#feed.entry(id);
    if (entry)
      await env.clipboard.writeText(
        entryAsMarkdown(entry, this.#circumstances),
      );
  }

  async #copyAside(id: number) {
    await env.clipboard.writeText(this.actions.asides.answerOf(id) ?? '');
    this.#options.channel.report(t('Copied.'), 'good');
  }

  /**
   * The key of a sandbox goes to another origin only after the user has allowed
   * that one.
   */
  async #allowOrigin() {
    const { conversation, abilities } = this.#followed.snapshot;
    const origin = abilities?.origin;
    if (
      origin === undefined ||
      !(await mayAllow(origin, titleOf(conversation)))
    )
      return;
    await this.#options.allowed.allow(conversation.service, origin);
    this.#followed.retry();
  }

  async #older() {
    // Loaded entries are on their way.
    if (this.#feed.hasMore || this.#olderAsked) return;
    const { channel, signal } = this.#options;
    this.#olderAsked = true;
    try {
      if (this.#feed.sendOlder()) return;
      await this.#followed.loadOlder(signal);
      this.#feed.sendOlder();
    } finally {
      this.#olderAsked = false;
      channel.send({ type: 'olderEnded' });
    }
  }

  async #whole(id: string) {
    const { channel, signal } = this.#options;
    const entry = this.#feed.entry(id);
    if (!entry) return;
    const whole = await this.#followed.whole(entry, signal);
    if (whole) this.#feed.setWhole(whole);
    else channel.report(t('The service no longer has this.'), 'attention');
  }

  async #copyAll() {
    const { entries, snapshot } = this.#followed;
    const { conversation, hasOlder } = snapshot;
    await env.clipboard.writeText(
      asMarkdown(titleOf(conversation), entries, this.#circumstances),
    );
    const words = hasOlder
      ? t('Copied the loaded entries. Older ones are not included.')
      : t('Copied.');
    this.#options.channel.report(words, 'good');
  }
}

async function mayAllow(origin: string, title: string): Promise<boolean> {
  const { protocol, hostname } = new URL(origin);
  const isOpen = protocol === 'http:' && !isThisMachine(hostname);
  const detail = joinParts(
    '\n\n',
    t(
      'According to the service, the sandbox of “{0}” is at this address. Anyone who controls this address could then read what its agents do, and steer them.',
      title,
    ),
    isOpen && t('The connection to it is not encrypted.'),
    t('You can undo this in Manage Services.'),
  );
  return await confirm(
    t("Send this service's sandbox keys to {0}?", origin),
    detail,
    t('Allow'),
  );
}

function isNotFound({
  connection: { how, error },
  abilities,
}: ConversationSnapshot): boolean {
  return (
    (how === 'unreachable' && error?.kind === 'notFound') ||
    abilities?.status === 'gone'
  );
}

function emptyWords({ connection: { how } }: ConversationSnapshot): string {
  if (how === 'connecting') return t('Loading the conversation…');
  if (how === 'unreachable')
    return t('The conversation cannot be loaded at the moment.');
  return t('Nothing has happened yet.');
}
