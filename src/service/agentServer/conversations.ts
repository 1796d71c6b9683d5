import { resultOr } from '../../base/errors.ts';
import { words } from '../../base/l10n.ts';
import type { Log } from '../../base/log.ts';
import type { ConversationQuery, Conversations, Editing } from '../agentService.ts';
import { type Conversation, idKey } from '../entities.ts';
import { type FetchPage, Pager } from '../pager.ts';
import { isNotFound, isUnknownId, Requests, type Wire } from '../requests.ts';
import { ChangeFinder } from './changes.ts';
import type { Rows } from './rows.ts';

/** Pages read to find the place at which a list was. */
const maxPagesReread = 20;

export function conversationsOfAgentServer(rows: Rows, log: Log): Conversations {
  const finder = new ChangeFinder(rows);
  return {
    filters: new Set(['order']),
    list: (query = {}, call = {}) => new Pager(fetchPage(rows, query, log), ({ id }) => idKey(id), log, call),
    find: async (id, call = {}) =>
      // It refuses an id that is none.
      (await resultOr(rows.find([id], call), isUnknownId, undefined))?.get(idKey(id)),
    changes: (known, call = {}) => finder.find(known, call),
  };
}

/** Our cursor says where the page begins, and when the row before it was made or changed. */
function fetchPage(rows: Rows, { order }: ConversationQuery, log: Log): FetchPage<Conversation> {
  const timeOf = (row: Conversation | undefined) =>
    (order === 'updated' ? row?.updatedAt : row?.createdAt) ?? 0;
  return async (cursor, { size = 20, ...call }) => {
    const [, pageId, before = ''] = /^(.+) (\d+)$/.exec(cursor ?? '') ?? [];
    let page = await rows.search({ pageId, size, order }, call);
    const [first] = page.items;
    if (pageId !== undefined && first && idKey(first.id) !== idKey(pageId)) {
      log.warn(
        'A list began again, because the service no longer knows the row that its next page began with.',
      );
      const isBefore = (row: Conversation) => timeOf(row) >= Number(before);
      for (let again = 1; again < maxPagesReread && page.cursor !== undefined; again++) {
        if (!page.items.every(isBefore)) break;
        page = await rows.search({ pageId: page.cursor, size, order }, call);
      }
    }
    const { cursor: next } = page;
    return { ...page, cursor: next && `${next} ${timeOf(page.items.at(-1))}` };
  };
}

const couldNot = words({
  renameConversation: 'Could not rename the conversation',
  removeConversation: 'Could not delete the conversation',
});

/** A deletion is answered after the step that runs. */
const deadline = 120_000;

export function editingAtAgentServer(conversations: Conversations, wire: Wire): Editing {
  const requests = new Requests(wire, couldNot);
  const pathOf = (id: string) => ['api', 'conversations', id];
  return {
    rename: async (id, title, call = {}) => {
      const sent = { method: 'PATCH', path: pathOf(id), body: { title } } as const;
      await requests.change('renameConversation', sent, call);
    },
    remove: async (id, call = {}) => {
      try {
        const sent = { method: 'DELETE', path: pathOf(id), deadline } as const;
        await requests.change('removeConversation', sent, call);
      } catch (error) {
        if (!isNotFound(error)) throw error;
        // It may be that it cannot be deleted.
        if (await conversations.find(id, call)) throw error;
      }
    },
  };
}
