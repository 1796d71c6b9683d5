import type { ExecutionStatus } from '../wire/wireTypes.ts';
import type { Phase } from '../world/life.ts';
import { Dice } from '../wire/random.ts';
import type { Story, StoryStep } from '../world/stories.ts';
import type { World } from '../world/world.ts';
import type { FolderConversation } from './held.ts';
import { EventLog } from './eventLog.ts';
import { type DemoApproval, neverAsks, rated } from './policy.ts';
import { statistics } from './records.ts';
import {
  callingStep,
  finishingStep,
  type AgentScript,
  type ScriptStep,
} from './script.ts';
import { tokensOf } from '../world/tokenUsage.ts';
import { type Cause, elsewhere, Work } from './work.ts';

/** An action that was executed. */
export interface Executed {
  readonly conversationId: string;
  /** The id of its event. */
  readonly actionId: string;
  readonly at: number;
  /**
   * The request that led to it, such as `POST /api/…/run`, `not asked` or
   * `accepted elsewhere`.
   */
  readonly cause: Cause;
}

type AgentTask = Pick<
  FolderConversation,
  'id' | 'position' | 'message' | 'model' | 'createdAt'
>;

interface FirstTask extends AgentTask {
  readonly story: Story;
}

/**
 * The agents of all conversations. Finished work is computed again for each
 * request for its events.
 */
export class DemoAgents {
  readonly executed: Executed[] = [];
  readonly #world: World;
  readonly #begin: number;
  readonly #lives = new Map<number, Work>();
  readonly #script: AgentScript;

  constructor(world: World, script: AgentScript) {
    this.#world = world;
    this.#script = script;
    this.#begin = world.now();
  }

