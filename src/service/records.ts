/**
 * What the service sends, read tolerantly and made into our own types. A record needs an id; whatever else is missing
 * or of a wrong type is left out. Keys of sandboxes and values of variables are dropped here, and go no further.
 * Each field is looked at once, by what makes it ours: a type in the schema as well would double the time for a page.
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
const field = z.optional(z.unknown());

const conversationV0 = z.object({
  conversation_id: id,
  title: field,
  last_updated_at: field,
  status: field,
  runtime_status: field,
  selected_repository: field,
  selected_branch: field,
  git_provider: field,
  trigger: field,
  num_connections: field,
  url: field,
  created_at: field,
  pr_number: field,
});

const conversationV1 = z.object({
  id,
  title: field,
  sandbox_id: field,
  sandbox_status: field,
  execution_status: field,
  selected_repository: field,
  selected_branch: field,
  git_provider: field,
  trigger: field,
  pr_number: field,
  llm_model: field,
  conversation_url: field,
  created_at: field,
  updated_at: field,
});

const sandbox = z.object({
  id,
  status: field,
  status_detail: field,
  sandbox_spec_id: field,
  created_at: field,
  exposed_urls: field,
});

const exposedUrl = z.object({ name: field, url: field, port: field });

const sandboxSpec = z.object({
  id,
  command: field,
  working_dir: field,
  initial_env: field,
  created_at: field,
});

const startTask = z.object({
  id,
  status: field,
  app_conversation_id: field,
  sandbox_id: field,
  detail: field,
});

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
  title: titleText(record.title),
  status: known(statuses, record.status) ?? 'stopped',
  runtime: known(runtimes, record.runtime_status),
  execution: undefined,
  sandboxId: undefined,
  repository: line(record.selected_repository),
  branch: line(record.selected_branch),
  provider: line(record.git_provider),
  trigger: line(record.trigger),
  pullRequests: numbers(record.pr_number),
  connections: Number.isSafeInteger(record.num_connections) ? (record.num_connections as number) : 0,
  model: undefined,
  link: link(record.url),
  createdAt: time(record.created_at),
  updatedAt: time(record.last_updated_at),
}));

export const readConversationV1: Reader<Conversation> = reader(conversationV1, (record) => ({
  id: record.id,
  title: titleText(record.title),
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
  exposed: array(record.exposed_urls).flatMap(readExposed),
}));

export const readSandboxSpec: Reader<SandboxSpec> = reader(sandboxSpec, (record) => ({
  id: record.id,
  command: array(record.command).flatMap((part) => line(part) ?? []),
  workingDirectory: line(record.working_dir),
  environment: isObject(record.initial_env)
    ? Object.keys(record.initial_env).map((name) => plainText(name))
    : [],
  createdAt: time(record.created_at),
}));

export const readStartTask: Reader<StartTask> = reader(startTask, (record) => ({
  id: record.id,
  stage: known(stages, record.status) ?? 'working',
  conversationId: string(record.app_conversation_id),
  sandboxId: string(record.sandbox_id),
  detail: line(record.detail),
}));

function readExposed(value: unknown): ExposedAddress[] {
  const { success, data } = exposedUrl.safeParse(value);
  const address = success ? link(data.url) : undefined;
  if (!success || !address) return [];
  return [
    {
      name: line(data.name) ?? address.shown,
      port: Number.isSafeInteger(data.port) ? (data.port as number) : undefined,
      link: address,
    },
  ];
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
function known<T extends string>(words: Record<string, T>, value: unknown): T | string | undefined {
  const text = string(value);
  if (text === undefined) return undefined;
  return Object.hasOwn(words, text) ? words[text] : plainText(text, 60);
}

/** A text that says something. */
function string(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function line(value: unknown): string | undefined {
  const text = string(value);
  return text === undefined ? undefined : plainText(text) || undefined;
}

function titleText(value: unknown): string {
  return plainText(string(value) ?? '', 500);
}

function array(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function numbers(values: unknown): number[] {
  return array(values).filter((value): value is number => Number.isSafeInteger(value));
}

/** Dates without a zone are UTC. */
function time(value: unknown): Time | undefined {
  const text = string(value);
  if (text === undefined) return undefined;
  const parsed = Date.parse(/(?:z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`);
  return Number.isNaN(parsed) ? undefined : parsed;
}

/** An address in its usual form, without a user: what a URL would be parsed for is then in its first part. */
const usualAddress = /^(https?:\/\/[\w.-]+(?::\d{1,5})?\/[\w.~:/%+,=-]*)(?:[?#][!-~]*)?$/;

/** Only what a browser may be sent to: http or https, and nobody's name and password in it. */
function link(value: unknown): Link | undefined {
  const text = string(value);
  if (text === undefined) return undefined;
  const shown = usualAddress.exec(text)?.[1];
  if (shown !== undefined) return { shown: plainText(shown, 500), full: new Secret(text) };
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return undefined;
  return { shown: plainText(`${url.origin}${url.pathname}`, 500), full: new Secret(url.href) };
}
