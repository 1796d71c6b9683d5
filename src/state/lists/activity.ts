/**
 * The activity of a conversation, derived from its status, its agent and its
 * machine.
 */
import {
  type Conversation,
  failedRuntimes,
  type RuntimeStatus,
  startingRuntimes,
} from '../../service/model/entities.ts';

/** Most urgent for the user first. */
export const activities = [
  'waiting',
  'error',
  'working',
  'starting',
  'idle',
  'stopped',
  'archived',
] as const;

export type Activity = (typeof activities)[number];

const failed = new Set<RuntimeStatus>(failedRuntimes);
const starting = new Set<RuntimeStatus>(startingRuntimes);

export function activityOf({
  status,
  execution,
  runtime,
}: Pick<Conversation, 'status' | 'execution' | 'runtime'>): Activity {
  if (status === 'archived') return 'archived';
  if (status === 'error' || execution === 'error' || execution === 'stuck')
    return 'error';
  if (runtime !== undefined && failed.has(runtime)) return 'error';
  if (status === 'unknown') return 'idle';
  if (status === 'stopped' || execution === 'lost') return 'stopped';
  if (status === 'starting' || (runtime !== undefined && starting.has(runtime)))
    return 'starting';
  if (execution === 'waitingForConfirmation') return 'waiting';
  if (execution === 'running') return 'working';
  return 'idle';
}

/**
 * True if the machine's status explains a failure or the progress of a start.
 */
export function explains(
  runtime: RuntimeStatus | undefined,
): runtime is RuntimeStatus {
  return (
    runtime !== undefined && (failed.has(runtime) || starting.has(runtime))
  );
}

/** True if the activity will soon change by itself. */
export function isInTransition(conversation: Conversation): boolean {
  return (
    activityOf(conversation) === 'starting' ||
    conversation.execution === 'deleting'
  );
}

/** True if the agent waits, or has failed and the conversation is unread. */
export function needsPerson(
  conversation: Conversation,
  isUnread: boolean,
): boolean {
  const activity = activityOf(conversation);
  return activity === 'waiting' || (activity === 'error' && isUnread);
}

/**
 * True for an archived conversation whose agent does not wait: other clients
 * can set the tag, and it must not hide a question.
 */
export function isPutAway(conversation: Conversation): boolean {
  return (
    conversation.isArchived === true && activityOf(conversation) !== 'waiting'
  );
}
