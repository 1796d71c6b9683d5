import type { ExecutionStatus } from '../wireTypes.ts';
import { Dice } from '../random.ts';
import type { World } from '../world.ts';
import type { FolderConversation } from './held.ts';
import { Live } from './live.ts';
import { EventLog } from './eventLog.ts';
import { neverConfirm, confirmRisky, type Policy } from './policy.ts';
import { statistics } from './records.ts';
import type { AgentScript } from './script.ts';
import { tokensOf } from '../tokenUsage.ts';
import { stage, type Staging } from './staging.ts';
import { type Cause, elsewhere, Work } from './work.ts';

/** An action that was executed. */
export interface Executed {
  readonly conversationId: string;
  /** The id of its event. */
  readonly actionId: string;
  readonly at: number;
  /** The request that led to it, such as `POST /api/…/run`, `not asked` or `accepted elsewhere`. */
  readonly cause: Cause;
}

/** The part of a conversation that its agent knows. */
type AgentTask = Pick<FolderConversation, 'id' | 'position' | 'message' | 'model' | 'createdAt'>;

/** The agents. The work of an agent that has come to its end is made again for each request for its events. */
export class DemoAgents {
  readonly executed: Executed[] = [];
  readonly #world: World;
  readonly #begin: number;
  readonly #lives = new Map<number, Live>();
  readonly #script: AgentScript;

  constructor(world: World, script: AgentScript) {
    this.#world = world;
    this.#script = script;
    this.#begin = world.now();
  }

  /** At this moment, if it goes on or somebody has asked for something. */
  living(position: number): Work | undefined {
    const live = this.#lives.get(position);
    live?.advance(this.#world.now());
    return live?.work;
  }

  get positions(): Iterable<number> {
    return this.#lives.keys();
  }

  /** One of the first that goes on without requests, or waits. */
  goOn(task: AgentTask & Pick<Staging, 'story' | 'phase'>): Work {
    const known = this.living(task.position);
    if (known) return known;
    const now = this.#world.now();
    const work = this.#work(task, confirmRisky);
    const live = new Live(work, this.#dice(task.position), task.phase.until === Infinity ? undefined : now);
    this.#lives.set(task.position, live);
    stage(work, { ...task, now });
    live.advance(now);
    return work;
  }

  /** A new one. */
  start(task: AgentTask, policy: Policy | undefined, run: boolean, cause: Cause): Work {
    const work = this.#work(task, policy ?? confirmRisky);
    this.#keep(task.position, work);
    work.begin();
    if (task.message !== undefined) work.send(task.message, run, cause);
    return work;
  }

  /** One that has long come to its end like this. */
  past(task: AgentTask & Pick<Staging, 'story'>, execution: ExecutionStatus, at: number): Work {
    const work = this.#work(task, neverConfirm);
    if (execution === 'idle') {
      work.begin();
      work.send(task.story.message, false, elsewhere);
      work.advance(at);
    } else {
      const phase = { execution, since: at, until: Infinity, next: execution };
      stage(work, { ...task, phase, now: at });
    }
    return work;
  }

  /** Goes on from where another one is, or was. It is idle, and what waited there waits here too. Undefined: no such event. */
  fork(task: AgentTask, from: Work, eventId: string | undefined): Work | undefined {
    const events = eventId === undefined ? from.events : from.log.wayTo(eventId);
    if (!events) return undefined;
    const ids = new Set(events.map(({ id }) => id));
    const log = new EventLog(this.#world.seed, task.position, events);
    const open = from.open.filter(({ id }) => ids.has(id));
    const work = this.#work(task, from.policy, log, [open, from.stepsToCome]);
    this.#keep(task.position, work);
    return work;
  }

  keep(position: number, work: Work): void {
    const live = this.#lives.get(position);
    if (live) live.leave();
    else this.#keep(position, work);
  }

  #keep(position: number, work: Work): void {
    work.advance(this.#world.now());
    this.#lives.set(position, new Live(work, this.#dice(position), undefined));
  }

  #work(
    { id, position, model, createdAt }: AgentTask,
    policy: Policy,
    log = new EventLog(this.#world.seed, position),
    [open, steps]: [Work['open'], Work['stepsToCome']] = [[], []],
  ): Work {
    const dice = this.#dice(position);
    const onExecuted = (actionId: string, at: number, cause: Cause) => {
      if (at >= this.#begin) this.executed.push({ conversationId: id, actionId, at, cause });
    };
    const stats = (answers: number) => ({
      usage_to_metrics: statistics(model, tokensOf(dice, position, answers)),
    });
    return new Work({ log, dice, policy, script: this.#script, stats, onExecuted }, createdAt, open, steps);
  }

  #dice(position: number): Dice {
    return new Dice(this.#world.seed, position);
  }
}
