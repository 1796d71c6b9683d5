/**
 * The page *Costs*. Shows what the lists and the ledger know, and sends no
 * request.
 */
import { type Disposable, env, Uri, window, workspace } from 'vscode';
import { join } from 'node:path';
import { homedir } from 'node:os';
import { systemClock } from '../../../base/clock.ts';
import { t } from '../../../base/l10n.ts';
import { present } from '../../../base/parts.ts';
import type { Time } from '../../../service/model/entities.ts';
import type { Switchboard } from '../../../state/switchboard.ts';
import {
  type DetailsPage,
  OpenPages,
  type PageAction,
  type PageTable,
} from '../../ui/detailsPage.ts';
import {
  costFacts,
  costsAsCsv,
  type CostSource,
  type CostTable,
  costTables,
  costText,
  dayNote,
  lastDays,
} from '../../words/conversations/costWords.ts';
import { dollarsWord } from '../../words/conversations/conversationWords.ts';
import { nameOf } from '../../words/serviceWords.ts';

const actions = {
  show: 'switchboard.showCosts',
  connect: 'switchboard.connect',
  refresh: 'switchboard.conversations.refresh',
  loadMore: 'switchboard.conversations.loadMore',
} as const;

export class CostPage implements Disposable {
  readonly #switchboard: Switchboard;
  readonly #pages: OpenPages<undefined>;

  constructor(switchboard: Switchboard) {
    this.#switchboard = switchboard;
    this.#pages = new OpenPages(
      'switchboard.costs',
      Object.values(actions),
      (_, now) => this.#page(now),
    );
  }

  async show(): Promise<void> {
    await this.#source().spending.read();
    // A page that changes by itself would lose the place of its reader.
    this.#pages.redraw(() => true);
    this.#pages.show(undefined);
  }

  async copy(): Promise<void> {
    await env.clipboard.writeText(this.#csv());
    window.setStatusBarMessage(t('Copied.'), 5000);
  }

  async save(): Promise<void> {
    const file = await window.showSaveDialog({
      defaultUri: Uri.file(join(homedir(), 'costs.csv')),
      filters: { CSV: ['csv'] },
    });
    if (file)
      await workspace.fs.writeFile(file, new TextEncoder().encode(this.#csv()));
  }

  dispose(): void {
    this.#pages.dispose();
  }

  #csv(): string {
    return costsAsCsv(this.#source(), systemClock.now());
  }

  /** Costs of the demo are shown while no other service is connected. */
  #source() {
    const { services, spending, demoSpending } = this.#switchboard;
    const isDemo = services.length > 0 && services.every(({ demo }) => demo);
    return {
      spending: isDemo ? demoSpending : spending,
      conversations: services
        .filter(({ demo }) => demo === isDemo)
        .flatMap(({ conversations }) => [...conversations.rows.values()]),
      serviceName: (address: string) => nameOf(this.#switchboard, address),
    } satisfies CostSource;
  }

  #page(now: Time): DetailsPage {
    const source = this.#source();
    const { conversations, spending } = source;
    const show = (label: string, ...args: string[]): PageAction => ({
      command: actions.show,
      label,
      args,
    });
    const page = { title: t('Costs'), until: Infinity };
    const refresh = show(t('Refresh'));
    if (conversations.length === 0 && spending.days.length === 0)
      return { ...page, ...this.#advice(refresh) };
    const groups = costTables(source, now).filter(({ rows }) => rows[0]);
    const { more } = this.#switchboard.conversations;
    return {
      ...page,
      actions: present(
        show(t('Copy as CSV'), 'copy'),
        show(t('Save as CSV…'), 'save'),
        refresh,
        more && { command: actions.loadMore, label: t('Load More') },
      ),
      sections: [{ facts: costFacts(source, now) }],
      tables: [dayTable(source, now), ...groups.map(drawn)],
    };
  }

  #advice(refresh: PageAction): Pick<DetailsPage, 'actions' | 'sections'> {
    if (this.#switchboard.services.length === 0)
      return {
        actions: [
          { command: actions.connect, label: t('Connect to a Service') },
        ],
        sections: [
          {
            text: t(
              'No service is connected. Connect to one to see what its agents spend.',
            ),
          },
        ],
      };
    return {
      actions: [
        { command: actions.refresh, label: t('Refresh Conversations') },
        refresh,
      ],
      sections: [
        {
          text: t(
            'No conversation is listed. Start one, or refresh the list of conversations, and then this page.',
          ),
        },
      ],
    };
  }
}

function dayTable({ spending }: CostSource, now: Time): PageTable {
  const days = lastDays(spending, now);
  const highest = days.reduce((a, b) => (b.dollars > a.dollars ? b : a));
  const most = dollarsWord(highest.dollars);
  const chart = {
    label: t(
      'Chart of the last {0} days. The most was spent on this day: {1}, {2}. The table below has each day.',
      days.length,
      highest.name,
      most,
    ),
    bars: days.map(({ name, dollars }) => ({
      name: `${name}: ${dollarsWord(dollars)}`,
      share: dollars / highest.dollars,
    })),
    top: most,
    ends: [days[0]?.name ?? '', t('Today')],
  } as const;
  return {
    title: t('By Day'),
    text: dayNote(spending),
    ...(highest.dollars > 0 && { chart }),
    columns: [t('Day'), t('Cost')],
    rows: days
      .filter(({ dollars }) => dollars > 0)
      .reverse()
      .map(({ name, dollars }) => ({ cells: [name, dollarsWord(dollars)] })),
  };
}

function drawn({ title, rows }: CostTable, index: number): PageTable {
  const most = rows[0]?.dollars ?? 0;
  const hasCounts = rows.some(({ conversations }) => conversations > 1);
  return {
    title,
    ...(index === 0 && {
      text: t(
        'This table and those below show the whole cost of each conversation that the list has loaded. A cost is unknown if the service reports none, or does not know the price of the model.',
      ),
    }),
    columns: present(t('Name'), hasCounts && t('Conversations'), t('Cost')),
    rows: rows.map((row) => ({
      cells: present(
        row.name,
        hasCounts && String(row.conversations),
        costText(row),
      ),
      share: most > 0 ? (row.dollars ?? 0) / most : 0,
    })),
  };
}
