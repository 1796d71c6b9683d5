import { join } from 'node:path';
import type { Conversation } from '../../src/service/model/entities.ts';
import { root } from '../host/paths.ts';
import { start, waitForOutput } from '../host/processes.ts';
import { step } from '../host/steps.ts';
import { connectTo } from './measured.ts';
import { rounds } from './rounds.ts';
import { median, milliseconds, type Row } from './table.ts';

const key = 'bench-key';
const files = 500;
const roundCount = rounds(15);

/**
 * Measures the changes of an agent in very many files, from the request until
 * the list; the demo is another process.
 */
export async function changedFiles(): Promise<Row[]> {
  const demo = start(process.execPath, [
    join(root, 'test/support/demo/main.ts'),
    ...['--interface', 'agentServer', '--key', key],
    ...['--misbehave', `changedFiles=${files}`],
  ]);
  try {
    const [url = ''] = await waitForOutput(demo, /http:\/\/127\.0\.0\.1:\d+/);
    return await step(`Listing ${files} changed files`, async () => {
      const { switchboard, service } = await connectTo({ url, key });
      const all = [...service.conversations.rows.values()];
      const { signal } = new AbortController();
      const list = (one: Conversation) =>
        switchboard.changes.load(one, 'start', { signal });
      const patch = async ({ id, folder = '' }: Conversation) => {
        const path = `/api/conversations/${id}/file/archive?path=${encodeURIComponent(folder)}`;
        const response = await fetch(url + path, {
          headers: { 'X-Session-API-Key': key },
        });
        return { isThere: response.ok, bytes: await response.arrayBuffer() };
      };
      let one: Conversation | undefined;
      for (const each of all)
        if (!one && (await patch(each)).isThere) one = each;
      if (!one) throw new Error('No conversation has a repository.');
      const [ours, reference]: [number[], number[]] = [[], []];
      for (let round = -1; round < roundCount; round++) {
        const times = [
          await timeOf(() => list(one)),
          await timeOf(() => patch(one)),
        ];
        if (round < 0) continue;
        ours.push(times[0] ?? NaN);
        reference.push(times[1] ?? NaN);
      }
      const found = (await list(one)).files.length;
      if (found !== files) throw new Error(`There are ${found} files.`);
      switchboard.dispose();
      const [time, fetched] = [median(ours), median(reference)];
      return [
        {
          what: `list of ${files} changed files`,
          ours: milliseconds(time),
          reference: `${milliseconds(fetched)} (fetch of the same patch)`,
          ratio: `${(time / fetched).toFixed(2)}x`,
          goal: 'at most 1 s',
        },
      ];
    });
  } finally {
    await demo.stop();
  }
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}
