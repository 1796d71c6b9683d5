import type { Conversation, FirstConversations } from '../firstConversations.ts';
import { phaseAt } from '../life.ts';
import { tagsOf, type Tags } from '../names.ts';
import { Dice } from '../random.ts';
import type { ExecutionStatus } from '../wire.ts';
import { bare, dashed, type World } from '../world.ts';
import { isProject, nameOf, projectOf } from './folders.ts';
import { profiles } from './profiles.ts';
import type { SortOrder } from './wire.ts';

/** A conversation at an Agent Server: in a folder, not in a sandbox. */
export interface Held {
  /** With dashes. */
  readonly id: string;
  readonly position: number;
  /** Null until it is named. */
  readonly title: string | null;
  /** The first of the person; undefined if there was none. */
  readonly message: string | undefined;
  readonly folder: string;
  readonly profileId: string;
  readonly model: string;
  readonly tags: Tags;
  readonly execution: ExecutionStatus;
  /** Whether the action that runs is one that a person has accepted. */
  readonly accepted: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly parentId: string | undefined;
  readonly childIds: readonly string[];
}

export interface WantedConversation {
  readonly id: string | undefined;
  readonly message: string | undefined;
  /** Whether the agent begins to work on the message. */
  readonly run: boolean;
  readonly folder: string;
  readonly worktree: boolean;
  readonly profileId: string;
  readonly tags: Tags;
  readonly autotitle: boolean;
}

interface Made {
  readonly wanted: WantedConversation;
  readonly id: string;
  readonly createdAt: number;
}

/** What callers changed about a conversation. */
interface Changes {
  title?: string;
  tags?: Tags;
  /** When it was told to stop, or to go on. */
  control?: { readonly what: 'stopped' | 'goesOn'; readonly at: number };
  changedAt?: number;
  isDeleted?: true;
}

interface Updated {
  readonly position: number;
  readonly at: number;
}

/** Milliseconds until a new conversation is named. */
const untilNamed = 3_000;

/** The world as an Agent Server holds it. */
export class AgentServerConversations {
  readonly #world: World;
  readonly #begin: number;
  /** The last has the lowest position. */
  readonly #made: Made[] = [];
  readonly #changes = new Map<number, Changes>();
  /** The positions of those that change only if a caller changes them, the last updated first. */
  #resting: readonly Updated[] | undefined;

  constructor(world: World) {
    this.#world = world;
    this.#begin = world.now();
  }

  /** With or without dashes. */
  find(id: string): Held | undefined {
    const position = this.positionOf(id);
    return position === undefined || this.#changes.get(position)?.isDeleted ? undefined : this.at(position);
  }

  /** Also that of a deleted one. */
  positionOf(id: string): number | undefined {
    const made = this.#made.findIndex((each) => each.id === dashed(bare(id)));
    return made < 0 ? this.#first.find(bare(id)) : -made - 1;
  }

  /** The positions of all in this order. */
  inOrder(order: SortOrder, status?: ExecutionStatus): readonly number[] {
    const all = order.startsWith('CREATED_AT') ? this.#byCreation() : this.#byUpdate();
    const wanted =
      status === undefined ? all : all.filter((position) => this.at(position).execution === status);
    return order.endsWith('_DESC') ? wanted : wanted.toReversed();
  }

  create(wanted: WantedConversation): Held {
    const dice = new Dice(this.#world.seed, -this.#made.length - 1);
    const id = wanted.id ?? dice.hex('held', 32);
    this.#made.push({ wanted, id: dashed(bare(id)), createdAt: this.#world.now() });
    return this.at(-this.#made.length);
  }

  change({ position }: Held, { title, tags }: { title?: string | undefined; tags?: Tags | undefined }): void {
    const changes = this.#changesOf(position);
    if (title !== undefined) changes.title = title;
    if (tags !== undefined) changes.tags = tags;
    changes.changedAt = this.#world.now();
  }

  delete({ position }: Held): void {
    this.#changesOf(position).isDeleted = true;
  }

  stop({ position, execution }: Held): void {
    if (execution !== 'running' && execution !== 'waiting_for_confirmation') return;
    this.#changesOf(position).control = { what: 'stopped', at: this.#world.now() };
  }

  /** One that has finished stays so. */
  run({ position, execution }: Held): void {
    if (execution === 'finished' || execution === 'running') return;
    this.#changesOf(position).control = { what: 'goesOn', at: this.#world.now() };
  }

  at(position: number): Held {
    const made = this.#made[-position - 1];
    const changes = this.#changes.get(position) ?? {};
    const held = made ? this.#new(position, made) : this.#old(this.#first.at(position));
    return {
      ...held,
      ...this.#doing(position, held, changes),
      title: changes.title ?? held.title,
      tags: changes.tags ?? held.tags,
    };
  }

  get #first(): FirstConversations {
    return this.#world.first;
  }

  #changesOf(position: number): Changes {
    const changes = this.#changes.get(position) ?? {};
    this.#changes.set(position, changes);
    return changes;
  }

