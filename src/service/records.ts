/**
 * What the service sends, read tolerantly and made into our own types. A record needs an id; whatever else is missing
 * or of a wrong type is left out. Keys of sandboxes and values of variables are dropped here, and go no further.
 */
import * as z from 'zod/mini';
import { plainText } from '../base/plainText.ts';
import { Secret } from '../base/secret.ts';
import type {
  Conversation,
  ConversationStatus,
  Execution,
  ExposedAddress,
  Link,
  RuntimeStatus,
  Sandbox,
  SandboxSpec,
  SandboxStatus,
  StartTask,
  Time,
} from './types.ts';

const id = z.string().check(z.minLength(1), z.maxLength(500));
const text = z.catch(z.nullish(z.string()), undefined);
const number = z.catch(z.nullish(z.number()), undefined);
const list = z.catch(z.nullish(z.array(z.unknown())), undefined);
const map = z.catch(z.nullish(z.record(z.string(), z.unknown())), undefined);

const conversationV0 = z.object({
  conversation_id: id,
  title: text,
  last_updated_at: text,
  status: text,
  runtime_status: text,
  selected_repository: text,
  selected_branch: text,
  git_provider: text,
  trigger: text,
  num_connections: number,
  url: text,
  created_at: text,
  pr_number: list,
});

const conversationV1 = z.object({
  id,
  title: text,
  sandbox_id: text,
  sandbox_status: text,
  execution_status: text,
  selected_repository: text,
  selected_branch: text,
  git_provider: text,
  trigger: text,
  pr_number: list,
  llm_model: text,
  conversation_url: text,
  created_at: text,
  updated_at: text,
});

const sandbox = z.object({
  id,
  status: text,
  status_detail: text,
  sandbox_spec_id: text,
  created_at: text,
  exposed_urls: list,
});

const exposedUrl = z.object({ name: text, url: text, port: number });

const sandboxSpec = z.object({ id, command: list, working_dir: text, initial_env: map, created_at: text });

const startTask = z.object({ id, status: text, app_conversation_id: text, sandbox_id: text, detail: text });

/** A reader makes one record into one of ours, or undefined where it is none. */
export type Reader<T> = (record: unknown) => T | undefined;

function reader<Schema extends z.ZodMiniType, T>(
  schema: Schema,
  normalise: (record: z.output<Schema>) => T,
): Reader<T> {
  return (record) => {
    const result = schema.safeParse(record);
    return result.success ? normalise(result.data) : undefined;
  };
}

export const readConversationV0: Reader<Conversation> = reader(conversationV0, (record) => ({
  id: record.conversation_id,
  title: plainText(record.title ?? '', 500),
  status: known(statuses, record.status) ?? 'stopped',
  runtime: known(runtimes, record.runtime_status),
  execution: undefined,
  sandboxId: undefined,
  repository: line(record.selected_repository),
  branch: line(record.selected_branch),
  provider: line(record.git_provider),
  trigger: line(record.trigger),
  pullRequests: numbers(record.pr_number),
  connections: record.num_connections ?? 0,
  model: undefined,
  link: link(record.url),
  createdAt: time(record.created_at),
  updatedAt: time(record.last_updated_at),
}));

export const readConversationV1: Reader<Conversation> = reader(conversationV1, (record) => ({
  id: record.id,
  title: plainText(record.title ?? '', 500),
  status: known(statusOfSandbox, record.sandbox_status) ?? 'stopped',
  runtime: undefined,
  execution: known(executions, record.execution_status),
  sandboxId: line(record.sandbox_id),
  repository: line(record.selected_repository),
  branch: line(record.selected_branch),
  provider: line(record.git_provider),
  trigger: line(record.trigger),
  pullRequests: numbers(record.pr_number),
  connections: 0,
  model: line(record.llm_model),
  link: link(record.conversation_url),
  createdAt: time(record.created_at),
  updatedAt: time(record.updated_at),
}));

export const readSandbox: Reader<Sandbox> = reader(sandbox, (record) => ({
  id: record.id,
  status: known(sandboxStatuses, record.status) ?? 'missing',
  detail: line(record.status_detail),
  specId: line(record.sandbox_spec_id),
  createdAt: time(record.created_at),
  exposed: (record.exposed_urls ?? []).flatMap(readExposed),
}));

export const readSandboxSpec: Reader<SandboxSpec> = reader(sandboxSpec, (record) => ({
  id: record.id,
  command: (record.command ?? []).filter((part) => typeof part === 'string').map((part) => plainText(part)),
  workingDirectory: line(record.working_dir),
  environment: Object.keys(record.initial_env ?? {}).map((name) => plainText(name)),
  createdAt: time(record.created_at),
}));

