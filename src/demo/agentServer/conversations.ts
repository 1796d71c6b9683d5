import type {
  DemoConversation,
  FirstConversations,
} from '../world/firstConversations.ts';
import { tagsOf, type Tags } from '../world/names.ts';
import { Dice } from '../wire/random.ts';
import { tokensOf } from '../world/tokenUsage.ts';
import { bare, dashed, type World } from '../world/world.ts';
import { DemoAgents, type Executed } from './agents.ts';
import { folderOfWork, projectOf } from './folders.ts';
import { eventId } from './eventLog.ts';
import { type DemoApproval, neverAsks } from './policy.ts';
import type { FolderConversation } from './held.ts';
import { agentWith, profiles } from './records.ts';
import type { AgentScript } from './script.ts';
import type { Cause, IsDone, Work } from './work.ts';

interface WantedConversation {
  readonly id: string | undefined;
  readonly message: string | undefined;
  /** True if the agent begins to work on the message. */
  readonly run: boolean;
  readonly folder: string;
  readonly worktree: boolean;
  readonly profileId: string;
  readonly model: string;
  readonly tags: Tags;
  readonly approval: DemoApproval | undefined;
}

interface WantedFork {
  readonly title: string | undefined;
  readonly tags: Tags | undefined;
  readonly eventId: string | undefined;
}

type MadeFields =
  | 'id'
  | 'message'
  | 'folder'
  | 'profileId'
  | 'model'
  | 'tags'
  | 'createdAt'
  | 'forkedFrom';
type Made = Pick<FolderConversation, MadeFields>;

interface Changes {
  title?: string | undefined;
  tags?: Tags | undefined;
  model?: string;
  changedAt?: number;
  isDeleted?: IsDone;
}

const untilNamedMs = 3_000;

export class AgentServerConversations {
  readonly #world: World;
  readonly #isInSandboxes: boolean;
  readonly #agents: DemoAgents;
  /** The last record has the lowest position. */
  readonly #made: Made[] = [];
  readonly #changes = new Map<number, Changes>();
  /** Folders of worktrees that were removed apart from their conversations. */
  readonly removedWorktrees = new Set<string>();

  constructor(world: World, isInSandboxes: boolean, script: AgentScript) {
    this.#world = world;
    this.#isInSandboxes = isInSandboxes;
    this.#agents = new DemoAgents(world, script);
  }

  /** Takes an id with or without dashes. */
  find(id: string): FolderConversation | undefined {
    const position = this.positionOf(id);
    return position === undefined || !this.#exists(position)
      ? undefined
      : this.at(position);
  }

