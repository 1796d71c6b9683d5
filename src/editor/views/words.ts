/** How what the service has is said to a person. Imports no editor, so that every word can be tested without one. */
import { plainText } from '../../base/plainText.ts';
import type { PendingStart } from '../../state/pendingStarts.ts';
import type {
  Conversation,
  ConversationStatus,
  Execution,
  RuntimeStatus,
  Sandbox,
  StartTask,
  Time,
} from '../../service/types.ts';
import { type Activity, activityOf } from '../../state/activity.ts';
import { dayOf, type Filter, type Grouping, type Sorting } from '../../state/conversationRows.ts';
import type { Change } from '../../state/sandboxChanges.ts';

export const activityWords: Readonly<Record<Activity, string>> = {
  waiting: 'Waiting for you',
  error: 'Failed',
  working: 'Working',
  starting: 'Starting',
  idle: 'Idle',
  stopped: 'Stopped',
  archived: 'Archived',
};

export const groupingWords: Readonly<Record<Grouping, string>> = {
  none: 'Nothing',
  repository: 'Repository',
  state: 'State',
  trigger: 'Trigger',
  day: 'Day',
};

export const sortingWords: Readonly<Record<Sorting, string>> = {
  created: 'Creation',
  updated: 'Last Activity',
};

const statusWords: Readonly<Partial<Record<ConversationStatus, string>>> = {
  starting: 'Starting',
  running: 'Running',
  stopped: 'Stopped',
  archived: 'Gone',
  error: 'Failed',
};

const executionWords: Readonly<Partial<Record<Execution, string>>> = {
  idle: 'Idle',
  running: 'Working',
  paused: 'Paused',
  waitingForConfirmation: 'Waits for your confirmation',
  finished: 'Finished',
  error: 'Failed',
  stuck: 'Stuck',
  deleting: 'Being deleted',
};

const runtimeWords: Readonly<Partial<Record<RuntimeStatus, string>>> = {
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
};

const triggerWords: Readonly<Record<string, string>> = {
  resolver: 'Issue resolver',
  gui: 'Web page',
  suggested_task: 'Suggested task',
  platform_api: 'Programming interface',
  chat_tool_a: 'Chat tool A',
  microagent_management: 'Microagent management',
  issue_tracker_a: 'Issue tracker A',
  issue_tracker_a_dc: 'Issue tracker A (data center)',
  issue_tracker_b: 'Issue tracker B',
};

const stageWords: Readonly<Partial<Record<StartTask['stage'], string>>> = {
  working: 'Beginning',
  waitingForSandbox: 'Waiting for the sandbox',
  preparingRepository: 'Preparing the repository',
  runningSetupScript: 'Running the setup script',
  settingUpGitHooks: 'Setting up the Git hooks',
  settingUpSkills: 'Setting up the skills',
  startingConversation: 'Starting the conversation',
  ready: 'Ready',
  error: 'Failed',
};

const sandboxWords: Readonly<Partial<Record<Sandbox['status'], string>>> = {
  starting: 'Starting',
  running: 'Running',
  paused: 'Paused',
  error: 'Failed',
  missing: 'Gone',
};

const changeWords: Readonly<Record<Change, string>> = {
  starting: 'Starting',
  pausing: 'Pausing',
  resuming: 'Resuming',
};

