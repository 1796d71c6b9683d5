import type { Clock } from '../../base/clock.ts';
import type { WrittenConversation } from './afternoon.ts';
import {
  FirstConversations,
  recent,
  type DemoConversation,
} from './firstConversations.ts';
import { openingOfNew, type Phase, phaseAt } from './life.ts';
import { models, repositories } from './names.ts';
import type { Listing } from '../wire/paging.ts';
import { Dice } from '../wire/random.ts';
import { SimulatedSandboxes } from './simulatedSandboxes.ts';
import { duration, type DemoTask } from './tasks.ts';
import type { ProviderType } from '../wire/wireTypes.ts';

interface WorldOptions {
  readonly seed: number;
  readonly conversations: number;
  readonly clock: Clock;
  /** The newest conversations. */
  readonly written?: readonly WrittenConversation[] | undefined;
}

/** A filter: conversations match every given field. */
interface WantedFields {
  readonly repository?: string | undefined;
  readonly trigger?: string | undefined;
  readonly titleContains?: string | undefined;
  /** False excludes child conversations. */
  readonly subConversations?: boolean | undefined;
}

export type Condition = ReturnType<World['condition']>;

interface NewDemoConversation {
  readonly message: string;
  readonly repository: string | undefined;
  readonly branch: string | undefined;
  readonly provider: ProviderType | undefined;
  readonly sandboxId: string | undefined;
  readonly model?: string | undefined;
}

/** Milliseconds. */
const untilNextLook = 500;

/**
 * Everything there is, as a function of the seed, the time, and what callers
 * have changed.
 */
