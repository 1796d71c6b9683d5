import { joinParts } from '../../../base/parts.ts';
import type { ConversationKey } from '../../../service/model/entities.ts';
import type { Attached } from '../../../service/model/newMessage.ts';
import {
  canChange,
  type RequestedConversation,
  type RequestedConversations,
  requestedIdOf,
} from '../../../state/newConversation/requestedConversations.ts';
import type { Draft, Drafts } from './drafts.ts';

const empty: Draft = { message: '', attached: [] };

/**
 * The unsent message of a page. The first message of a new conversation is kept
 * with its request, and any other message with the drafts.
 */
export class MessageField {
  readonly #drafts: Drafts;
  readonly #requested: RequestedConversations;
  #key: ConversationKey;

  constructor(
    drafts: Drafts,
    requested: RequestedConversations,
    key: ConversationKey,
  ) {
    this.#drafts = drafts;
    this.#requested = requested;
    this.#key = key;
  }

  /** Key of the request or the conversation. */
  get key(): ConversationKey {
    return this.#key;
  }

  get text(): string {
    return this.#draft.message;
  }

  get attached(): readonly Attached[] {
    return this.#draft.attached ?? [];
  }

  async change(draft: Partial<Draft>): Promise<void> {
    if (this.#open) this.#requested.change(this.#open.id, draft);
    else await this.#drafts.set(this.#key, draft);
  }

  /** Moves the message to the conversation that the request created. */
  moveTo(key: ConversationKey): void {
    const draft = this.#draft;
    void this.change(empty);
    this.#key = key;
    void this.change(draft);
  }

  /**
   * Joins the message of a failed request with the one that was begun while the
   * request ran.
   */
  joinNext(): void {
    const next = this.#drafts.get(this.#key);
    if (!this.#open || (next.message === '' && next.attached.length === 0))
      return;
    void this.#drafts.set(this.#key, empty);
    void this.change(joined(this.#open.wanted, next));
  }

  /** The request if its message can be changed. */
  get #open(): RequestedConversation | undefined {
    const request = this.#requested.find(requestedIdOf(this.#key));
    return request && canChange(request) ? request : undefined;
  }

  get #draft(): Draft {
    return this.#open?.wanted ?? this.#drafts.get(this.#key);
  }
}

export function joined(first: Draft, next: Draft): Draft {
  return {
    message: joinParts('\n\n', first.message, next.message),
    attached: [...(first.attached ?? []), ...(next.attached ?? [])].map(
      (attachment, id) => ({ ...attachment, id }),
    ),
  };
}
