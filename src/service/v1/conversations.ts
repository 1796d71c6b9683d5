import { words } from '../../base/l10n.ts';
import type { ConversationQuery, Conversations } from '../agentService.ts';
import { ServiceError } from '../serviceError.ts';
import { type FetchPage, Pages } from '../pages.ts';
import { isRejected, mostPerRequest, Requests, wantsIds, type Wire } from '../requests.ts';
import type { CallOptions } from '../transport.ts';
import { type Conversation, idKey } from '../entities.ts';
import type { Reader } from '../wireValues.ts';
import { readConversationV1 } from './conversationRecord.ts';
import type { SandboxStates } from './sandboxStates.ts';

const couldNot = words({
  listConversations: 'Could not list the conversations',
  lookUpConversations: 'Could not look up conversations',
});

const path = ['api', 'v1', 'app-conversations'];

export function conversationsV1({ transport, log }: Wire, states: SandboxStates): Conversations {
  const read = settledReader(states);
  const requests = new Requests(transport, couldNot);
  /** Whether it lists on the path of the contract, or only on the search beside it. */
  let listing: 'plain' | 'search' | undefined;

  const fetchPage =
    ({ title, order }: ConversationQuery): FetchPage<Conversation> =>
    async (cursor, { size = 20, ...call }) => {
      const limit = Math.min(Math.max(size, 1), mostPerRequest);
      const sort_order = order && 'UPDATED_AT_DESC';
      const sent = { path, query: { page_id: cursor, limit, title__contains: title, sort_order } };
      if (listing !== 'search') {
        try {
          const page = await requests.page('listConversations', sent, call, read);
          listing = 'plain';
          return page;
        } catch (error) {
          if (listing === 'plain' || !wantsIds(error)) throw error;
        }
      }
      const query = { ...sent.query, include_sub_conversations: 'true' };
      const searched = { path: [...path, 'search'], query };
      const page = await requests.page('listConversations', searched, call, read);
      listing = 'search';
      return page;
    };

  const findAll = findAllV1({ transport }, states);

  return {
    filters: new Set(['title', 'order']),
    list: (query = {}, call = {}) => new Pages(fetchPage(query), ({ id }) => idKey(id), log, call),
    find: async (id, call = {}) => {
      try {
        return (await findAll([id], call))[0];
      } catch (error) {
        // Some versions answer like this for an unknown or malformed id.
        if (isRejected(error) || (error instanceof ServiceError && error.kind === 'notFound'))
          return undefined;
        throw error;
      }
    },
  };
}

/** Reads conversations without failures that only seem so. */
export function settledReader(states: SandboxStates): Reader<Conversation> {
  return (record, source) => {
    const row = readConversationV1(record, source);
    return row && states.settle(row, row.sandboxId);
  };
}

/** The conversations with these ids, in no particular order; those that do not exist are missing. */
export function findAllV1({ transport }: Pick<Wire, 'transport'>, states: SandboxStates) {
  const requests = new Requests(transport, couldNot);
  const read = settledReader(states);
  return async (ids: readonly string[], call: CallOptions): Promise<Conversation[]> => {
    const found: Conversation[] = [];
    for (let start = 0; start < ids.length; start += mostPerRequest) {
      const some = ids.slice(start, start + mostPerRequest);
      const wanted = new Set(some.map(idKey));
      const sent = { path, query: { ids: some } };
      const { items } = await requests.page('lookUpConversations', sent, call, read);
      found.push(...items.filter(({ id }) => wanted.has(idKey(id))));
    }
    return found;
  };
}
