/** State of an agent, as V1 and the Agent Server spell it. */
import type { Execution } from './entities.ts';
import { enumValue } from './wireValues.ts';

const executions: Readonly<Record<string, Execution>> = {
  idle: 'idle',
  running: 'running',
  paused: 'paused',
  waiting_for_confirmation: 'waitingForConfirmation',
  finished: 'finished',
  error: 'error',
  stuck: 'stuck',
  deleting: 'deleting',
};

export function execution(value: unknown): Execution | undefined {
  return enumValue(executions, value);
}
