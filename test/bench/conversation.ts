import { FollowedConversation } from '../../src/state/conversation/followedConversation.ts';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../src/base/clock.ts';
import { EntryFeed } from '../../src/editor/conversations/page/entryFeed.ts';
import type { ToPage } from '../../src/protocol/pageMessages.ts';
import type { Conversation } from '../../src/service/model/entities.ts';
import type { ConnectedService } from '../../src/state/connectedService.ts';
import { root } from '../host/paths.ts';
import { start as run, waitForOutput } from '../host/processes.ts';
import { step } from '../host/steps.ts';
import {
  type BarePage,
  head,
  input,
  openBarePage,
  start,
} from '../ui/barePage.ts';
import { askService, connectTo, type Measured } from './measured.ts';
import { isShort, rounds } from './rounds.ts';
import { median, milliseconds, type Row } from './table.ts';

export const events = isShort ? 1_000 : 10_000;
/** The number of first events. */
const pageSize = 50;
const roundCount = rounds(15);
/** So many more events come, one after the other. */
const moreEvents = 40;
const limit = 60_000;

type Entries = Extract<ToPage, { type: 'entries' }>;

/**
 * The page of a conversation in which very much has happened: what follows it,
 * with a demo service in a separate process, and what draws it, in a browser.
 * What the editor needs for any page is left out.
 */
export async function conversation(): Promise<Row[]> {
  const demo = run(process.execPath, [
    join(root, 'test/support/demo/main.ts'),
    ...['--interface', 'agentServer'],
    ...['--key', 'bench-key'],
  ]);
  const bare = await openBarePage(undefined, { minify: true });
  try {
    const [url = ''] = await waitForOutput(demo, /http:\/\/127\.0\.0\.1:\d+/);
    const measured = { url, key: 'bench-key' };
    return await step(
      `Opening a conversation of ${events} events`,
      async () => {
        const { service, conversation, other } = await begin(measured);
        return [
          await opening(measured, service, conversation, bare),
          ...(await oneMore(measured, service, conversation, other, bare)),
        ];
      },
    );
  } finally {
    await bare.close();
    await demo.stop();
  }
}

interface Begun {
  readonly service: ConnectedService;
  readonly conversation: Conversation;
  /** The id of one that nobody looks at. */
  readonly other: string;
}

async function begin(measured: Measured): Promise<Begun> {
  const profiles = (await askService(measured, 'api/agent-profiles')) as {
    readonly active_agent_profile_id: string;
  };
  const create = async (text: string) => {
    const answer = await askService(measured, 'api/conversations', {
      agent_profile_id: profiles.active_agent_profile_id,
      workspace: { working_dir: '/srv/agent/shop' },
      confirmation_policy: { kind: 'NeverConfirm' },
      initial_message: {
        role: 'user',
        content: [{ type: 'text', text }],
        run: true,
      },
    });
    return (answer as { readonly id: string }).id;
  };
  const id = await create(`history: ${events}`);
  const other = await create('say: Hello');
  await until(async () => {
    const record = await askService(measured, `api/conversations/${id}`);
    return (
      (record as { readonly execution_status: string }).execution_status ===
      'finished'
    );
  });
  return { ...(await listed(measured, id)), other };
}

/** A service with this conversation in its list. */
export async function listed(
  measured: Measured,
  id: string,
): Promise<{
  readonly service: ConnectedService;
  readonly conversation: Conversation;
}> {
  const { service } = await connectTo(measured);
  const conversation = [...service.conversations.rows.values()].find(
    (row) => row.id === id,
  );
  if (!conversation) throw new Error('The conversation is missing.');
  return { service, conversation };
}

/**
 * Time from the request for the newest events until they are laid out, in a
 * page whose script is there. The frame of the page, which needs no events, is
 * drawn meanwhile, in another process: the longer of the two counts.
 */
export async function opening(
  measured: Measured,
  service: ConnectedService,
  conversation: Conversation,
  bare: BarePage,
  where = '',
): Promise<Row> {
  const times = {
    answer: [] as number[],
    read: [] as number[],
    frame: [] as number[],
    entries: [] as number[],
  };
  for (let round = -1; round < roundCount; round++) {
    const answer = await timeOf(() => newestPage(measured, conversation));
    const opened = open(service, conversation);
    let first: Entries | undefined;
    const read = await timeOf(async () => (first = await opened.first));
    await opened.live();
    opened.close();
    if (!first) throw new Error('Nothing was told to the page.');
    await bare.page.reload();
    const [frame = NaN, entries = NaN] = await paintsOf(bare, [
      [start(), head(), input()],
      [first],
    ]);
    if (round < 0) continue;
    for (const [name, time] of Object.entries({ answer, read, frame, entries }))
      times[name as keyof typeof times].push(time);
  }
  const reference = median(times.answer);
  const [read, frame, entries] = [times.read, times.frame, times.entries].map(
    median,
  );
  const ours = median(
    times.read.map(
      (one, i) =>
        Math.max(one, times.frame[i] ?? NaN) + (times.entries[i] ?? NaN),
    ),
  );
  const parts = [
    `reading ${milliseconds(read ?? NaN)}`,
    `in parallel the frame ${milliseconds(frame ?? NaN)}`,
  ];
  return {
    what: `first paint of a conversation of ${events} events${where}`,
    ours: `${milliseconds(ours)} (${parts.join(', ')}, entries ${milliseconds(entries ?? NaN)})`,
    reference: `${milliseconds(reference)} (fetch and JSON.parse of its newest page)`,
    ratio: `${(ours / reference).toFixed(2)}x`,
    goal: where === '' ? 'at most 2x' : 'at most 1.5x',
  };
}

