import { failed, json, type HttpAnswer, type Call } from '../http.ts';
import { answerFrom, pageLimit } from '../paging.ts';
import type { RouteContext } from '../route.ts';
import { invalid, QueryReader } from '../validate.ts';
import type { FolderConversation } from './held.ts';
import { localTime } from './eventLog.ts';
import { eventOrders, type WireAgentEvent } from '../wireTypes.ts';

export function searchEvents(
  held: FolderConversation,
  { agentServer }: RouteContext,
  { query }: Call,
): HttpAnswer {
  const reader = new QueryReader(query);
  const limit = reader.integer('limit', { otherwise: pageLimit, above: 0, most: pageLimit });
  const order = reader.oneOf('sort_order', eventOrders) ?? 'TIMESTAMP';
  const wanted = matching(reader, agentServer.work(held).events);
  if (reader.errors.length > 0) return invalid(reader.errors);
  return answerFrom(order === 'TIMESTAMP' ? wanted : wanted.toReversed(), ({ id }) => id, reader, limit);
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
