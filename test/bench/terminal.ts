import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../host/paths.ts';
import { step } from '../host/steps.ts';
import { rounds } from './rounds.ts';
import { median, milliseconds, type Row } from './table.ts';

const runs = rounds(60);
const cli = join(root, 'dist/cli.cjs');

/** The built command-line program, compared with a Node that does nothing. */
export async function terminal(): Promise<Row[]> {
  const scratch = await mkdtemp(join(tmpdir(), 'switchboard-bench-'));
  const file = join(scratch, 'mcp.json');
  const servers = Array.from({ length: 5 }, (_, i) => [
    `server-${i}`,
    { command: 'npx', args: ['-y', `p${i}`] },
  ]);
  const text = JSON.stringify(
    { mcpServers: Object.fromEntries(servers) as unknown },
    null,
    2,
  );
  const run = (args: readonly string[]) => {
    const begin = performance.now();
    const { status, stderr } = spawnSync(process.execPath, args, {
      env: { ...process.env, HOME: scratch, USERPROFILE: scratch },
    });
    const time = performance.now() - begin;
    if (status !== 0) throw new Error(stderr.toString());
    return time;
  };
  const mcp = (...args: string[]) => run([cli, 'mcp', ...args]);
  const target = ['--transport', 'http', 'https://example.com/mcp'];
  const times = {
    nothing: [] as number[],
    list: [] as number[],
    add: [] as number[],
    check: [] as number[],
  };
  // With a warning for each server.
  const unfilled = text.replace(/"p(\d)"/g, '"/path/to/$1"');
  const many = Array.from({ length: 200 }, (_, i) =>
    join(scratch, `${i}.json`),
  );
  try {
    await step('Running the command-line program', async () => {
      for (const each of many) await writeFile(each, unfilled);
      // The first run of each reads the files into the memory of the machine.
      for (let i = -1; i < runs; i++) {
        await writeFile(file, text, { mode: 0o600 });
        const once = {
          nothing: run(['-e', '0']),
          list: mcp('list', '--file', file),
          add: mcp('add', 'new', '--file', file, ...target),
          check: mcp('check', ...many),
        };
        if (i < 0) continue;
        for (const [name, time] of Object.entries(once))
          times[name as keyof typeof times].push(time);
      }
    });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  const reference = median(times.nothing);
  // Each run is compared with the one next to it, because the speed of a
  // machine changes.
  const ratios = (measured: readonly number[]) =>
    measured.map((time, i) => time / (times.nothing[i] ?? NaN));
  const row = (
    what: string,
    measured: readonly number[],
    goal: string,
  ): Row => ({
    what,
    ours: milliseconds(median(measured)),
    reference: `${milliseconds(reference)} (node -e 0)`,
    ratio: `${median(ratios(measured)).toFixed(2)}x`,
    goal,
  });
  return [
    row('switchboard mcp list', times.list, 'at most 1.5x'),
    row(
      'switchboard mcp add',
      times.add,
      'as close to that as its write to the disk allows',
    ),
    row(
      'switchboard mcp check, 200 files of 5 servers',
      times.check,
      'at most 1 s',
    ),
  ];
}
