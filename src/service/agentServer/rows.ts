/** Asking for records. They grow with every call of a model, to some hundred kB, and cannot be asked for in part. */
import { resultOr } from '../../base/errors.ts';
import { words } from '../../base/l10n.ts';
import { type Conversation, idKey } from '../entities.ts';
import { EventTimes } from '../eventTimes.ts';
import type { ReceivedPage } from '../pager.ts';
import { AdaptivePageSize, isNotOffered, Requests, rowLimit, type Wire } from '../requests.ts';
import type { CallOptions } from '../transport.ts';
import { identifier, isObject, type Reader } from '../wireValues.ts';
import { readAgentServerConversation } from '../conversationRecord.ts';
import { FirstMessages } from './firstMessages.ts';

const couldNot = words({
  listConversations: 'Could not list the conversations',
  lookUpConversations: 'Could not look up conversations',
  countConversations: 'Could not count the conversations',
});

const path = ['api', 'conversations'];

/** Ids have 36 characters, and the address that they are in stays below 4,000. */
const maxIds = 80;

export interface Search {
  readonly pageId?: string | undefined;
  readonly size: number;
  readonly order?: 'updated' | undefined;
}

export class Rows {
  readonly firstMessages: FirstMessages;
  readonly eventTimes = new EventTimes();
  readonly #requests: Requests<keyof typeof couldNot>;
  readonly #pageSize = new AdaptivePageSize();
  readonly #read: Reader<Conversation> = (record, source) => {
    const row = readAgentServerConversation(record, source);
    // A fork begins with the events of another one.
    const isFork = isObject(record) && identifier(record.forked_from_conversation_id) !== undefined;
    if (row && !isFork) this.eventTimes.note(row);
    return row;
  };

  constructor(wire: Wire) {
    this.#requests = new Requests(wire, couldNot);
    this.firstMessages = new FirstMessages(wire);
  }

  /** A page with at most as many rows. A page id that is not known gives the first page. */
  async search({ pageId, size, order }: Search, call: CallOptions): Promise<ReceivedPage<Conversation>> {
    const page = await this.#pageSize.request(rowLimit(size), (limit) => {
      const query = { page_id: pageId, limit, sort_order: order && 'UPDATED_AT_DESC' };
      const sent = { path: [...path, 'search'], query };
      return this.#requests.page('listConversations', sent, call, this.#read);
    });
    return { ...page, items: await this.firstMessages.named(page.items, call) };
  }

  /** The existing ones, by key. */
  async find(ids: readonly string[], call: CallOptions): Promise<ReadonlyMap<string, Conversation>> {
    const found = new Map<string, Conversation>();
    let start = 0;
    while (start < ids.length) {
      start += await this.#pageSize.request(Math.min(ids.length - start, maxIds), async (count) => {
        const sent = { path, query: { ids: ids.slice(start, start + count) } };
        const page = await this.#requests.page('lookUpConversations', sent, call, this.#read);
        for (const row of await this.firstMessages.named(page.items, call)) found.set(idKey(row.id), row);
        return count;
      });
    }
    return found;
  }

  /** Undefined if the service does not count. */
  async count(call: CallOptions): Promise<number | undefined> {
    const asked = this.#requests.send('countConversations', { path: [...path, 'count'] }, call);
    const answer = await resultOr(asked, isNotOffered, undefined);
    return typeof answer === 'number' ? answer : undefined;
  }
}