async function oneMore(
  measured: Measured,
  service: ConnectedService,
  conversation: Conversation,
  other: string,
  bare: BarePage,
): Promise<Row[]> {
  const opened = open(service, conversation);
  const { followed, told } = opened;
  await opened.first;
  await opened.live();
  while (followed.snapshot.hasOlder)
    await followed.loadOlder(AbortSignal.timeout(limit));
  await until(() => !opened.sendOlder());
  await bare.page.reload();
  await bare.tell(start(), head(), input(), ...told);
  await until(
    async () =>
      (await bare.page.locator('.entry').count()) >= followed.entries.length,
  );
  await bare.page.evaluate(counting);
  const host: number[] = [];
  const drawing: number[] = [];
  for (let round = 0; round < moreEvents; round++) {
    const from = told.length;
    const busy = await busyFor(() => write(measured, conversation.id, round));
    // The cost of writing and of waiting for this process.
    const writing = await busyFor(() => write(measured, other, round));
    const addedSince = () =>
      told.slice(from).filter(({ added }) => added.length > 0);
    // A busy machine may take longer than `write` waits.
    await until(() => addedSince().length > 0);
    const more = addedSince();
    if (more.length !== 1 || more[0]?.added.length !== 1)
      throw new Error('It was not told as one.');
    host.push(busy - writing);
    drawing.push(await paintOf(bare, more));
  }
  const made = await bare.page.evaluate<number>('window.made');
  const shown = followed.entries.length;
  opened.close();
  return [
    {
      what: `elements made for ${moreEvents} more events, one after the other`,
      ours: String(made),
      reference: String(moreEvents),
      ratio: '',
      goal: 'the same',
    },
    {
      what: `one more event of ${shown} shown, in the extension host`,
      ours: milliseconds(median(host)),
      reference: '',
      ratio: '',
      goal: 'at most 1 ms',
    },
    {
      what: `one more event of ${shown} shown, in the page`,
      ours: milliseconds(median(drawing)),
      reference: '',
      ratio: '',
      goal: 'below 16 ms',
    },
  ];
}

/** A message to the agent, and time for what follows. */
async function write(
  measured: Measured,
  id: string,
  round: number,
): Promise<void> {
  await askService(measured, `api/conversations/${id}/events`, {
    role: 'user',
    content: [{ type: 'text', text: `One more ${round}` }],
    run: false,
  });
  await sleep(200);
}

interface Opened {
  readonly followed: FollowedConversation;
  /** Messages to the page. */
  readonly told: readonly Entries[];
  /** The message with the first entries. */
  readonly first: Promise<Entries>;
  /** Resolves when what happens comes without asking. */
  live(): Promise<void>;
  /** Sends more entries to the page. Returns false once it has all. */
  sendOlder(): boolean;
  close(): void;
}

/** Answers like the editor for a page that exists. */
function open(service: ConnectedService, conversation: Conversation): Opened {
  const followed = service.conversations.follow(
    conversation,
    FollowedConversation,
  );
  const told: Entries[] = [];
  const { promise: first, resolve } = Promise.withResolvers<Entries>();
  const feed = new EntryFeed({
    followed,
    send: (message) => {
      if (message.type !== 'entries') return;
      told.push(message);
      if (message.added.length + message.before.length > 0) resolve(message);
    },
    clock: systemClock,
    circumstances: () => ({
      now: systemClock.now(),
      confirmation: undefined,
      folder: undefined,
    }),
    empty: () => undefined,
  });
  feed.begin(undefined);
  followed.setVisible(true);
  const close = () => {
    feed.release();
    followed.release();
  };
  const live = () => until(() => followed.snapshot.connection.how === 'live');
  return {
    followed,
    told,
    first,
    live,
    sendOlder: () => feed.sendOlder(),
    close,
  };
}

async function newestPage(
  measured: Measured,
  { id }: Conversation,
): Promise<void> {
  await askService(
    measured,
    `api/conversations/${id}/events/search?limit=${pageSize}&sort_order=TIMESTAMP_DESC`,
  );
}

/** Counts the entries that are made from now on. */
const counting = `{
  window.made = 0;
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const node of addedNodes) if (node.matches?.('.entry')) window.made++;
  }).observe(document.querySelector('.entries'), { childList: true, subtree: true });
}`;

/** The time that the page takes to draw these, with the layout. */
async function paintOf(
  bare: BarePage,
  messages: readonly ToPage[],
): Promise<number> {
  const [time = NaN] = await paintsOf(bare, [messages]);
  return time;
}

/** One after the other. */
async function paintsOf(
  { page }: BarePage,
  paints: readonly (readonly ToPage[])[],
): Promise<number[]> {
  return await page.evaluate<number[], readonly (readonly unknown[])[]>(
    (all) => {
      const { take, document } = globalThis as unknown as {
        readonly take: (message: unknown) => void;
        document: { body: { offsetHeight: number } };
      };
      return all.map((messages) => {
        const begin = performance.now();
        for (const each of messages) take(each);
        return document.body.offsetHeight && performance.now() - begin;
      });
    },
    paints,
  );
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

/** Milliseconds of processor time of this thread. */
async function busyFor(work: () => Promise<unknown>): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

async function until(
  condition: () => boolean | Promise<boolean>,
): Promise<void> {
  const begin = performance.now();
  while (!(await condition())) {
    if (performance.now() - begin > limit)
      throw new Error(`This did not become true: ${condition.toString()}`);
    await sleep(5);
  }
}
