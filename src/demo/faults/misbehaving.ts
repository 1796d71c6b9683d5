import type { Call } from '../http.ts';
import type { Misbehaviour, Switches } from '../misbehaviour.ts';
import { absenceEffects } from './absence.ts';
import type { Effect, Effects } from './effect.ts';
import { errorEffects } from './errors.ts';
import { listEffects } from './lists.ts';
import { recordEffects } from './records.ts';
import { redirectEffects } from './redirects.ts';
import { sendingEffects } from './sending.ts';
import { versionEffects } from './versions.ts';

/** Where several switches answer in place of the service, or send in their own way, the first of them does. */
const table: Effects = {
  ...absenceEffects,
  ...errorEffects,
  ...redirectEffects,
  ...versionEffects,
  ...listEffects,
  ...recordEffects,
  ...sendingEffects,
};

export const switchNames = Object.keys(table) as readonly (keyof Switches)[];

/** Misbehaviour that has begun: which switches are on, and how many requests have met them. */
export class Misbehaving {
  readonly #effects: readonly Effect[];
  readonly #only: string | RegExp;
  #left: number;

  constructor({ only = '', times = Infinity, ...switches }: Partial<Misbehaviour>) {
    this.#effects = switchNames.flatMap((name) => effect(name, switches[name], switches) ?? []);
    this.#only = only;
    this.#left = times;
  }

  /** What is done to this request. Counts it. */
  meet(call: Call): readonly Effect[] {
    if (this.#effects.length === 0 || !this.#concerns(call) || this.#left <= 0) return [];
    this.#left--;
    return this.#effects;
  }

  #concerns({ method, path, query }: Call): boolean {
    const line = `${method} ${path}${query.size > 0 ? `?${query.toString()}` : ''}`;
    return typeof this.#only === 'string' ? line.includes(this.#only) : line.search(this.#only) >= 0;
  }
}

function effect<Name extends keyof Switches>(
  name: Name,
  value: Switches[Name] | undefined,
  all: Partial<Switches>,
): Effect | undefined {
  return value === undefined || value === false ? undefined : table[name](value, all);
}
