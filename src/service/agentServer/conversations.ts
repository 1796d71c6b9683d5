import { resultOr } from '../../base/errors.ts';
import { t, words } from '../../base/l10n.ts';
import type { Log } from '../../base/log.ts';
import { isEqual } from '../../base/same.ts';
import type {
  Changes,
  ConversationQuery,
  Conversations,
  Editing,
} from '../abilities/agentService.ts';
import { isSet, limitTag } from '../records/conversationRecord.ts';
import {
  changeTime,
  type Conversation,
  idKey,
  type MarkChange,
  markChanges,
  type Time,
} from '../model/entities.ts';
import { type FetchPage, Pager } from '../http/pager.ts';
import {
  isNotFound,
  isUnknownId,
  Requests,
  type Wire,
} from '../http/requests.ts';
import type { CallOptions } from '../http/transport.ts';
import { isObject } from '../http/wireValues.ts';
import type { Rows } from './rows.ts';

/** Pages read to find the place at which a list was. */
const maxPagesReread = 20;

export function conversationsOfAgentServer(
  rows: Rows,
  log: Log,
): Conversations {
  const finder = new ChangeFinder(rows);
  return {
    filters: new Set(['order']),
    list: (query = {}, call = {}) =>
      new Pager(fetchPage(rows, query, log), ({ id }) => idKey(id), log, call),
    find: async (id, call = {}) =>
      // The service rejects malformed ids.
      (await resultOr(rows.find([id], call), isUnknownId, undefined))?.get(
        idKey(id),
      ),
    changes: (list, call = {}) => finder.find(list, call),
  };
}

/**
 * Fetches pages by cursors of our own: the first id of the page, and the time
 * of the row before it.
 */
