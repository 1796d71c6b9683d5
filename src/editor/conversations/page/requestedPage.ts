import { commands, env } from 'vscode';
import { systemClock } from '../../../base/clock.ts';
import type { FromPage } from '../../../protocol/pageMessages.ts';
import { shownMessage } from '../../../service/model/newMessage.ts';
import {
  canChange,
  type RequestedConversation,
} from '../../../state/newConversation/requestedConversations.ts';
import type { Switchboard } from '../../../state/switchboard.ts';
import type { TranscriptEntry } from '../../../state/transcript/transcriptEntry.ts';
import type { CommandId } from '../../manifest.ts';
import { entryAsMarkdown } from '../../words/conversations/asMarkdown.ts';
import type { DrawingContext } from '../../words/conversations/eventWords.ts';
import { headOfRequested } from '../../words/conversations/headWords.ts';
import { inputOfRequested } from '../../words/conversations/requestedWords.ts';
import { EntryFeed } from './entryFeed.ts';
import type { PageChannel } from './pageChannel.ts';

const command: CommandId = 'switchboard.conversations.new';

export class RequestedPage {
  readonly #channel: PageChannel;
  readonly #switchboard: Switchboard;
  readonly #feed: EntryFeed;
  #requested: RequestedConversation;

  constructor(
    requested: RequestedConversation,
    channel: PageChannel,
    switchboard: Switchboard,
  ) {
    this.#requested = requested;
    this.#channel = channel;
    this.#switchboard = switchboard;
    const entries = () =>
      canChange(this.#requested) ? [] : [firstEntry(this.#requested)];
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
      send: channel.send,
      clock: systemClock,
      circumstances,
      empty: () => undefined,
    });
  }

  begin(): void {
    this.#feed.begin(undefined);
    this.draw(this.#requested);
    this.#tellFailure();
  }

  release(): void {
    this.#feed.release();
  }

  draw(requested: RequestedConversation): void {
    const before = this.#requested;
    this.#requested = requested;
    const { send, isReady } = this.#channel;
    if (isReady && canChange(before) !== canChange(requested))
      this.#feed.begin(undefined);
    send({ type: 'head', head: headOfRequested(requested) });
    send({
      type: 'input',
      input: inputOfRequested(requested, this.#switchboard),
    });
    send({ type: 'waiting', waiting: undefined });
    if (before.error !== requested.error) this.#tellFailure();
  }

  async take(message: FromPage): Promise<void> {
    const { id } = this.#requested;
    if (message.type === 'create') {
      this.#switchboard.requested.change(id, { message: message.text });
      await commands.executeCommand(command, id, 'create');
    } else if (message.type === 'choose')
      await commands.executeCommand(command, id, message.name);
    else if (message.type === 'run' && message.action === 'cancelNew')
      await commands.executeCommand(
        'switchboard.conversations.cancelNew' satisfies CommandId,
        id,
      );
    else if (message.type === 'find') this.#feed.find(message.query);
    else if (message.type === 'copyEntry')
      await env.clipboard.writeText(
        entryAsMarkdown(firstEntry(this.#requested), circumstances()),
      );
  }

  #tellFailure(): void {
    const { error, cancelled } = this.#requested;
    if (error !== undefined)
      this.#channel.tell(error, cancelled ? 'plain' : 'bad');
  }
}

function circumstances(): DrawingContext {
  return { now: systemClock.now() };
}

export function firstEntry({
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
