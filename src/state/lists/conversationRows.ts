/** Filters, sorts and groups conversations. Pure: rows in, groups out. */
import type { ConversationQuery } from '../../service/abilities/agentService.ts';
import {
  type ConversationKey,
  type Conversation,
  keyOf,
  type Time,
} from '../../service/model/entities.ts';
import {
  activities,
  type Activity,
  activityOf,
  isPutAway,
  needsPerson,
} from './activity.ts';

export interface Filter {
  readonly repository?: string | undefined;
  readonly trigger?: string | undefined;
  readonly activity?: Activity | undefined;
  /** Part of the title; case is ignored. */
  readonly text?: string | undefined;
  /** The address of a service. */
  readonly service?: string | undefined;
  readonly tag?: string | undefined;
  /** Only conversations with news since they were last opened. */
  readonly unread?: true | undefined;
  /** Only archived conversations, which are hidden otherwise. */
  readonly archived?: true | undefined;
}

export const groupings = [
  'none',
  'service',
  'repository',
  'state',
  'trigger',
  'day',
] as const;
export type Grouping = (typeof groupings)[number];

/**
 * The first is the default. `urgent` puts rows that need the user first, and
 * sorts the rest by creation.
 */
export const sortings = ['urgent', 'created', 'updated'] as const;
export type Sorting = (typeof sortings)[number];

export interface Arrangement {
  readonly filter: Filter;
  readonly grouping: Grouping;
  readonly sorting: Sorting;
}

export interface ShownConversations {
  readonly groups: readonly Group[];
  /**
   * Child conversations by the key of their visible parent. They are in no
   * group.
   */
  readonly below: ReadonlyMap<ConversationKey, readonly Conversation[]>;
  /** The number of conversations, children included. */
  readonly count: number;
  readonly archived: readonly Conversation[];
}

export interface Group {
  /**
   * The common value: an address, a repository, a trigger, an activity, or a
   * day as `2026-01-31`. Empty for none.
   */
  readonly key: string;
  readonly rows: readonly Conversation[];
}

export function isFiltered(filter: Filter): boolean {
  return Object.values(filter).some(
    (value) => value !== undefined && value !== '',
  );
}

type Filters = ReadonlySet<keyof ConversationQuery> | undefined;

/**
 * The part of a filter that the service can apply; all of it until that is
 * known.
 */
export function askedOf(
  filters: Filters,
  filter: Filter,
  sorting: Sorting = 'urgent',
): ConversationQuery {
  const asked = (name: keyof ConversationQuery, value: string | undefined) =>
    value !== '' && (!filters || filters.has(name)) ? value : undefined;
  return {
    repository: asked('repository', filter.repository),
    trigger: asked('trigger', filter.trigger),
    title: asked('title', filter.text),
    order: asked('order', sorting) === 'updated' ? 'updated' : undefined,
  };
}

/** True if part of the filter can only be applied to the loaded rows. */
export function isFilteredHere(filters: Filters, filter: Filter): boolean {
  const { repository, trigger, title } = askedOf(filters, filter);
  return isFiltered({
    ...filter,
    service: undefined,
    repository: repository === undefined ? filter.repository : undefined,
    trigger: trigger === undefined ? filter.trigger : undefined,
    text: title === undefined ? filter.text : undefined,
  });
}

