import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { probe } from '../../src/probe/probe.ts';
import { root } from '../host/paths.ts';
import { step } from '../host/steps.ts';
import { rounds } from './rounds.ts';
import { median, milliseconds, type Row } from './table.ts';

const runs = rounds(40);
const command = process.execPath;
const args = [join(root, 'test/support/servers/program.ts'), 'good'];

/**
 * A check of a server that answers at once, compared with the official client
 * alone: start, tools, end.
 */
export async function check(): Promise<Row[]> {
  const [ours, theirs]: [number[], number[]] = [[], []];
  await step('Checking a server that answers at once', async () => {
    // The first of each loads its code.
    for (let i = -2; i < runs; i++) {
      const both = [
        async () => {
          const time = await timeOf(checked);
          if (i >= 0) ours.push(time);
        },
        async () => {
          const time = await timeOf(asked);
          if (i >= 0) theirs.push(time);
        },
      ];
      for (const run of i % 2 === 0 ? both : both.toReversed()) await run();
    }
  });
  // Each check is compared with the one next to it, because the speed of a
  // machine changes.
  const ratio = median(ours.map((time, i) => time / (theirs[i] ?? NaN)));
  return [
    {
      what: 'check of a server that answers at once',
      ours: milliseconds(median(ours)),
      reference: `${milliseconds(median(theirs))} (the official client alone)`,
      ratio: `${ratio.toFixed(2)}x`,
      goal: 'at most 1.5x',
    },
  ];
}

async function checked(): Promise<void> {
  const result = await probe(
    {
      server: { transport: 'stdio', command, args, env: new Map() },
    },
    { environment: process.env, platform: process.platform, home: tmpdir() },
  );
  if (result.kind === 'fails') throw new Error(JSON.stringify(result.failure));
}

async function asked(): Promise<void> {
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(
    new StdioClientTransport({ command, args, cwd: tmpdir() }),
  );
  const { tools } = await client.listTools();
  if (tools.length !== 2) throw new Error('The server has other tools.');
  await client.close();
}

async function timeOf(run: () => Promise<void>): Promise<number> {
  const begin = performance.now();
  await run();
  return performance.now() - begin;
}
