import {
  json,
  type HttpAnswer,
  type Call,
} from '../../../../src/demo/wire/http.ts';

/** An answer that is a page of a list. */
export interface ListAnswer {
  readonly rows: readonly unknown[];
  readonly next: string | null;
  /** The answer with other rows or another cursor. */
  readonly with: (change: {
    rows?: readonly unknown[];
    next?: string | null;
  }) => HttpAnswer;
}

/** Undefined if the answer is not a list. */
export function asList({
  status,
  content,
}: HttpAnswer): ListAnswer | undefined {
  if (status !== 200 || !isJsonObject(content)) return undefined;
  const key = ['results', 'items'].find((name) => Array.isArray(content[name]));
  if (key === undefined) return undefined;
  const current = content[key] as unknown[];
  const cursor = content.next_page_id as string | null;
  return {
    rows: current,
    next: cursor,
    with: ({ rows = current, next = cursor }) =>
      json({ ...content, [key]: rows, next_page_id: next }),
  };
}

/**
 * The answer with every record changed, whether it is a page, an array or one
 * record; null stays null.
 */
export function eachRecord(
  answer: HttpAnswer,
  change: (record: JsonFields, index: number, count: number) => unknown,
): HttpAnswer {
  const { status, content } = answer;
  if (status !== 200 || typeof content !== 'object' || content === null)
    return answer;
  const all = (records: readonly unknown[]) =>
    records.map((record, index) =>
      isJsonObject(record) ? change(record, index, records.length) : record,
    );
  const list = asList(answer);
  if (list) return list.with({ rows: all(list.rows) });
  if (Array.isArray(content)) return json(all(content));
  return isJsonObject(content) && 'id' in content
    ? json(all([content])[0])
    : answer;
}

/** The list that a request asks for. */
export function listOf({
  segments,
}: Call): 'v0' | 'held' | 'conversations' | 'sandboxes' | 'specs' | undefined {
  switch (segments.slice(1, 3).join('/')) {
    case 'conversations':
      return 'v0';
    case 'conversations/search':
      return 'held';
    case 'v1/app-conversations':
      return 'conversations';
    case 'v1/sandboxes':
      return 'sandboxes';
    case 'v1/sandbox-specs':
      return 'specs';
    default:
      return undefined;
  }
}

/**
 * The request with every text in it changed: the path, the query and the body.
 */
export function eachText(call: Call, change: (text: string) => string): Call {
  return {
    ...call,
    segments: call.segments.map(change),
    query: new URLSearchParams(
      [...call.query].map(([name, value]): [string, string] => [
        name,
        change(value),
      ]),
    ),
    body: change(call.body),
  };
}

export type JsonFields = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
