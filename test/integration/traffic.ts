/**
 * Records the requests of the extension host with their times, of which some
 * can be skipped. The service cannot know when an answer has arrived.
 */
import { setImmediate } from 'node:timers/promises';
import { systemClock } from '../../src/base/clock.ts';
import { windowCaughtUp } from '../../src/editor/ui/windowCaughtUp.ts';
import { until } from '../support/eventually.ts';
import { replace } from './person.ts';

export interface Exchange {
  readonly origin: string;
  readonly path: string;
  readonly begin: number;
  /** Time of the headers, or of the failure. */
  end: number | undefined;
}

export class Traffic {
  readonly exchanges: Exchange[] = [];
  readonly #restore: () => void;

  constructor() {
    const fetch = globalThis.fetch;
    this.#restore = replace(globalThis, 'fetch', async (input, init) => {
      const url = new URL(String(input));
      const exchange: Exchange = {
        origin: url.origin,
        path: url.pathname,
        begin: systemClock.now(),
        end: undefined,
      };
      this.exchanges.push(exchange);
      try {
        return await fetch(url, init as RequestInit);
      } finally {
        exchange.end = systemClock.now();
      }
    });
  }

  /**
   * The requests to paths that end like this, in order: of this service, or of
   * all.
   */
  to(end: string, origin?: string): readonly Exchange[] {
    return this.exchanges.filter(
      (exchange) =>
        exchange.path.endsWith(end) &&
        (origin === undefined || exchange.origin === origin),
    );
  }

  /** The largest number of these requests in progress at the same time. */
  mostAtOnce(end: string): number {
    const all = this.to(end);
    const under = (moment: number) =>
      all.filter(
        ({ begin, end: stop }) =>
          begin <= moment && moment < (stop ?? Infinity),
      ).length;
    return Math.max(0, ...all.map(({ begin }) => under(begin)));
  }

  /**
   * Resolves when all requests have been answered, and what was read of the
   * answers asks for no more.
   */
  async answered(): Promise<void> {
    let count: number;
    do {
      count = this.exchanges.length;
      await until(() => this.exchanges.every(({ end }) => end !== undefined));
      // The bodies are read after the headers, in a few turns of the event
      // loop.
      for (let turn = 0; turn < 50; turn++) await setImmediate();
      await windowCaughtUp();
    } while (this.exchanges.length > count);
  }

  stop(): void {
    this.#restore();
  }
}
