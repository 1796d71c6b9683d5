import type { DemoConversation } from '../world/firstConversations.ts';
import { tagsOf } from '../world/names.ts';
import { Dice } from '../wire/random.ts';
import {
  type DemoSandbox,
  type SandboxState,
} from '../world/simulatedSandboxes.ts';
import type { Spec } from '../world/specs.ts';
import { progress, type DemoTask } from '../world/tasks.ts';
import type { ExecutionStatus, WireSandboxStatus } from '../wire/wireTypes.ts';
import type { Work } from '../agentServer/work.ts';
import { metricsOf, tokensOf } from '../world/tokenUsage.ts';
import { dashed, type Condition, type World } from '../world/world.ts';

/**
 * The world as the records that callers receive. Every secret in them contains
 * `demo-secret`.
 */
export class WireRecords {
  readonly #world: World;
  readonly #url: string;
  readonly #begin: number;
  readonly #workOf: (id: string) => Work | undefined;

  /** `workOf`: the work of a conversation's agent in its sandbox. */
  constructor(
    world: World,
    url: string,
    workOf: (id: string) => Work | undefined,
  ) {
    this.#world = world;
    this.#url = url;
    this.#workOf = workOf;
    this.#begin = world.now();
  }

  /** The record of V0. */
  conversationInfo(conversation: DemoConversation) {
    const condition = this.#world.condition(conversation);
    const { status } = condition.sandbox;
    const isUpdated =
      status !== 'MISSING' ||
      this.#dice(conversation).below('never updated', 25) > 0;
    return {
      ...this.#common(conversation),
      conversation_id: conversation.id,
      last_updated_at: isUpdated ? date(condition.updatedAt) : null,
      status: conversationStatus[status],
      runtime_status: this.#runtime(conversation, condition),
      num_connections:
        this.#execution(conversation, condition) === 'running' ? 1 : 0,
      url: `${this.#url}/conversations/${conversation.id}`,
      conversation_version: 'V1',
    };
  }

