import assert from 'node:assert/strict';
import {
  costFacts,
  costsAsCsv,
  type CostSource,
  costTables,
  costText,
  dayNote,
  lastDays,
} from '../../../../../src/editor/words/conversations/costWords.ts';
import { conversation } from '../../../state/support.ts';

const now = new Date(2026, 10, 28, 18, 30).getTime();

function source(change: Partial<CostSource> = {}): CostSource {
  return {
    spending: { since: undefined, today: 0, days: [] },
    conversations: [],
    serviceName: (address) => address.replace('https://', ''),
    ...change,
  };
}

describe('the text of the page of costs', () => {
  const tokens = { read: 1_000, written: 10 };
  const full = source({
    spending: {
      since: new Date(2026, 9, 1, 9).getTime(),
      today: 0.5,
      days: [
        { day: '2026-10-02', dollars: 3 },
        { day: '2026-11-20', dollars: 0 },
        { day: '2026-11-28', dollars: 0.5 },
      ],
    },
    conversations: [
      conversation({
        title: 'Cheap',
        cost: 0.1,
        model: 'm',
        repository: 'a/b',
      }),
      conversation({ title: '=HYPERLINK("x")', cost: 0.2, model: 'm' }),
      conversation({
        title: 'Local, free?',
        cost: 0,
        tokens,
        model: 'ollama/m',
      }),
      conversation({ title: 'Silent', repository: 'a/b' }),
    ],
  });

  it('sorts each table by cost, and never shows an unknown cost as 0', () => {
    const tables = costTables(full, now).map(({ title, rows }) => [
      title,
      ...rows.map((row) => `${row.name}: ${costText(row)}`),
    ]);
    assert.deepEqual(tables, [
      ['By Service', 'agents.example.com: $0.30, 2 unknown'],
      [
        'By Repository',
        'No repository: $0.20, 1 unknown',
        'a/b: $0.10, 1 unknown',
      ],
      [
        'By Model',
        'm: $0.30',
        'ollama/m: cost unknown',
        'Unknown model: cost unknown',
      ],
      [
        'By Conversation',
        '=HYPERLINK("x"): $0.20',
        'Cheap: $0.10',
        'Local, free?: cost unknown',
        'Silent: cost unknown',
      ],
    ]);
  });

  it('writes all tables as CSV, in which no title is a formula', () => {
    const lines = costsAsCsv(full, now).split('\r\n');
    assert.equal(lines[0], 'Table,Name,Conversations,Cost Unknown,Cost (USD)');
    assert.deepEqual(
      lines.filter((line) => line.startsWith('By Day')),
      [
        'By Day,2026-10-02,,,3.000000',
        'By Day,2026-11-20,,,0.000000',
        'By Day,2026-11-28,,,0.500000',
      ],
    );
    assert.deepEqual(
      lines.filter((line) => line.startsWith('By Conversation')),
      [
        `By Conversation,"'=HYPERLINK(""x"")",1,0,0.200000`,
        'By Conversation,Cheap,1,0,0.100000',
        'By Conversation,"Local, free?",1,1,',
        'By Conversation,Silent,1,1,',
      ],
    );
    assert.equal(lines.at(-1), '');
  });

  it('says since when days are known', () => {
    assert.match(
      dayNote(full.spending),
      /^Costs by day are known since Oct 1, 2026/,
    );
    assert.match(dayNote(source().spending), /known from now on/);
  });

  it('says what was spent today, unless all costs are unknown', () => {
    assert.deepEqual(costFacts(full, now).slice(0, 2), [
      ['Today', '$0.50'],
      ['4 listed conversations', '$0.30, 2 unknown'],
    ]);
    const unknown = source({
      conversations: [conversation({ cost: 0, tokens })],
    });
    assert.deepEqual(costFacts(unknown, now).slice(0, 2), [
      ['Today', 'cost unknown'],
      ['1 listed conversation', 'cost unknown'],
    ]);
  });

  it('has each of the last 30 days, also over a change of the time', () => {
    const days = lastDays(full.spending, now);
    assert.equal(days.length, 30);
    assert.equal(new Set(days.map(({ name }) => name)).size, 30);
    assert.deepEqual(days.at(-1), { name: 'Today', dollars: 0.5 });
    assert.deepEqual(days[0], {
      name: 'Friday, October 30, 2026',
      dollars: 0,
    });
  });

  it('takes less than a second for 1,000 conversations', () => {
    const many = source({
      conversations: Array.from({ length: 1_000 }, (_, index) =>
        conversation({ cost: index / 7, repository: `a/${index % 40}` }),
      ),
    });
    const begin = performance.now();
    costsAsCsv(many, now);
    assert.ok(performance.now() - begin < 1_000);
  });
});
