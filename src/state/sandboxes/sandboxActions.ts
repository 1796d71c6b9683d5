import type { Cancellation } from '../../base/cancellation.ts';
import { atMost, type Clock, sleep } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import { t } from '../../base/l10n.ts';
import { plainText } from '../../base/plainText.ts';
import type { Sandboxes } from '../../service/abilities/agentService.ts';
import {
  type ConversationKey,
  keyOf,
  type Sandbox,
} from '../../service/model/entities.ts';
import type { RemoteList } from '../lists/remoteList.ts';
import { pauseAfter } from '../../service/http/pacer.ts';
import { isRefusal } from '../../service/http/serviceError.ts';

export type SandboxAction = 'starting' | 'pausing' | 'resuming' | 'deleting';

/** A pause can take this much longer than the start that caused it. */
const pauseDelayMs = 1_000;
const maxAgeMs = 60_000;
const statusTimeoutMs = 5 * 60_000;
const maxFailures = 3;

export class SandboxActions {
  readonly #list: RemoteList<Sandbox>;
  readonly #service: string;
  readonly #clock: Clock;
  readonly #changed = new Emitter<ConversationKey>();
  readonly onChange = this.#changed.on;
  readonly #underWay = new Map<string, SandboxAction>();
  /** Sandboxes paused by the user here, not by the service. */
  readonly #pausedHere = new Set<string>();
  readonly #work: Cancellation;

  constructor(
    list: RemoteList<Sandbox>,
    service: string,
    clock: Clock,
    work: Cancellation,
  ) {
    this.#list = list;
    this.#service = service;
    this.#clock = clock;
    this.#work = work;
  }

  get underWay(): ReadonlyMap<string, SandboxAction> {
    return this.#underWay;
  }

