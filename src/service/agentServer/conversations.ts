import { words } from '../../base/l10n.ts';
import type { Conversations } from '../agentService.ts';
import { type Conversation, idKey } from '../entities.ts';
import { Pages } from '../pages.ts';
import { isRejected, mostPerRequest, Requests, type Wire } from '../requests.ts';
import type { CallOptions } from '../transport.ts';
import { readConversation } from './conversationRecord.ts';

const couldNot = words({
  listConversations: 'Could not list the conversations',
  lookUpConversations: 'Could not look up conversations',
});

const path = ['api', 'conversations'];

export function conversationsOfAgentServer({ transport, log }: Wire): Conversations {
  const requests = new Requests(transport, couldNot);

  async function findAll(ids: readonly string[], call: CallOptions): Promise<readonly Conversation[]> {
    const { items } = await requests.page(
      'lookUpConversations',
      { path, query: { ids } },
      call,
      readConversation,
    );
    return items;
  }

  return {
    filters: new Set(),
    list: (_query, defaults = {}) =>
      new Pages(
        (cursor, { size = 20, ...call }) => {
          const query = { page_id: cursor, limit: Math.min(Math.max(size, 1), mostPerRequest) };
          const sent = { path: [...path, 'search'], query };
          return requests.page('listConversations', sent, call, readConversation);
        },
        ({ id }) => idKey(id),
        log,
        defaults,
      ),
    find: async (id, call = {}) => {
      try {
        return (await findAll([id], call)).find((found) => idKey(found.id) === idKey(id));
      } catch (error) {
        // This is how it answers for an id that is none.
        if (isRejected(error)) return undefined;
        throw error;
      }
    },
  };
}
