import {
  afternoon,
  type Opening,
  type WrittenConversation,
} from './afternoon.ts';
import {
  branchOf,
  models,
  repositories,
  triggersByFrequency,
  type DemoRepository,
} from './names.ts';
import { makeTitle, olderStory } from './olderStories.ts';
import { deal, Dice } from '../wire/random.ts';
import { sandboxId } from './simulatedSandboxes.ts';
import type { Story } from './stories.ts';
import type {
  ConversationTrigger,
  ExecutionStatus,
} from '../wire/wireTypes.ts';

/** The part of a conversation that does not change. */
export interface DemoConversation {
  /** Has no dashes. */
  readonly id: string;
  /**
   * Place in the list, newest first: 0 and above for the first conversations,
   * below 0 for those that callers created.
   */
  readonly position: number;
  readonly title: string;
  readonly repository: DemoRepository | undefined;
  readonly branch: string | undefined;
  readonly trigger: ConversationTrigger | undefined;
  readonly pullRequests: readonly number[];
  readonly model: string;
  readonly sandboxId: string;
  readonly createdAt: number;
  readonly life: Life;
}

type Life =
  /** Continues on its own; a caller's conversation from this time on. */
  | {
      readonly kind: 'goesOn';
      readonly from: number | undefined;
      readonly opening: Opening;
    }
  /** Has been doing this since, and will not change. */
  | {
      readonly kind: 'done';
      readonly execution: ExecutionStatus;
      readonly at: number;
    };

const minute = 60_000;

/** The longest that a conversation took, in minutes. */
const maxMinutes = 180;

/**
 * The number of newest conversations that may have a sandbox. Older ones have
 * lost theirs.
 */
export const recent = 60;

const everyEnding: readonly ExecutionStatus[] = [
  'finished',
  'error',
  'paused',
  'stuck',
  'idle',
  'finished',
  'error',
  'deleting',
];

const usualEndings: readonly ExecutionStatus[] = [
  'finished',
  'finished',
  'idle',
  'finished',
  'finished',
  'paused',
  'finished',
  'finished',
  'error',
  'finished',
  'finished',
];

/**
 * The initial conversations. Each is computed from its position alone, so a
 * hundred thousand cost nothing until requested.
 */
export class FirstConversations {
  readonly count: number;
  readonly #seed: number;
  readonly #begin: number;
  readonly #sandboxes: readonly string[];
  readonly #written: readonly WrittenConversation[];
  /**
   * True if older conversations end as most do; otherwise they end in every
   * possible way.
   */
  readonly endAsUsual: boolean;
  /** The number of newest conversations that continue on their own. */
  readonly #lively: number;

