/**
 * Things of an agent service in our own terms: exact, without the spelling, the
 * gaps and the secrets of the wire.
 */
import type { Secret } from '../../base/secret.ts';

/**
 * An enumeration that can grow: known values are listed, any other value is as
 * the service spells it.
 */
export type OpenEnum<Known extends string> =
  Known | (string & Record<never, never>);

/** Milliseconds since 1970. */
export type Time = number;

/**
 * State of its sandbox. `running` does not say that the agent works; `unknown`:
 * the host of the sandbox is unreachable.
 */
export type ConversationStatus = OpenEnum<
  'starting' | 'running' | 'stopped' | 'archived' | 'error' | 'unknown'
>;

/**
 * State of an agent; `lost` if its sandbox runs and no longer knows the
 * conversation.
 */
export type Execution = OpenEnum<
  | 'idle'
  | 'running'
  | 'paused'
  | 'waitingForConfirmation'
  | 'finished'
  | 'error'
  | 'stuck'
  | 'deleting'
  | 'lost'
>;

/** The times at which an agent asks before it acts. */
export type ConfirmationPolicy = OpenEnum<
  'always' | 'risky' | 'listed' | 'never'
>;

/** The approval that a service holds for a conversation. */
export interface Approval {
  readonly policy: ConfirmationPolicy;
  /** `null` without one, `undefined` if the service has none. */
  readonly analyzer: ActionAnalyzer | null | undefined;
}

/** The part of a service that rates the risk of each action. */
interface ActionAnalyzer {
  readonly kind: string;
  /** Absent if another program set the analyzer. */
  readonly rules?: readonly AskRule[];
  /** True if it rates by the rules alone. */
  readonly isOnlyRules?: boolean;
}

/** A kind of action that agents ask about. */
export interface AskRule {
  /** Names the kind as a sentence without its subject: "Pushes with Git". */
  readonly sentence: string;
  /** A regular expression, case ignored, for the text of the action. */
  readonly pattern: string;
}

/** True for a policy that depends on the ratings of an analyzer. */
export function isRated(policy: ConfirmationPolicy): boolean {
  return policy === 'risky' || policy === 'listed';
}

/** Tells a policy for listed actions from one for risky actions. */
export function approvalWith(
  policy: ConfirmationPolicy,
  analyzer: Approval['analyzer'],
): Approval {
  if (isRated(policy) && analyzer?.isOnlyRules)
    return { policy: 'listed', analyzer };
  return { policy: policy === 'listed' ? 'risky' : policy, analyzer };
}

/** Returns the approval before if an event tells nothing about it. */
export function approvalAfter<Before extends Approval | undefined>(
  before: Before,
  told: { readonly [Key in keyof Approval]?: Approval[Key] | undefined },
): Approval | Before {
  const policy = told.policy ?? before?.policy;
  if (
    policy === undefined ||
    (told.policy === undefined && told.analyzer === undefined)
  )
    return before;
  return approvalWith(
    policy,
    told.analyzer === undefined ? before?.analyzer : told.analyzer,
  );
}

/** The last report of the machine that a conversation runs on. */
export type RuntimeStatus = OpenEnum<(typeof runtimeStatuses)[number]>;

export const startingRuntimes = [
  'buildingRuntime',
  'startingRuntime',
  'runtimeStarted',
  'settingUpWorkspace',
  'settingUpGitHooks',
] as const;

export const failedRuntimes = [
  'error',
  'disconnected',
  'modelAuthentication',
  'modelUnavailable',
  'modelServerError',
  'outOfCredits',
  'contentPolicyViolation',
  'rateLimited',
  'gitAuthentication',
  'outOfMemory',
] as const;

export const runtimeStatuses = [
  'stopped',
  ...startingRuntimes,
  'ready',
  ...failedRuntimes,
  'modelRetry',
] as const;

/**
 * Origin of a conversation. The service filters by these values, so they keep
 * its spelling.
 */
export type Trigger = OpenEnum<(typeof triggers)[number]>;

export const triggers = [
  'resolver',
  'gui',
  'suggested_task',
  'platform_api',
  'chat_tool_a',
  'microagent_management',
  'issue_tracker_a',
  'issue_tracker_a_dc',
  'issue_tracker_b',
] as const;

/**
 * An address that may contain a token: `shown` does not, and `full` is only for
 * opening it.
 */
export interface Link {
  readonly shown: string;
  readonly full: Secret;
}

export interface Conversation {
  /** Spelt as by the service: compare with `sameId`. */
  readonly id: string;
  /** The address of the service that it is at. */
  readonly service: string;
  /** Empty if the service gives none. */
  readonly title: string;
  readonly status: ConversationStatus;
  readonly runtime: RuntimeStatus | undefined;
  readonly execution: Execution | undefined;
  /** Missing if the record does not say. */
  readonly approval?: Approval | undefined;
  readonly sandboxId: string | undefined;
  readonly repository: string | undefined;
  readonly branch: string | undefined;
  readonly provider: string | undefined;
  readonly trigger: Trigger | undefined;
  readonly pullRequests: readonly number[];
  readonly connections: number;
  readonly model: string | undefined;
  /** The folder of the agent, on the machine of the service. */
  readonly folder: string | undefined;
  /** Cost of the models so far, in US dollars. */
  readonly cost: number | undefined;
  readonly tokens:
    { readonly read: number; readonly written: number } | undefined;
  /**
   * Tokens in the context of the model, and those that fit. Missing if the
   * record does not say.
   */
  readonly context?:
    { readonly used: number; readonly available: number } | undefined;
  /**
   * False if the agent cannot summarize its context. Missing if the record does
   * not say.
   */
  readonly canCompact?: boolean;
  /** The dollars that its tags allow it to spend. */
  readonly limit?: number | undefined;
  /**
   * Tags for display: `team: web`, or `web` without a name. Without those that
   * pin, archive and limit.
   */
  readonly tags: readonly string[];
  readonly isPinned?: boolean;
  readonly isArchived?: boolean;
  /** The conversation that has begun this one for a part of its work. */
  readonly parentId: string | undefined;
  /**
   * Conversations that this one has begun. Missing if the record does not say.
   */
  readonly childIds?: readonly string[];
  /** The id of the user's last message. Missing if the record does not say. */
  readonly lastMessageId?: string;
  /** The id of the original of a fork. Missing if the record does not say. */
  readonly forkedFrom?: string;
  /** The last event that a fork has copied. */
  readonly forkedAt?: string;
  readonly link: Link | undefined;
  readonly createdAt: Time | undefined;
  /** The last activity. */
  readonly updatedAt: Time | undefined;
  /**
   * The last change of the record, by which the service sorts. Missing if that
   * is always activity.
   */
  readonly changedAt?: Time;
}

