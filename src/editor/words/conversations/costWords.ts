/** The content of the page *Costs*, and the same as CSV. */
import { plural, t } from '../../../base/l10n.ts';
import {
  type Conversation,
  keyOf,
  type Time,
} from '../../../service/model/entities.ts';
import {
  costOfAll,
  type CostRow,
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

export interface CostTable {
  readonly title: string;
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
      plural(
        conversations.length,
        '1 listed conversation',
        '{0} listed conversations',
      ),
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

/** Costs by service, repository and model, and of each conversation. */
export function costTables(
  { conversations, serviceName }: CostSource,
  now: Time,
): readonly CostTable[] {
  return [
    {
      title: t('By Service'),
      rows: costsBy(conversations, ({ service }) => serviceName(service)),
    },
    {
      title: t('By Repository'),
      rows: costsBy(conversations, ({ repository = '' }) =>
        groupLabel(repository, 'repository', now),
      ),
    },
    {
      title: t('By Model'),
      rows: costsBy(conversations, ({ model }) => model ?? t('Unknown model')),
    },
    {
      title: t('By Conversation'),
      rows: costsBy(conversations, titleOf, keyOf),
    },
  ];
}

/** Unknown costs are never shown as 0. */
export function costText({
  dollars,
  unknown,
}: Omit<CostRow, 'name' | 'conversations'>): string {
  if (dollars === undefined) return unknown === 0 ? '' : t('cost unknown');
  const amount = dollarsWord(dollars);
  return unknown === 0 ? amount : t('{0}, {1} unknown', amount, unknown);
}

export function costsAsCsv(source: CostSource, now: Time): string {
  const head = [
    t('Table'),
    t('Name'),
    t('Conversations'),
    t('Cost Unknown'),
    t('Cost (USD)'),
  ];
  const days = source.spending.days.map(({ day, dollars }) => [
    t('By Day'),
    day,
    '',
    '',
    exact(dollars),
  ]);
  const lines = costTables(source, now).flatMap(({ title, rows }) =>
    rows.map(({ name, conversations, unknown, dollars }) => [
      title,
      name,
      conversations,
      unknown,
      exact(dollars),
    ]),
  );
  return [head, ...days, ...lines]
    .map((cells) => `${cells.map(csvCell).join(',')}\r\n`)
    .join('');
}

function exact(dollars: number | undefined): string {
  return dollars?.toFixed(6) ?? '';
}

/** Agents write titles, which a spreadsheet must not run as formulas. */
function csvCell(value: string | number): string {
  const text = String(value).replace(/^[=+\-@\t\r]/, "'$&");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