/** Our word for a value; what the service says is no name of something that every object has. */
function word(words: Readonly<Record<string, string | undefined>>, value: string): string | undefined {
  return Object.hasOwn(words, value) ? words[value] : undefined;
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

/** What is shown for a title; the service gives placeholders that say nothing. */
export function titleOf({ title, id }: Pick<Conversation, 'title' | 'id'>): string {
  return title === '' || /^conversation [0-9a-f-]{32,36}$/i.test(title)
    ? `Untitled ${plainText(id.slice(0, 8))}`
    : title;
}

/** What a conversation does, in words. A finished one is not just idle, and one whose agent is unknown just runs. */
export function activityWord(conversation: Conversation): string {
  const activity = activityOf(conversation);
  if (activity !== 'idle') return activityWords[activity];
  if (conversation.execution === 'finished') return 'Finished';
  if (conversation.execution === 'paused') return 'Paused';
  if (conversation.execution === 'deleting') return 'Being deleted';
  if (conversation.execution === 'idle') return 'Idle';
  return conversation.execution ?? (conversation.status === 'running' ? 'Running' : conversation.status);
}

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const dateAndTime = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
const hourAndMinute = new Intl.DateTimeFormat('en', {
  hour: '2-digit',
  minute: '2-digit',
  // Not `hour12: false`, which has midnight as 24:00.
  hourCycle: 'h23',
});
const fullDate = new Intl.DateTimeFormat('en', { dateStyle: 'full' });

/** How long ago, as short as a row needs it. */
export function age(time: Time, now: Time): string {
  const minutes = Math.floor((now - time) / 60_000);
  if (minutes < 1) return 'now';
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h`;
  const days = Math.floor(minutes / 60 / 24);
  return days < 60
    ? `${days} d`
    : days < 730
      ? `${Math.round(days / 30.4)} mo`
      : `${Math.floor(days / 365)} y`;
}

/** How long ago in full words, for a sentence and for a screen reader. */
export function longAge(time: Time, now: Time): string {
  const minutes = Math.floor((now - time) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return relative.format(-minutes, 'minute');
  if (minutes < 48 * 60) return relative.format(-Math.floor(minutes / 60), 'hour');
  const days = Math.floor(minutes / 60 / 24);
  if (days < 60) return relative.format(-days, 'day');
  return days < 730
    ? relative.format(-Math.round(days / 30.4), 'month')
    : relative.format(-Math.floor(days / 365), 'year');
}

export function absolute(time: Time): string {
  return dateAndTime.format(time);
}

/** When something was so: the time of today, or the day as well. */
export function clockTime(time: Time, now: Time): string {
  return dayOf(time) === dayOf(now) ? hourAndMinute.format(time) : absolute(time);
}

/** One fact about something: what it is called, and what it is. */
export type Fact = readonly [name: string, value: string];

/** Part of a page. */
export interface Section {
  readonly title?: string;
  readonly text?: string;
  /** A name that is empty belongs to the fact before. */
  readonly facts?: readonly Fact[];
}

/** All that is known of a conversation, for its tooltip and its page. Holds no secret. */
export function factsOf(conversation: Conversation, now: Time): Fact[] {
  const { status, execution, runtime, pullRequests } = conversation;
  const when = (time: Time | undefined) =>
    time === undefined ? undefined : `${longAge(time, now)} (${absolute(time)})`;
  const facts: (readonly [string, string | undefined])[] = [
    ['State', activityWord(conversation)],
    ['Agent', execution && (word(executionWords, execution) ?? execution)],
    ['Sandbox', word(statusWords, status) ?? status],
    ['Machine', runtime && (word(runtimeWords, runtime) ?? runtime)],
    ['Repository', conversation.repository],
    ['Branch', conversation.branch],
    ['Code host', conversation.provider],
    ['Pull requests', pullRequests.map((number) => `#${number}`).join(', ') || undefined],
    ['Started by', conversation.trigger && triggerWord(conversation.trigger)],
    ['Model', conversation.model],
    ['Connections', conversation.connections > 0 ? String(conversation.connections) : undefined],
    ['Created', when(conversation.createdAt)],
    ['Last activity', when(conversation.updatedAt)],
    ['Sandbox id', conversation.sandboxId],
    ['Id', plainText(conversation.id)],
  ];
  return facts.filter((fact): fact is Fact => fact[1] !== undefined);
}

export function factLines(facts: readonly Fact[]): string {
  return facts.map(([name, value]) => `${name}: ${value}`).join('\n');
}

/** What stands behind the title in a row; what the heading above says already is left out. */
export function conversationDescription(conversation: Conversation, now: Time, grouping?: Grouping): string {
  const at = conversation.updatedAt ?? conversation.createdAt;
  const repository = grouping === 'repository' ? undefined : conversation.repository;
  const parts = [repository, conversation.branch, at === undefined ? undefined : age(at, now)];
  return parts.filter((part) => part !== undefined).join(' · ');
}

/** What a screen reader says of a row. */
export function conversationLabel(conversation: Conversation, now: Time): string {
  const { repository, branch } = conversation;
  const at = conversation.updatedAt ?? conversation.createdAt;
  const parts = [
    titleOf(conversation),
    activityWord(conversation),
    repository && `repository ${repository}`,
    branch && `branch ${branch}`,
    at === undefined ? undefined : longAge(at, now),
  ];
  return parts.filter(Boolean).join(', ');
}

/** How far a conversation is that is being created. */
export function pendingWord({ error, cancelled, task }: PendingStart): string {
  if (error !== undefined) return cancelled ? 'Cancelled' : 'Not created';
  return task ? stageWord(task) : 'Sending';
}

export function pendingTitle({ wanted }: PendingStart): string {
  const [line = ''] = wanted.message.trim().split(/[\r\n]/, 1);
  return plainText(line, 80) || 'New conversation';
}

/** A filter in words, for the line above the list. */
export function filterWords({ repository, trigger, activity, text }: Filter): string {
  const parts = [
    text && `“${text}”`,
    activity && activityWords[activity],
    repository,
    trigger && triggerWord(trigger),
  ];
  return parts.filter(Boolean).join(' · ');
}

/** The heading of a group. */
export function groupLabel(key: string, grouping: Grouping, now: Time): string {
  if (key === '')
    return (
      { repository: 'No repository', trigger: 'Unknown trigger', day: 'Unknown day' }[grouping as string] ??
      ''
    );
  if (grouping === 'state') return activityWords[key as Activity];
  if (grouping === 'trigger') return triggerWord(key);
  if (grouping !== 'day') return key;
  const day = new Date(`${key}T12:00:00`);
  // A service can have dates beyond those that can be written like this.
  if (Number.isNaN(day.getTime())) return key;
  const days = Math.round((new Date(now).setHours(12, 0, 0, 0) - day.getTime()) / 86_400_000);
  if (days === 0) return 'Today';
  if (days === 1) return 'Yesterday';
  return fullDate.format(day);
}

/** Text from elsewhere in a message: there, `[text](target)` would become a link. */
export function inMessage(text: string): string {
  return plainText(text, longest).replaceAll('](', '] (');
}

/** Text from elsewhere in a list to pick from: there, `$(name)` would become an icon. */
export function inPick(text: string): string {
  // An escape would not do: what is typed can split the text between it and the icon.
  return plainText(text, longest).replaceAll('$(', '$ (');
}

/** More than anybody reads. */
const longest = 1_000;
