/** Starting, pausing, resuming and deleting the sandboxes of one service, each until the state is reached. */
import type { Cancellation } from '../../base/cancellation.ts';
import { type Clock, sleep } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import { t } from '../../base/l10n.ts';
import { plainText } from '../../base/plainText.ts';
import type { Sandboxes } from '../../service/agentService.ts';
import { keyOf, type Sandbox } from '../../service/entities.ts';
import type { RemoteList } from '../lists/remoteList.ts';
import type { WantedStatus } from './untilSandboxIs.ts';
import { untilSandboxIs } from './untilSandboxIs.ts';

/** What is being done with a sandbox from here. */
export type SandboxAction = 'starting' | 'pausing' | 'resuming' | 'deleting';

/** A pause can take so much longer than what it makes room for. */
const aLittle = 1_000;

export class SandboxActions {
  readonly #list: RemoteList<Sandbox>;
  /** Its address. */
  readonly #service: string;
  readonly #clock: Clock;
  readonly #changed = new Emitter<string>();
  /** Fires with the key of a sandbox when an action on it begins or ends. */
  readonly onChange = this.#changed.on;
  readonly #underWay = new Map<string, SandboxAction>();
  /** Paused by a person from here, and not by the service. */
  readonly #pausedHere = new Set<string>();
  /** Cancels what is under way when the service is disconnected. */
  readonly #work: Cancellation;

  constructor(list: RemoteList<Sandbox>, service: string, clock: Clock, work: Cancellation) {
    this.#list = list;
    this.#service = service;
    this.#clock = clock;
    this.#work = work;
  }

  /** By the id of the sandbox. */
  get underWay(): ReadonlyMap<string, SandboxAction> {
    return this.#underWay;
  }

  /** Running sandboxes, which the service may pause for another one. */
  othersRunning(id?: string): readonly Sandbox[] {
    return [...this.#list.rows.values()].filter(
      (sandbox) => sandbox.status === 'running' && sandbox.id !== id,
    );
  }

  /**
   * Resolves with the sandboxes that the service has paused for it. When the signal is aborted, it and the others reject
   * with its reason, or with a ServiceError while a request is under way; what the service has begun goes on there.
   */
  async start(
    sandboxes: Sandboxes,
    specId: string | undefined,
    signal: AbortSignal,
  ): Promise<readonly Sandbox[]> {
    const all = this.#work.with(signal);
    const before = await this.#runningBefore();
    const { id } = await sandboxes.start(specId, { signal: all });
    return await this.#act(id, 'starting', async () => {
      await this.#until(id, 'running', all);
      return await this.#pausedOf(before, all);
    });
  }

  async pause(sandboxes: Sandboxes, id: string, signal: AbortSignal): Promise<void> {
    const all = this.#work.with(signal);
    await this.#act(id, 'pausing', async () => {
      this.#pausedHere.add(id);
      await sandboxes.pause(id, { signal: all });
      await this.#until(id, 'paused', all);
    });
  }

  /** As `start`. */
  async resume(sandboxes: Sandboxes, id: string, signal: AbortSignal): Promise<readonly Sandbox[]> {
    const all = this.#work.with(signal);
    return await this.#act(id, 'resuming', async () => {
      const before = await this.#runningBefore(id);
      await sandboxes.resume(id, { signal: all });
      await this.#until(id, 'running', all);
      return await this.#pausedOf(before, all);
    });
  }

  async remove(sandboxes: Sandboxes, id: string, signal: AbortSignal): Promise<void> {
    const all = this.#work.with(signal);
    await this.#act(id, 'deleting', async () => {
      await sandboxes.remove(id, { signal: all });
      await this.#until(id, 'missing', all);
    });
  }

  /**
   * For what may start a sandbox as a side effect, as a new conversation does. Called just before, it notes which ones run.
   * It resolves with a function to call afterwards, which tells which of them the service has paused.
   */
  async watchPausing(): Promise<() => Promise<readonly Sandbox[]>> {
    const { signal } = this.#work;
    const before = await this.#runningBefore();
    return async () => {
      if (before.length === 0 || signal.aborted) return [];
      await this.#list.refresh();
      return await this.#pausedOf(before, signal).catch((error: unknown) => {
        // The service is disconnected.
        if (signal.aborted) return [];
        throw error;
      });
    };
  }

  #row(id: string): Sandbox | undefined {
    return this.#list.rows.get(keyOf({ service: this.#service, id }));
  }

  async #runningBefore(id?: string): Promise<readonly Sandbox[]> {
    if (this.#list.asOf === undefined) await this.#list.refresh();
    const before = this.othersRunning(id).filter((sandbox) => this.#underWay.get(sandbox.id) !== 'pausing');
    for (const sandbox of before) this.#pausedHere.delete(sandbox.id);
    return before;
  }

  async #pausedOf(before: readonly Sandbox[], signal: AbortSignal): Promise<readonly Sandbox[]> {
    const paused = () =>
      before.filter(({ id }) => this.#row(id)?.status === 'paused' && !this.#pausedHere.has(id));
    if (before.length > 0 && paused().length === 0) {
      await sleep(this.#clock, aLittle, signal);
      await this.#list.refresh();
    }
    return paused();
  }

  async #act<T>(id: string, action: SandboxAction, work: () => Promise<T>): Promise<T> {
    const other = this.#underWay.get(id);
    if (other !== undefined) throw new UserError(underWay(plainText(id, 60), other));
    this.#underWay.set(id, action);
    const key = keyOf({ service: this.#service, id });
    this.#changed.fire(key);
    try {
      return await work();
    } finally {
      this.#underWay.delete(id);
      this.#changed.fire(key);
    }
  }

  async #until(id: string, wanted: WantedStatus, signal: AbortSignal): Promise<void> {
    await untilSandboxIs(wanted, this.#list, { service: this.#service, id }, this.#clock, signal);
  }
}

function underWay(sandbox: string, action: SandboxAction): string {
  switch (action) {
    case 'starting':
      return t('Sandbox {0} is already starting. Wait for it to finish.', sandbox);
    case 'pausing':
      return t('Sandbox {0} is already pausing. Wait for it to finish.', sandbox);
    case 'resuming':
      return t('Sandbox {0} is already resuming. Wait for it to finish.', sandbox);
    case 'deleting':
      return t('Sandbox {0} is already being deleted.', sandbox);
  }
}
