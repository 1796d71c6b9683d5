import { plural, words } from '../../base/l10n.ts';
import type { Conversation, Sandbox } from '../../service/model/entities.ts';
import { activityOf } from '../../state/lists/activity.ts';
import type { Occasion } from '../../state/attention.ts';
import type { SandboxAction } from '../../state/sandboxes/sandboxActions.ts';

/** Returns unknown values unchanged. */
export function wordsOf(
  table: Readonly<Record<string, string>>,
): (value: string) => string {
  return (value) => table[value] ?? value;
}

export const activityWords = words({
  waiting: 'Waiting for you',
  error: 'Failed',
  working: 'Working',
  starting: 'Starting',
  idle: 'Idle',
  stopped: 'Stopped',
  archived: 'Archived',
});

const statusWords = words({
  starting: 'Starting',
  running: 'Running',
  stopped: 'Stopped',
  archived: 'Gone',
  error: 'Failed',
  unknown: 'Unknown',
});
export const statusWord = wordsOf(statusWords);

const executionWords = words({
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
export const executionWord = wordsOf(executionWords);

export const runtimeWord = wordsOf(
  words({
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
    contentPolicyViolation:
      'The language model refused because of its content policy',
    rateLimited: 'Too many requests to the language model',
    gitAuthentication: 'The code host rejected its key',
    outOfMemory: 'The machine ran out of memory',
    modelRetry: 'Retrying the language model',
  }),
);

export const triggerWord = wordsOf(
  words({
    resolver: 'Issue resolver',
    gui: 'Web page',
    suggested_task: 'Suggested task',
    platform_api: 'Programming interface',
    chat_tool_a: 'Chat tool A',
    microagent_management: 'Microagent management',
    issue_tracker_a: 'Issue tracker A',
    issue_tracker_a_dc: 'Issue tracker A (data center)',
    issue_tracker_b: 'Issue tracker B',
  }),
);

export const stageWord = wordsOf(
  words({
    working: 'Beginning',
    waitingForSandbox: 'Waiting for the sandbox',
    preparingRepository: 'Preparing the repository',
    runningSetupScript: 'Running the setup script',
    settingUpGitHooks: 'Setting up Git hooks',
    settingUpSkills: 'Setting up the skills',
    startingConversation: 'Starting the conversation',
    ready: 'Ready',
    error: 'Failed',
  }),
);

const sandboxStatusWord = wordsOf(
  words({
    starting: 'Starting',
    running: 'Running',
    paused: 'Paused',
    error: 'Failed',
    missing: 'Gone',
    unknown: 'Unknown',
  }),
);

export const runWord = wordsOf(
  words({
    pending: 'Waiting to start',
    running: 'Working',
    completed: 'Finished',
    failed: 'Failed',
    cancelled: 'Canceled',
    skipped: 'Skipped',
  }),
);

const actionWords = words({
  starting: 'Starting',
  pausing: 'Pausing',
  resuming: 'Resuming',
  deleting: 'Deleting',
});

export function sandboxWord(sandbox: Sandbox, action?: SandboxAction): string {
  return action === undefined
    ? sandboxStatusWord(sandbox.status)
    : actionWords[action];
}

/** The state of a conversation, in more detail than its activity. */
export function activityWord(conversation: Conversation): string {
  const { status, execution } = conversation;
  const activity = activityOf(conversation);
  if (activity === 'stopped' && execution === 'lost')
    return executionWords.lost;
  if (status === 'unknown') return statusWords.unknown;
  if (activity !== 'idle') return activityWords[activity];
  if (execution !== undefined) return executionWord(execution);
  return status === 'running' ? statusWords.running : status;
}

/** Counts conversations that wait, failed or finished; `undefined` for none. */
export function occasionWord(
  occasion: Occasion,
  count: number,
): string | undefined {
  if (count === 0) return undefined;
  switch (occasion) {
    case 'waits':
      return plural(
        count,
        '1 conversation is waiting for you',
        '{0} conversations are waiting for you',
      );
    case 'failed':
      return plural(
        count,
        '1 conversation has failed',
        '{0} conversations have failed',
      );
    case 'finished':
      return plural(
        count,
        '1 conversation has finished',
        '{0} conversations have finished',
      );
    case 'limit':
      return plural(
        count,
        '1 conversation was stopped at its limit',
        '{0} conversations were stopped at their limit',
      );
  }
}
