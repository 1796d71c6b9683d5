/** The operations on conversations, through whichever interface the service has. */
import { t } from '../base/l10n.ts';
import type { Log } from '../base/log.ts';
import { type Operation, ServiceError } from './errors.ts';
import type { ConversationQuery } from './query.ts';
import { type PageRequest, Pages, type ReceivedPage } from './pages.ts';
import { readPage } from './received.ts';
import { type Reader, readConversationV0, readConversationV1 } from './records.ts';
import type { Call, CallOptions, Transport } from './transport.ts';
import { type Conversation, idKey, type Interface, sameId } from './types.ts';

/** Some versions fail at 100. */
const mostPerRequest = 99;

/** How far the list is searched for one conversation, where it cannot be asked for. */
const pagesForOne = 20;

const list: Operation = 'listConversations';

export class Conversations {
  readonly #transport: Transport;
  readonly #log: Log;
  readonly #wanted: Interface | 'auto';
  #interface: Interface | undefined;
  /** Where V1 lists: where the contract says, or beside it. */
  #listing: 'plain' | 'search' | undefined;
  /** Whether V1 can be asked for what the agents of V0's conversations do. */
  #canJoin = true;

  constructor(transport: Transport, wanted: Interface | 'auto', log: Log) {
    this.#transport = transport;
    this.#log = log;
    this.#wanted = wanted;
  }

  /** The interface that is asked; undefined until the service has answered through it once. */
  get interface(): Interface | undefined {
    return this.#interface;
  }

  /** `options` hold for every page, where `next` says nothing else. */
  search(query: ConversationQuery, options: PageRequest): Pages<Conversation> {
    return new Pages(
      (cursor, request) => this.#page(query, cursor, { ...options, ...request }),
      ({ id }) => idKey(id),
      this.#log,
    );
  }

  /** The conversations with these ids, in no particular order; those that do not exist are missing. */
  async byIds(ids: readonly string[], options: CallOptions): Promise<Conversation[]> {
    const found: Conversation[] = [];
    for (let start = 0; start < ids.length; start += mostPerRequest) {
      const some = ids.slice(start, start + mostPerRequest);
      const wanted = new Set(some.map(idKey));
      const call: Call = { ...options, operation: 'lookUpConversations', path: v1Path, query: { ids: some } };
      const { items } = await this.#received(call, readConversationV1);
      found.push(...items.filter(({ id }) => wanted.has(idKey(id))));
    }
    return found;
  }

  async byId(id: string, options: CallOptions): Promise<Conversation | undefined> {
    try {
      const [found] = await this.byIds([id], options);
      if (found) return found;
    } catch (error) {
      if (!isAbsent(error) && !isRejected(error)) throw error;
    }
    if ((await this.detect(options)) !== 'v0') return undefined;
    let pages = 0;
    for await (const { items } of this.search({}, { ...options, size: mostPerRequest })) {
      const found = items.find((item) => sameId(item.id, id));
      if (found || ++pages === pagesForOne) return found;
    }
    return undefined;
  }

  /** Finds out which interface there is, or confirms the wanted one. */
  async detect(options: CallOptions): Promise<Interface> {
    if (this.#interface === undefined) await this.#page({}, undefined, { ...options, size: 1 });
    return this.#interface ?? 'v0';
  }

  async #page(
    query: ConversationQuery,
    cursor: string | undefined,
    request: PageRequest,
  ): Promise<ReceivedPage<Conversation>> {
    const first = this.#interface ?? (this.#wanted === 'auto' ? 'v0' : this.#wanted);
    try {
      const page = await (first === 'v0'
        ? this.#pageV0(query, cursor, request)
        : this.#pageV1(query, cursor, request));
      this.#interface = first;
      return page;
    } catch (error) {
      if (this.#interface !== undefined || !isAbsent(error)) throw error;
      if (this.#wanted !== 'auto')
        throw this.#absent(error, t('it has no {0} interface', first.toUpperCase()));
    }
    try {
      const page = await this.#pageV1(query, cursor, request);
      this.#interface = 'v1';
      return page;
    } catch (error) {
      throw isAbsent(error)
        ? this.#absent(error, t('it has neither of the interfaces that are asked for'))
        : error;
    }
  }

  /** A list that is not found says more than that: there is no such interface. */
  #absent(error: ServiceError, why: string): ServiceError {
    return error.kind === 'notFound' ? this.#transport.error(list, { kind: 'notThisService', why }) : error;
  }

  async #pageV0(
    { repository, trigger }: ConversationQuery,
    cursor: string | undefined,
    { size, ...options }: PageRequest,
  ): Promise<ReceivedPage<Conversation>> {
    const query = {
      page_id: cursor,
      limit: size,
      selected_repository: repository,
      conversation_trigger: trigger,
    };
    const call = { ...options, operation: list, path: ['api', 'conversations'], query };
    const page = await this.#received(call, readConversationV0);
    return { ...page, items: await this.#join(page.items, options) };
  }

  /** Adds what only V1 knows of V0's conversations. Without it they are shown all the same. */
  async #join(rows: readonly Conversation[], options: CallOptions): Promise<readonly Conversation[]> {
    const ids = rows.map(({ id }) => id).filter((id) => idKey(id) !== id || /^[0-9a-f]{32}$/.test(id));
    if (!this.#canJoin || ids.length === 0) return rows;
    let found: Map<string, Conversation>;
    try {
      found = new Map((await this.byIds(ids, options)).map((item) => [idKey(item.id), item]));
    } catch (error) {
      if (!(error instanceof ServiceError) || error.kind === 'cancelled') throw error;
      if (isAbsent(error) || isRejected(error)) this.#canJoin = false;
      return rows;
    }
    return rows.map((row) => {
      const other = found.get(idKey(row.id));
      if (!other) return row;
      const { execution, sandboxId, model } = other;
      return { ...row, execution, sandboxId, model, link: row.link ?? other.link };
    });
  }

  async #pageV1(
    { title }: ConversationQuery,
    cursor: string | undefined,
    { size = 20, ...options }: PageRequest,
  ): Promise<ReceivedPage<Conversation>> {
    const query = {
      page_id: cursor,
      limit: Math.min(Math.max(size, 1), mostPerRequest),
      title__contains: title,
    };
    const call = { ...options, operation: list, query };
    if (this.#listing !== 'search') {
      try {
        const page = await this.#received({ ...call, path: v1Path }, readConversationV1);
        this.#listing = 'plain';
        return page;
      } catch (error) {
        if (this.#listing === 'plain' || !wantsIds(error)) throw error;
      }
    }
    const page = await this.#received({ ...call, path: [...v1Path, 'search'] }, readConversationV1);
    this.#listing = 'search';
    return page;
  }

  async #received(call: Call, read: Reader<Conversation>): Promise<ReceivedPage<Conversation>> {
    const page = readPage(await this.#transport.request(call), read);
    if (page) return page;
    throw this.#transport.error(call.operation, { kind: 'notUnderstood', why: t('it holds no list') });
  }
}

const v1Path = ['api', 'v1', 'app-conversations'];

/** An interface that a service does not have answers 404, 405 or 410, or with the page of its web application. */
function isAbsent(error: unknown): error is ServiceError {
  return error instanceof ServiceError && (error.kind === 'notFound' || error.kind === 'notThisService');
}

function isRejected(error: unknown): boolean {
  return error instanceof ServiceError && error.kind === 'rejected';
}

function wantsIds(error: unknown): boolean {
  if (!(error instanceof ServiceError)) return false;
  const { failure } = error;
  return failure.kind === 'rejected' && failure.fields.some(({ name }) => name.split('.')[0] === 'ids');
}