  /**
   * Returns the current work of an agent that continues by itself or was
   * steered.
   */
  living(position: number): Work | undefined {
    const work = this.#lives.get(position);
    work?.advance(this.#world.now());
    return work;
  }

  get positions(): Iterable<number> {
    return this.#lives.keys();
  }

  /** Starts a first agent that works or waits without requests. */
  goOn(task: FirstTask, phase: Phase): Work {
    const current = this.living(task.position);
    if (current) return current;
    const now = this.#world.now();
    const work = this.#work(task, rated);
    stage(work, task, phase, now);
    this.keep(task.position, work);
    return work;
  }

  /** Starts a new agent. */
  start(
    task: AgentTask,
    approval: DemoApproval | undefined,
    run: boolean,
    cause: Cause,
  ): Work {
    const work = this.#work(task, approval ?? rated);
    this.keep(task.position, work);
    work.begin();
    if (task.message !== undefined) work.send(task.message, run, cause);
    return work;
  }

  /** Returns work that ended long ago in this state. */
  past(task: FirstTask, execution: ExecutionStatus, at: number): Work {
    const work = this.#work(task, neverAsks);
    if (execution === 'idle') {
      work.begin();
      work.send(task.story.message, false, elsewhere);
      work.advance(at);
    } else {
      const phase = { execution, since: at, until: Infinity, next: execution };
      stage(work, task, phase, at);
    }
    return work;
  }

  /**
   * Forks the work of another agent. The fork is idle, with the same pending
   * actions. Returns `undefined` for an unknown event.
   */
  fork(
    task: AgentTask,
    from: Work,
    eventId: string | undefined,
  ): Work | undefined {
    const events =
      eventId === undefined ? from.events : from.log.wayTo(eventId);
    if (!events) return undefined;
    const ids = new Set(events.map(({ id }) => id));
    const log = new EventLog(this.#world.seed, task.position, events);
    const work = this.#work(task, from.created, log);
    work.open = from.open.filter(({ id }) => ids.has(id));
    work.steps = from.steps;
    this.keep(task.position, work);
    return work;
  }

  keep(position: number, work: Work): void {
    work.advance(this.#world.now());
    this.#lives.set(position, work);
  }

  #work(
    { id, position, model, createdAt }: AgentTask,
    approval: DemoApproval,
    log = new EventLog(this.#world.seed, position),
  ): Work {
    const dice = this.#dice(position);
    const onExecuted = (actionId: string, at: number, cause: Cause) => {
      if (at >= this.#begin)
        this.executed.push({ conversationId: id, actionId, at, cause });
    };
    const stats = (answers: number, isCompacted: boolean) => ({
      usage_to_metrics: statistics(
        model,
        tokensOf(dice, position, answers),
        isCompacted,
      ),
    });
    return new Work(
      { log, dice, approval, script: this.#script, stats, onExecuted },
      createdAt,
    );
  }

  #dice(position: number): Dice {
    return new Dice(this.#world.seed, position);
  }
}

const usualStepMs = 70_000;

/** The shortest time for a step, in milliseconds. */
const least = 15_000;

/** Milliseconds since the result of the previous step. */
const justBefore = 5_000;

/** Milliseconds from the creation of a conversation to its first event. */
const startingMs = 900;

/** Milliseconds until a failing model fails. */
const failingMs = 5_000;

/** States of agents that never reach their last step. */
const stopped: ReadonlySet<ExecutionStatus> = new Set([
  'paused',
  'stuck',
  'deleting',
]);

/** Moves new work into this phase. */
function stage(
  work: Work,
  { story, createdAt }: FirstTask,
  phase: Phase,
  now: number,
): void {
  const count = story.steps.length + 1;
  const isRunning = phase.execution === 'running';
  // Steps fit between the creation and now.
  const soonest = Math.min(createdAt + count * least, now);
  const end = Math.max(
    isRunning ? phase.until : phase.since,
    soonest,
    createdAt + 1,
  );
  // A running agent has its last two steps ahead.
  const past = isRunning ? Math.max(1, count - 2) : count;
  const until = isRunning ? now - justBefore : end;
  const begin = Math.max(createdAt, until - past * usualStepMs);
  const pace = Math.floor((until - begin) / past);
  const [last, ...more] = ending(
    story,
    isRunning ? phase.next : phase.execution,
  );
  const pastSteps = story.steps
    .slice(0, past)
    .map((step) => callingStep(step, Math.max(1, pace - actingMs(step))));
  const next = isRunning ? story.steps[past] : undefined;
  const untilLast = end - until - last.takes;
  const lastMs = Math.max(1, isRunning ? end - until : pace);
  const isStopped = stopped.has(phase.execution);
  // Readers infer the time zone from the first event.
  work.advance(Math.min(createdAt + startingMs, begin));
  work.begin();
  work.advance(begin);
  work.send(story.message, false, elsewhere);
  work.steps = [
    ...pastSteps,
    ...(next
      ? [lastingStep(next, untilLast), last]
      : [{ ...last, takes: isStopped ? 2 * lastMs : lastMs }]),
    ...more,
  ];
  work.run(elsewhere);
  work.advance(isRunning ? begin : end);
  if (!isRunning && work.status !== phase.execution)
    work.end(phase.execution, end);
  if (isStopped) work.steps = [last, ...more];
}

function actingMs({ calls }: StoryStep): number {
  return calls.reduce((sum, { takes }) => sum + takes, 0);
}

/**
 * Makes a step of this length: its last command runs for most of it, or else
 * the model thinks.
 */
function lastingStep(step: StoryStep, milliseconds: number): ScriptStep {
  const usual = callingStep(step);
  const rest = milliseconds - usual.takes - actingMs(step);
  const last = step.calls.at(-1);
  if (last?.tool !== 'terminal' || rest < 0)
    return { ...usual, takes: Math.max(1, usual.takes + rest) };
  return callingStep({
    ...step,
    calls: [...step.calls.slice(0, -1), { ...last, takes: last.takes + rest }],
  });
}

/** Returns the last steps: the agent asks, fails or finishes. */
function ending(
  { wants, done }: Story,
  execution: ExecutionStatus,
): readonly [ScriptStep, ...ScriptStep[]] {
  const finishes = finishingStep(done);
  const [first, ...rest] = wants.map((step) => callingStep(step));
  if (execution === 'error')
    return [{ takes: failingMs, does: { kind: 'fails' } }];
  if (execution !== 'waiting_for_confirmation' || !first) return [finishes];
  return [first, ...rest, finishes];
}
