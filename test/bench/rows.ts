import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Settings } from '../../src/editor/manifest.ts';
import { root } from '../host/paths.ts';
import { type Group, start, waitForOutput } from '../host/processes.ts';
import { step } from '../host/steps.ts';
import { type Server, startServer } from '../host/vscodeServer.ts';
import { openWindow } from '../host/window.ts';
import type { Changes, FirstRows } from './rowsProbe.ts';
import { isShort, rounds, roundsInEditor } from './rounds.ts';
import { median, milliseconds, type Row } from './table.ts';

const key = 'bench-key';
const worlds = [60, isShort ? 1_000 : 100_000];
const windows = rounds(6);

/**
 * The rows of the side bar in real windows, with demo services in separate
 * processes.
 */
export async function rows(): Promise<Row[]> {
  const scratch = await mkdtemp(join(tmpdir(), 'switchboard-bench-'));
  const home = join(scratch, 'home');
  const processes: Group[] = [];
  try {
    await mkdir(home);
    const server = await startServer({
      userData: join(scratch, 'user-data'),
      extensions: join(scratch, 'extensions'),
      // Otherwise windows do not load the probe.
      development: true,
      env: {
        HOME: home,
        USERPROFILE: home,
        SWITCHBOARD_API_KEY: key,
        ...roundsInEditor,
      },
    });
    processes.push(server.group);
    const demos: Demo[] = [];
    for (const conversations of worlds) {
      const args = ['--conversations', String(conversations), '--key', key];
      const demo = start(process.execPath, [
        join(root, 'test/support/demo/main.ts'),
        ...args,
      ]);
      processes.push(demo);
      const [url = ''] = await waitForOutput(demo, /http:\/\/127\.0\.0\.1:\d+/);
      demos.push({ conversations, url, times: [] });
    }
    return [...(await firstRows(server, demos)), ...(await polls(server))];
  } finally {
    await Promise.all(processes.map((group) => group.stop()));
    await rm(scratch, { recursive: true, force: true });
  }
}

interface Demo {
  readonly conversations: number;
  readonly url: string;
  readonly times: FirstRows[];
}

async function firstRows(
  server: Server,
  demos: readonly Demo[],
): Promise<Row[]> {
  await step(
    `Opening the side bar in ${demos.length * windows} windows`,
    async (progress) => {
      // The first window pays the costs that all share.
      for (const { url } of windows > 1 ? demos.slice(0, 1) : [])
        await probe(server, { services: [{ url }] });
      for (let i = 0; i < windows; i++) {
        for (const { conversations, url, times } of i % 2 === 0
          ? demos
          : demos.toReversed()) {
          progress(`window ${i + 1} with ${conversations} conversations`);
          times.push(await probe<FirstRows>(server, { services: [{ url }] }));
        }
      }
    },
  );
  const measured = demos.map(({ conversations, times }) => ({
    conversations,
    answers: median(times.flatMap((time) => time.answers)),
    'new window': median(times.map(({ opening }) => opening)),
    connecting: median(times.flatMap(({ connecting }) => connecting)),
  }));
  const [few] = measured;
  return (['new window', 'connecting'] as const).flatMap((what) =>
    measured.map((times): Row => {
      const [reference, said, goal] =
        times === few || !few
          ? [times.answers, "the demo's own answers", '']
          : // No goal for a new window: its own start-up time varies by more than this.
            [
              few[what],
              `${few.conversations} conversations`,
              what === 'connecting' ? 'within 1.3x' : '',
            ];
      return {
        what: `${what} to first rows, ${times.conversations} conversations`,
        ours: milliseconds(times[what]),
        reference: `${milliseconds(reference)} (${said})`,
        ratio: `${(times[what] / reference).toFixed(2)}x`,
        goal,
      };
    }),
  );
}

async function polls(server: Server): Promise<Row[]> {
  const { changed, news, of, drawn, ticks } = await step(
    'Refreshing rows',
    () => probe<Changes>(server, {}),
  );
  return [
    {
      // A row with news is drawn again once it is known that no window has told
      // them.
      what: `rows redrawn when ${changed} of ${of} changed, ${news} with news`,
      ours: String(drawn),
      reference: String(changed + news),
      ratio: `${(drawn / (changed + news)).toFixed(2)}x`,
      goal: 'the same',
    },
    {
      what: `poll of ${of} shown rows, none changed`,
      ours: milliseconds(ticks.poll - ticks.idle),
      reference: `${milliseconds(ticks.idle)} (as long without one)`,
      ratio: '',
      goal: 'at most 6 ms',
    },
  ];
}

/** Runs the probe in a new window with these settings. */
async function probe<T>(
  server: Server,
  settings: Partial<Settings>,
): Promise<T> {
  const named = Object.entries({
    ...settings,
    refreshInterval: 0,
    'conversations.pageSize': 20,
  });
  await server.configure({
    ...Object.fromEntries(
      named.map(([name, value]) => [`switchboard.${name}`, value]),
    ),
    // Otherwise the extension host looks for open ports again and again, which
    // takes longer than a poll.
    'remote.autoForwardPortsSource': 'output',
  });
  const lines: string[] = [];
  const window = await openWindow(server, {
    extensionDevelopmentPath: root,
    extensionTestsPath: join(root, 'test/bench/rowsProbe.ts'),
    onLog: (_type, [line]) => lines.push(String(line)),
  });
  const code = await window.exit;
  await window.close();
  const found = lines
    .flatMap((line) => /^bench (\{.*\})$/.exec(line)?.[1] ?? [])
    .at(0);
  if (code !== 0 || found === undefined) {
    throw new Error(
      `The rows could not be measured:\n${lines.slice(-5).join('\n')}`,
    );
  }
  return JSON.parse(found) as T;
}
