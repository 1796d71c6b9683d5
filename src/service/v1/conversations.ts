import { words } from '../../base/l10n.ts';
import type { ConversationQuery, Conversations } from '../agentService.ts';
import { type FetchPage, Pager } from '../pager.ts';
import { isUnknownId, maxRowsPerRequest, Requests, rowLimit, wantsIds, type Wire } from '../requests.ts';
import type { CallOptions } from '../transport.ts';
import { type Conversation, idKey } from '../entities.ts';
import type { Reader } from '../wireValues.ts';
import { readConversationV1 } from '../conversationRecord.ts';
import type { SandboxStates } from './sandboxStates.ts';

const couldNot = words({
  listConversations: 'Could not list the conversations',
  lookUpConversations: 'Could not look up conversations',
});

const path = ['api', 'v1', 'app-conversations'];

export function conversationsV1(wire: Wire, states: SandboxStates): Conversations {
  const read = settledReader(states);
  const requests = new Requests(wire, couldNot);
  /** The path that lists: the one of the contract, or only the search beside it. */
  let listing: 'plain' | 'search' | undefined;

  const fetchPage =
    ({ title, order }: ConversationQuery): FetchPage<Conversation> =>
    async (cursor, { size = 20, ...call }) => {
      const sort_order = order && 'UPDATED_AT_DESC';
      const sent = {
        path,
        query: { page_id: cursor, limit: rowLimit(size), title__contains: title, sort_order },
      };
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

  const findAll = findAllV1(wire, states);

  return {
    filters: new Set(['title', 'order']),
    list: (query = {}, call = {}) => new Pager(fetchPage(query), ({ id }) => idKey(id), wire.log, call),
    find: async (id, call = {}) => {
      try {
        return (await findAll([id], call))[0];
      } catch (error) {
        // Some versions answer like this for an unknown or malformed id.
        if (isUnknownId(error)) return undefined;
        throw error;
      }
    },
  };
}

/** Reads conversations, without failures of sandboxes that only seem so. */
export function settledReader(states: SandboxStates): Reader<Conversation> {
  return (record, source) => {
    const row = readConversationV1(record, source);
    return row && states.settle(row, row.sandboxId);
  };
}

/** The conversations with these ids, in no particular order; those that do not exist are missing. */
export function findAllV1(wire: Wire, states: SandboxStates) {
  const requests = new Requests(wire, couldNot);
  const read = settledReader(states);
  return async (ids: readonly string[], call: CallOptions): Promise<Conversation[]> => {
    const found: Conversation[] = [];
    for (let start = 0; start < ids.length; start += maxRowsPerRequest) {
      const some = ids.slice(start, start + maxRowsPerRequest);
      const wanted = new Set(some.map(idKey));
      const sent = { path, query: { ids: some } };
      const { items } = await requests.page('lookUpConversations', sent, call, read);
      found.push(...items.filter(({ id }) => wanted.has(idKey(id))));
    }
    return found;
  };
}
