/** Starting, pausing and resuming sandboxes, each until the state is really reached. */
import { type Clock, sleep } from '../base/clock.ts';
import { UserError } from '../base/errors.ts';
import { Emitter } from '../base/event.ts';
import type { ServiceClient } from '../service/client.ts';
import type { Sandbox } from '../service/types.ts';
import type { RemoteList } from './remoteList.ts';

export type Change = 'starting' | 'pausing' | 'resuming';

const lookEvery = 1_000;
const patience = 5 * 60_000;

export class SandboxChanges {
  readonly #list: RemoteList<Sandbox>;
  readonly #clock: Clock;
  readonly #changed = new Emitter<string>();
  readonly #underWay = new Map<string, Change>();

  constructor(list: RemoteList<Sandbox>, clock: Clock) {
    this.#list = list;
    this.#clock = clock;
  }

  /** Tells the id of a sandbox with which something has begun or ended. */
  get onChange(): Emitter<string>['on'] {
    return this.#changed.on;
  }

  /** What is being done with sandboxes from here, by id. */
  get underWay(): ReadonlyMap<string, Change> {
    return this.#underWay;
  }

  /** Those that run and that the service may pause for another one. */
  othersRunning(id?: string): readonly Sandbox[] {
    return [...this.#list.rows.values()].filter(
      (sandbox) => sandbox.status === 'running' && sandbox.id !== id,
    );
  }

  /** Resolves with the sandboxes that the service has paused for it. */
  async start(
    client: ServiceClient,
    specId: string | undefined,
    signal: AbortSignal,
  ): Promise<readonly Sandbox[]> {
    const before = this.othersRunning();
    const { id } = await client.startSandbox(specId, { signal });
    await this.#until(id, 'starting', 'running', signal);
    return this.#pausedOf(before);
  }

  async pause(client: ServiceClient, id: string, signal: AbortSignal): Promise<void> {
    await client.pauseSandbox(id, { signal });
    await this.#until(id, 'pausing', 'paused', signal);
  }

  /** As `start`. */
  async resume(client: ServiceClient, id: string, signal: AbortSignal): Promise<readonly Sandbox[]> {
    const before = this.othersRunning(id);
    await client.resumeSandbox(id, { signal });
    await this.#until(id, 'resuming', 'running', signal);
    return this.#pausedOf(before);
  }

  #pausedOf(before: readonly Sandbox[]): readonly Sandbox[] {
    return before.filter(({ id }) => this.#list.rows.get(id)?.status === 'paused');
  }

  async #until(id: string, change: Change, wanted: 'running' | 'paused', signal: AbortSignal): Promise<void> {
    this.#underWay.set(id, change);
    this.#changed.fire(id);
    const deadline = this.#clock.now() + patience;
    try {
      for (;;) {
        await this.#list.refresh();
        signal.throwIfAborted();
        const sandbox = this.#list.rows.get(id);
        if (sandbox?.status === wanted) return;
        if (sandbox?.status === 'error' || sandbox?.status === 'missing') {
          throw new UserError(
            `The sandbox ${id} has failed${sandbox.detail ? `: ${sandbox.detail}` : ''}. Start another one.`,
          );
        }
        if (this.#clock.now() > deadline) {
          throw new UserError(
            `The sandbox ${id} has not come to be ${wanted} within five minutes. Refresh to see how it is.`,
          );
        }
        await sleep(this.#clock, lookEvery, signal);
      }
    } finally {
      this.#underWay.delete(id);
      this.#changed.fire(id);
    }
  }
}