  /** Also finds deleted conversations. */
  positionOf(id: string): number | undefined {
    const index = this.#made.findIndex(
      (record) => record.id === dashed(bare(id)),
    );
    return index < 0 ? this.#first.find(bare(id)) : -index - 1;
  }

  create(
    { approval, run, worktree, ...request }: WantedConversation,
    cause: Cause,
  ): FolderConversation {
    const id = this.#newId(request.id);
    const folder = folderOfWork(id, request.folder, worktree);
    const position = this.#make({
      ...request,
      id,
      folder,
      createdAt: this.#world.now(),
      forkedFrom: undefined,
    });
    this.#agents.start(this.#unmoved(position), approval, run, cause);
    return this.at(position);
  }

  /** Adopts a conversation that V1 created in its sandbox. */
  adopt(
    { id, repository }: DemoConversation,
    message: string,
  ): FolderConversation {
    const folder = projectOf(repository?.name);
    const { id: profileId, llm_profile_ref: model } = profiles[0];
    const rest = {
      run: true,
      worktree: false,
      tags: {},
      approval: undefined,
    };
    return this.create(
      { id, message, folder, profileId, model, ...rest },
      'POST /api/v1/app-conversations',
    );
  }

  /** Returns the agent's work if a caller has read or steered it. */
  livingWork(id: string): Work | undefined {
    const position = this.positionOf(id);
    return position === undefined ? undefined : this.#agents.living(position);
  }

  /**
   * Forks a conversation at its end or at an event; `undefined` for an unknown
   * event.
   */
  fork(
    held: FolderConversation,
    request: WantedFork,
  ): FolderConversation | undefined {
    const { eventId, tags = {}, title } = request;
    const id = this.#newId();
    const { message, profileId, model } = held;
    const folder = folderOfWork(id, held.folder, false);
    const forkedFrom = { id: held.id, eventId };
    const createdAt = this.#world.now();
    const fork = {
      id,
      message,
      folder,
      profileId,
      model,
      tags,
      createdAt,
      forkedFrom,
    };
    const position = this.#make(fork);
    if (!this.#agents.fork(this.#unmoved(position), this.work(held), eventId)) {
      this.#made.pop();
      return undefined;
    }
    this.#changesOf(position).title = title;
    this.#world.addFork(held.id, id);
    return this.at(position);
  }

  change(
    { position }: FolderConversation,
    { title, tags }: Pick<Changes, 'title' | 'tags'>,
  ): void {
    const changes = this.#changesOf(position);
    changes.title = title ?? changes.title;
    changes.tags = tags ?? changes.tags;
    changes.changedAt = this.#world.now();
    if (tags) this.#agents.living(position)?.tag(tags);
  }

  switchModel(held: FolderConversation, model: string): void {
    this.#changesOf(held.position).model = model;
    this.steered(held).switchModel(agentWith(model));
  }

  /** Deletes the conversation after the current step. */
  delete(held: FolderConversation): IsDone {
    const isDeleted = this.steer(held, (work) => work.close());
    this.#changesOf(held.position).isDeleted = isDeleted;
    return isDeleted;
  }

  /**
   * Steers the agent. Each check for the effect first advances the agent's
   * time.
   */
  steer(held: FolderConversation, ask: (work: Work) => IsDone): IsDone {
    const isDone = ask(this.steered(held));
    return () => {
      this.#agents.living(held.position);
      return isDone();
    };
  }

  /** Returns the agent's work for reading. */
  work({ position }: Pick<FolderConversation, 'position'>): Work {
    const held = this.#unmoved(position);
    const current = this.#agents.living(position);
    if (current) return current;
    const first = { ...held, story: this.#first.story(position) };
    const phase =
      this.#goesOn(position) && this.#world.phaseOf(this.#first.at(position));
    return phase
      ? this.#agents.goOn(first, phase)
      : this.#agents.past(first, held.execution, held.updatedAt);
  }

  /**
   * Returns the agent's work for changes. From now on, only callers steer it.
   */
  steered(held: FolderConversation): Work {
    const work = this.work(held);
    this.#agents.keep(held.position, work);
    return work;
  }

  /** Executed actions since the start, in order. */
  get executed(): readonly Executed[] {
    for (const position of this.#agents.positions)
      this.#agents.living(position);
    return this.#agents.executed.toSorted((one, other) => one.at - other.at);
  }

  at(position: number): FolderConversation {
    const changes = this.#changes.get(position) ?? {};
    const held = this.#unmoved(position);
    const work = this.#goesOn(position)
      ? this.work(held)
      : this.#agents.living(position);
    const { execution, updatedAt, lastMessageId, leafId } =
      work?.recorded ?? held;
    return {
      ...held,
      execution,
      tokens:
        work && position < 0
          ? tokensOf(
              new Dice(this.#world.seed, position),
              position,
              work.answers,
            )
          : held.tokens,
      isCompacted: work?.isCompacted ?? false,
      lastMessageId,
      leafId,
      approval: work?.recordedApproval ?? held.approval,
      updatedAt: Math.max(updatedAt, changes.changedAt ?? 0),
      title: changes.title ?? held.title,
      model: changes.model ?? held.model,
      tags: changes.tags ?? held.tags,
    };
  }

  get #first(): FirstConversations {
    return this.#world.first;
  }

  /** True for a first conversation that continues or waits. */
  #goesOn(position: number): boolean {
    return position >= 0 && this.#first.goesOn(position);
  }

  #make(record: Made): number {
    this.#made.push(record);
    return -this.#made.length;
  }

  #newId(id?: string): string {
    return dashed(
      bare(
        id ??
          new Dice(this.#world.seed, -this.#made.length - 1).hex('held', 32),
      ),
    );
  }

  /**
   * Returns a conversation without its agent's current work and callers'
   * changes.
   */
  #unmoved(position: number): FolderConversation {
    const record = this.#made[-position - 1];
    return record
      ? this.#new(position, record)
      : this.#old(this.#first.at(position));
  }

  #changesOf(position: number): Changes {
    const changes = this.#changes.get(position) ?? {};
    this.#changes.set(position, changes);
    return changes;
  }

  #new(position: number, record: Made): FolderConversation {
    const { message, createdAt } = record;
    const isNamed =
      message !== undefined && this.#world.now() >= createdAt + untilNamedMs;
    return {
      ...resting,
      ...record,
      position,
      title: isNamed ? shortened(message) : null,
      isInSandbox: this.#isInSandboxes,
      tokens: 0,
      updatedAt: createdAt,
      parentId: undefined,
      childIds: [],
    };
  }

  #old(conversation: DemoConversation): FolderConversation {
    const { id, position, title, repository, model, createdAt, life } =
      conversation;
    const dice = new Dice(this.#world.seed, position);
    const isNamed = !title.startsWith('Conversation ');
    const firstMessageId = eventId(this.#world.seed, position, 1);
    const parent = this.#first.parentOf(position);
    const child = this.#first.childOf(position);
    const idAt = (other: number) => dashed(this.#first.idAt(other));
    return {
      id: dashed(id),
      position,
      title: isNamed ? title : null,
      message: undefined,
      folder: folderOfWork(
        id,
        projectOf(repository?.name),
        !this.#isInSandboxes && dice.below('worktree', 5) === 0,
      ),
      isInSandbox: this.#isInSandboxes,
      profileId: profiles[0].id,
      model,
      tags: tagsOf(dice),
      ...resting,
      ...(life.kind === 'done' && { execution: life.execution }),
      // The agent has not begun.
      tokens:
        life.kind === 'done' && life.execution === 'idle'
          ? 0
          : tokensOf(dice, position, 0),
      lastMessageId: firstMessageId,
      leafId: firstMessageId,
      createdAt,
      updatedAt: life.kind === 'done' ? life.at : createdAt,
      parentId: parent === undefined ? undefined : idAt(parent),
      childIds: child === undefined ? [] : [idAt(child)],
      forkedFrom: undefined,
    };
  }

  #exists(position: number): boolean {
    return this.#changes.get(position)?.isDeleted?.() !== true;
  }

  /** Returns all positions, the last created first. */
  byCreation(): readonly number[] {
    const { count } = this.#first;
    const madeCount = this.#made.length;
    return Array.from(
      { length: madeCount + count },
      (_, at) => at - madeCount,
    ).filter((position) => this.#exists(position));
  }

  /** Returns all positions, the last updated first. */
  byUpdate(): readonly number[] {
    const steered = new Set(this.#agents.positions);
    const isMoving = (position: number) =>
      position < 0 ||
      this.#first.goesOn(position) ||
      this.#changes.has(position) ||
      steered.has(position);
    return this.byCreation()
      .map((position) => ({
        position,
        // Computing only the time is fast enough for many conversations.
        at: isMoving(position)
          ? this.at(position).updatedAt
          : this.#first.doneAt(position),
      }))
      .sort((one, other) => other.at - one.at)
      .map(({ position }) => position);
  }
}

/** The state of a conversation without events. */
const resting = {
  execution: 'idle',
  approval: neverAsks,
  isCompacted: false,
  lastMessageId: undefined,
  leafId: undefined,
} as const;

/** Returns the beginning of the first line. */
function shortened(message: string): string | null {
  const [line = ''] = message.trim().split('\n', 1);
  return line === '' ? null : line.slice(0, 50);
}
