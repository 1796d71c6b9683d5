import assert from 'node:assert/strict';
import { check } from 'prettier';
import type { Peer } from '../../bench/commandLines.ts';
import { peerRows } from '../../bench/peerRows.ts';
import { tableOf } from '../../bench/table.ts';

describe('a bench row for another command line', () => {
  const peer: Peer = {
    name: 'other',
    package: '@example/other',
    version: '1.0.0',
    file: 'settings.json',
    remark: 'asks each server',
    add: () => [],
    list: () => [],
    servers: () => [],
  };
  const own = { list: [30, 20, 40], add: [60], kept: [8, 8, 8] };

  it('shows both medians, their ratio, and the worst and median number of servers kept', () => {
    const rows = peerRows(
      own,
      [[peer, { list: [90, 80, 1000], add: [120], kept: [3, 2, 8] }]],
      8,
    );
    assert.deepEqual(
      rows.map(({ what, ours, reference, ratio }) => [
        what,
        ours,
        reference,
        ratio,
      ]),
      [
        [
          'mcp list: other',
          '30.0 ms',
          '90.0 ms (other 1.0.0, asks each server)',
          '0.33x',
        ],
        ['mcp add: other', '60.0 ms', '120.0 ms (other 1.0.0)', '0.50x'],
        [
          '8 mcp add at once: other',
          'at worst 8 kept, median 8',
          'at worst 2 kept, median 3 (other 1.0.0)',
          '',
        ],
      ],
    );
  });

  it('shows the reason instead of a ratio when a command line has no result', () => {
    const [list, add] = peerRows(
      own,
      [[peer, { list: 'fails here', add: [120], kept: 'fails here' }]],

      8,
    );
    assert.deepEqual(
      [list?.reference, list?.ratio, add?.ratio],
      ['fails here (other 1.0.0, asks each server)', '', '0.50x'],
    );
  });

  it('formats the table as Prettier formats Markdown', async () => {
    const rows = peerRows(
      own,
      [[peer, { list: [90], add: [120], kept: [3] }]],
      8,
    );
    assert.ok(await check(`${tableOf(rows)}\n`, { parser: 'markdown' }));
  });
});
