import { json, type Answer, type Call } from './http.ts';
import { page } from './paging.ts';
import type { Route, RouteContext } from './route.ts';
import { invalid, QueryReader } from './validate.ts';
import { conversationTriggers } from './wire.ts';

/** Real services have no upper limit; no client needs more than this. */
const mostRows = 1_000_000;

export const routesV0: readonly Route[] = [{ method: 'GET', path: 'api/conversations', answer: search }];

function search({ query }: Call, { world, records, cursors }: RouteContext): Answer {
  const reader = new QueryReader(query);
  const limit = reader.integer('limit', { otherwise: 20, low: 1, high: mostRows });
  const place = reader.cursor(cursors, 'v0');
  const repository = reader.text('selected_repository');
  const trigger = reader.oneOf('conversation_trigger', conversationTriggers);
  if (reader.errors.length > 0) return invalid(reader.errors);

  const { items, next } = page(world.conversations({ repository, trigger }), place, limit);
  return json({
    results: items.map((conversation) => records.conversationInfo(conversation)),
    next_page_id: next ? cursors.write('v0', next) : null,
  });
}
