import { delay } from './simulatedSandboxes.ts';
import { startTaskStatuses, type StartTaskStatus } from '../wire/wireTypes.ts';

/** The creation of a conversation. Its progress follows from the time. */
export interface DemoTask {
  /** Has dashes. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly begunAt: number;
  readonly sandboxId: string | undefined;
  /** Has no dashes; `undefined` if the creation will fail. */
  readonly conversationId: string | undefined;
  /** The stage at which it fails, and the reason. */
  readonly failure:
    { readonly during: StartTaskStatus; readonly detail: string } | undefined;
}

/** Ends of the stages in milliseconds from the start, in order. */
const ends = [300, delay, 2_000, 2_500, 2_900, 3_300, 4_000, Infinity];

/** Milliseconds until a conversation is ready. */
export const duration = 4_000;

export function progress(
  task: DemoTask,
  now: number,
): { status: StartTaskStatus; detail: string | null } {
  const elapsed = now - task.begunAt;
  const at = ends.findIndex((end) => elapsed < end);
  const status = startTaskStatuses[at] ?? 'READY';
  const failed = startTaskStatuses.findIndex(
    (stage) => stage === task.failure?.during,
  );
  if (task.failure && at > failed)
    return { status: 'ERROR', detail: task.failure.detail };
  return { status, detail: null };
}
