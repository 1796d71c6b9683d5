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
  /**
   * Place in the list: 0 and above for the first sandboxes, below 0 for those
   * that callers started.
   */
  readonly position: number;
  readonly specId: string;
  readonly createdAt: number;
  /** Returns the state at a time without requests. */
  readonly untouched: (now: number) => SandboxState;
  /** The states that callers caused, past and future, in order. */
  changes: readonly SandboxState[];
}

const hour = 3_600_000;

/** The sandboxes, computed from the time and from what callers requested. */
export class SimulatedSandboxes {
  readonly #seed: number;
  readonly #now: () => number;
  /** Newest first. */
  readonly all: DemoSandbox[];
  /**
   * The position of the next started sandbox. Positions of deleted sandboxes
   * are not reused.
   */
  #next = -1;

  constructor(seed: number, now: () => number) {
    this.#seed = seed;
    this.#now = now;
    const begin = now();
    const always = (
      status: WireSandboxStatus,
      detail: string | null = null,
    ) => {
      const state = { status, since: begin, detail };
      return () => state;
    };
    const kinds = [
      { age: 30, untouched: (time: number) => failingToStart(begin, time) },
      { age: 80, untouched: always('RUNNING') },
      { age: 85, untouched: always('RUNNING') },
      { age: 90, untouched: always('RUNNING') },
      { age: 95, untouched: always('RUNNING') },
      { age: 150, untouched: always('PAUSED') },
      { age: 160, untouched: always('PAUSED') },
      {
        age: 170,
        untouched: always(
          'ERROR',
          'The container exited with code 137: out of memory',
        ),
      },
    ];
    this.all = kinds.map(({ age, untouched }, position) => {
      const dice = new Dice(seed, position);
      return {
        id: sandboxId(seed, 'sandbox', position),
        position,
        specId: (
          specs[(position + specs.length - 1) % specs.length] ?? specs[0]
        ).name,
        createdAt: begin - age * hour - dice.below('sandbox age', hour),
        untouched,
        changes: [],
      };
    });
  }

  find(id: string): DemoSandbox | undefined {
    return this.all.find((sandbox) => sandbox.id === id);
  }

  /** A sandbox that is not in the list is missing. */
  state(id: string): SandboxState {
    const sandbox = this.find(id);
    return sandbox
      ? this.#state(sandbox)
      : { status: 'MISSING', since: 0, detail: null };
  }

  /** True for a sandbox that runs, or will once it has started. */
  willRun(id: string): boolean {
    const sandbox = this.find(id);
    return (
      sandbox !== undefined && this.#lastState(sandbox).status === 'RUNNING'
    );
  }

  start(specId = specs[0].name): DemoSandbox {
    const now = this.#now();
    const position = this.#next--;
    const sandbox: DemoSandbox = {
      id: sandboxId(this.#seed, 'sandbox', position),
      position,
      specId,
      createdAt: now,
      untouched: () => ({ status: 'STARTING', since: now, detail: null }),
      changes: starting(now),
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
    const { status } = this.#state(sandbox);
    // A sandbox that is about to pause still runs, so it need not start.
    this.#change(sandbox, status === 'RUNNING' ? [] : starting(this.#now()));
    this.#keepQuota(sandbox);
    return true;
  }

  #state(sandbox: DemoSandbox): SandboxState {
    const now = this.#now();
    return (
      sandbox.changes.findLast(({ since }) => since <= now) ??
      sandbox.untouched(now)
    );
  }

  /** Returns the state after the changes so far. */
  #lastState(sandbox: DemoSandbox): SandboxState {
    return sandbox.changes.at(-1) ?? this.#state(sandbox);
  }

  #pause(sandbox: DemoSandbox): void {
    if (this.#lastState(sandbox).status === 'PAUSED') return;
    this.#change(sandbox, [
      { status: 'PAUSED', since: this.#now() + delay, detail: null },
    ]);
  }

  /** Replaces future changes. */
  #change(sandbox: DemoSandbox, changes: readonly SandboxState[]): void {
    const now = this.#now();
    sandbox.changes = [
      ...sandbox.changes.filter(({ since }) => since <= now).slice(-1),
      ...changes,
    ];
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

/**
 * Starts for a minute, then fails for a quarter of an hour, again and again.
 */
function failingToStart(begin: number, now: number): SandboxState {
  const since = now - ((now - begin) % 960_000);
  return now < since + 60_000
    ? {
        status: 'STARTING',
        since,
        until: since + 60_000,
        detail: 'Pulling the image',
      }
    : {
        status: 'ERROR',
        since: since + 60_000,
        detail: 'The image could not be pulled: manifest unknown',
      };
}