  /**
   * `sandboxes`: the ids of the first sandboxes, in order of position.
   * `written`: the newest, by default of the afternoon.
   */
  constructor(
    seed: number,
    count: number,
    begin: number,
    sandboxes: readonly string[],
    written?: readonly WrittenConversation[],
  ) {
    this.#seed = seed;
    this.count = count;
    this.#begin = begin;
    this.#sandboxes = sandboxes;
    this.endAsUsual = written !== undefined;
    this.#written = written ?? afternoon;
    this.#lively = this.#written.filter(
      ({ opening }) => opening.length > 0,
    ).length;
  }

  at(position: number): DemoConversation {
    const dice = new Dice(this.#seed, position);
    const id = this.idAt(position);
    const written = this.#written[position];
    const title = this.title(position);
    const repository = this.repository(position);
    const createdAt = this.createdAt(position);
    const endings = this.endAsUsual ? usualEndings : everyEnding;
    return {
      id,
      position,
      title,
      repository,
      branch: written ? written.branch : repository && branchOf(dice, title),
      trigger:
        written?.trigger ??
        deal(this.#seed, position, 'trigger', triggersByFrequency),
      pullRequests:
        written?.pullRequests ?? (repository ? pullRequests(dice) : []),
      model: dice.pick('model', models),
      sandboxId: this.#sandboxId(position),
      createdAt,
      life: this.goesOn(position)
        ? {
            kind: 'goesOn',
            from: undefined,
            opening: written?.opening ?? [],
          }
        : {
            kind: 'done',
            execution:
              written?.ended ??
              endings[position % endings.length] ??
              'finished',
            at: this.doneAt(position),
          },
    };
  }

  /**
   * The position of the conversation with this id, decoded from the id with the
   * seed.
   */
  find(id: string): number | undefined {
    if (!/^[0-9a-f]{32}$/.test(id)) return undefined;
    const position =
      (parseInt(id.slice(0, 8), 16) ^ this.#disguise(id.slice(8))) >>> 0;
    return position < this.count && this.idAt(position) === id
      ? position
      : undefined;
  }

  title(position: number): string {
    const written = this.#written[position];
    if (written) return written.title;
    return makeTitle(
      new Dice(this.#seed, position),
      this.idAt(position),
      this.repository(position)?.name,
    );
  }

  story(position: number): Story {
    const written = this.#written[position];
    if (written) return written.story;
    return olderStory(
      new Dice(this.#seed, position),
      this.title(position),
      this.repository(position)?.name,
    );
  }

  repository(position: number): DemoRepository | undefined {
    const written = this.#written[position];
    return written
      ? written.repository
      : deal(this.#seed, position, 'repository', repositories);
  }

  /**
   * Spreads creations further and further apart for three weeks, and then one
   * every 20 minutes.
   */
  createdAt(position: number): number {
    const spread = Math.min(position, recent);
    const age = 4 + 8 * spread ** 2 + 20 * (position - spread);
    const gap = position < recent ? 8 * (2 * position + 1) : 20;
    const dice = new Dice(this.#seed, position);
    return (
      this.#begin -
      Math.floor((age + (dice.below('age', 1_000) / 1_000) * gap) * minute)
    );
  }

  /** True if it continues on its own. */
  goesOn(position: number): boolean {
    return position < this.#lively;
  }

  /**
   * Time of the last update of a conversation that does not continue on its
   * own.
   */
  doneAt(position: number): number {
    const took = new Dice(this.#seed, position).between('took', 3, maxMinutes);
    return Math.min(this.createdAt(position) + took * minute, this.#begin);
  }

  /**
   * Returns the position of the parent, which is the previous conversation.
   * Written conversations have none.
   */
  parentOf(position: number): number | undefined {
    const hasParent =
      position >= this.#written.length &&
      position % 9 === 4 &&
      position + 1 < this.count;
    return hasParent ? position + 1 : undefined;
  }

  /** Returns the position of the child. */
  childOf(position: number): number | undefined {
    return this.parentOf(position - 1) === undefined ? undefined : position - 1;
  }

  idAt(position: number): string {
    const hex = new Dice(this.#seed, position).hex('id', 22);
    // The version and the variant of a random UUID.
    const tail = `${hex.slice(0, 4)}4${hex.slice(4, 7)}a${hex.slice(7)}`;
    const head = (position ^ this.#disguise(tail)) >>> 0;
    return head.toString(16).padStart(8, '0') + tail;
  }

  #disguise(tail: string): number {
    return new Dice(this.#seed, 0).bits(tail);
  }

  /**
   * Some conversations share a running sandbox, some have a paused or failed
   * one, and most have lost theirs.
   */
  #sandboxId(position: number): string {
    const [failing, ...rest] = this.#sandboxes;
    const gone = sandboxId(this.#seed, 'gone', position >> 1);
    if (position === this.#lively) return failing ?? gone;
    if (position >= 32) return gone;
    const shared = position < 24 ? rest.slice(0, 4) : rest.slice(4);
    return shared[position % shared.length] ?? gone;
  }
}

function pullRequests(dice: Dice): readonly number[] {
  const first = dice.between('pull request', 7, 2_400);
  return dice.pick('pull requests', [
    [],
    [],
    [],
    [first],
    [first],
    [first, first + 1],
  ]);
}
