/** Where servers are added: to the file, or to the settings of a service. */
import type { ChangePlan, ConfirmOutcome } from './confirm.ts';

export interface Place {
  /** Of the service; undefined for the file. */
  readonly service: string | undefined;
  /** Whether something can be added there at all. Otherwise the person has been told why not. */
  isReady(): Promise<boolean>;
  /** Asks again which servers are there. */
  refresh(): Promise<void>;
  names(): ReadonlySet<string>;
  /** What is wrong with a name there, apart from being taken. */
  nameProblem(name: string): string | undefined;
  /** Shows what will be different there, asks, and does it. */
  confirm(plan: ChangePlan): Promise<ConfirmOutcome>;
}
