/** The states of conversations, agents and sandboxes, in words. */
import { t, words } from '../../base/l10n.ts';
import type {
  Conversation,
  ConversationStatus,
  Execution,
  RuntimeStatus,
  Sandbox,
  StartTask,
} from '../../service/entities.ts';
import { type Activity, activityOf } from '../../state/lists/activity.ts';
import type { Occasion } from '../../state/attention.ts';
import type { SandboxAction } from '../../state/sandboxes/sandboxActions.ts';

export const activityWords: Readonly<Record<Activity, string>> = words({
  waiting: 'Waiting for you',
  error: 'Failed',
  working: 'Working',
  starting: 'Starting',
  idle: 'Idle',
  stopped: 'Stopped',
  archived: 'Archived',
});

const statusWords: Readonly<Partial<Record<ConversationStatus, string>>> = words({
  starting: 'Starting',
  running: 'Running',
  stopped: 'Stopped',
  archived: 'Gone',
  error: 'Failed',
  unknown: 'Unknown',
});

const executionWords: Readonly<Partial<Record<Execution, string>>> = words({
  idle: 'Idle',
  running: 'Working',
  paused: 'Paused',
  waitingForConfirmation: 'Waiting for your confirmation',
  finished: 'Finished',
  error: 'Failed',
  stuck: 'Stuck',
  deleting: 'Being deleted',
  lost: 'No longer known to its sandbox',
});

const runtimeWords: Readonly<Partial<Record<RuntimeStatus, string>>> = words({
  stopped: 'Stopped',
  buildingRuntime: 'Building the machine',
  startingRuntime: 'Starting the machine',
  runtimeStarted: 'The machine started',
  settingUpWorkspace: 'Setting up the workspace',
  settingUpGitHooks: 'Setting up Git hooks',
  ready: 'Ready',
  error: 'The machine failed',
  disconnected: 'The connection to the machine was lost',
  modelAuthentication: 'The language model rejected its key',
  modelUnavailable: 'The language model is not available',
  modelServerError: 'The language model failed',
  outOfCredits: 'Out of credits for the language model',
  contentPolicyViolation: 'The language model refused because of its content policy',
  rateLimited: 'Too many requests to the language model',
  gitAuthentication: 'The code host rejected its key',
  modelRetry: 'Retrying the language model',
  outOfMemory: 'The machine ran out of memory',
});

const triggerWords: Readonly<Record<string, string>> = words({
  resolver: 'Issue resolver',
  gui: 'Web page',
  suggested_task: 'Suggested task',
  platform_api: 'Programming interface',
  chat_tool_a: 'Chat tool A',
  microagent_management: 'Microagent management',
  issue_tracker_a: 'Issue tracker A',
  issue_tracker_a_dc: 'Issue tracker A (data center)',
  issue_tracker_b: 'Issue tracker B',
});

const stageWords: Readonly<Partial<Record<StartTask['stage'], string>>> = words({
  working: 'Beginning',
  waitingForSandbox: 'Waiting for the sandbox',
  preparingRepository: 'Preparing the repository',
  runningSetupScript: 'Running the setup script',
  settingUpGitHooks: 'Setting up Git hooks',
  settingUpSkills: 'Setting up the skills',
  startingConversation: 'Starting the conversation',
  ready: 'Ready',
  error: 'Failed',
});

const sandboxWords: Readonly<Partial<Record<Sandbox['status'], string>>> = words({
  starting: 'Starting',
  running: 'Running',
  paused: 'Paused',
  error: 'Failed',
  missing: 'Gone',
  unknown: 'Unknown',
});

const actionWords: Readonly<Record<SandboxAction, string>> = words({
  starting: 'Starting',
  pausing: 'Pausing',
  resuming: 'Resuming',
  deleting: 'Deleting',
});

/** The word for a value of the service, which may be `constructor`. */
function word(table: Readonly<Record<string, string | undefined>>, value: string): string | undefined {
  return Object.hasOwn(table, value) ? table[value] : undefined;
}

export function statusWord(status: ConversationStatus): string {
  return word(statusWords, status) ?? status;
}

export function executionWord(execution: Execution): string {
  return word(executionWords, execution) ?? execution;
}

export function runtimeWord(runtime: RuntimeStatus): string {
  return word(runtimeWords, runtime) ?? runtime;
}

export function triggerWord(trigger: string): string {
  return word(triggerWords, trigger) ?? trigger;
}

export function stageWord({ stage }: StartTask): string {
  return word(stageWords, stage) ?? stage;
}

export function sandboxWord(sandbox: Sandbox, action?: SandboxAction): string {
  return action === undefined ? (word(sandboxWords, sandbox.status) ?? sandbox.status) : actionWords[action];
}

/** The state of a conversation, in more detail than its activity. */
export function activityWord(conversation: Conversation): string {
  const activity = activityOf(conversation);
  if (activity === 'stopped' && conversation.execution === 'lost') return t('No longer known to its sandbox');
  if (conversation.status === 'unknown') return t('Unknown');
  if (activity !== 'idle') return activityWords[activity];
  if (conversation.execution === 'finished') return t('Finished');
  if (conversation.execution === 'paused') return t('Paused');
  if (conversation.execution === 'deleting') return t('Being deleted');
  if (conversation.execution === 'idle') return t('Idle');
  return conversation.execution ?? (conversation.status === 'running' ? t('Running') : conversation.status);
}

/** Counts conversations that wait, failed or finished; `undefined` for none. */
export function occasionWord(occasion: Occasion, count: number): string | undefined {
  if (count === 0) return undefined;
  switch (occasion) {
    case 'waits':
      return count === 1
        ? t('1 conversation is waiting for you')
        : t('{0} conversations are waiting for you', count);
    case 'failed':
      return count === 1 ? t('1 conversation has failed') : t('{0} conversations have failed', count);
    case 'finished':
      return count === 1 ? t('1 conversation has finished') : t('{0} conversations have finished', count);
  }
}
