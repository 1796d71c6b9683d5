/** Agents that a server beside the service starts by a schedule or an event. */
import type { CallOptions } from '../http/transport.ts';
import type { OpenEnum, Time } from '../model/entities.ts';

export interface Automation {
  readonly id: string;
  /** Empty if the service gives none. */
  readonly name: string;
  readonly isOn: boolean;
  /** The reason why the service has turned it off. */
  readonly whyOff: string | undefined;
  /** The schedule or the event, as the service spells it. */
  readonly trigger: string | undefined;
  /** Changes with each new run. */
  readonly triggeredAt: Time | undefined;
}

export interface AutomationRun {
  readonly id: string;
  readonly status: OpenEnum<
    'pending' | 'running' | 'completed' | 'failed' | 'cancelled' | 'skipped'
  >;
  /** The reason for a failure, if the service gives one. */
  readonly error: string | undefined;
  /** Missing until the run has ended, and for a run that began none. */
  readonly conversationId: string | undefined;
  /** The end of the run, else its start. */
  readonly at: Time | undefined;
}

export interface Automations {
  /** Rejects if there is no such server beside the service. Sent once. */
  list(call?: CallOptions): Promise<readonly Automation[]>;
  /** Undefined before the first run. Sent once. */
  lastRun(id: string, call?: CallOptions): Promise<AutomationRun | undefined>;
  /** Also runs one that is off. */
  runNow(id: string, call?: CallOptions): Promise<void>;
  turn(id: string, isOn: boolean, call?: CallOptions): Promise<void>;
}
