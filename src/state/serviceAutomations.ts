/** The automations of a service with their last runs. */
import type { Clock } from '../base/clock.ts';
import { Emitter } from '../base/event.ts';
import { t } from '../base/l10n.ts';
import { isEqual } from '../base/same.ts';
import { Serial } from '../base/serial.ts';
import type {
  Automation,
  AutomationRun,
  Automations,
} from '../service/abilities/automations.ts';
import type { ServiceClient } from '../service/client.ts';
import type { Priority } from '../service/http/pacer.ts';
import { isBrief, ServiceError } from '../service/http/serviceError.ts';
import {
  type ConversationKey,
  keyOf,
  type Time,
} from '../service/model/entities.ts';
import type { Sight } from './attention.ts';

/** Runs to read when a person refreshes. Polls read the others. */
const maxRunsAtOnce = 20;

export interface AutomationRow {
  readonly key: ConversationKey;
  readonly service: string;
  readonly automation: Automation;
  /** The last one that was read. */
  readonly run: AutomationRun | undefined;
  /** Undefined until the last run is known. */
  readonly sight: Sight | undefined;
}

export class ServiceAutomations {
  readonly #client: ServiceClient;
  readonly #service: string;
  readonly #clock: Clock;
  readonly #changed = new Emitter();
  readonly onChange = this.#changed.on;
  readonly #end = new AbortController();
  readonly #serial = new Serial();
  #rows: readonly AutomationRow[] = [];
  /** Undefined until the service has answered once. */
  #isThere: boolean | undefined;
  #wasAsked = false;
  /** Automations whose last run is to be read before the next list. */
  #due: Automation[] = [];
  /** The triggers that the known runs belong to, by id. */
  readonly #readFor = new Map<string, Time | undefined>();

  constructor(client: ServiceClient, service: string, clock: Clock) {
    this.#client = client;
    this.#service = service;
    this.#clock = clock;
  }

  get rows(): readonly AutomationRow[] {
    return this.#rows;
  }

  /** True once a request for them has ended, or was not needed. */
  get wasAsked(): boolean {
    return this.#wasAsked;
  }

  /** Automations as notifications see them. */
  get sights(): readonly Sight[] {
    return this.#rows.flatMap(({ sight }) => sight ?? []);
  }

  /**
   * Sends at most one request for a poll, and none after the service has
   * answered that it has no automations.
   */
  async refresh(priority: Priority = 'person'): Promise<void> {
    await this.#serial.run(async () => {
      const { automations } = this.#client.service ?? {};
      if (!automations || this.#isThere === false || this.#end.signal.aborted)
        return;
      try {
        await this.#ask(automations, priority);
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        // The server may be starting.
        if (!isBrief(error) && error.kind !== 'cancelled')
          this.#isThere ??= false;
      }
    });
    this.#wasAsked = true;
  }

  /** Refreshes afterwards. */
  async change(
    act: (automations: Automations) => Promise<void>,
  ): Promise<void> {
    const { automations } = this.#client.service ?? {};
    if (automations) await act(automations);
    await this.refresh();
  }

  release(): void {
    this.#end.abort();
    this.#rows = [];
    this.#changed.fire();
  }

  async #ask(automations: Automations, priority: Priority): Promise<void> {
    const call = { signal: this.#end.signal, priority };
    const askedAt = this.#clock.now();
    const readRun = async ({ id, triggeredAt }: Automation) => {
      const run = await automations.lastRun(id, call);
      this.#readFor.set(id, triggeredAt);
      this.#publish(
        this.#rows.map(({ automation, run: before }) => [
          automation,
          automation.id === id ? run : before,
        ]),
        askedAt,
      );
    };
    const next = priority === 'poll' ? this.#due.shift() : undefined;
    if (next) {
      await readRun(next);
      return;
    }
    const list = await automations.list(call);
    this.#isThere = true;
    const runs = new Map(
      this.#rows.map(({ automation, run }) => [automation.id, run]),
    );
    this.#publish(
      list.map((row) => [row, runs.get(row.id)]),
      askedAt,
    );
    this.#due = list.filter(
      ({ id, triggeredAt }) =>
        isActiveRun(runs.get(id)) || triggeredAt !== this.#readFor.get(id),
    );
    if (priority === 'person')
      await Promise.all(this.#due.splice(0, maxRunsAtOnce).map(readRun));
  }

  #publish(
    all: readonly (readonly [Automation, AutomationRun | undefined])[],
    askedAt: Time,
  ): void {
    if (this.#end.signal.aborted) return;
    const before = this.#rows;
    this.#rows = all.map(([automation, run]) => {
      const key = keyOf({ service: this.#service, id: automation.id });
      const old = before.find((row) => row.key === key);
      if (old && isEqual([old.automation, old.run], [automation, run]))
        return old;
      // A list tells nothing new about a run that was read before.
      const sight =
        old && run && old.run === run
          ? old.sight
          : sightOf(automation, run, this.#service, askedAt);
      return { key, service: this.#service, automation, run, sight };
    });
    if (!isEqual(before, this.#rows)) this.#changed.fire();
  }
}

/** True for a run that has not ended. */
export function isActiveRun(run: AutomationRun | undefined): boolean {
  return run?.status === 'pending' || run?.status === 'running';
}

/**
 * Makes a failed run notify as its conversation would, under the name of the
 * automation.
 */
function sightOf(
  automation: Automation,
  run: AutomationRun | undefined,
  service: string,
  at: Time,
): Sight | undefined {
  if (!run && automation.triggeredAt !== undefined) return undefined;
  const key = keyOf({ service, id: automation.id });
  const ended = run?.status === 'failed' ? 'error' : 'idle';
  return {
    key,
    automation: key,
    conversation: {
      id: run?.conversationId ?? automation.id,
      service,
      title: t('Automation: {0}', automation.name),
      status: 'running',
      runtime: undefined,
      execution: isActiveRun(run) ? 'running' : ended,
      tokens: undefined,
      ...(run && { lastMessageId: run.id }),
    },
    actions: undefined,
    at,
  };
}
