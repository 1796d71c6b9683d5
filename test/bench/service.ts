import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { join } from 'node:path';
import { Secret } from '../../src/base/secret.ts';
import { createClient } from '../../src/service/client.ts';
import { root } from '../host/paths.ts';
import { start, waitForOutput } from '../host/processes.ts';
import { step } from '../host/steps.ts';
import { isShort, rounds } from './rounds.ts';
import { median, milliseconds, type Row } from './table.ts';

const conversations = isShort ? 20_000 : 100_000;
const pageSize = 1_000;
const key = 'bench-key';
const runs = rounds(5);

/**
 * The client with a demo service in a separate process that has a very large
 * number of conversations.
 */
export async function service(): Promise<Row[]> {
  const demo = start(process.execPath, [
    join(root, 'test/support/demo/main.ts'),
    ...['--conversations', String(conversations)],
    ...['--key', key],
    // Without V1, each page is a single request, as in the reference.
    ...['--misbehave', 'noV1=404'],
  ]);
  try {
    const [url = ''] = await waitForOutput(demo, /http:\/\/127\.0\.0\.1:\d+/);
    return await step(`Listing ${conversations} conversations`, async () => [
      await listing(url),
      await memory(url),
      await depth(url),
    ]);
  } finally {
    await demo.stop();
  }
}

function listAll(url: string) {
  const client = createClient({
    address: new URL(url),
    authentication: 'sessionKey',
    key: new Secret(key),
    interface: 'v0',
    // Otherwise the measurement would show only the pace that a real service
    // asks for.
    requestsPerSecond: Infinity,
  });
  return client.conversations({}, { size: pageSize });
}

interface Answer {
  readonly results: readonly unknown[];
  readonly next_page_id: string | null;
}

async function fetchPage(
  url: string,
  limit: number,
  cursor?: string,
): Promise<Answer> {
  const query = new URLSearchParams({
    limit: String(limit),
    ...(cursor === undefined ? {} : { page_id: cursor }),
  });
  const response = await fetch(`${url}/api/conversations?${query.toString()}`, {
    headers: { 'X-Session-API-Key': key },
  });
  return JSON.parse(await response.text()) as Answer;
}

async function listing(url: string): Promise<Row> {
  const ours: number[] = [];
  const reference: number[] = [];
  for (let run = 0; run < runs; run++) {
    ours.push(
      await time(async () => {
        let rows = 0;
        for await (const { items } of listAll(url)) rows += items.length;
        if (rows !== conversations)
          throw new Error(
            `${rows} of ${conversations} conversations were listed.`,
          );
      }),
    );
    reference.push(
      await time(async () => {
        let cursor: string | undefined;
        do
          cursor =
            (await fetchPage(url, pageSize, cursor)).next_page_id ?? undefined;
        while (cursor !== undefined);
      }),
    );
  }
  const rate = (times: number[]) =>
    `${Math.round(conversations / median(times))} rows/ms`;
  return {
    what: `listing ${conversations} conversations`,
    ours: rate(ours),
    reference: `${rate(reference)} (fetch and JSON.parse)`,
    ratio: `${(median(ours) / median(reference)).toFixed(2)}x the time`,
    goal: 'at most 1.5x',
  };
}

/**
 * The memory that dropped pages leave in use: their ids, which are needed to
 * find duplicates.
 */
async function memory(url: string): Promise<Row> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const used = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  let pages = 0;
  let early = 0;
  for await (const { items } of listAll(url))
    if (items.length > 0 && ++pages === 10) early = used();
  const grown = used() - early;
  return {
    what: 'memory after pages that are dropped',
    ours: `${Math.round(grown / (conversations - 10 * pageSize))} bytes a row`,
    reference: '48 bytes (an id)',
    ratio: '',
    goal: 'ids only',
  };
}

async function depth(url: string): Promise<Row> {
  const size = 20;
  const { next_page_id: deep } = await fetchPage(url, conversations - size);
  if (deep === null) throw new Error('There is no last page.');
  const first: number[] = [];
  const last: number[] = [];
  for (let run = 0; run < 200; run++) {
    first.push(await time(() => fetchPage(url, size)));
    last.push(await time(() => fetchPage(url, size, deep)));
  }
  return {
    what: `page ${conversations / size} of the demo`,
    ours: milliseconds(median(last)),
    reference: `${milliseconds(median(first))} (page 1)`,
    ratio: `${(median(last) / median(first)).toFixed(2)}x`,
    goal: 'the same',
  };
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}
