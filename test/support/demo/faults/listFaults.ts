import type { HttpAnswer, Call } from '../../../../src/demo/wire/http.ts';
import { broken } from '../../../../src/demo/wire/http.ts';
import { readCursor, writeCursor } from '../../../../src/demo/wire/paging.ts';
import { specs } from '../../../../src/demo/world/specs.ts';
import { isV1 } from './absence.ts';
import type { Effect, Effects, Exchange } from './effect.ts';
import {
  asList,
  eachText,
  listOf,
  type JsonFields,
  type ListAnswer,
} from './shapes.ts';

/**
 * Faults from page to page. Each acts on the rows and the cursor that the
 * previous ones produce.
 */
export const listEffects: Effects<
  | 'duplicates'
  | 'emptyPages'
  | 'filterAfterPaging'
  | 'repeatedCursor'
  | 'endlessPages'
  | 'failAfterPages'
  | 'hostileCursor'
  | 'lateEvents'
> = {
  filterAfterPaging: () => ({
    change: (answer, { call, again }) => {
      const filters = Object.entries(filterFields).filter(([name]) =>
        call.query.has(name),
      );
      if (listOf(call) !== 'v0' || !asList(answer) || filters.length === 0)
        return answer;
      const query = new URLSearchParams(
        [...call.query].filter(([name]) => !Object.hasOwn(filterFields, name)),
      );
      const list = asList(again({ ...call, query }));
      const rows = list?.rows.filter((row) =>
        filters.every(
          ([name, field]) =>
            (row as JsonFields)[field] === call.query.getAll(name).at(-1),
        ),
      );
      return list && rows ? list.with({ rows }) : answer;
    },
  }),

  endlessPages: (ids) =>
    numbered('lap', (list, call, lap) => {
      const rows =
        ids === 'fresh' && lap > 0
          ? list.rows.map((row) => ofLap(row as JsonFields, lap))
          : list.rows;
      const nextLap = list.next === null ? lap + 1 : lap;
      return list.with({
        rows,
        next: `lap${nextLap}~${list.next ?? startOf(call) ?? ''}`,
      });
    }),

  repeatedCursor: () =>
    onLists((list, exchange) =>
      list.with({
        next: cursorOf(exchange.call) ?? list.next ?? startOf(exchange.call),
      }),
    ),

  emptyPages: (empty) =>
    numbered('empty', (list, call, left) => {
      if (left > 0)
        return list.with({
          rows: [],
          next: `empty${left - 1}~${cursorOf(call) ?? ''}`,
        });
      return list.with({ next: list.next && `empty${empty}~${list.next}` });
    }),

  duplicates: () => {
    const lastRows = new Map<string | undefined, readonly unknown[]>();
    return onLists((list, { call }) => {
      const before = lastRows.get(cursorOf(call)) ?? [];
      // An empty page stays empty; the page after it repeats the rows instead.
      const isEmpty = list.rows.length === 0;
      lastRows.set(
        list.next?.replace(/^(empty\d+~)?(lap\d+~)?/, ''),
        isEmpty ? before : list.rows.slice(-3),
      );
      return isEmpty
        ? list.with({})
        : list.with({ rows: [...before, ...list.rows] });
    });
  },

  failAfterPages: (good) => {
    const pages = new Map<string, number>();
    return onLists((list, { call }) => {
      const page =
        cursorOf(call) === undefined ? 1 : (pages.get(call.path) ?? 0) + 1;
      pages.set(call.path, page);
      return page > good ? broken : list.with({});
    });
  },

  lateEvents: (count) => {
    const isNewest = (call: Call) =>
      isV1(call) &&
      call.segments[4] === 'events' &&
      cursorOf(call) === undefined;
    return {
      ask: (call) => {
        if (!isNewest(call)) return call;
        const query = new URLSearchParams(call.query);
        query.set('limit', String(Number(query.get('limit')) + count));
        return { ...call, query };
      },
      ...onLists((list, { call }) =>
        list.with({
          rows: isNewest(call) ? list.rows.slice(count) : list.rows,
        }),
      ),
    };
  },

  hostileCursor: () => {
    let pages = 0;
    const lures = [
      'https://attacker.invalid/collect?page_id=',
      '../../../admin?page_id=',
    ];
    return {
      ask: (call) => eachText(call, (text) => without(text, lures)),
      ...onLists((list) =>
        list.with({
          next:
            list.next === null
              ? null
              : `${lures[pages++ % lures.length] ?? ''}${list.next}`,
        }),
      ),
    };
  },
};

/** The parameters that filter, and the fields that they compare. */
const filterFields = {
  selected_repository: 'selected_repository',
  conversation_trigger: 'trigger',
};

function onLists(
  change: (list: ListAnswer, exchange: Exchange) => HttpAnswer,
): Effect {
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

export function isCursor({ call, context }: Exchange, text: string): boolean {
  switch (listOf(call)) {
    case 'held':
      return context.agentServer.positionOf(text) !== undefined;
    case 'v0':
    case 'conversations':
      return readCursor(text) !== undefined;
    case 'sandboxes':
      return context.world.sandboxes.find(text) !== undefined;
    case 'specs':
      return specs.some(({ name }) => name === text);
    case undefined:
      return false;
  }
}

/** A cursor of the first page, before everything that callers created. */
function startOf(call: Call): string | null {
  const list = listOf(call);
  if (list === 'v0' || list === 'conversations') return writeCursor(-Infinity);
  return list ? 'start' : null;
}

/**
 * Lets cursors carry a number, which the service gets as a parameter that it
 * ignores.
 */
function numbered(
  name: 'empty' | 'lap',
  change: (list: ListAnswer, call: Call, number: number) => HttpAnswer,
): Effect {
  const mark = new RegExp(`${name}(\\d+)~`);
  return {
    ask: (call) => {
      const cursor = cursorOf(call) ?? '';
      const number = mark.exec(cursor)?.[1];
      if (number === undefined) return call;
      const query = new URLSearchParams(call.query);
      query.set(name, number);
      query.set('page_id', cursor.replace(mark, ''));
      return { ...call, query };
    },
    ...onLists((list, { call }) =>
      listOf(call)
        ? change(list, call, Number(call.query.get(name) ?? 0))
        : list.with({}),
    ),
  };
}

/** The record under an id that no lap before had. */
function ofLap(record: JsonFields, lap: number): JsonFields {
  const name = 'conversation_id' in record ? 'conversation_id' : 'id';
  return {
    ...record,
    [name]: lap.toString(16).padStart(8, '0') + String(record[name]).slice(8),
  };
}

function without(text: string, starts: readonly string[]): string {
  return starts.reduce((rest, each) => rest.replaceAll(each, ''), text);
}
