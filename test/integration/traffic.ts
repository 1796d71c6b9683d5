/** The requests that leave the extension host, each with its time: the service cannot tell when one has been answered. */
import { replace } from './person.ts';

export interface Exchange {
  readonly path: string;
  readonly begin: number;
  /** When its headers were there, or it failed. */
  end: number | undefined;
}

export class Traffic {
  readonly exchanges: Exchange[] = [];
  readonly #restore: () => void;

  constructor() {
    const fetch = globalThis.fetch;
    this.#restore = replace(globalThis, 'fetch', async (input, init) => {
      const url = new URL(String(input));
      const exchange: Exchange = { path: url.pathname, begin: performance.now(), end: undefined };
      this.exchanges.push(exchange);
      try {
        return await fetch(url, init as RequestInit);
      } finally {
        exchange.end = performance.now();
      }
    });
  }

  /** Those to paths that end like this, in their order. */
  to(end: string): readonly Exchange[] {
    return this.exchanges.filter(({ path }) => path.endsWith(end));
  }

  /** How many of them were under way at the same time at most. */
  mostAtOnce(end: string): number {
    const all = this.to(end);
    const under = (moment: number) =>
      all.filter(({ begin, end: stop }) => begin <= moment && moment < (stop ?? Infinity)).length;
    return Math.max(0, ...all.map(({ begin }) => under(begin)));
  }

  stop(): void {
    this.#restore();
  }
}