  /** Asks the service first if the list is old. */
  async othersRunningNow(
    id: string | undefined,
    signal: AbortSignal,
  ): Promise<readonly Sandbox[]> {
    await this.#refreshOld(signal);
    if (this.#isOld && this.#list.error) throw this.#list.error;
    return this.othersRunning(id);
  }

  /** Running sandboxes that the service may pause for another one. */
  othersRunning(id?: string): readonly Sandbox[] {
    return [...this.#list.rows.values()].filter(
      (sandbox) => sandbox.status === 'running' && sandbox.id !== id,
    );
  }

  /**
   * Resolves with the sandboxes that the service paused for it. An abort
   * rejects with its reason, or with a ServiceError during a request; the
   * service goes on.
   */
  async start(
    sandboxes: Sandboxes,
    specId: string | undefined,
    signal: AbortSignal,
  ): Promise<readonly Sandbox[]> {
    const all = this.#work.with(signal);
    await this.#refreshOld(all);
    const before = this.#runningBefore();
    const { id } = await sandboxes.start(specId, { signal: all });
    return await this.#act(id, 'starting', async () => {
      await this.#until(id, 'running', all);
      return await this.#pausedOf(before, all);
    });
  }

  async pause(
    sandboxes: Sandboxes,
    id: string,
    signal: AbortSignal,
  ): Promise<void> {
    const all = this.#work.with(signal);
    await this.#act(id, 'pausing', async () => {
      this.#pausedHere.add(id);
      await sandboxes.pause(id, { signal: all });
      await this.#until(id, 'paused', all);
    });
  }

  async resume(
    sandboxes: Sandboxes,
    id: string,
    signal: AbortSignal,
  ): Promise<readonly Sandbox[]> {
    const all = this.#work.with(signal);
    return await this.#act(id, 'resuming', async () => {
      await this.#refreshOld(all);
      const before = this.#runningBefore(id);
      await sandboxes.resume(id, { signal: all });
      await this.#until(id, 'running', all);
      return await this.#pausedOf(before, all);
    });
  }

  async remove(
    sandboxes: Sandboxes,
    id: string,
    signal: AbortSignal,
  ): Promise<void> {
    const all = this.#work.with(signal);
    await this.#act(id, 'deleting', async () => {
      await sandboxes.remove(id, { signal: all });
      await this.#until(id, 'missing', all);
    });
  }

  /**
   * Watches actions that may start a sandbox, such as a new conversation.
   * Resolves with a function that afterwards returns the sandboxes that the
   * service paused.
   */
  async watchPausing(): Promise<() => Promise<readonly Sandbox[]>> {
    const { signal } = this.#work;
    // A service that was disconnected has paused none.
    await this.#refreshOld(signal).catch(() => undefined);
    const before = this.#runningBefore();
    return async () => {
      if (before.length === 0 || signal.aborted) return [];
      await this.#list.refresh();
      return await this.#pausedOf(before, signal).catch((error: unknown) => {
        // The list may belong to another service.
        if (signal.aborted) return [];
        throw error;
      });
    };
  }

  #row(id: string): Sandbox | undefined {
    return this.#list.rows.get(keyOf({ service: this.#service, id }));
  }

  get #isOld(): boolean {
    const { asOf = -Infinity } = this.#list;
    return this.#clock.now() - asOf >= maxAgeMs;
  }

  async #refreshOld(signal: AbortSignal): Promise<void> {
    if (!this.#isOld) return;
    const refreshed = this.#list.refresh();
    await atMost(this.#clock, statusTimeoutMs, refreshed, signal);
  }

  #runningBefore(id?: string): readonly Sandbox[] {
    if (this.#isOld) return [];
    const before = this.othersRunning(id).filter(
      (sandbox) => this.#underWay.get(sandbox.id) !== 'pausing',
    );
    for (const sandbox of before) this.#pausedHere.delete(sandbox.id);
    return before;
  }

  async #pausedOf(
    before: readonly Sandbox[],
    signal: AbortSignal,
  ): Promise<readonly Sandbox[]> {
    const paused = () =>
      before.filter(
        ({ id }) =>
          this.#row(id)?.status === 'paused' && !this.#pausedHere.has(id),
      );
    if (before.length > 0 && paused().length === 0) {
      await sleep(this.#clock, pauseDelayMs, signal);
      await this.#list.refresh();
    }
    return paused();
  }

  async #act<T>(
    id: string,
    action: SandboxAction,
    work: () => Promise<T>,
  ): Promise<T> {
    const other = this.#underWay.get(id);
    if (other !== undefined)
      throw new UserError(alreadyUnderWay(plainText(id, 60), other));
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

  /** Rejects on failure, timeout or abort. */
  async #until(
    id: string,
    goal: 'running' | 'paused' | 'missing',
    signal: AbortSignal,
  ): Promise<void> {
    const name = plainText(id, 60);
    const begin = this.#clock.now();
    let failures = 0;
    for (;;) {
      const asked = this.#clock.now();
      await this.#list.refresh('poll');
      signal.throwIfAborted();
      const now = this.#clock.now();
      const { error } = this.#list;
      failures = error ? failures + 1 : 0;
      // A refusal is final.
      if (error && (failures === maxFailures || isRefusal(error))) throw error;
      const sandbox = this.#row(id);
      // A deleted sandbox soon disappears from the list.
      if (!error && (sandbox?.status ?? 'missing') === goal) return;
      const hasFailed =
        sandbox?.status === 'missing' || sandbox?.status === 'error';
      if (!error && hasFailed && goal !== 'missing')
        throw new UserError(
          sandbox.detail
            ? t(
                'Sandbox {0} failed: {1}. Start another one.',
                name,
                sandbox.detail,
              )
            : t('Sandbox {0} failed. Start another one.', name),
        );
      if (now - begin >= statusTimeoutMs) {
        const tooLate = {
          running: t(
            'Sandbox {0} did not start within five minutes. Refresh to see its state.',
            name,
          ),
          paused: t(
            'Sandbox {0} did not pause within five minutes. Refresh to see its state.',
            name,
          ),
          missing: t(
            'Sandbox {0} is still there after five minutes. Refresh to see its state.',
            name,
          ),
        };
        throw new UserError(tooLate[goal]);
      }
      await sleep(this.#clock, pauseAfter(now - begin, now - asked), signal);
    }
  }
}

function alreadyUnderWay(sandbox: string, action: SandboxAction): string {
  return {
    starting: t(
      'Sandbox {0} is already starting. Wait for it to finish.',
      sandbox,
    ),
    pausing: t(
      'Sandbox {0} is already pausing. Wait for it to finish.',
      sandbox,
    ),
    resuming: t(
      'Sandbox {0} is already resuming. Wait for it to finish.',
      sandbox,
    ),
    deleting: t('Sandbox {0} is already being deleted.', sandbox),
  }[action];
}
