import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import {
  type Api,
  untilDone,
  pauseFor,
  sendAnswer,
} from '../../../../src/demo/exchange.ts';
import type { HttpAnswer, Call } from '../../../../src/demo/wire/http.ts';
import type { Misbehaviour, Switches } from './misbehaviour.ts';
import { absenceEffects } from './absence.ts';
import type { Effect, Effects, SocketFault } from './effect.ts';
import { changedFileEffects } from './changedFileFaults.ts';
import { errorEffects } from './errorAnswers.ts';
import { listEffects } from './listFaults.ts';
import { recordEffects } from './oddRecords.ts';
import { redirectEffects } from './redirects.ts';
import { sendingEffects } from './sending.ts';
import { seenEffects } from './seen.ts';
import { socketEffects } from './socketFaults.ts';
import { versionEffects } from './versions.ts';

/**
 * The first one wins of several switches that answer instead of the service, or
 * send in their own way.
 */
const table: Effects = {
  ...absenceEffects,
  ...errorEffects,
  ...changedFileEffects,
  ...redirectEffects,
  ...versionEffects,
  ...seenEffects,
  ...listEffects,
  ...recordEffects,
  ...sendingEffects,
  ...socketEffects,
};

export const switchNames = Object.keys(table) as readonly (keyof Switches)[];

/**
 * Misbehaviour in progress: which switches are on, and how many requests have
 * met them.
 */
export class Misbehaving {
  readonly #effects: readonly Effect[];
  readonly #only: string | RegExp;
  readonly #released = new AbortController();
  #left: number;

  constructor({
    only = '',
    times = Infinity,
    ...switches
  }: Partial<Misbehaviour>) {
    this.#effects = switchNames.flatMap(
      (name) => effect(name, switches[name], switches) ?? [],
    );
    this.#only = only;
    this.#left = times;
  }

  /** Answers a call to the API and sends it, with all that is wrong. */
  async exchange(
    call: Call,
    response: ServerResponse,
    { context, answer }: Api,
  ): Promise<void> {
    const effects = this.#meet(call);
    if (effects.some(({ isClosed }) => isClosed?.(response))) {
      response.socket?.destroy();
      return;
    }
    if (effects.some(({ isHeld }) => isHeld))
      await aborted(this.#released.signal, response);
    const asked = effects.reduce(
      (changed, { ask }) => ask?.(changed) ?? changed,
      call,
    );
    let result: HttpAnswer | undefined;
    for (const { instead } of effects) result ??= instead?.(asked);
    if (!result) {
      result = answer(asked);
      for (const { change } of effects) {
        result =
          change?.(result, { call: asked, context, again: answer }) ?? result;
      }
    }
    await untilDone(result, context, response);
    await pauseFor(
      Math.max(result.wait ?? 0, ...effects.map((effect) => effect.wait ?? 0)),
      response,
    );
    if (response.destroyed) return;
    (effects.find((effect) => effect.send)?.send ?? sendAnswer)(
      result,
      response,
    );
  }

  /** Lets the requests go on that are held. */
  release(): void {
    this.#released.abort();
  }

  /** The faults of a WebSocket that this call asks for. */
  socketFaults(call: Call): readonly SocketFault[] {
    return this.#meet(call).flatMap(({ socket }) => socket ?? []);
  }

  /** The effects on this call. Counts it. */
  #meet(call: Call): readonly Effect[] {
    if (this.#effects.length === 0 || !this.#concerns(call) || this.#left <= 0)
      return [];
    this.#left--;
    return this.#effects;
  }

  #concerns({ method, path, query }: Call): boolean {
    const line = `${method} ${path}${query.size > 0 ? `?${query.toString()}` : ''}`;
    return typeof this.#only === 'string'
      ? line.includes(this.#only)
      : line.search(this.#only) >= 0;
  }
}

/** Waits for the signal, but no longer than the caller does. */
async function aborted(
  signal: AbortSignal,
  response: ServerResponse,
): Promise<void> {
  const closed = new AbortController();
  response.once('close', () => {
    closed.abort();
  });
  const either = AbortSignal.any([signal, closed.signal]);
  if (!either.aborted) await once(either, 'abort');
}

function effect<Name extends keyof Switches>(
  name: Name,
  value: Switches[Name] | undefined,
  all: Partial<Switches>,
): Effect | undefined {
  return value === undefined || value === false
    ? undefined
    : table[name](value, all);
}
