/**
 * Measures a poll in the extension host after the answer has been read, while
 * the side bar shows very many rows.
 */
import type { ServiceClient } from '../../src/service/client.ts';
import type { PageRequest } from '../../src/service/http/pager.ts';
import type {
  ConnectedService,
  ServiceConnection,
} from '../../src/state/connectedService.ts';
import type { Switchboard } from '../../src/state/switchboard.ts';
import { rounds } from './rounds.ts';
import { median } from './table.ts';

/**
 * Milliseconds of processor time of the thread that runs the extensions:
 * medians, because the editor has work of its own.
 */
export interface Ticks {
  /**
   * Time from the answer, read and in our own words, until all that follows is
   * over: the lists, the rows, the editor's part.
   */
  readonly poll: number;
  /** The same time without a poll. */
  readonly idle: number;
}

const roundCount = rounds(30);
/** Longer than the editor waits before it draws, and draws. */
const untilOver = 500;

/**
 * Polls again and again, and answers each time as the service has answered the
 * last real one.
 */
export async function timeTicks(switchboard: Switchboard): Promise<Ticks> {
  const [service] = switchboard.services;
  if (!service) throw new Error('Nothing is connected.');
  const recorder = new Recorder(service);
  const { size } = switchboard.conversations.rows;
  switchboard.connect(recorder.connection);
  await switchboard.refresh();
  while (switchboard.conversations.rows.size < size)
    await switchboard.conversations.loadMore();
  // The last answer is the one that is given again: its objects are not those
  // that the lists keep.
  await switchboard.refresh();
  recorder.replays = true;
  await pause();
  await pause();
  const poll: number[] = [];
  const idle: number[] = [];
  for (let round = 0; round < roundCount; round++) {
    poll.push(await timeOf(() => switchboard.refresh('poll')));
    idle.push(await timeOf(() => Promise.resolve()));
  }
  if (switchboard.conversations.rows.size !== size)
    throw new Error('The rows are not those of before.');
  return { poll: median(poll), idle: median(idle) };
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  await pause();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

async function pause(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, untilOver));
}

/**
 * A connection that can give the pages of its last refresh once more, without a
 * request.
 */
class Recorder {
  readonly connection: ServiceConnection;
  replays = false;
  readonly #pages = new Map<string, unknown[]>();

  constructor({ client, address, name, demo }: ConnectedService) {
    const recorded: ServiceClient = {
      ...client,
      conversations: (...args) =>
        this.#open('conversations', () => client.conversations(...args)),
      sandboxes: (...args) =>
        this.#open('sandboxes', () => client.sandboxes(...args)),
    };
    this.connection = { client: recorded, address, name, demo };
  }

  #open<P extends { next(request?: PageRequest): Promise<unknown> }>(
    what: string,
    open: () => P,
  ): P {
    if (this.replays) {
      const pages = [...(this.#pages.get(what) ?? [])];
      return { next: () => Promise.resolve(pages.shift()) } as unknown as P;
    }
    const pages = open();
    const results: unknown[] = [];
    this.#pages.set(what, results);
    const next = async (request?: PageRequest) => {
      const result = await pages.next(request);
      results.push(result);
      return result;
    };
    return { next } as unknown as P;
  }
}
