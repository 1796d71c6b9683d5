import type { ListPosition } from '../../../../src/demo/cursor.ts';
import type { HttpAnswer, Call } from '../../../../src/demo/http.ts';
import { broken } from '../../../../src/demo/http.ts';
import type { Effect, Effects, Exchange } from './effect.ts';
import { asList, eachText, listOf, type JsonFields, type ListAnswer } from './shapes.ts';

/** Faults from page to page. Each acts on the rows and the cursor that the previous ones produce. */
export const listEffects: Effects<
  | 'duplicates'
  | 'emptyPages'
  | 'filterAfterPaging'
  | 'repeatedCursor'
  | 'endlessPages'
  | 'failAfterPages'
  | 'hostileCursor'
> = {
  filterAfterPaging: () => ({
    change: (answer, { call, again }) => {
      const filters = Object.entries(filterFields).filter(([name]) => call.query.has(name));
      if (listOf(call) !== 'v0' || !asList(answer) || filters.length === 0) return answer;
      const query = new URLSearchParams(
        [...call.query].filter(([name]) => !Object.hasOwn(filterFields, name)),
      );
      const list = asList(again({ ...call, query }));
      const rows = list?.rows.filter((row) =>
        filters.every(([name, field]) => (row as JsonFields)[field] === call.query.getAll(name).at(-1)),
      );
      return list && rows ? list.with({ rows }) : answer;
    },
  }),

  endlessPages: (ids) =>
    onLists((list, exchange) => {
      const lap = placeAt(exchange, cursorOf(exchange.call))?.lap ?? 0;
      const rows =
        ids === 'fresh' && lap > 0 ? list.rows.map((row) => ofLap(row as JsonFields, lap)) : list.rows;
      return list.with({ rows, next: list.next ?? write(exchange, { ...start, lap: lap + 1 }) });
    }),

  repeatedCursor: () =>
    onLists((list, exchange) =>
      list.with({ next: cursorOf(exchange.call) ?? list.next ?? write(exchange, { ...start, lap: 1 }) }),
    ),

  emptyPages: (empty) =>
    onLists((list, exchange) => {
      const place = placeAt(exchange, list.next);
      // A page that is already empty counts down on its own.
      return place && list.rows.length > 0
        ? list.with({ next: write(exchange, { ...place, empty }) })
        : list.with({});
    }),

  duplicates: () => {
    const lastRows = new Map<string | null | undefined, readonly unknown[]>();
    return onLists((list, { call }) => {
      const before = lastRows.get(cursorOf(call)) ?? [];
      // An empty page stays empty; the page after it repeats the rows instead.
      const isEmpty = list.rows.length === 0;
      lastRows.set(list.next, isEmpty ? before : list.rows.slice(-3));
      return isEmpty ? list.with({}) : list.with({ rows: [...before, ...list.rows] });
    });
  },

  failAfterPages: (good) => {
    const pages = new Map<string, number>();
    return onLists((list, { call }) => {
      const page = cursorOf(call) === undefined ? 1 : (pages.get(call.path) ?? 0) + 1;
      pages.set(call.path, page);
      return page > good ? broken : list.with({});
    });
  },

  hostileCursor: () => {
    let pages = 0;
    const lures = ['https://attacker.invalid/collect?page_id=', '../../../admin?page_id='];
    return {
      ask: (call) => eachText(call, (text) => without(text, lures)),
      ...onLists((list) =>
        list.with({ next: list.next === null ? null : `${lures[pages++ % lures.length] ?? ''}${list.next}` }),
      ),
    };
  },
};

/** The parameters that filter, and the fields that they compare. */
const filterFields = { selected_repository: 'selected_repository', conversation_trigger: 'trigger' };

/** Before everything that callers created. */
const start: ListPosition = { position: -(2 ** 31), empty: 0, lap: 0 };

function onLists(change: (list: ListAnswer, exchange: Exchange) => HttpAnswer): Effect {
  return {
    change: (answer, exchange) => {
      const list = asList(answer);
      return list ? change(list, exchange) : answer;
    },
  };
}

export function cursorOf({ query }: Call): string | undefined {
  return query.getAll('page_id').at(-1);
}

/** The place that this cursor stands for; `undefined` if it belongs to another list. */
export function placeAt(
  { call, context }: Exchange,
  text: string | null | undefined,
): ListPosition | undefined {
  const list = listOf(call);
  if (!list || !text) return undefined;
  const position = list === 'held' ? context.agentServer.positionOf(text) : undefined;
  return position === undefined ? context.cursors.read(list, text) : { position, empty: 0, lap: 0 };
}

function write({ call, context }: Exchange, place: ListPosition): string | null {
  const list = listOf(call);
  return list ? context.cursors.write(list, place) : null;
}

/** The record under an id that no lap before had. */
function ofLap(record: JsonFields, lap: number): JsonFields {
  const name = 'conversation_id' in record ? 'conversation_id' : 'id';
  return { ...record, [name]: lap.toString(16).padStart(8, '0') + String(record[name]).slice(8) };
}

function without(text: string, starts: readonly string[]): string {
  return starts.reduce((rest, each) => rest.replaceAll(each, ''), text);
}
