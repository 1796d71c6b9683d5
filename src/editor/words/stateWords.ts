/** The states that the service knows, in words. Imports no editor, so that every word can be tested without one. */
import { t, words } from '../../base/l10n.ts';
import type {
  Conversation,
  ConversationStatus,
  Execution,
  RuntimeStatus,
  Sandbox,
  StartTask,
} from '../../service/entities.ts';
import { type Activity, activityOf } from '../../state/activity.ts';
import type { Occasion } from '../../state/attention.ts';
import type { Change } from '../../state/sandboxChanges.ts';

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
});

const executionWords: Readonly<Partial<Record<Execution, string>>> = words({
  idle: 'Idle',
  running: 'Working',
  paused: 'Paused',
  waitingForConfirmation: 'Waits for your confirmation',
  finished: 'Finished',
  error: 'Failed',
  stuck: 'Stuck',
  deleting: 'Being deleted',
});

const runtimeWords: Readonly<Partial<Record<RuntimeStatus, string>>> = words({
  stopped: 'Stopped',
  buildingRuntime: 'The machine is being built',
  startingRuntime: 'The machine is starting',
  runtimeStarted: 'The machine has started',
  settingUpWorkspace: 'The workspace is being set up',
  settingUpGitHooks: 'The Git hooks are being set up',
  ready: 'Ready',
  error: 'The machine has failed',
  disconnected: 'The connection to the machine was lost',
  modelAuthentication: 'The language model did not accept its key',
  modelUnavailable: 'The language model is not available',
  modelServerError: 'The language model has failed',
  outOfCredits: 'The credits for the language model are used up',
  contentPolicyViolation: 'The language model refused because of its content policy',
  rateLimited: 'Stopped, because there were too many requests to the language model',
  gitAuthentication: 'The code host did not accept its key',
  modelRetry: 'The language model is being asked again',
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
  settingUpGitHooks: 'Setting up the Git hooks',
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
});

const changeWords: Readonly<Record<Change, string>> = words({
  starting: 'Starting',
  pausing: 'Pausing',
  resuming: 'Resuming',
});

/** Our word for a value; what the service says is no name of something that every object has. */
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

export function sandboxWord(sandbox: Sandbox, change?: Change): string {
  return change === undefined ? (word(sandboxWords, sandbox.status) ?? sandbox.status) : changeWords[change];
}

/** What a conversation does, in words. A finished one is not just idle, and one whose agent is unknown just runs. */
export function activityWord(conversation: Conversation): string {
  const activity = activityOf(conversation);
  if (activity !== 'idle') return activityWords[activity];
  if (conversation.execution === 'finished') return t('Finished');
  if (conversation.execution === 'paused') return t('Paused');
  if (conversation.execution === 'deleting') return t('Being deleted');
  if (conversation.execution === 'idle') return t('Idle');
  return conversation.execution ?? (conversation.status === 'running' ? t('Running') : conversation.status);
}

/** How many conversations there is something to tell of, and what; nothing is said of none. */
export function occasionWord(occasion: Occasion, count: number): string | undefined {
  if (count === 0) return undefined;
  switch (occasion) {
    case 'waits':
      return count === 1 ? t('1 conversation waits for you') : t('{0} conversations wait for you', count);
    case 'failed':
      return count === 1 ? t('1 conversation has failed') : t('{0} conversations have failed', count);
    case 'finished':
      return count === 1 ? t('1 conversation has finished') : t('{0} conversations have finished', count);
  }
}
