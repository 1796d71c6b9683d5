/** The content of the page *Costs*, and the same as CSV. */
import { t } from '../../../base/l10n.ts';
import type { Conversation, Time } from '../../../service/model/entities.ts';
import {
  type CostGroup,
  costOfAll,
  costsBy,
} from '../../../state/costs/costTables.ts';
import type { SpendingLedger } from '../../../state/costs/spending.ts';
import { dayOf } from '../../../state/lists/conversationRows.ts';
import type { Fact } from '../facts.ts';
import { dateAndTime } from '../times.ts';
import { groupLabel } from './arrangementWords.ts';
import { dollarsWord, titleOf } from './conversationWords.ts';

export interface CostSource {
  readonly spending: Pick<SpendingLedger, 'since' | 'today' | 'days'>;
  readonly conversations: readonly Conversation[];
  readonly serviceName: (address: string) => string;
}

interface CostRow extends Omit<CostGroup, 'key' | 'conversations'> {
  readonly name: string;
  /** Replaces the name in files, where "Today" means nothing. */
  readonly day?: string;
  /** `undefined` for a row that is not about conversations. */
  readonly conversations?: number;
}

export interface CostTable {
  readonly title: string;
  readonly column: string;
  readonly rows: readonly CostRow[];
}

const chartDays = 30;

export function costFacts(
  { spending, conversations }: CostSource,
  now: Time,
): Fact[] {
  const all = costOfAll(conversations);
  return [
    [
      t('Today'),
      spending.today === 0 && all.dollars === undefined && all.unknown > 0
        ? t('cost unknown')
        : dollarsWord(spending.today),
    ],
    [
      conversations.length === 1
        ? t('1 listed conversation')
        : t('{0} listed conversations', conversations.length),
      costText(all),
    ],
    [t('As of'), dateAndTime(now)],
  ];
}

export function dayNote({ since }: CostSource['spending']): string {
  return since === undefined
    ? t('Costs by day are known from now on.')
    : t(
        'Costs by day are known since {0}. Earlier costs are in no day, but in the other tables.',
        dateAndTime(since),
      );
}

/** The last days, oldest first, also those without costs. */
export function lastDays(
  { days }: CostSource['spending'],
  now: Time,
): readonly { readonly name: string; readonly dollars: number }[] {
  const byDay = new Map(days.map(({ day, dollars }) => [day, dollars]));
  return Array.from({ length: chartDays }, (_, index) => {
    const date = new Date(now);
    date.setHours(12, 0, 0, 0);
    date.setDate(date.getDate() - (chartDays - 1 - index));
    const day = dayOf(date.getTime());
    return {
      name: groupLabel(day, 'day', now),
      dollars: byDay.get(day) ?? 0,
    };
  });
}

/** The tables of days, services, repositories, models and conversations. */
export function costTables(
  { spending, conversations, serviceName }: CostSource,
  now: Time,
): readonly [days: CostTable, ...groups: CostTable[]] {
  const grouped = (
    title: string,
    column: string,
    key: (conversation: Conversation) => string,
    nameOfKey: (key: string) => string,
  ): CostTable => ({
    title,
    column,
    rows: costsBy(conversations, key).map(({ key, ...row }) => ({
      ...row,
      name: nameOfKey(key),
    })),
  });
  const spentDays = spending.days.filter(({ dollars }) => dollars > 0);
  const byDay = [...spentDays].reverse().map(({ day, dollars }) => ({
    name: groupLabel(day, 'day', now),
    day,
    dollars,
    unknown: 0,
  }));
  return [
    { title: t('By Day'), column: t('Day'), rows: byDay },
    grouped(
      t('By Service'),
      t('Service'),
      ({ service }) => service,
      serviceName,
    ),
    grouped(
      t('By Repository'),
      t('Repository'),
      ({ repository }) => repository ?? '',
      (key) => groupLabel(key, 'repository', now),
    ),
    grouped(
      t('By Model'),
      t('Model'),
      ({ model }) => model ?? '',
      (key) => key || t('Unknown model'),
    ),
    {
      title: t('By Conversation'),
      column: t('Conversation'),
      rows: conversations
        .map((conversation) => ({
          ...costOfAll([conversation]),
          name: titleOf(conversation),
        }))
        .sort((a, b) => (b.dollars ?? -1) - (a.dollars ?? -1)),
    },
  ];
}

/** Unknown costs are never shown as 0. */
export function costText({
  dollars,
  unknown,
  conversations = 1,
}: Omit<CostRow, 'name'>): string {
  if (dollars === undefined)
    return conversations === 0 ? '' : t('cost unknown');
  const amount = dollarsWord(dollars);
  return unknown === 0 ? amount : t('{0}, {1} unknown', amount, unknown);
}

export function costsAsCsv(tables: readonly CostTable[]): string {
  const head = [
    t('Table'),
    t('Name'),
    t('Conversations'),
    t('Cost Unknown'),
    t('Cost (USD)'),
  ];
  const lines = tables.flatMap(({ title, rows }) =>
    rows.map(({ name, day, conversations, unknown, dollars }) => [
      title,
      day ?? name,
      conversations ?? '',
      conversations === undefined ? '' : unknown,
      dollars?.toFixed(6) ?? '',
    ]),
  );
  return [head, ...lines]
    .map((cells) => `${cells.map(csvCell).join(',')}\r\n`)
    .join('');
}

/** Agents write titles, which a spreadsheet must not run as formulas. */
function csvCell(value: string | number): string {
  const text = String(value).replace(/^[=+\-@\t\r]/, "'$&");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
