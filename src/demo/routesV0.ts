import { json, text, type HttpAnswer, type Call } from './http.ts';
import { pageOf } from './paging.ts';
import type { Route, RouteContext } from './route.ts';
import { invalid, QueryReader } from './validate.ts';
import { conversationTriggers } from './wireTypes.ts';

export const routesV0: readonly Route[] = [{ method: 'GET', path: 'api/conversations', answer: search }];

function search({ query }: Call, { world, records, cursors }: RouteContext): HttpAnswer {
  const reader = new QueryReader(query);
  const limit = reader.integer('limit', { otherwise: 20 });
  const place = reader.cursor(cursors, 'v0');
  const repository = reader.text('selected_repository');
  const trigger = reader.oneOf('conversation_trigger', conversationTriggers);
  if (reader.errors.length > 0) return invalid(reader.errors);
  if (query.has('page_id') && !place) return broken;

  const { items, next } = pageOf(world.conversations({ repository, trigger }), place, Math.max(limit, 0));
  return json({
    results: items.map((conversation) => records.conversationInfo(conversation)),
    next_page_id: next && limit !== 0 ? cursors.write('v0', next) : null,
  });
}

/** What a server answers when something unexpected happens. */
export const broken: HttpAnswer = text('Internal Server Error', 'text/plain; charset=utf-8', 500);
