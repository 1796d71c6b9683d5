import type { Tags } from '../world/names.ts';
import type { Dice } from '../wire/random.ts';
import type { ExecutionStatus } from '../wire/wireTypes.ts';
import {
  action,
  agentSays,
  analysis,
  becomes,
  type Called,
  condensation,
  condensationRequest,
  type Content,
  failure,
  interruption,
  observation,
  pauseRequest,
  rejection,
  systemPrompt,
  toolError,
  userSays,
} from './contents.ts';
import type { EventLog } from './eventLog.ts';
import { type DemoApproval, asksFirst } from './policy.ts';
import {
  lastStep,
  type AgentScript,
  type ScriptStep,
  writingMs,
} from './script.ts';
import { finish, terminal, type ToolCall } from '../world/demoTools.ts';
import type { WireAgentEvent } from '../wire/wireTypes.ts';

/**
 * The cause of an execution: a request such as `POST /api/…`, or one of these
 * constants.
 */
export type Cause = string;

/** Accepted by another client. */
export const elsewhere = 'accepted elsewhere';

/** No approval needed. */
const notAsked = 'not asked';

interface WorkOptions {
  readonly log: EventLog;
  readonly dice: Dice;
  readonly approval: DemoApproval;
  readonly script: AgentScript;
  /**
   * Returns the value of the statistics event after this many answers of the
   * model.
   */
  readonly stats: (answers: number, isCompacted: boolean) => unknown;
  readonly onExecuted: (actionId: string, at: number, cause: Cause) => void;
}

/** The part of a record that depends on the work. */
export interface Recorded {
  readonly execution: ExecutionStatus;
  readonly updatedAt: number;
  readonly lastMessageId: string | undefined;
  readonly leafId: string | undefined;
}

/**
 * Returns true once a request has its effect. Some have it only after the step
 * that runs.
 */
export type IsDone = () => boolean;

/** The events that a model reads. */
const readByModel = new Set([
  'MessageEvent',
  'ActionEvent',
  'ObservationEvent',
  'UserRejectObservation',
]);

const interrupted =
  'Tool call interrupted before completion. The conversation was paused.';

/**
 * The work of an agent in one conversation: it asks its model, acts, waits for
 * approval if needed, and continues. Time passes only in `advance`; requests
 * take effect at the time reached there.
 */
export class Work {
  readonly #options: WorkOptions;
  #now: number;
  readonly log: EventLog;
  status: ExecutionStatus = 'idle';
  approval: DemoApproval;
  /** The remaining steps. */
  steps: readonly ScriptStep[] = [];
  /** Actions of the current step without a result. */
  open: readonly Called[] = [];
  answers = 0;
  /** True once earlier events have been summarized. */
  isCompacted: boolean;
  #next: { readonly at: number; readonly happens: () => void } | undefined;
  /** The outdated record while an approved action runs. */
  #stale: Recorded | undefined;
  #written:
    | { readonly words: string; readonly begin: number; readonly takes: number }
    | undefined;
  /** The approval before a choice made while the model thinks. */
  #approvalBefore: DemoApproval | undefined;
  #updatedAt: number;
  #operations: (() => void)[] = [];
  #lastMessageId: string | undefined;

  constructor(options: WorkOptions, now: number) {
    this.#options = options;
    this.log = options.log;
    this.approval = options.approval;
    this.#now = this.#updatedAt = now;
    this.isCompacted = this.events.some(({ kind }) => kind === 'Condensation');
  }

  get events(): readonly WireAgentEvent[] {
    return this.log.events;
  }

  get isRunning(): boolean {
    return this.status === 'running';
  }