  #new(position: number, { wanted, id, createdAt }: Made): Held {
    const { message, folder, worktree, profileId, tags, autotitle, run } = wanted;
    const profile = profiles.find((each) => each.id === profileId);
    const namedAt = createdAt + untilNamed;
    const isNamed = autotitle && message !== undefined && this.#world.now() >= namedAt;
    return {
      id,
      position,
      title: isNamed ? shortened(message) : null,
      message,
      // Where there is no repository, a worktree is not made.
      folder:
        worktree && isProject(folder) ? `/tmp/conversation-worktrees/${bare(id)}/${nameOf(folder)}` : folder,
      profileId,
      model: profile?.llm_profile_ref ?? profiles[0].llm_profile_ref,
      tags,
      ...this.#phase(position, run ? createdAt : undefined, createdAt),
      createdAt,
      parentId: undefined,
      childIds: [],
    };
  }

  #old(conversation: Conversation): Held {
    const { id, position, title, repository, model, createdAt, life } = conversation;
    const dice = new Dice(this.#world.seed, position);
    const isNamed = !title.startsWith('Conversation ');
    const idAt = (other: number) => dashed(this.#first.idAt(other));
    return {
      id: dashed(id),
      position,
      title: isNamed ? title : null,
      message: isNamed ? title : 'Have a look at what is left of the list in TODO.md.',
      folder:
        repository && dice.below('worktree', 5) === 0
          ? `/tmp/conversation-worktrees/${id}/${nameOf(repository.name)}`
          : projectOf(repository?.name),
      profileId: profiles[0].id,
      model,
      tags: tagsOf(dice),
      ...(life.kind === 'done'
        ? { execution: life.execution, accepted: false, updatedAt: life.at }
        : this.#phase(position, this.#begin, createdAt, false)),
      createdAt,
      parentId: isChild(position) && position + 1 < this.#first.count ? idAt(position + 1) : undefined,
      childIds: isChild(position - 1) ? [idAt(position - 1)] : [],
    };
  }

  /** What one does that began to work at a time, or never. */
  #phase(position: number, from: number | undefined, createdAt: number, isFresh = true) {
    if (from === undefined) return { execution: 'idle' as const, accepted: false, updatedAt: createdAt };
    const phase = phaseAt(this.#world.seed, position, this.#world.now() - from, isFresh);
    const { execution, since, accepted } = phase;
    return { execution, accepted, updatedAt: Math.max(createdAt, from + since) };
  }

  #doing(position: number, held: Held, { control, changedAt = 0 }: Changes) {
    const { execution, accepted, updatedAt } =
      control?.what === 'stopped'
        ? { execution: 'paused' as const, accepted: false, updatedAt: control.at }
        : control
          ? this.#phase(position, control.at, held.createdAt)
          : held;
    return { execution, accepted, updatedAt: Math.max(updatedAt, changedAt) };
  }

  #exists(position: number): boolean {
    return this.#changes.get(position)?.isDeleted !== true;
  }

  #byCreation(): readonly number[] {
    const { count } = this.#first;
    const made = this.#made.length;
    return Array.from({ length: made + count }, (_, at) => at - made).filter((each) => this.#exists(each));
  }

  /** Only those that change have to be sorted each time. */
  #byUpdate(): readonly number[] {
    this.#resting ??= Array.from({ length: this.#first.count }, (_, at) => at)
      .filter((position) => !this.#first.goesOn(position))
      .map((position) => ({ position, at: this.#first.doneAt(position) }))
      .sort(lastFirst);
    const resting = this.#resting.filter(({ position }) => !this.#changes.has(position));
    const moving = this.#byCreation()
      .filter((position) => position < 0 || this.#first.goesOn(position) || this.#changes.has(position))
      .map((position) => ({ position, at: this.at(position).updatedAt }))
      .sort(lastFirst);
    const merged: number[] = [];
    let next = 0;
    for (const { position, at } of resting) {
      for (let first = moving[next]; first && first.at >= at; first = moving[next]) {
        merged.push(first.position);
        next++;
      }
      merged.push(position);
    }
    merged.push(...moving.slice(next).map(({ position }) => position));
    return merged;
  }
}

/** The first line, or the beginning of it. */
function shortened(message: string): string | null {
  const [line = ''] = message.trim().split('\n', 1);
  return line === '' ? null : line.slice(0, 50);
}

function lastFirst(one: Updated, other: Updated): number {
  return other.at - one.at;
}

/** Whether the one after it in the list, which is older, has begun it for a part of its work. */
function isChild(position: number): boolean {
  return position >= 0 && position % 9 === 4;
}
