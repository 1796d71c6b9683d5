/**
 * Requests records, which grow to some hundred kB with the calls of a model and
 * cannot be requested in part.
 */
import { resultOr } from '../../base/errors.ts';
import { words } from '../../base/l10n.ts';
import { plainText } from '../../base/plainText.ts';
import { type Conversation, idKey, type Time } from '../model/entities.ts';
import { EventTimes } from '../records/eventReader.ts';
import type { ReceivedPage } from '../http/pager.ts';
import {
  AdaptivePageSize,
  isNotOffered,
  Requests,
  rowLimit,
  type Wire,
} from '../http/requests.ts';
import { contents } from '../records/readEvent.ts';
import { ServiceError } from '../http/serviceError.ts';
import type { CallOptions } from '../http/transport.ts';
import { isObject, type Reader } from '../http/wireValues.ts';
import { readAgentServerConversation } from '../records/conversationRecord.ts';
import { ActivityTimes } from './activityTimes.ts';

const couldNot = words({
  listConversations: 'Could not list the conversations',
  lookUpConversations: 'Could not look up conversations',
  countConversations: 'Could not count the conversations',
  readMessage: 'Could not read the first message of a conversation',
});

const path = ['api', 'conversations'];

/**
 * Ids have 36 characters, and the address that they are in stays below 4,000.
 */
const maxIds = 80;

/** First messages read for one list; the next list reads more. */
const maxMessagesPerList = 5;
const messageTimeoutMs = 2_000;
const maxTitles = 1_000;
const maxTitleLength = 80;

/** The first message of a conversation without a title. */
interface RememberedTitle {
  /** Empty if there was none. */
  readonly title: string;
  /** The last change of the conversation when its title was read. */
  readonly at: Time | undefined;
}

interface Search {
  readonly pageId?: string | undefined;
  readonly size: number;
  readonly order?: 'updated' | undefined;
}

export class Rows {
  readonly eventTimes = new EventTimes();
  readonly #requests: Requests<keyof typeof couldNot>;
  readonly #clock: Wire['clock'];
  readonly #pageSize = new AdaptivePageSize();
  readonly #activity = new ActivityTimes();
  /** Titles that records lack, by the keys of their conversations. */
  readonly #titles = new Map<string, RememberedTitle>();
  /**
   * Reads a row, and notes when the conversation began, for the times of its
   * events.
   */
  readonly read: Reader<Conversation> = (record, source) => {
    const row = readAgentServerConversation(record, source);
    // A fork begins with the events of another one.
    if (row?.forkedFrom === undefined && row) this.eventTimes.note(row);
    return row && this.#activity.dated(row, record);
  };

  constructor(wire: Wire) {
    this.#requests = new Requests(wire, couldNot);
    this.#clock = wire.clock;
  }

  /** A page of at most `size` rows. An unknown page id gives the first page. */
  async search(
    { pageId, size, order }: Search,
    call: CallOptions,
  ): Promise<ReceivedPage<Conversation>> {
    const page = await this.#pageSize.request(rowLimit(size), (limit) => {
      const query = {
        page_id: pageId,
        limit,
        sort_order: order && 'UPDATED_AT_DESC',
      };
      const sent = { path: [...path, 'search'], query };
      return this.#requests.page('listConversations', sent, call, this.read);
    });
    return { ...page, items: await this.named(page.items, call) };
  }

  /** The existing rows with these ids, by key. */
  async find(
    ids: readonly string[],
    call: CallOptions,
  ): Promise<ReadonlyMap<string, Conversation>> {
    const rows = new Map<string, Conversation>();
    let start = 0;
    while (start < ids.length) {
      start += await this.#pageSize.request(
        Math.min(ids.length - start, maxIds),
        async (count) => {
          const sent = {
            path,
            query: { ids: ids.slice(start, start + count) },
          };
          const page = await this.#requests.page(
            'lookUpConversations',
            sent,
            call,
            this.read,
          );
          for (const row of await this.named(page.items, call))
            rows.set(idKey(row.id), row);
          return count;
        },
      );
    }
    return rows;
  }

  async count(call: CallOptions): Promise<number | undefined> {
    const request = this.#requests.send(
      'countConversations',
      { path: [...path, 'count'] },
      call,
    );
    const answer = await resultOr(request, isNotOffered, undefined);
    return typeof answer === 'number' ? answer : undefined;
  }

  rememberFirstMessage(
    { id, updatedAt: at }: Conversation,
    message: string,
  ): void {
    const line =
      message.split(/[\r\n]/).find((text) => text.trim() !== '') ?? '';
    const [oldest] = this.#titles.keys();
    if (this.#titles.size >= maxTitles && oldest !== undefined)
      this.#titles.delete(oldest);
    this.#titles.set(idKey(id), { title: plainText(line, maxTitleLength), at });
  }

  /** Titles the untitled rows by their first messages. Ignores failures. */
  async named(
    rows: readonly Conversation[],
    call: CallOptions,
  ): Promise<readonly Conversation[]> {
    const unknown = rows
      .filter((row) => row.title === '' && !this.#hasTitle(row))
      .slice(0, maxMessagesPerList);
    if (unknown.length > 0) await this.#readMessages(unknown, call);
    return rows.map((row) => {
      const title =
        row.title === '' ? this.#titles.get(idKey(row.id))?.title : undefined;
      return title === undefined ? row : { ...row, title };
    });
  }

  /** A conversation without a message may have one after it has changed. */
  #hasTitle({ id, updatedAt }: Conversation): boolean {
    const remembered = this.#titles.get(idKey(id));
    return (
      remembered !== undefined &&
      (remembered.title !== '' || remembered.at === updatedAt)
    );
  }

  async #readMessages(
    rows: readonly Conversation[],
    { signal }: CallOptions,
  ): Promise<void> {
    const end = new AbortController();
    const cancel = this.#clock.after(messageTimeoutMs, () => {
      end.abort();
    });
    const call = {
      signal: AbortSignal.any([end.signal, ...(signal ? [signal] : [])]),
      priority: 'poll',
    } as const;
    try {
      await Promise.all(rows.map((row) => this.#readMessage(row, call)));
    } finally {
      cancel();
    }
  }

  async #readMessage(row: Conversation, call: CallOptions): Promise<void> {
    const path = ['api', 'conversations', row.id, 'events', 'search'];
    const query = { limit: 1, kind: 'MessageEvent', source: 'user' };
    try {
      const { items } = await this.#requests.page(
        'readMessage',
        { path, query },
        call,
        textOf,
      );
      this.rememberFirstMessage(row, items[0] ?? '');
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error.kind !== 'cancelled') this.rememberFirstMessage(row, '');
    }
  }
}

function textOf(event: unknown): string | undefined {
  const message = isObject(event) ? event.llm_message : undefined;
  return isObject(message) ? contents(message.content).text : undefined;
}
