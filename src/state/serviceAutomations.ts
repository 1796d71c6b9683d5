/** The automations of a service with their last runs. */
import type { Clock } from '../base/clock.ts';
import { UserError } from '../base/errors.ts';
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
import { ServiceError } from '../service/http/serviceError.ts';
import {
  type ConversationKey,
  keyOf,
  type Time,
} from '../service/model/entities.ts';
import type { Noticed, Sight } from './attention.ts';

/** Runs to read when a person refreshes. Polls read the others. */
const maxRunsAtOnce = 20;

export interface AutomationRow {
  readonly key: ConversationKey;
  readonly service: string;
  readonly automation: Automation;
  /** The last one that was read. */
  readonly run: AutomationRun | undefined;
}

export class ServiceAutomations {
  readonly #client: ServiceClient;
  readonly #service: string;
  readonly #clock: Clock;
  readonly #changed = new Emitter();
  readonly onChange = this.#changed.on;
  readonly #end = new AbortController();
  readonly #serial = new Serial();
  #rows: ReadonlyMap<ConversationKey, AutomationRow> = new Map();
  #sights: ReadonlyMap<ConversationKey, Sight> = new Map();
  /** Undefined until the service has answered once. */
  #isThere: boolean | undefined;
  /** Grows with each action: answers from before are old. */
  #actions = 0;
  /** Ids of automations whose last run is to be read before the next list. */
  #due: string[] = [];
  /** The triggers that the known runs belong to, by id. */
  readonly #readFor = new Map<string, Time>();

  constructor(client: ServiceClient, service: string, clock: Clock) {
    this.#client = client;
    this.#service = service;
    this.#clock = clock;
  }

  get rows(): ReadonlyMap<ConversationKey, AutomationRow> {
    return this.#rows;
  }

  /** Automations as notifications see them. */
  get sights(): readonly Sight[] {
    return [...this.#sights.values()];
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
        // A server that does not answer may be starting.
        if (!isBrief(error)) this.#isThere ??= false;
      }
    });
  }

  async runNow(key: ConversationKey, signal: AbortSignal): Promise<void> {
    await this.#act(key, async (automations, row) => {
      const run = await automations.runNow(row.automation.id, { signal });
      this.#update(key, { run });
    });
  }

  async turn(
    key: ConversationKey,
    isOn: boolean,
    signal: AbortSignal,
  ): Promise<void> {
    await this.#act(key, async (automations, row) => {
      const { id } = row.automation;
      const automation = await automations.turn(id, isOn, { signal });
      this.#update(key, { automation });
    });
  }

  release(): void {
    this.#end.abort();
    this.#publish([]);
  }

  async #act(
    key: ConversationKey,
    act: (automations: Automations, row: AutomationRow) => Promise<void>,
  ): Promise<void> {
    const row = this.#rows.get(key);
    const { automations } = this.#client.service ?? {};
    if (!row || !automations)
      throw new UserError(
        t('This automation is no longer in the list. Refresh the list.'),
      );
    this.#actions++;
    await act(automations, row);
    this.#actions++;
  }

  async #ask(automations: Automations, priority: Priority): Promise<void> {
    const call = { signal: this.#end.signal, priority };
    const actions = this.#actions;
    const isOld = () => this.#actions !== actions;
    const readRun = async (id: string) => {
      const row = this.#rows.get(keyOf({ service: this.#service, id }));
      if (!row) return;
      const run = await automations.lastRun(id, call);
      if (isOld()) return;
      this.#readFor.set(id, row.automation.triggeredAt ?? 0);
      this.#update(row.key, { run });
    };
    const next = priority === 'poll' ? this.#due.shift() : undefined;
    if (next !== undefined) {
      await readRun(next);
      return;
    }
    const list = await automations.list(call);
    this.#isThere = true;
    if (isOld()) return;
    const rows = list.map((automation): AutomationRow => {
      const key = keyOf({ service: this.#service, id: automation.id });
      const run = this.#rows.get(key)?.run;
      return { key, service: this.#service, automation, run };
    });
    this.#publish(rows);
    this.#due = rows.filter(this.#isDue).map((row) => row.automation.id);
    if (priority === 'person')
      await Promise.all(this.#due.splice(0, maxRunsAtOnce).map(readRun));
  }

  readonly #isDue = ({ automation, run }: AutomationRow): boolean =>
    isActiveRun(run) ||
    (automation.triggeredAt !== undefined &&
      automation.triggeredAt !== this.#readFor.get(automation.id));

  #update(
    key: ConversationKey,
    change: Partial<Pick<AutomationRow, 'automation' | 'run'>>,
  ): void {
    this.#publish(
      [...this.#rows.values()].map((row) =>
        row.key === key ? { ...row, ...change } : row,
      ),
    );
  }

  #publish(rows: readonly AutomationRow[]): void {
    const before = this.#rows;
    if (this.#end.signal.aborted || isEqual([...before.values()], rows)) return;
    const at = this.#clock.now();
    this.#rows = new Map(rows.map((row) => [row.key, row]));
    this.#sights = new Map(
      rows.flatMap((row) => {
        const sight = isEqual(before.get(row.key), row)
          ? this.#sights.get(row.key)
          : sightOf(row, at);
        return sight ? [[row.key, sight] as const] : [];
      }),
    );
    this.#changed.fire();
  }
}

/** True for a run that has not ended. */
export function isActiveRun(run: AutomationRun | undefined): boolean {
  return run?.status === 'pending' || run?.status === 'running';
}

function isBrief({ kind }: ServiceError): boolean {
  return (
    kind === 'unreachable' ||
    kind === 'timedOut' ||
    kind === 'serverFailed' ||
    kind === 'rateLimited' ||
    kind === 'cancelled'
  );
}

/**
 * Makes a failed run notify as its conversation would, under the name of the
 * automation. Undefined until the last run is known.
 */
function sightOf(
  { key, service, automation, run }: AutomationRow,
  at: Time,
): Sight | undefined {
  if (!run && automation.triggeredAt !== undefined) return undefined;
  const execution = run?.status === 'failed' ? 'error' : 'idle';
  const conversation: Noticed = {
    id: run?.conversationId ?? automation.id,
    service,
    title: t('Automation: {0}', automation.name),
    status: 'running',
    execution: isActiveRun(run) ? 'running' : execution,
    ...(run && { lastMessageId: run.id }),
    runtime: undefined,
    tokens: undefined,
  };
  return { key, conversation, actions: undefined, at, automation: key };
}