  /** The record of V1. */
  appConversation(conversation: DemoConversation) {
    const condition = this.#world.condition(conversation);
    const { id, position, sandboxId, model } = conversation;
    const { first } = this.#world;
    const parent = first.parentOf(position);
    const child = first.childOf(position);
    const dice = this.#dice(conversation);
    return {
      ...this.#common(conversation),
      id: dashed(id),
      sandbox_id: sandboxId,
      sandbox_status: condition.sandbox.status,
      execution_status: this.#execution(conversation, condition) ?? null,
      llm_model: model,
      metrics: metricsOf(
        model,
        tokensOf(dice, position, this.#workOf(id)?.answers ?? 0),
      ),
      conversation_url: `${this.#url}/conversations/${id}`,
      updated_at: date(condition.updatedAt),
      created_by_user_id: null,
      agent_kind: 'openhands',
      parent_conversation_id:
        parent === undefined ? null : dashed(first.idAt(parent)),
      sub_conversation_ids:
        child === undefined ? [] : [dashed(first.idAt(child))],
      tags: tagsOf(dice),
      public: null,
      acp_server: null,
      launched_agent_profile: null,
    };
  }

  /** The fields that V0 and V1 share. */
  #common({
    title,
    repository,
    branch,
    trigger,
    sandboxId,
    createdAt,
    pullRequests,
  }: DemoConversation) {
    return {
      title,
      selected_repository: repository?.name ?? null,
      selected_branch: branch ?? null,
      git_provider: repository?.provider ?? null,
      trigger: trigger ?? null,
      session_api_key: this.sandboxKey(sandboxId),
      created_at: date(createdAt),
      pr_number: pullRequests,
    };
  }

  sandbox({ id, specId, createdAt }: DemoSandbox) {
    const { status, detail } = this.#world.sandboxes.state(id);
    return {
      id,
      status,
      sandbox_spec_id: specId,
      created_at: date(createdAt),
      session_api_key: this.sandboxKey(id),
      exposed_urls: status === 'RUNNING' ? this.#exposed(id) : null,
      created_by_user_id: null,
      ...(detail === null ? {} : { status_detail: detail }),
    };
  }

  spec({ name, command, folder, environment, age }: Spec) {
    const filled = Object.entries(environment).map(([variable, value]) => [
      variable,
      value.replace('SECRET', this.#secret(`${variable} of ${name}`)),
    ]);
    return {
      id: name,
      command,
      working_dir: folder,
      initial_env: Object.fromEntries(filled) as Record<string, string>,
      created_at: date(this.#begin - age * 86_400_000),
    };
  }

  startTask(task: DemoTask) {
    const { status, detail } = progress(task, this.#world.now());
    const waits = status === 'WORKING' || status === 'WAITING_FOR_SANDBOX';
    return {
      id: task.id,
      status,
      app_conversation_id:
        status === 'READY' ? dashed(task.conversationId ?? '') : null,
      sandbox_id: waits ? null : (task.sandboxId ?? null),
      detail,
      created_by_user_id: null,
      agent_server_url: null,
      created_at: date(task.begunAt),
      updated_at: date(this.#world.now()),
    };
  }

  #dice({ position }: DemoConversation): Dice {
    return new Dice(this.#world.seed, position);
  }

  #exposed(id: string) {
    const ports = { AGENT_SERVER: 8000, VSCODE: 8001, WORKER_1: 8011 };
    return Object.entries(ports).map(([name, port]) => ({
      name,
      // Contains the Base64 characters that URLs must encode.
      url: `${this.#url}/exposed/${id}/${name}?tkn=${encodeURIComponent(`${this.#secret(`${name} of ${id}`)}+/=`)}`,
      port,
    }));
  }

  /** Null unless the sandbox runs or starts. */
  sandboxKey(id: string): string | null {
    const { status } = this.#world.sandboxes.state(id);
    return status === 'RUNNING' || status === 'STARTING'
      ? this.#secret(`key of ${id}`)
      : null;
  }

  #secret(of: string): string {
    return `demo-secret-${new Dice(this.#world.seed, 0).hex(of, 24)}`;
  }

  /** The agent's state; `undefined` unless the sandbox runs. */
  #execution(
    { id }: DemoConversation,
    { execution }: Condition,
  ): ExecutionStatus | undefined {
    return execution && (this.#workOf(id)?.recorded.execution ?? execution);
  }

  /**
   * The last report of the machine. Every ninth is null, as for conversations
   * that only V1 knows.
   */
  #runtime(
    conversation: DemoConversation,
    condition: Condition,
  ): string | null {
    const { position } = conversation;
    const { sandbox } = condition;
    const execution = this.#execution(conversation, condition);
    if (position % 9 === 7) return null;
    switch (sandbox.status) {
      case 'STARTING':
        return startup(sandbox, this.#world.now());
      case 'RUNNING':
        if (
          execution === 'running' &&
          this.#world.phaseOf(conversation)?.next === 'error'
        )
          return 'STATUS$LLM_RETRY';
        return execution === 'error'
          ? nth(agentFailures, position)
          : 'STATUS$READY';
      case 'ERROR':
        return nth(machineFailures, position);
      case 'PAUSED':
        return 'STATUS$STOPPED';
      case 'MISSING':
        // Most ended well; the others still say how they ended.
        return position % 3 === 0 && !this.#world.first.endAsUsual
          ? nth([...agentFailures, ...machineFailures], position / 3 + 8)
          : 'STATUS$STOPPED';
    }
  }
}

const conversationStatus: Readonly<Record<WireSandboxStatus, string>> = {
  STARTING: 'STARTING',
  RUNNING: 'RUNNING',
  PAUSED: 'STOPPED',
  ERROR: 'ERROR',
  MISSING: 'ARCHIVED',
};

const agentFailures: readonly string[] = [
  'STATUS$ERROR_LLM_AUTHENTICATION',
  'STATUS$ERROR_LLM_SERVICE_UNAVAILABLE',
  'STATUS$ERROR_LLM_INTERNAL_SERVER_ERROR',
  'STATUS$ERROR_LLM_OUT_OF_CREDITS',
  'STATUS$ERROR_LLM_CONTENT_POLICY_VIOLATION',
  'CHAT_INTERFACE$AGENT_RATE_LIMITED_STOPPED_MESSAGE',
];

const machineFailures: readonly string[] = [
  'STATUS$ERROR',
  'STATUS$ERROR_RUNTIME_DISCONNECTED',
  'STATUS$ERROR_MEMORY',
  'STATUS$GIT_PROVIDER_AUTHENTICATION_ERROR',
];

const startupStages: readonly string[] = [
  'STATUS$BUILDING_RUNTIME',
  'STATUS$STARTING_RUNTIME',
  'STATUS$RUNTIME_STARTED',
  'STATUS$SETTING_UP_WORKSPACE',
  'STATUS$SETTING_UP_GIT_HOOKS',
];

/** The stages of a start, all equally long. */
function startup({ since, until }: SandboxState, now: number): string {
  const whole = (until ?? now + 1) - since;
  return nth(
    startupStages,
    Math.floor(((now - since) / whole) * startupStages.length),
  );
}

function nth(statuses: readonly string[], index: number): string {
  return statuses[Math.abs(index) % statuses.length] ?? 'STATUS$ERROR';
}

function date(time: number): string {
  return new Date(time).toISOString();
}
