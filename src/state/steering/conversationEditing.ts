/** Renaming, deleting and forking the conversations of one service. The list says so at once. */
import type { Cancellation } from '../../base/cancellation.ts';
import { plainText } from '../../base/plainText.ts';
import type { Editing } from '../../service/agentService.ts';
import type { ServiceClient } from '../../service/client.ts';
import { type Conversation, keyOf } from '../../service/entities.ts';
import { ServiceError } from '../../service/serviceError.ts';
import { notOffered } from '../conversation/agentLocations.ts';
import type { RemoteList } from '../lists/remoteList.ts';

export class ConversationEditing {
  readonly #client: ServiceClient;
  readonly #list: RemoteList<Conversation>;
  readonly #work: Cancellation;

  constructor(client: ServiceClient, list: RemoteList<Conversation>, work: Cancellation) {
    this.#client = client;
    this.#list = list;
    this.#work = work;
  }

  async rename(conversation: Conversation, title: string, signal: AbortSignal): Promise<void> {
    const all = this.#work.with(signal);
    const editing = await this.#editing(all);
    await editing.rename(conversation.id, title, { signal: all });
    this.#list.edit(keyOf(conversation), (row) => ({ ...row, title: plainText(title, 500) }));
  }

  async remove(conversation: Conversation, signal: AbortSignal): Promise<void> {
    const all = this.#work.with(signal);
    const editing = await this.#editing(all);
    try {
      await editing.remove(conversation.id, { signal: all });
    } catch (error) {
      if (!(error instanceof ServiceError) || !error.circumstances.outcomeUnknown) throw error;
      if (!(await this.#isGone(conversation, all))) throw error;
    }
    this.#list.edit(keyOf(conversation), () => undefined);
  }

  /** The new conversation, which is listed first. */
  async fork(conversation: Conversation, title: string, signal: AbortSignal): Promise<Conversation> {
    const all = this.#work.with(signal);
    const { fork } = await this.#editing(all);
    if (!fork) throw notOffered();
    const made = await fork(conversation.id, title, { signal: all });
    this.#list.insertFirst(made);
    return made;
  }

  async #editing(signal: AbortSignal): Promise<Editing> {
    const { editing } = await this.#client.recognise({ signal });
    if (!editing) throw notOffered();
    return editing;
  }

  async #isGone({ id }: Conversation, signal: AbortSignal): Promise<boolean> {
    try {
      const { conversations } = await this.#client.recognise({ signal });
      return (await conversations.find(id, { signal })) === undefined;
    } catch (error) {
      if (error instanceof ServiceError) return false;
      throw error;
    }
  }
}
