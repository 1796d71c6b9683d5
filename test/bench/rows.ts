import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import { cache, root } from '../host/paths.ts';
import { type Group, start, waitForOutput } from '../host/processes.ts';
import { step } from '../host/steps.ts';
import { startServer } from '../host/vscodeServer.ts';
import { openWindow } from '../host/window.ts';
import type { Result, Task } from './rowsProbe.ts';
import { median, milliseconds, type Row } from './table.ts';

const key = 'bench-key';
const demos = { few: 60, many: 100_000 };
const runs = 9;

/** The rows of the side bar in a real window, against demo services in processes of their own. */
export async function rows(): Promise<Row[]> {
  const scratch = await mkdtemp(join(tmpdir(), 'switchboard-bench-'));
  const processes: Group[] = [];
  try {
    const urls: Record<string, string> = {};
    for (const [name, conversations] of Object.entries(demos)) {
      const args = ['--conversations', String(conversations), '--key', key];
      const demo = start(process.execPath, [join(root, 'src/demo/main.ts'), ...args]);
      processes.push(demo);
      [urls[name] = ''] = await waitForOutput(demo, /http:\/\/127\.0\.0\.1:\d+/);
    }
    const { times, redrawn } = await step('Connecting and refreshing in a window', () =>
      measure(scratch, { urls, runs }),
    );
    return [
      ...Object.entries(demos).map(([name, conversations]): Row => {
        const ours = median(times[name]?.ours ?? []);
        const reference = median(times[name]?.reference ?? []);
        return {
          what: `connecting to first rows, ${conversations} conversations`,
          ours: milliseconds(ours),
          reference: `${milliseconds(reference)} (the same two answers)`,
          ratio: `${(ours / reference).toFixed(1)}x`,
          goal: 'the same for any number',
        };
      }),
      {
        what: 'rows redrawn when 3 of 1000 changed',
        ours: String(redrawn),
        reference: '3',
        ratio: `${(redrawn / 3).toFixed(2)}x`,
        goal: '3',
      },
    ];
  } finally {
    await Promise.all(processes.map((demo) => demo.stop()));
    await rm(scratch, { recursive: true, force: true });
  }
}

async function measure(scratch: string, task: Task): Promise<Result> {
  const home = join(scratch, 'home');
  await mkdir(home);
  const server = await startServer({
    userData: join(scratch, 'user-data'),
    extensions: join(scratch, 'extensions'),
    env: {
      HOME: home,
      USERPROFILE: home,
      SWITCHBOARD_API_KEY: key,
      SWITCHBOARD_BENCH: JSON.stringify(task),
    },
  });
  const probe = join(cache, 'bench/rowsProbe.js');
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: [join(root, 'test/bench/rowsProbe.ts')],
    outfile: probe,
    bundle: true,
    format: 'esm',
    platform: 'node',
    external: ['vscode'],
  });
  let result: Result | undefined;
  const window = await openWindow(server, {
    folder: home,
    extensionDevelopmentPath: root,
    extensionTestsPath: probe,
    onLog: (_type, [line]) => {
      const [, text] = /^bench (\{.*\})$/.exec(String(line)) ?? [];
      if (text !== undefined) result = JSON.parse(text) as Result;
    },
  });
  await window.exit;
  await window.close();
  await server.stop();
  if (!result) throw new Error('The rows could not be measured.');
  return result;
}
