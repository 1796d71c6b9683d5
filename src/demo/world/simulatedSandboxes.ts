import { Dice } from '../wire/random.ts';
import { specs } from './specs.ts';
import type { WireSandboxStatus } from '../wire/wireTypes.ts';

/** The number of sandboxes that may run at a time. */
const quota = 4;

/** Milliseconds until a start, a pause or a resumption takes effect. */
export const delay = 1_500;

export interface SandboxState {
  readonly status: WireSandboxStatus;
  /** Milliseconds since 1970. */
  readonly since: number;
  /** Time of the next change, if known. */
  readonly until?: number;
  readonly detail: string | null;
}

export interface DemoSandbox {
  readonly id: string;
  readonly specId: string;
  readonly createdAt: number;
  /** Past and future states, in order. */
  states: readonly SandboxState[];
}

const hour = 3_600_000;

/** The sandboxes, computed from the time and from what callers requested. */
export class SimulatedSandboxes {
  readonly #seed: number;
  readonly #now: () => number;
  /** Newest first. */
  readonly all: DemoSandbox[];
  /** The number of the next started sandbox, below 0. */
  #next = -1;

  constructor(seed: number, now: () => number) {
    this.#seed = seed;
    this.#now = now;
    const begin = now();
    const always = (
      status: WireSandboxStatus,
      detail: string | null = null,
    ): readonly SandboxState[] => [{ status, since: begin, detail }];
    const kinds = [
      { age: 30, states: failingToStart(begin) },
      { age: 80, states: always('RUNNING') },
      { age: 85, states: always('RUNNING') },
      { age: 90, states: always('RUNNING') },
      { age: 95, states: always('RUNNING') },
      { age: 150, states: always('PAUSED') },
      { age: 160, states: always('PAUSED') },
      {
        age: 170,
        states: always(
          'ERROR',
          'The container exited with code 137: out of memory',
        ),
      },
    ];
    this.all = kinds.map(({ age, states }, position) => {
      const dice = new Dice(seed, position);
      return {
        id: sandboxId(seed, 'sandbox', position),
        specId: (
          specs[(position + specs.length - 1) % specs.length] ?? specs[0]
        ).name,
        createdAt: begin - age * hour - dice.below('sandbox age', hour),
        states,
      };
    });
  }

  find(id: string): DemoSandbox | undefined {
    return this.all.find((sandbox) => sandbox.id === id);
  }

  /** A sandbox that is not in the list is missing. */
  state(id: string): SandboxState {
    const now = this.#now();
    return (
      this.find(id)?.states.findLast(({ since }) => since <= now) ?? {
        status: 'MISSING',
        since: 0,
        detail: null,
      }
    );
  }

  /** True for a sandbox that runs, or will once it has started. */
  willRun(id: string): boolean {
    return this.find(id)?.states.at(-1)?.status === 'RUNNING';
  }

  start(specId = specs[0].name): DemoSandbox {
    const now = this.#now();
    const sandbox: DemoSandbox = {
      id: sandboxId(this.#seed, 'sandbox', this.#next--),
      specId,
      createdAt: now,
      states: starting(now),
    };
    this.all.unshift(sandbox);
    this.#keepQuota(sandbox);
    return sandbox;
  }

  /**
   * Deletes a sandbox and its contents. Returns false for an unknown sandbox.
   */
  delete(id: string): boolean {
    const index = this.all.findIndex((sandbox) => sandbox.id === id);
    if (index >= 0) this.all.splice(index, 1);
    return index >= 0;
  }

  /** Returns false for an unknown sandbox. */
  pause(id: string): boolean {
    const sandbox = this.find(id);
    if (sandbox) this.#pause(sandbox);
    return sandbox !== undefined;
  }

  /** Returns false for an unknown sandbox. */
  resume(id: string): boolean {
    const sandbox = this.find(id);
    if (!sandbox) return false;
    if (this.willRun(id)) return true;
    const { status } = this.state(id);
    // A sandbox that is about to pause still runs, so it need not start.
    this.#change(sandbox, status === 'RUNNING' ? [] : starting(this.#now()));
    this.#keepQuota(sandbox);
    return true;
  }

  #pause(sandbox: DemoSandbox): void {
    if (sandbox.states.at(-1)?.status === 'PAUSED') return;
    this.#change(sandbox, [
      { status: 'PAUSED', since: this.#now() + delay, detail: null },
    ]);
  }

  /** Replaces future states. */
  #change(sandbox: DemoSandbox, states: readonly SandboxState[]): void {
    sandbox.states = [this.state(sandbox.id), ...states];
  }

  /** Pauses the oldest running sandboxes above the quota, except this one. */
  #keepQuota(kept: DemoSandbox): void {
    const running = this.all.filter(({ id }) => this.willRun(id));
    const candidates = running.filter((sandbox) => sandbox !== kept);
    for (const sandbox of candidates.slice(quota - 1)) this.#pause(sandbox);
  }
}

export function sandboxId(
  seed: number,
  kind: 'sandbox' | 'gone',
  index: number,
): string {
  return `box-${new Dice(seed, index).hex(kind, 16)}`;
}

function starting(now: number): readonly SandboxState[] {
  return [
    {
      status: 'STARTING',
      since: now,
      until: now + delay,
      detail: 'Starting the container',
    },
    { status: 'RUNNING', since: now + delay, detail: null },
  ];
}

/** Starts for a minute, and then fails. */
function failingToStart(begin: number): readonly SandboxState[] {
  const until = begin + 60_000;
  return [
    { status: 'STARTING', since: begin, until, detail: 'Pulling the image' },
    {
      status: 'ERROR',
      since: until,
      detail: 'The image could not be pulled: manifest unknown',
    },
  ];
}