export class World {
  readonly seed: number;
  readonly sandboxes: SimulatedSandboxes;
  readonly first: FirstConversations;
  readonly #clock: Clock;
  readonly #begin: number;
  /**
   * Conversations that callers created, with the times at which they are ready.
   * The last has the lowest position.
   */
  readonly #made: {
    readonly conversation: DemoConversation;
    readonly message: string;
    readyAt: number;
  }[] = [];
  /**
   * Actions for the time when the sandbox of a conversation runs, by its id.
   */
  readonly #queues = new Map<string, (() => void)[]>();
  readonly #tasks = new Map<string, DemoTask>();
  /** Titles that callers gave, by position. */
  readonly #titles = new Map<number, string>();
  readonly #models = new Map<number, string>();
  readonly #deleted = new Set<number>();

  constructor({ seed, conversations, clock, written }: WorldOptions) {
    this.seed = seed;
    this.#clock = clock;
    this.#begin = clock.now();
    this.sandboxes = new SimulatedSandboxes(seed, () => clock.now());
    const boxes = this.sandboxes.all.map(({ id }) => id);
    this.first = new FirstConversations(
      seed,
      conversations,
      this.#begin,
      boxes,
      written,
    );
  }

  now(): number {
    return this.#clock.now();
  }

  /** Returns a function that cancels the call. */
  after(milliseconds: number, callback: () => void): () => void {
    return this.#clock.after(milliseconds, callback);
  }

  /** Lists conversations, newest first. */
  conversations(filter: WantedFields = {}): Listing<DemoConversation> {
    return {
      first: -this.#made.length,
      end: this.first.count,
      includes: (position) =>
        this.#exists(position) &&
        (filter.subConversations !== false ||
          this.first.parentOf(position) === undefined) &&
        matches(this.#at(position), filter),
      at: (position) => this.#at(position),
    };
  }

  /** Takes an id with or without dashes. */
  conversation(id: string): DemoConversation | undefined {
    const record = this.#made.find(
      ({ conversation }) => conversation.id === bare(id),
    );
    const position = record?.conversation.position ?? this.first.find(bare(id));
    return position !== undefined && this.#exists(position)
      ? this.#at(position)
      : undefined;
  }

  /** The first message of the user. */
  messageOf({ position, title }: DemoConversation): string {
    return this.#madeAt(position)?.message ?? title;
  }

  /**
   * Calls `happen` once the sandbox of the conversation runs. Returns the
   * position in the queue.
   */
  queue(id: string, happen: () => void): number {
    const queue = this.#queues.get(bare(id)) ?? [];
    this.#queues.set(bare(id), queue);
    queue.push(happen);
    const look = () => {
      const conversation = this.conversation(id);
      const isReady =
        conversation &&
        this.condition(conversation).sandbox.status === 'RUNNING';
      if (isReady) for (const callback of queue.splice(0)) callback();
      else this.after(untilNextLook, look);
    };
    if (queue.length === 1) this.after(untilNextLook, look);
    return queue.length;
  }

  rename({ position }: DemoConversation, title: string): DemoConversation {
    this.#titles.set(position, title);
    return this.#at(position);
  }

  switchModel({ position }: DemoConversation, model: string): void {
    this.#models.set(position, model);
  }

  /**
   * Deletes a conversation with its child, and with its sandbox unless another
   * conversation uses it.
   */
  delete({ position, sandboxId }: DemoConversation): void {
    this.#deleted.add(position);
    const child = this.first.childOf(position);
    if (child !== undefined) this.#deleted.add(child);
    const newPositions = this.#made.map((_, at) => -at - 1);
    const positions = [
      ...newPositions,
      ...Array.from(
        { length: Math.min(this.first.count, recent) },
        (_, at) => at,
      ),
    ];
    const isLast = !positions.some(
      (other) => this.#exists(other) && this.#at(other).sandboxId === sandboxId,
    );
    if (isLast) this.sandboxes.delete(sandboxId);
  }

  /**
   * The changing part of a conversation. It has no execution status unless its
   * sandbox runs.
   */
  condition({ position, sandboxId, createdAt, life }: DemoConversation) {
    const sandbox = this.sandboxes.state(sandboxId);
    const runs = sandbox.status === 'RUNNING';
    if (life.kind === 'done') {
      return {
        sandbox,
        execution: runs ? life.execution : undefined,
        updatedAt: life.at,
      };
    }
    const from = life.from ?? this.#begin;
    const until = runs ? this.now() : Math.min(this.now(), sandbox.since);
    const phase = phaseAt(this.seed, position, until - from, life.opening);
    const updatedAt = Math.max(createdAt, from + phase.since);
    return {
      sandbox,
      execution: runs ? phase.execution : undefined,
      updatedAt,
    };
  }

  /**
   * The state of a first conversation that continues without requests, in times
   * of the clock.
   */
  phaseOf({ position, life }: DemoConversation): Phase | undefined {
    if (life.kind === 'done' || life.from !== undefined) return undefined;
    const phase = phaseAt(
      this.seed,
      position,
      this.now() - this.#begin,
      life.opening,
    );
    return {
      ...phase,
      since: phase.since + this.#begin,
      until: phase.until + this.#begin,
    };
  }

  create(creation: NewDemoConversation): DemoTask {
    const failure = this.#failure(creation);
    const sandboxId = creation.sandboxId ?? this.sandboxes.start().id;
    const task: DemoTask = {
      id: dashed(new Dice(this.seed, this.#tasks.size).hex('task', 32)),
      begunAt: this.now(),
      sandboxId,
      conversationId: failure ? undefined : this.#make(creation, sandboxId).id,
      failure,
    };
    this.#tasks.set(task.id, task);
    return task;
  }

  /**
   * Lists a fork that the sandbox of a conversation has made, under a
   * placeholder for its title.
   */
  addFork(from: string, dashedId: string): void {
    const conversation = this.conversation(from);
    if (!conversation) return;
    const id = bare(dashedId);
    const createdAt = this.now();
    const fork = {
      ...conversation,
      id,
      createdAt,
      position: -this.#made.length - 1,
      title: `Conversation ${id}`,
      life: { kind: 'done', execution: 'idle', at: createdAt } as const,
    };
    this.#made.push({
      conversation: fork,
      message: this.messageOf(conversation),
      readyAt: createdAt,
    });
  }

  /** Takes an id with or without dashes. */
  task(id: string): DemoTask | undefined {
    return this.#tasks.get(dashed(bare(id)));
  }

  /**
   * Makes a conversation that is being created ready immediately, for a service
   * without start tasks.
   */
  finish(task: DemoTask): DemoConversation | undefined {
    const record = this.#made.find(
      ({ conversation }) => conversation.id === task.conversationId,
    );
    if (record) record.readyAt = this.now();
    return record?.conversation;
  }

  #failure({ message, sandboxId }: NewDemoConversation): DemoTask['failure'] {
    if (sandboxId !== undefined && !this.sandboxes.willRun(sandboxId)) {
      const { status } = this.sandboxes.state(sandboxId);
      const problem =
        status === 'MISSING'
          ? 'does not exist'
          : 'does not run: resume it first';
      return {
        during: 'WAITING_FOR_SANDBOX',
        detail: `The sandbox ${sandboxId} ${problem}.`,
      };
    }
    if (!/\bfail\b/i.test(message)) return undefined;
    return {
      during: 'RUNNING_SETUP_SCRIPT',
      detail:
        'The setup script ended with exit code 1: npm error missing script "setup".',
    };
  }

  #make(
    { message, repository, branch, provider, model }: NewDemoConversation,
    sandboxId: string,
  ): DemoConversation {
    const position = -this.#made.length - 1;
    const dice = new Dice(this.seed, position);
    const match = repositories.find(
      (candidate) => candidate?.name === repository,
    );
    const readyAt = this.now() + duration;
    const conversation: DemoConversation = {
      id: dice.hex('id', 32),
      position,
      title: message.trim().split('\n', 1)[0]?.slice(0, 100) ?? '',
      repository:
        repository === undefined
          ? undefined
          : { name: repository, provider: provider ?? match?.provider },
      branch,
      trigger: 'platform_api',
      pullRequests: [],
      model: model ?? models[0],
      sandboxId,
      createdAt: this.now(),
      life: {
        kind: 'goesOn',
        from: readyAt,
        opening: openingOfNew(this.seed, position),
      },
    };
    this.#made.push({ conversation, message, readyAt });
    return conversation;
  }

  #madeAt(position: number) {
    return this.#made[-position - 1];
  }

  #exists(position: number): boolean {
    const record = this.#madeAt(position);
    return (
      !this.#deleted.has(position) &&
      (record === undefined || record.readyAt <= this.now())
    );
  }

  #at(position: number): DemoConversation {
    const conversation =
      this.#madeAt(position)?.conversation ?? this.first.at(position);
    const title = this.#titles.get(position);
    const model = this.#models.get(position);
    if (title === undefined && model === undefined) return conversation;
    return {
      ...conversation,
      title: title ?? conversation.title,
      model: model ?? conversation.model,
    };
  }
}

function matches(
  conversation: DemoConversation,
  { repository, trigger, titleContains = '' }: WantedFields,
): boolean {
  return (
    (repository ?? conversation.repository?.name) ===
      conversation.repository?.name &&
    (trigger ?? conversation.trigger) === conversation.trigger &&
    conversation.title.includes(titleContains)
  );
}

/** The spelling of V0. */
export function bare(id: string): string {
  return id.replaceAll('-', '').toLowerCase();
}

/** The spelling of V1. */
export function dashed(id: string): string {
  return id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
