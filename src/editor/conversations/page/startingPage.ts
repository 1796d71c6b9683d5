/** The page of a conversation that is being created, or could not be created. */
import { commands, env } from 'vscode';
import { systemClock } from '../../../base/clock.ts';
import { t } from '../../../base/l10n.ts';
import type { FromPage } from '../../../protocol/pageMessages.ts';
import type { RequestedConversation } from '../../../state/newConversation/requestedConversations.ts';
import type { TranscriptEntry } from '../../../state/transcript/transcriptEntry.ts';
import type { CommandId } from '../../manifest.ts';
import { entryAsMarkdown } from '../../words/conversations/asMarkdown.ts';
import { requestedTitle } from '../../words/conversations/conversationWords.ts';
import type { DrawingContext } from '../../words/conversations/eventWords.ts';
import { headOfRequested } from '../../words/conversations/headWords.ts';
import { EntryFeed } from './entryFeed.ts';
import type { PageChannel } from './pageChannel.ts';

export class StartingPage {
  readonly #channel: PageChannel;
  readonly #setTitle: (title: string) => void;
  readonly #feed: EntryFeed;
  #requested: RequestedConversation;

  constructor(requested: RequestedConversation, channel: PageChannel, setTitle: (title: string) => void) {
    this.#requested = requested;
    this.#channel = channel;
    this.#setTitle = setTitle;
    const entries = () => [firstEntry(this.#requested)];
    this.#feed = new EntryFeed({
      followed: {
        get entries() {
          return entries();
        },
        isEmpty: false,
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
  }

  release(): void {
    this.#feed.release();
  }

  draw(requested: RequestedConversation): void {
    const isOther = requested.wanted.message !== this.#requested.wanted.message;
    this.#requested = requested;
    this.#setTitle(requestedTitle(requested));
    if (isOther) this.#feed.begin(undefined);
    const { send } = this.#channel;
    send({ type: 'head', head: headOfRequested(requested) });
    const hint = t('You can send this once the conversation has started.');
    send({ type: 'input', input: { ways: [], hint } });
    send({ type: 'waiting', waiting: undefined });
  }

  async take(message: FromPage): Promise<void> {
    const { id } = this.#requested;
    if (message.type === 'retry') await commands.executeCommand('switchboard.conversations.new', id, 'again');
    else if (message.type === 'run' && (message.action === 'new' || message.action === 'cancelNew'))
      await commands.executeCommand(`switchboard.conversations.${message.action}` satisfies CommandId, id);
    else if (message.type === 'find') this.#feed.find(message.query);
    else if (message.type === 'copyEntry')
      await env.clipboard.writeText(entryAsMarkdown(firstEntry(this.#requested), circumstances()));
  }
}

function circumstances(): DrawingContext {
  return { now: systemClock.now(), confirmation: undefined };
}

/** The message of a requested conversation. */
export function firstEntry({ id, wanted, begunAt }: RequestedConversation): TranscriptEntry {
  const { message: text } = wanted;
  return { kind: 'message', id, at: begunAt, role: 'user', text, reasoning: undefined, images: [] };
}
