import { failed, json, type HttpAnswer, type Call } from '../http.ts';
import type { RouteContext } from '../route.ts';
import { invalid, QueryReader } from '../validate.ts';
import type { FolderConversation } from './held.ts';
import { localTime } from './eventLog.ts';
import { eventOrders, type WireAgentEvent } from './wire.ts';

const most = 100;

export function searchEvents(
  held: FolderConversation,
  { agentServer }: RouteContext,
  { query }: Call,
): HttpAnswer {
  const reader = new QueryReader(query);
  const limit = reader.integer('limit', { otherwise: most, above: 0, most });
  const order = reader.oneOf('sort_order', eventOrders) ?? 'TIMESTAMP';
  const wanted = matching(reader, agentServer.work(held).events);
  if (reader.errors.length > 0) return invalid(reader.errors);
  const events = order === 'TIMESTAMP' ? wanted : wanted.toReversed();
  // The id of the first event of a page. One that it does not know is taken for that of the first page.
  const start = Math.max(
    0,
    events.findIndex(({ id }) => id === reader.text('page_id')),
  );
  return json({
    items: events.slice(start, start + limit),
    next_page_id: events[start + limit]?.id ?? null,
  });
}

export function countEvents(
  held: FolderConversation,
  { agentServer }: RouteContext,
  { query }: Call,
): HttpAnswer {
  const reader = new QueryReader(query);
  const wanted = matching(reader, agentServer.work(held).events);
  return reader.errors.length > 0 ? invalid(reader.errors) : json(wanted.length);
}

export function oneEvent(
  held: FolderConversation,
  { agentServer }: RouteContext,
  { segments }: Call,
): HttpAnswer {
  const event = agentServer.work(held).events.find(({ id }) => id === segments[4]);
  return event ? json(event) : failed(404, 'Not Found');
}

function matching(reader: QueryReader, events: readonly WireAgentEvent[]): readonly WireAgentEvent[] {
  const kind = reader.text('kind');
  const source = reader.text('source');
  const from = reader.time('timestamp__gte');
  const before = reader.time('timestamp__lt');
  return events.filter(
    (event) =>
      (kind === undefined || event.kind === kind) &&
      (source === undefined || event.source === source) &&
      (from === undefined || event.timestamp >= localTime(from)) &&
      (before === undefined || event.timestamp < localTime(before)),
  );
}