function fetchPage(
  rows: Rows,
  { order }: ConversationQuery,
  log: Log,
): FetchPage<Conversation> {
  const timeOf = (row: Conversation | undefined) =>
    (row && (order === 'updated' ? changeTime(row) : row.createdAt)) ?? 0;
  return async (cursor, { size = 20, ...call }) => {
    const [, pageId, before = ''] = /^(.+) (\d+)$/.exec(cursor ?? '') ?? [];
    let page = await rows.search({ pageId, size, order }, call);
    const [first] = page.items;
    if (pageId !== undefined && first && idKey(first.id) !== idKey(pageId)) {
      log.warn(
        'A list began again, because the service no longer knows the row that its next page began with.',
      );
      const isBefore = (row: Conversation) => timeOf(row) >= Number(before);
      for (
        let again = 1;
        again < maxPagesReread && page.cursor !== undefined;
        again++
      ) {
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
  pin: 'Could not pin the conversation',
  unpin: 'Could not unpin the conversation',
  archive: 'Could not archive the conversation',
  unarchive: 'Could not unarchive the conversation',
  setLimit: 'Could not set the limit of the conversation',
});

/** A deletion and new tags are answered after the step that runs. */
const deadline = 120_000;

export function editingAtAgentServer(
  conversations: Conversations,
  wire: Wire,
): Editing {
  const requests = new Requests(wire, couldNot);
  const pathOf = (id: string) => ['api', 'conversations', id];

  /**
   * Changes one tag. The service replaces all of them, so another window may
   * undo the change: checks it and repeats it once.
   */
  async function changeTag(
    operation: MarkChange | 'setLimit',
    id: string,
    tag: string,
    change: (old: unknown) => unknown,
    call: CallOptions,
  ): Promise<void> {
    const path = pathOf(id);
    for (let attempt = 1; attempt <= 2; attempt++) {
      const record = await requests.send(operation, { path }, call);
      const tags = isObject(record) ? record.tags : undefined;
      if (!isObject(tags))
        throw requests.error(operation, {
          kind: 'notUnderstood',
          why: t('it does not contain tags'),
        });
      const { [tag]: old, ...otherTags } = tags;
      const value = change(old);
      if (value === old) return;
      const body = {
        tags: value === undefined ? otherTags : { ...otherTags, [tag]: value },
      };
      await requests.change(
        operation,
        { method: 'PATCH', path, body, deadline, once: true },
        call,
      );
    }
  }

  return {
    rename: async (id, title, call = {}) => {
      const sent = {
        method: 'PATCH',
        path: pathOf(id),
        body: { title },
      } as const;
      await requests.change('renameConversation', sent, call);
    },
    remove: async (id, call = {}) => {
      try {
        const sent = { method: 'DELETE', path: pathOf(id), deadline } as const;
        await requests.change('removeConversation', sent, call);
      } catch (error) {
        if (!isNotFound(error)) throw error;
        // Also answered for a conversation that cannot be deleted.
        if (await conversations.find(id, call)) throw error;
      }
    },
    mark: async (id, change, call = {}) => {
      const { tag, isWanted } = markChanges[change];
      const value = isWanted ? 'true' : undefined;
      const marked = (old: unknown) => (isSet(old) === isWanted ? old : value);
      await changeTag(change, id, tag, marked, call);
    },
    setLimit: async (id, limit, call = {}) => {
      const value = limit === undefined ? undefined : String(limit);
      await changeTag('setLimit', id, limitTag, () => value, call);
    },
  };
}

/**
 * Sizes of the pages that are searched for changes; after them, the whole list
 * is requested.
 */
const pageSizes = [1, 10, 50, 50];
/**
 * Idle rows looked up by each call if there are more than twice as many.
 * Deletions are found by counting then.
 */
const maxIdleLookups = 50;

const restful = new Set(['idle', 'paused', 'finished', 'error', 'stuck']);

type Keyed = ReadonlyMap<string, Conversation>;

/** The time of the latest change, and the rows changed at that time. */
interface Latest {
  readonly at: Time;
  readonly keys: ReadonlySet<string>;
}

/**
 * Finds the changes of a list, at a price that does not depend on its length.
 * Remembers the rows of each successful call. Three cases:
 * 1. A record has changed: the service sorts by that time, so all changes come before the first known row.
 * 2. An agent starts or stops, which the service does not date: rows with a working agent are looked up at each call, and
 *    the idle rows that were seen the longest ago.
 * 3. A conversation was deleted: a lookup by id does not find it. In long lists, a count that is too low makes all rows
 *    be looked up.
 */
class ChangeFinder {
  readonly #rows: Rows;
  /** The latest change that was seen; undefined before the first call. */
  #latest: Latest | undefined;
  /** Number of the call that saw each row last. */
  #seenIn: ReadonlyMap<string, number> = new Map();
  #calls = 0;
  #held: number | undefined;
  #newest: Time = 0;

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  /** Undefined if more has changed than is worth looking through. */
  async find(
    list: readonly Conversation[],
    call: CallOptions,
  ): Promise<Changes | undefined> {
    const rowsByKey = new Map(list.map((row) => [idKey(row.id), row]));
    const since = this.#latest ?? latestOf(rowsByKey);
    const { changed, isAll } = await this.#changedSince(since, rowsByKey, call);
    if (!isAll) {
      // The list that follows is not older.
      this.#latest = latestOf(changed, since);
      return undefined;
    }
    const unchangedRows = [...rowsByKey].filter(([key]) => !changed.has(key));
    const held =
      unchangedRows.length > 2 * maxIdleLookups
        ? await this.#rows.count(call)
        : undefined;
    const dueRows = this.#due(
      unchangedRows,
      this.#hasLost(held, changed),
      held !== undefined,
    );
    const currentRows = await this.#rows.find(
      dueRows.map(([, { id }]) => id),
      call,
    );
    const seen = new Map([...changed, ...currentRows]);
    this.#latest = latestOf(changed, since);
    this.#newest = newestOf([...seen.values()], this.#newest);
    this.#held = held;
    this.#calls++;
    const before = this.#seenIn;
    this.#seenIn = new Map(
      [...rowsByKey.keys()].map((key) => [
        key,
        seen.has(key) ? this.#calls : (before.get(key) ?? 0),
      ]),
    );
    return {
      changed: [...seen]
        .filter(([key, row]) => !isEqual(rowsByKey.get(key), row))
        .map(([, row]) => row),
      gone: dueRows
        .filter(([key]) => !currentRows.has(key))
        .map(([, { id }]) => id),
    };
  }

  /** Rows changed since `at`, and some known ones that have not. */
  async #changedSince(
    { at, keys }: Latest,
    rowsByKey: Keyed,
    call: CallOptions,
  ): Promise<{ readonly changed: Keyed; readonly isAll: boolean }> {
    const changed = new Map<string, Conversation>();
    const isSeen = (row: Conversation) => {
      const changedAt = changeTime(row) ?? 0;
      return changedAt < at || (changedAt === at && keys.has(idKey(row.id)));
    };
    const working = [...rowsByKey.values()].filter(
      (row) => !isResting(row),
    ).length;
    let pageId: string | undefined;
    for (const usual of pageSizes) {
      // Working agents have probably changed.
      const size = pageId === undefined ? Math.min(usual + working, 50) : usual;
      const { items, cursor } = await this.#rows.search(
        { pageId, size, order: 'updated' },
        call,
      );
      const end = items.findIndex(isSeen);
      for (const [index, row] of items.entries()) {
        const key = idKey(row.id);
        if (end < 0 || index < end || rowsByKey.has(key)) changed.set(key, row);
      }
      if (cursor === undefined || end >= 0) return { changed, isAll: true };
      pageId = cursor;
    }
    return { changed, isAll: false };
  }

  /** True if the service holds fewer than expected. */
  #hasLost(held: number | undefined, changed: Keyed): boolean {
    if (held === undefined || this.#held === undefined) return false;
    const newCount = [...changed.values()].filter(
      ({ createdAt = 0 }) => createdAt > this.#newest,
    ).length;
    return held < this.#held + newCount;
  }

  /**
   * The rows to look up now: those with a working agent, and the idle ones that
   * were seen the longest ago.
   */
  #due(
    rows: readonly (readonly [string, Conversation])[],
    all: boolean,
    counted: boolean,
  ) {
    if (all) return rows;
    const lastSeen = (key: string) => this.#seenIn.get(key) ?? 0;
    const rest = rows
      .filter(([, row]) => isResting(row))
      .sort(([a], [b]) => lastSeen(a) - lastSeen(b));
    const overdue = rest.filter(([key]) => lastSeen(key) < this.#calls).length;
    const count = Math.max(overdue, Math.ceil(rest.length / 2));
    return [
      ...rows.filter(([, row]) => !isResting(row)),
      ...rest.slice(0, counted ? Math.min(count, maxIdleLookups) : count),
    ];
  }
}

function isResting({ execution }: Conversation): boolean {
  return execution !== undefined && restful.has(execution);
}

function latestOf(
  rows: Keyed,
  before: Latest = { at: 0, keys: new Set() },
): Latest {
  const at = Math.max(
    before.at,
    ...[...rows.values()].map((row) => changeTime(row) ?? 0),
  );
  const keys = [...rows]
    .filter(([, row]) => (changeTime(row) ?? 0) === at)
    .map(([key]) => key);
  return {
    at,
    keys: new Set(at === before.at ? [...before.keys, ...keys] : keys),
  };
}

function newestOf(rows: readonly Conversation[], before: Time): Time {
  return Math.max(before, ...rows.map(({ createdAt = 0 }) => createdAt));
}