/** Reads a stored arrangement. Invalid parts are dropped. */
export function readArrangement(stored: unknown): Arrangement {
  const { filter, grouping, sorting } = fieldsOf(stored);
  const values = fieldsOf(filter);
  const textOf = (name: keyof Filter) => {
    const value = values[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  return {
    filter: {
      repository: textOf('repository'),
      trigger: textOf('trigger'),
      activity: activities.find((option) => option === values.activity),
      text: textOf('text'),
      service: textOf('service'),
      tag: textOf('tag'),
      unread: values.unread === true || undefined,
      archived: values.archived === true || undefined,
    },
    grouping: groupings.find((option) => option === grouping) ?? 'none',
    sorting: sortings.find((option) => option === sorting) ?? 'urgent',
  };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}

/**
 * Returns nonempty groups in display order; one if grouping is off. `services`:
 * addresses in display order.
 */
export function arrange(
  rows: Iterable<Conversation>,
  arrangement: Arrangement,
  services: readonly string[] = [],
  isUnread: (key: ConversationKey) => boolean = () => false,
): ShownConversations {
  const { filter, sorting } = arrangement;
  const loaded = [...rows];
  const matching = loaded.filter(
    (row) => matches(row, filter) && (!filter.unread || isUnread(keyOf(row))),
  );
  const isHidden = hiddenAmong(loaded);
  const archived = matching.filter(
    (row) => isHidden(row) || (filter.archived && row.isArchived),
  );
  const all = filter.archived
    ? [...archived]
    : matching.filter((row) => !isHidden(row));
  const at = (row: Conversation): Time =>
    (sorting === 'updated' ? row.updatedAt : undefined) ?? row.createdAt ?? 0;
  const urgency =
    sorting === 'urgent' ? urgencies(all, isUnread) : new Map<string, number>();
  const urgencyOf = (row: Conversation) =>
    urgency.size === 0 ? 0 : (urgency.get(keyOf(row)) ?? 0);
  const pinned = (row: Conversation) => Number(row.isPinned === true);
  all.sort(
    (a, b) =>
      pinned(b) - pinned(a) || urgencyOf(b) - urgencyOf(a) || at(b) - at(a),
  );
  const { top, below } = nested(all);
  return {
    groups: grouped(top, arrangement, at, services),
    below,
    count: all.length,
    archived: filter.archived ? [] : archived,
  };
}

/**
 * Hides archived rows with their children, except while a row or its parent
 * waits.
 */
function hiddenAmong(
  rows: readonly Conversation[],
): (row: Conversation) => boolean {
  const keys = new Set<string>(rows.filter(isPutAway).map(keyOf));
  return (row) => {
    if (keys.size === 0 || activityOf(row) === 'waiting') return false;
    return keys.has(keyOf(row)) || keys.has(parentKeyOf(row));
  };
}

/** Empty without a parent. */
function parentKeyOf({
  service,
  parentId,
}: Conversation): ConversationKey | '' {
  return parentId === undefined ? '' : keyOf({ service, id: parentId });
}

/**
 * The urgency of rows that need the user, by key. A child's urgency counts for
 * its parent, too.
 */
function urgencies(
  rows: readonly Conversation[],
  isUnread: (key: ConversationKey) => boolean,
): ReadonlyMap<string, number> {
  const byKey = new Map<string, number>();
  for (const row of rows) {
    if (!needsPerson(row, isUnread(keyOf(row)))) continue;
    const urgency = activityOf(row) === 'waiting' ? 2 : 1;
    for (const key of [keyOf(row), parentKeyOf(row)]) {
      byKey.set(key, Math.max(urgency, byKey.get(key) ?? 0));
    }
  }
  return byKey;
}

/** Separates rows whose parent is also listed. */
function nested(rows: readonly Conversation[]): Pick<
  ShownConversations,
  'below'
> & {
  readonly top: readonly Conversation[];
} {
  if (rows.every(({ parentId }) => parentId === undefined))
    return { top: rows, below: new Map() };
  const keys = new Set<string>(rows.map(keyOf));
  const byParent = Map.groupBy(rows, (row) => {
    const parent = parentKeyOf(row);
    return keys.has(parent) && parent !== keyOf(row) ? parent : '';
  });
  return {
    top: byParent.get('') ?? [],
    below: new Map(
      [...byParent].flatMap(([key, children]) =>
        key === '' ? [] : [[key, children]],
      ),
    ),
  };
}

function grouped(
  rows: readonly Conversation[],
  { grouping }: Arrangement,
  at: (row: Conversation) => Time,
  services: readonly string[],
): Group[] {
  if (grouping === 'none') return rows.length === 0 ? [] : [{ key: '', rows }];
  const groups = Map.groupBy(rows, (row) => groupKey(row, grouping, at(row)));
  const all = [...groups].map(([key, members]) => ({ key, rows: members }));
  if (grouping === 'service')
    return all.sort(
      (a, b) => services.indexOf(a.key) - services.indexOf(b.key),
    );
  return all.sort((a, b) => compareGroups(a.key, b.key, grouping));
}

function matches(
  row: Conversation,
  { repository, trigger, activity, text, service, tag }: Filter,
): boolean {
  return (
    (!repository || row.repository === repository) &&
    (!service || row.service === service) &&
    (!trigger || row.trigger === trigger) &&
    (!tag || row.tags.includes(tag)) &&
    (!activity || activityOf(row) === activity) &&
    (!text || row.title.toLowerCase().includes(text.toLowerCase()))
  );
}

function groupKey(
  row: Conversation,
  grouping: Exclude<Grouping, 'none'>,
  at: Time,
): string {
  switch (grouping) {
    case 'service':
      return row.service;
    case 'repository':
      return row.repository ?? '';
    case 'trigger':
      return row.trigger ?? '';
    case 'state':
      return activityOf(row);
    case 'day':
      return at === 0 ? '' : dayOf(at);
  }
}

/** The day in the local time zone, in a form that sorts as text. */
export function dayOf(time: Time): string {
  const date = new Date(time);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function compareGroups(
  a: string,
  b: string,
  grouping: Exclude<Grouping, 'none' | 'service'>,
): number {
  // Rows without a repository, trigger or day come last.
  if (a === b) return 0;
  if (a === '') return 1;
  if (b === '') return -1;
  if (grouping === 'state')
    return (
      activities.indexOf(a as Activity) - activities.indexOf(b as Activity)
    );
  if (grouping === 'day') return a < b ? 1 : -1;
  return a.localeCompare(b);
}
