/** The envelopes of the wire: pages and lists, of which each record is read by itself. */
import type { ReceivedPage } from './pages.ts';
import type { Reader } from './records.ts';

/** Undefined where the answer is neither `{results}`, `{items}` nor a list. */
export function readPage<T>(answer: unknown, read: Reader<T>): ReceivedPage<T> | undefined {
  const { results, items, next_page_id } = (
    Array.isArray(answer) ? { items: answer as unknown } : (answer ?? {})
  ) as Record<string, unknown>;
  const records = Array.isArray(results) ? (results as unknown[]) : items;
  if (!Array.isArray(records)) return undefined;
  const given = records.filter((record) => record !== null) as unknown[];
  const readable = given.map(read).filter((item) => item !== undefined);
  return {
    items: readable,
    skipped: given.length - readable.length,
    cursor: typeof next_page_id === 'string' && next_page_id !== '' ? next_page_id : undefined,
  };
}
