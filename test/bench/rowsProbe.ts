import { commands, ConfigurationTarget, extensions, workspace } from 'vscode';
import { Secret } from '../../src/base/secret.ts';
import { startDemo } from '../../src/demo/demoService.ts';
import {
  container,
  extensionId,
  type ServiceSetting,
} from '../../src/editor/manifest.ts';
import type { TestInsight } from '../../src/editor/start/runtime.ts';
import type { TestAccess } from '../../src/extension.ts';
import { longAgo, timeUntilChanged } from '../support/threeChanges.ts';
import { SteppedClock } from '../support/steppedClock.ts';
import { isShort, rounds } from './rounds.ts';
import { type Ticks, timeTicks } from './tickProbe.ts';

/** All times are in milliseconds. */
export interface FirstRows {
  /** Time from opening the side bar of a new window until it asks for rows. */
  readonly opening: number;
  /**
   * The same from when the extension connects, in a window that has shown rows
   * before.
   */
  readonly connecting: readonly number[];
  /** The same requests, made without the extension. */
  readonly answers: readonly number[];
}

export interface Changes {
  readonly changed: number;
  /** The number of marks as unread. */
  readonly news: number;
  readonly of: number;
  /** The number of rows that the window asked for. */
  readonly drawn: number;
  readonly ticks: Ticks;
}

/**
 * Only an extension that is active can store a key, so a new window gets it
 * from the environment.
 */
const key = process.env.SWITCHBOARD_API_KEY ?? '';
const pageSize = 20;
/** More would exceed the requests per minute, and wait for the next one. */
const world = { seed: 1, conversations: isShort ? 400 : 1_000 };
const roundCount = rounds(3);
const limit = 60_000;

/**
 * Runs inside VS Code with the extension. Measures the service in the settings,
 * or without one, which rows are redrawn.
 */
export async function run(): Promise<void> {
  const [service] = workspace
    .getConfiguration('switchboard')
    .get<readonly ServiceSetting[]>('services', []);
  console.log(
    `bench ${JSON.stringify(service ? await timeFirstRows(service.url) : await countRedrawn())}`,
  );
}

/** Opens the side bar, which loads the extension. */
async function look(): Promise<TestInsight> {
  const extension = extensions.getExtension<TestAccess | undefined>(
    extensionId,
  );
  const access = await extension?.activate();
  if (access?.isLoaded() !== false)
    throw new Error(`${extensionId} is missing or already loaded.`);
  await commands.executeCommand(`workbench.view.extension.${container}`);
  const insight = await access.insight();
  return insight;
}

async function timeFirstRows(url: string): Promise<FirstRows> {
  process.env.SWITCHBOARD_SERVICE_URL = url;
  const begin = performance.now();
  const insight = await look();
  const { keys, switchboard, trees } = insight;
  await until(() => trees.conversations.drawn > 0);
  const opening = performance.now() - begin;
  const { rows, error } = switchboard.conversations;
  if (rows.size !== pageSize)
    throw new Error(`There are ${rows.size} rows. ${error?.message ?? ''}`);
  // From now on it comes and goes with the settings.
  delete process.env.SWITCHBOARD_SERVICE_URL;
  await keys.set(url, new Secret(key));
  const connecting: number[] = [];
  const answers: number[] = [];
  for (let round = 0; round < roundCount; round++) {
    connecting.push(await timeToConnect(insight, url));
    answers.push(await timeOfAnswers(url));
  }
  return { opening, connecting, answers };
}

async function timeToConnect(
  { switchboard, trees }: TestInsight,
  url: string,
): Promise<number> {
  await until(() => switchboard.sandboxes.asOf !== undefined);
  await configure('services', []);
  await until(() => switchboard.services.length === 0);
  await settled(trees.conversations);
  const { drawn } = trees.conversations;
  let begin = 0;
  const subscription = switchboard.onServices(() => {
    begin = performance.now();
  });
  await configure('services', [{ url }]);
  await until(() => trees.conversations.drawn > drawn);
  subscription.dispose();
  return performance.now() - begin;
}

/**
 * The time to fetch the same page, and the details of its conversations from
 * V1.
 */
async function timeOfAnswers(url: string): Promise<number> {
  const headers = { 'x-session-api-key': key };
  const begin = performance.now();
  const page = await fetch(`${url}/api/conversations?limit=${pageSize}`, {
    headers,
  });
  const { results } = (await page.json()) as {
    readonly results: { readonly conversation_id: string }[];
  };
  const ids = results
    .map(({ conversation_id }) => `ids=${conversation_id}`)
    .join('&');
  await (
    await fetch(`${url}/api/v1/app-conversations?${ids}`, { headers })
  ).json();
  return performance.now() - begin;
}

async function countRedrawn(): Promise<Changes> {
  const clock = new SteppedClock(longAgo);
  const demo = await startDemo({ ...world, clock, key });
  const { keys, switchboard, trees } = await look();
  const { conversations } = switchboard;
  await keys.set(demo.url, new Secret(key));
  await configure('conversations.pageSize', 99);
  await configure('services', [{ url: demo.url }]);
  await until(() => conversations.asOf !== undefined);
  // The order does not depend on the states of agents: a moved row has all rows
  // drawn again.
  await switchboard.arrange({ sorting: 'created' });
  while (conversations.more) await conversations.loadMore();
  await settled(trees.conversations);
  const rows = [...conversations.rows.values()];
  const { drawn } = trees.conversations;
  let news = 0;
  const listening = switchboard.unread.onChange(({ size }) => (news += size));
  clock.advance(timeUntilChanged(3, world));
  await switchboard.refresh();
  await settled(trees.conversations);
  const changes = {
    changed: [...conversations.rows.values()].filter(
      (row, index) => row !== rows[index],
    ).length,
    news,
    of: rows.length,
    drawn: trees.conversations.drawn - drawn,
  };
  listening.dispose();
  const ticks = await timeTicks(switchboard);
  await demo.stop();
  return { ...changes, ticks };
}

async function configure(name: string, value: unknown): Promise<void> {
  await workspace
    .getConfiguration('switchboard')
    .update(name, value, ConfigurationTarget.Global);
}

/**
 * Resolves when the window has drawn nothing for longer than its delay before
 * drawing.
 */
async function settled(tree: { readonly drawn: number }): Promise<void> {
  let last = tree.drawn;
  let since = performance.now();
  await until(() => {
    if (tree.drawn !== last) since = performance.now();
    last = tree.drawn;
    return performance.now() - since > 500;
  });
}

async function until(condition: () => boolean): Promise<void> {
  const begin = performance.now();
  while (!condition()) {
    if (performance.now() - begin > limit)
      throw new Error(`This did not become true: ${condition.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
