import { editText } from '../../src/mcp/edit/editText.ts';
import { rounds } from './rounds.ts';
import { median, milliseconds, type Row } from './table.ts';

const runs = rounds(60);

/** Changes to a file in memory, proof included. */
export function edits(): Promise<Row[]> {
  return Promise.resolve([toggling(100, '5 ms'), toggling(10_000, '250 ms')]);
}

function toggling(servers: number, limit: string): Row {
  const text = fileWith(servers);
  const times: number[] = [];
  // The first runs are not counted.
  for (let run = -10; run < runs; run++) {
    const start = performance.now();
    editText(text, {
      do: 'disable',
      name: `server-${((run + 10) * 7919) % servers}`,
    });
    if (run >= 0) times.push(performance.now() - start);
  }
  return {
    what: `toggling 1 of ${servers} servers (${(text.length / 1e6).toFixed(1)} MB), with its proof`,
    ours: milliseconds(median(times)),
    reference: '',
    ratio: '',
    goal: `at most ${limit}`,
  };
}

function fileWith(servers: number): string {
  const entries = Array.from({ length: servers }, (_, i) => [
    `server-${i}`,
    i % 3 === 0
      ? {
          url: `https://example.com/mcp/${i}`,
          transport: 'http',
          headers: { Authorization: 'Bearer 0123456789' },
        }
      : {
          command: 'npx',
          args: ['-y', `@scope/package-${i}`],
          env: { API_TOKEN: `0123456789abcdef${i}` },
        },
  ]);
  return JSON.stringify(
    { mcpServers: Object.fromEntries(entries) as unknown },
    null,
    2,
  );
}