/** The time by which the service sorts. */
export function changeTime({
  changedAt,
  updatedAt,
}: Conversation): Time | undefined {
  return changedAt ?? updatedAt;
}

export const markChanges = {
  pin: { mark: 'isPinned', tag: 'pinned', isWanted: true },
  unpin: { mark: 'isPinned', tag: 'pinned', isWanted: false },
  archive: { mark: 'isArchived', tag: 'archived', isWanted: true },
  unarchive: { mark: 'isArchived', tag: 'archived', isWanted: false },
} as const;

export type MarkChange = keyof typeof markChanges;

/**
 * `unknown` if the host of the sandbox is unreachable, which is no failure of
 * the sandbox.
 */
export type SandboxStatus = OpenEnum<
  'starting' | 'running' | 'paused' | 'error' | 'missing' | 'unknown'
>;

export interface Sandbox {
  readonly id: string;
  /** The address of the service that it is at. */
  readonly service: string;
  readonly status: SandboxStatus;
  /** Reason for the state, if the service gives one. */
  readonly detail: string | undefined;
  readonly specId: string | undefined;
  readonly createdAt: Time | undefined;
  readonly exposed: readonly ExposedAddress[];
}

export interface ExposedAddress {
  readonly name: string;
  readonly port: number | undefined;
  readonly link: Link;
}

export interface Folder {
  readonly path: string;
  /** Source of the suggestion; `below` is a folder inside another. */
  readonly origin: 'workspace' | 'favourite' | 'home' | 'below';
}

export interface ModelProfile {
  readonly name: string;
  readonly model: string | undefined;
}

/** A model with its instructions and tools, under a name. */
export interface AgentProfile {
  readonly id: string;
  readonly name: string;
  /** True for the profile that the service takes by default. */
  readonly active: boolean;
  /** Undefined where the service does not say. */
  readonly model?: string | undefined;
  /** True if its model is not set up, so that no conversation can be created. */
  readonly lacksModel?: boolean | undefined;
}

export interface SandboxSpec {
  /** Usually the name of a container image. */
  readonly id: string;
  readonly command: readonly string[];
  readonly workingDirectory: string | undefined;
  /** The names only: the values may be secrets. */
  readonly environment: readonly string[];
  readonly createdAt: Time | undefined;
}

/**
 * The stages of creating a conversation, in order; `ready` and `error` are
 * final.
 */
export const startStages = [
  'working',
  'waitingForSandbox',
  'preparingRepository',
  'runningSetupScript',
  'settingUpGitHooks',
  'settingUpSkills',
  'startingConversation',
  'ready',
] as const;

export interface StartTask {
  readonly id: string;
  readonly stage: OpenEnum<(typeof startStages)[number] | 'error'>;
  /** Known once it is ready. */
  readonly conversationId: string | undefined;
  readonly sandboxId: string | undefined;
  /** The reason for an error, or the current activity. */
  readonly detail: string | undefined;
}

/**
 * Identifies a conversation or a sandbox. The same for every spelling of the
 * id, and different for the same id at another service.
 */
export type ConversationKey = `${string} ${string}`;

export function keyOf({
  service,
  id,
}: {
  readonly service: string;
  readonly id: string;
}): ConversationKey {
  return `${service} ${idKey(id)}`;
}

export function isConversationKey(value: unknown): value is ConversationKey {
  return typeof value === 'string' && value.includes(' ');
}

export function partsOfKey(key: ConversationKey): {
  readonly service: string;
  readonly id: string;
} {
  const blank = key.lastIndexOf(' ');
  return { service: key.slice(0, blank), id: key.slice(blank + 1) };
}

/** Ids come with and without dashes, in upper and lower case. */
export function sameId(a: string, b: string): boolean {
  return idKey(a) === idKey(b);
}

/**
 * The same for every spelling of an id. Ids that are not UUIDs have one
 * spelling.
 */
export function idKey(id: string): string {
  // A fast path: most ids are keys already, and every refresh of a list
  // converts all of them.
  if (isBareUuid(id)) return id;
  const bare = id.replaceAll('-', '').toLowerCase();
  return isBareUuid(bare) ? bare : id;
}

function isBareUuid(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text);
}

export interface GitRepository {
  /** Owner and name, as the service spells them. */
  readonly name: string;
  readonly provider: string;
}

export interface GitBranch {
  readonly name: string;
}

/** An issue or a pull request that an agent could work on. */
export interface SuggestedTask {
  readonly kind: OpenEnum<
    | 'mergeConflicts'
    | 'failingChecks'
    | 'unresolvedComments'
    | 'openIssue'
    | 'openPullRequest'
  >;
  readonly repository: GitRepository;
  readonly number: number;
  readonly title: string;
}