  /**
   * Reports until the end of an approved step that the agent waits, although
   * the events are up to date.
   */
  get recorded(): Recorded {
    return (
      this.#stale ?? {
        execution: this.status,
        updatedAt: this.#updatedAt,
        lastMessageId: this.#lastMessageId,
        leafId: this.log.leaf,
      }
    );
  }

  /** Has no choice made while the model thinks, until its answer. */
  get recordedApproval(): DemoApproval {
    return (this.#written && this.#approvalBefore) ?? this.approval;
  }

  /** The written part of the next message, which is never stored. */
  get writing(): string {
    if (!this.#written) return '';
    const { words, begin, takes } = this.#written;
    return words.slice(
      0,
      Math.max(0, Math.floor((words.length * (this.#now - begin)) / takes)),
    );
  }

  /** Time of the next change without a request. */
  get nextAt(): number | undefined {
    return this.#next?.at;
  }

  advance(now: number): void {
    for (let next = this.#next; next && next.at <= now; next = this.#next) {
      this.#next = undefined;
      this.#now = next.at;
      next.happens();
    }
    this.#now = Math.max(now, this.#now);
  }

  /** Adds the first event of a conversation. */
  begin(): void {
    this.#add(systemPrompt);
  }

  /** Ends the work in this state at that time. */
  end(status: ExecutionStatus, at: number): void {
    this.#next = this.#written = undefined;
    for (const call of this.open) this.#add(observation(call));
    this.open = [];
    this.#now = this.#updatedAt = at;
    this.#become(status);
    if (status === 'paused') this.#add(pauseRequest);
  }

  /**
   * Answers the pending actions. Without any, accepting runs the agent;
   * rejecting never does.
   */
  answer(isAccepted: boolean, reason: string, cause: Cause): IsDone {
    if (isAccepted) {
      this.run(cause);
      return () => true;
    }
    const rejected = this.open;
    // A running command continues to its end, but is recorded as rejected.
    return this.#afterStep(() => {
      if (!this.isRunning && rejected.length > 0) {
        if (this.status !== 'idle') this.#become('idle');
        this.open = [];
      }
      for (const call of rejected) this.#add(rejection(call, reason));
    });
  }

  /** Executes pending actions and continues, unless the agent has finished. */
  run(cause: Cause): void {
    if (this.isRunning || this.status === 'finished') return;
    if (this.status === 'waiting_for_confirmation') this.#stale = this.recorded;
    this.#become('running');
    if (this.open.length > 0) this.#execute(cause);
    else this.#ask();
  }

  /** `run`: lets the agent continue, which executes pending actions. */
  send(
    words: string | undefined,
    run: boolean,
    cause: Cause,
    pictures: readonly string[] = [],
  ): IsDone {
    return this.#afterStep(() => {
      if (this.status === 'finished') this.#become('idle');
      const steps = this.#options.script(words ?? '', this.events);
      this.#lastMessageId = this.#add(userSays(words, pictures));
      this.#add(becomes('last_user_message_id', this.#lastMessageId));
      this.steps = steps;
      if (run) this.run(cause);
    });
  }

  /**
   * Summarizes earlier events, unless actions are pending: then the step
   * executes these instead.
   */
  compact(cause: Cause): IsDone {
    return this.#afterStep(() => {
      this.#add(condensationRequest);
      if (this.open.length > 0) this.run(cause);
      else this.#summarize();
    });
  }

  /**
   * Keeps the first message and the newer half of the model's context, as a
   * real agent does.
   */
  #summarize(): void {
    const ids = this.events
      .filter(({ kind }) => readByModel.has(kind))
      .map(({ id }) => id);
    this.#add(condensation(ids.slice(1, Math.ceil(ids.length / 2))));
    this.isCompacted = true;
    this.#addStats();
  }

  #addStats(): void {
    this.#add(
      becomes('stats', this.#options.stats(this.answers, this.isCompacted)),
    );
  }

  switchModel(agent: object): void {
    this.#add(becomes('agent', agent));
  }

  /** Pauses after the current step. A waiting agent keeps waiting. */
  pause(): IsDone {
    if (!this.isRunning) return () => true;
    return this.#afterStep(() => {
      if (!this.isRunning) return;
      this.#become('paused');
      this.#add(pauseRequest);
    });
  }

  /** Cancels the running action. A waiting agent keeps waiting. */
  interrupt(): void {
    if (!this.isRunning) return;
    for (const call of this.open) this.#add(toolError(call, interrupted));
    this.open = [];
    this.#next = this.#stale = this.#written = undefined;
    this.#become('paused');
    this.#add(interruption);
    this.#apply();
  }

  /** Ends all work after the current step. */
  close(): IsDone {
    return this.#afterStep(() => {
      this.status = 'deleting';
      this.#next = undefined;
    });
  }

  /** The initial approval of forks. */
  get created(): DemoApproval {
    return this.#options.approval;
  }

  ask(change: Partial<DemoApproval>): void {
    if (this.#written) this.#approvalBefore ??= this.approval;
    this.approval = { ...this.approval, ...change };
    if (change.policy) this.#add(becomes('confirmation_policy', change.policy));
    if (change.analyzer)
      this.#add(becomes('security_analyzer', change.analyzer));
  }

  tag(tags: Tags): void {
    this.#add(becomes('tags', tags));
  }

  #afterStep(apply: () => void): IsDone {
    let isDone = false;
    this.#operations.push(() => {
      apply();
      isDone = true;
    });
    if (!this.isRunning) this.#apply();
    return () => isDone;
  }

  #apply(): void {
    for (
      let first = this.#operations.shift();
      first;
      first = this.#operations.shift()
    )
      first();
  }

  /** Asks the model what to do. */
  #ask(): void {
    const [step = lastStep, ...rest] = this.steps;
    const { takes, does } = step;
    const words = wordsOf(does);
    // A model thinks before it writes.
    const writes = Math.min(takes, writingMs(words));
    this.#approvalBefore = undefined;
    this.#written = { words, begin: this.#now + takes - writes, takes: writes };
    this.#after(takes, () => {
      this.#written = undefined;
      this.answers++;
      this.steps = rest;
      this.#do(does);
    });
  }

  #do(does: ScriptStep['does']): void {
    switch (does.kind) {
      case 'says':
        this.#add(agentSays(does.words, this.#stepId()));
        this.#become('finished');
        break;
      case 'finishes':
        this.#finishWith(does.message);
        break;
      case 'remembers':
        this.#remember(does.events);
        this.#become('finished');
        break;
      case 'fails':
        this.#become('error');
        this.#add(failure);
        break;
      case 'calls':
        this.open = this.#call(does.thought, does.calls);
        if (asksFirst(this.approval, does.calls)) {
          this.#become('waiting_for_confirmation');
        } else {
          this.#addStats();
          this.#execute(notAsked);
          return;
        }
    }
    this.#addStats();
    this.#apply();
  }

  #remember(events: number): void {
    for (let count = 1; count <= events; count += 2) {
      const commands = [terminal(`echo ${count}`, { output: `${count}` })];
      for (const call of this.#call(`Step ${count}.`, commands))
        this.#add(observation(call));
    }
  }

  #finishWith(message: string): void {
    for (const call of this.#call(undefined, [finish(message)]))
      this.#add(observation(call));
    this.#become('finished');
  }

  /** Calls the actions of one step. An unknown tool fails immediately. */
  #call(
    thought: string | undefined,
    calls: readonly ToolCall[],
  ): readonly Called[] {
    const stepId = this.#stepId();
    const open = calls.flatMap((call, index) => {
      const called = {
        id: '',
        callId: `call_${this.#options.dice.hex('calls', 6)}_${this.events.length}`,
        call,
      };
      const id = this.#add(
        action(stepId, index === 0 ? thought : undefined, called),
      );
      if (call.action) return { ...called, id };
      this.#add(toolError(called, call.output));
      return [];
    });
    if (this.approval.analyzer) this.#add(analysis(this.approval, open));
    return open;
  }

  #stepId(): string {
    return `answer-${this.#options.dice.hex('steps', 6)}-${this.events.length}`;
  }

  /** Executes one action after the other, and then the next step. */
  #execute(cause: Cause): void {
    const [first, ...rest] = this.open;
    if (!first) {
      this.#stale = undefined;
      this.#apply();
      if (this.isRunning && !this.#next) this.#ask();
      return;
    }
    this.#options.onExecuted(first.id, this.#now, cause);
    this.#after(first.call.takes, () => {
      this.open = rest;
      this.#add(observation(first));
      this.#execute(cause);
    });
  }

  #after(milliseconds: number, happens: () => void): void {
    this.#next = { at: this.#now + milliseconds, happens };
  }

  #become(status: ExecutionStatus): void {
    this.status = status;
    this.#add(becomes('execution_status', status));
  }

  #add(content: Content): string {
    this.#updatedAt = this.#now;
    return this.log.add(this.#now, content);
  }
}

function wordsOf(does: ScriptStep['does']): string {
  if (does.kind === 'says') return does.words;
  return does.kind === 'calls' ? does.thought : '';
}
