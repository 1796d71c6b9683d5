import { commands, ConfigurationTarget, extensions, workspace } from 'vscode';
import { startDemo } from '../../src/demo/server.ts';
import { container, extensionId } from '../../src/editor/manifest.ts';
import type { Insight } from '../../src/extension.ts';
import { longAgo, timeUntilChanged } from '../support/threeChanges.ts';
import { SteppedClock } from '../support/steppedClock.ts';

/** What SWITCHBOARD_BENCH says: the demo services to connect to, and how often. */
export interface Task {
  readonly urls: Readonly<Record<string, string>>;
  readonly runs: number;
}

export interface Result {
  /** Milliseconds to the first rows, and those of the same requests without the extension, by the name of the demo. */
  readonly times: Readonly<Record<string, { readonly ours: number[]; readonly reference: number[] }>>;
  /** Of a thousand, when three have changed. */
  readonly redrawn: number;
}

const key = process.env.SWITCHBOARD_API_KEY ?? '';
const world = { seed: 1, conversations: 1_000 };

/** Runs inside VS Code, beside the extension. */
export async function run(): Promise<void> {
  const { urls, runs } = JSON.parse(process.env.SWITCHBOARD_BENCH ?? '{}') as Task;
  const insight = await extensions.getExtension<Insight | undefined>(extensionId)?.activate();
  if (!insight) throw new Error('The extension is not there.');
  await commands.executeCommand(`workbench.view.extension.${container}`);
  await configure('refreshInterval', 0);
  const times = Object.fromEntries(
    Object.keys(urls).map((name) => [name, { ours: [] as number[], reference: [] as number[] }]),
  );
  for (let round = 0; round < runs; round++) {
    for (const [name, url] of Object.entries(urls)) {
      times[name]?.ours.push(await timeToRows(insight, url));
      times[name]?.reference.push(await timeOfAnswers(url));
    }
  }
  console.log(`bench ${JSON.stringify({ times, redrawn: await countRedrawn(insight) } satisfies Result)}`);
}

async function configure(name: string, value: unknown): Promise<void> {
  await workspace.getConfiguration('switchboard').update(name, value, ConfigurationTarget.Global);
}

/** From the moment at which the extension knows of the service to that at which the window takes the first row. */
async function timeToRows({ switchboard, trees }: Insight, url: string): Promise<number> {
  let begin = 0;
  const stop = switchboard.onConnection(() => {
    begin = performance.now();
  });
  const { drawn } = trees.conversations;
  await configure('service.url', url);
  await until(() => trees.conversations.drawn > drawn);
  const time = performance.now() - begin;
  stop();
  await until(() => switchboard.sandboxes.asOf !== undefined);
  await configure('service.url', undefined);
  await until(() => switchboard.connection === undefined);
  return time;
}

/** The same page, and what V1 knows of its conversations. */
async function timeOfAnswers(url: string): Promise<number> {
  const headers = { 'x-session-api-key': key };
  const begin = performance.now();
  const page = await fetch(`${url}/api/conversations?limit=20`, { headers });
  const { results } = (await page.json()) as { readonly results: { readonly conversation_id: string }[] };
  const ids = results.map(({ conversation_id }) => `ids=${conversation_id}`).join('&');
  await (await fetch(`${url}/api/v1/app-conversations?${ids}`, { headers })).json();
  return performance.now() - begin;
}

async function countRedrawn({ switchboard, trees }: Insight): Promise<number> {
  const clock = new SteppedClock(longAgo);
  const demo = await startDemo({ ...world, clock, key });
  const { conversations } = switchboard;
  await configure('conversations.pageSize', 99);
  await configure('service.url', demo.url);
  await until(() => conversations.asOf !== undefined);
  while (conversations.more) await conversations.loadMore();
  await drawn(trees.conversations);
  const before = trees.conversations.drawn;
  clock.advance(timeUntilChanged(3, world));
  await switchboard.refresh();
  await drawn(trees.conversations);
  await configure('service.url', undefined);
  await demo.stop();
  return trees.conversations.drawn - before;
}

/** Once the window has drawn nothing for longer than it waits before it draws. */
async function drawn(tree: { readonly drawn: number }): Promise<void> {
  let last = tree.drawn;
  let since = performance.now();
  await until(() => {
    if (tree.drawn !== last) since = performance.now();
    last = tree.drawn;
    return performance.now() - since > 500;
  });
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 1));
}