export const readStartTask: Reader<StartTask> = reader(startTask, (record) => ({
  id: record.id,
  stage: known(stages, record.status) ?? 'working',
  conversationId: record.app_conversation_id ?? undefined,
  sandboxId: record.sandbox_id ?? undefined,
  detail: line(record.detail),
}));

function readExposed(value: unknown): ExposedAddress[] {
  const { success, data } = exposedUrl.safeParse(value);
  const address = success ? link(data.url) : undefined;
  if (!success || !address) return [];
  return [{ name: line(data.name) ?? address.shown, port: data.port ?? undefined, link: address }];
}

const statuses: Record<string, ConversationStatus> = {
  STARTING: 'starting',
  RUNNING: 'running',
  STOPPED: 'stopped',
  ARCHIVED: 'archived',
  ERROR: 'error',
};

/** The V1 interface tells the state of the sandbox; this is what the V0 one makes of it. */
const statusOfSandbox: Record<string, ConversationStatus> = {
  STARTING: 'starting',
  RUNNING: 'running',
  PAUSED: 'stopped',
  ERROR: 'error',
  MISSING: 'archived',
};

const sandboxStatuses: Record<string, SandboxStatus> = {
  STARTING: 'starting',
  RUNNING: 'running',
  PAUSED: 'paused',
  ERROR: 'error',
  MISSING: 'missing',
};

const executions: Record<string, Execution> = {
  idle: 'idle',
  running: 'running',
  paused: 'paused',
  waiting_for_confirmation: 'waitingForConfirmation',
  finished: 'finished',
  error: 'error',
  stuck: 'stuck',
  deleting: 'deleting',
};

const runtimes: Record<string, RuntimeStatus> = {
  STATUS$STOPPED: 'stopped',
  STATUS$BUILDING_RUNTIME: 'buildingRuntime',
  STATUS$STARTING_RUNTIME: 'startingRuntime',
  STATUS$RUNTIME_STARTED: 'runtimeStarted',
  STATUS$SETTING_UP_WORKSPACE: 'settingUpWorkspace',
  STATUS$SETTING_UP_GIT_HOOKS: 'settingUpGitHooks',
  STATUS$READY: 'ready',
  STATUS$ERROR: 'error',
  STATUS$ERROR_RUNTIME_DISCONNECTED: 'disconnected',
  STATUS$ERROR_LLM_AUTHENTICATION: 'modelAuthentication',
  STATUS$ERROR_LLM_SERVICE_UNAVAILABLE: 'modelUnavailable',
  STATUS$ERROR_LLM_INTERNAL_SERVER_ERROR: 'modelServerError',
  STATUS$ERROR_LLM_OUT_OF_CREDITS: 'outOfCredits',
  STATUS$ERROR_LLM_CONTENT_POLICY_VIOLATION: 'contentPolicyViolation',
  CHAT_INTERFACE$AGENT_RATE_LIMITED_STOPPED_MESSAGE: 'rateLimited',
  STATUS$GIT_PROVIDER_AUTHENTICATION_ERROR: 'gitAuthentication',
  STATUS$LLM_RETRY: 'modelRetry',
  STATUS$ERROR_MEMORY: 'outOfMemory',
};

const stages: Record<string, StartTask['stage']> = {
  WORKING: 'working',
  WAITING_FOR_SANDBOX: 'waitingForSandbox',
  PREPARING_REPOSITORY: 'preparingRepository',
  RUNNING_SETUP_SCRIPT: 'runningSetupScript',
  SETTING_UP_GIT_HOOKS: 'settingUpGitHooks',
  SETTING_UP_SKILLS: 'settingUpSkills',
  STARTING_CONVERSATION: 'startingConversation',
  READY: 'ready',
  ERROR: 'error',
};

/** Our word for a value of an enumeration; a value that we have no word for is taken as it is. */
function known<T extends string>(
  words: Record<string, T>,
  value: string | null | undefined,
): T | string | undefined {
  if (value === null || value === undefined || value === '') return undefined;
  return Object.hasOwn(words, value) ? words[value] : plainText(value, 60);
}

function line(value: string | null | undefined): string | undefined {
  return plainText(value ?? '') || undefined;
}

function numbers(values: readonly unknown[] | null | undefined): number[] {
  return (values ?? []).filter((value): value is number => Number.isSafeInteger(value));
}

/** Dates without a zone are UTC. */
function time(value: string | null | undefined): Time | undefined {
  if (!value) return undefined;
  const zoned = /(?:z|[+-]\d\d:?\d\d)$/i.test(value) ? value : `${value}Z`;
  const parsed = Date.parse(zoned);
  return Number.isNaN(parsed) ? undefined : parsed;
}

/** Only what a browser may be sent to: http or https, and nobody's name and password in it. */
function link(value: string | null | undefined): Link | undefined {
  const url = value ? URL.parse(value) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return undefined;
  return { shown: plainText(`${url.origin}${url.pathname}`, 500), full: new Secret(url.href) };
}
