import { type Disposable, env, type WebviewPanel, workspace } from 'vscode';
import { systemClock } from '../../../base/clock.ts';
import { shownMessage } from '../../../service/model/newMessage.ts';
import {
  canChange,
  isFilled,
  type RequestedConversation,
} from '../../../state/newConversation/requestedConversations.ts';
import type { Switchboard } from '../../../state/switchboard.ts';
import type { TranscriptEntry } from '../../../state/transcript/transcriptEntry.ts';
import { approvalRules } from '../../approvals/ruleSettings.ts';
import { entryAsMarkdown } from '../../words/conversations/asMarkdown.ts';
import type { DrawingContext } from '../../words/conversations/eventWords.ts';
import { requestedTitle } from '../../words/conversations/conversationWords.ts';
import { headOfRequested } from '../../words/conversations/headWords.ts';
import { inputOfRequested } from '../../words/conversations/requestedWords.ts';
import type { DraftActions } from '../new/draftActions.ts';
import type { Attachments } from './attachments.ts';
import { EntryFeed } from './entryFeed.ts';
import type { MessageField } from './messageField.ts';
import type { PageChannel } from './pageChannel.ts';
import type { PageContent } from './pageContent.ts';

interface DraftPageOptions {
  readonly switchboard: Switchboard;
  readonly draftActions: DraftActions;
  readonly channel: PageChannel;
  readonly field: MessageField;
  readonly attachments: Attachments;
  readonly panel: WebviewPanel;
}

/** A draft, or the progress of a request. */
export class DraftPage implements PageContent {
  readonly #options: DraftPageOptions;
  readonly #feed: EntryFeed;
  readonly #rulesChanged: Disposable;
  #requested: RequestedConversation;
  readonly handlers: PageContent['handlers'] = {
    create: async ({ text: message }) => {
      const { switchboard, draftActions } = this.#options;
      switchboard.requested.change(this.#requested.id, { message });
      await draftActions.create(this.#requested);
    },
    choose: ({ name }) =>
      this.#options.draftActions.choose(this.#requested, name),
    run: ({ action }) => {
      if (action === 'cancelNew')
        this.#options.draftActions.cancel(this.#requested);
    },
    find: ({ query }) => {
      this.#feed.find(query);
    },
    copyEntry: () =>
      env.clipboard.writeText(
        entryAsMarkdown(this.firstEntry, circumstances()),
      ),
  };

  constructor(requested: RequestedConversation, options: DraftPageOptions) {
    this.#requested = requested;
    this.#options = options;
    const entries = () => (canChange(this.#requested) ? [] : [this.firstEntry]);
    this.#feed = new EntryFeed({
      followed: {
        get entries() {
          return entries();
        },
        get isEmpty() {
          return entries().length === 0;
        },
        snapshot: { hasOlder: false },
        onEntries: () => ({ dispose: () => undefined }),
      },
      send: options.channel.send,
      clock: systemClock,
      circumstances,
      empty: () => undefined,
    });
    this.#rulesChanged = workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('switchboard.approval')) this.draw();
    });
  }

  get firstEntry(): TranscriptEntry {
    return firstEntry(this.#requested);
  }

  begin(): void {
    this.#feed.begin(undefined);
    this.draw();
    this.#reportFailure();
  }

  /** Discards an empty draft. */
  release(): void {
    this.#feed.release();
    this.#rulesChanged.dispose();
    const { requested } = this.#options.switchboard;
    const { id } = this.#requested;
    const request = requested.find(id);
    if (request && !isFilled(request)) requested.dismiss(id);
  }

  draw(requested = this.#requested): void {
    const before = this.#requested;
    this.#requested = requested;
    const { switchboard, channel, field, attachments, panel } = this.#options;
    const { send, isReady } = channel;
    const isSwitched = canChange(before) !== canChange(requested);
    if (isSwitched && canChange(requested))
      send({ type: 'putBack', text: requested.wanted.message });
    // Draws again if there is a next message.
    field.joinNext();
    if (isSwitched || before.wanted.attached !== requested.wanted.attached)
      attachments.draw();
    panel.title = requestedTitle(this.#requested);
    if (isReady && isSwitched) this.#feed.begin(undefined);
    send({ type: 'head', head: headOfRequested(this.#requested) });
    send({
      type: 'input',
      input: inputOfRequested(
        this.#requested,
        switchboard,
        approvalRules().ask,
      ),
    });
    send({ type: 'waiting', waiting: undefined });
    if (before.error !== requested.error) this.#reportFailure();
  }

  #reportFailure() {
    const { error, cancelled } = this.#requested;
    if (error !== undefined)
      this.#options.channel.report(error, cancelled ? 'plain' : 'bad');
  }
}

function circumstances(): DrawingContext {
  return { now: systemClock.now() };
}

function firstEntry({
  id,
  wanted,
  begunAt,
}: RequestedConversation): TranscriptEntry {
  const { text, pictures: images } = shownMessage({
    text: wanted.message,
    attached: wanted.attached,
  });
  return {
    kind: 'message',
    id,
    at: begunAt,
    role: 'user',
    text,
    reasoning: undefined,
    images,
  };
}
