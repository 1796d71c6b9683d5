import type { Tags } from '../world/names.ts';
import type { Dice } from '../wire/random.ts';
import type { ExecutionStatus } from '../wire/wireTypes.ts';
import {
  action,
  agentSays,
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
import { lastStep, type AgentScript, type ScriptStep, writingMs } from './script.ts';
import { finish, terminal, type ToolCall } from '../world/demoTools.ts';
import type { WireAgentEvent } from '../wire/wireTypes.ts';

/** Why an action was executed: a request such as `POST /api/…`, or one of these. */
export type Cause = string;

/** Somebody else has accepted it, without a request. */
export const elsewhere = 'accepted elsewhere';

/** Nobody had to be asked. */
const notAsked = 'not asked';

interface WorkOptions {
  readonly log: EventLog;
  readonly dice: Dice;
  readonly approval: DemoApproval;
  readonly script: AgentScript;
  /** The value of the event that tells of new statistics, after this many answers of the model. */
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

/** Returns true once a request has its effect. Some have it only after the step that runs. */
export type IsDone = () => boolean;

/** The events that a model reads. */
const readByModel = new Set(['MessageEvent', 'ActionEvent', 'ObservationEvent', 'UserRejectObservation']);

const interrupted = 'Tool call interrupted before completion. The conversation was paused.';

/**
 * The work of an agent in one conversation: it asks its model, acts, waits for approval if it must, and goes on. Time
 * passes only in `advance`, and every request comes at the time of the last one.
 */
export class Work {
  readonly #options: WorkOptions;
  #now: number;
  readonly log: EventLog;
  status: ExecutionStatus = 'idle';
  approval: DemoApproval;
  /** The steps to come. */
  steps: readonly ScriptStep[] = [];
  /** The actions without a result, those of one step. */
  open: readonly Called[] = [];
  answers = 0;
  /** True once earlier events have been summarized. */
  isCompacted: boolean;
  #next: { readonly at: number; readonly happens: () => void } | undefined;
  /** The outdated record while an action runs that was approved. */
  #stale: Recorded | undefined;
  #written: { readonly words: string; readonly begin: number; readonly takes: number } | undefined;
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

  /** Says until the end of a step that a person is asked, while the events tell the truth at once. */
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

  /** The beginning of the next message, while the model writes it. It is never kept. */
  get writing(): string {
    if (!this.#written) return '';
    const { words, begin, takes } = this.#written;
    return words.slice(0, Math.max(0, Math.floor((words.length * (this.#now - begin)) / takes)));
  }

  /** The time of the next thing that happens without a request. */
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

  /** The first event of a conversation. */
  begin(): void {
    this.#add(systemPrompt);
  }

  /** Makes it end like this at that time, whatever it did. */
  end(status: ExecutionStatus, at: number): void {
    this.#next = this.#written = undefined;
    for (const call of this.open) this.#add(observation(call));
    this.open = [];
    this.#now = this.#updatedAt = at;
    this.#become(status);
    if (status === 'paused') this.#add(pauseRequest);
  }

  /** Answers whatever waits. Accepting where nothing waits lets the agent go on, rejecting never does. */
  answer(isAccepted: boolean, reason: string, cause: Cause): IsDone {
    if (isAccepted) {
      this.run(cause);
      return () => true;
    }
    const rejected = this.open;
    // A command that already runs goes on to its end, and is noted as rejected all the same.
    return this.#afterStep(() => {
      if (!this.isRunning && rejected.length > 0) {
        if (this.status !== 'idle') this.#become('idle');
        this.open = [];
      }
      for (const call of rejected) this.#add(rejection(call, reason));
    });
  }

  /** Executes what waits, and goes on. Of one that has finished, nothing. */
  run(cause: Cause): void {
    if (this.isRunning || this.status === 'finished') return;
    if (this.status === 'waiting_for_confirmation') this.#stale = this.recorded;
    this.#become('running');
    if (this.open.length > 0) this.#execute(cause);
    else this.#ask();
  }

  /** `run`: and lets the agent go on, which executes what waits. */
  send(words: string | undefined, run: boolean, cause: Cause, pictures: readonly string[] = []): IsDone {
    return this.#afterStep(() => {
      if (this.status === 'finished') this.#become('idle');
      const steps = this.#options.script(words ?? '', this.events);
      this.#lastMessageId = this.#add(userSays(words, pictures));
      this.#add(becomes('last_user_message_id', this.#lastMessageId));
      this.steps = steps;
      if (run) this.run(cause);
    });
  }

  /** Summarizes earlier events, or executes what waits: a step does whatever comes first. */
  compact(cause: Cause): IsDone {
    return this.#afterStep(() => {
      this.#add(condensationRequest);
      if (this.open.length > 0) this.run(cause);
      else this.#summarize();
    });
  }

  /** Keeps the first message and the newer half of what the model reads, as a real one does. */
  #summarize(): void {
    const ids = this.events.filter(({ kind }) => readByModel.has(kind)).map(({ id }) => id);
    this.#add(condensation(ids.slice(1, Math.ceil(ids.length / 2))));
    this.isCompacted = true;
    this.#tellStats();
  }

  #tellStats(): void {
    this.#add(becomes('stats', this.#options.stats(this.answers, this.isCompacted)));
  }

  switchModel(agent: object): void {
    this.#add(becomes('agent', agent));
  }

  /** Lets the step that runs come to its end. One that waits goes on waiting. */
  pause(): IsDone {
    if (!this.isRunning) return () => true;
    return this.#afterStep(() => {
      if (!this.isRunning) return;
      this.#become('paused');
      this.#add(pauseRequest);
    });
  }

  /** Cancels what runs. One that waits goes on waiting. */
  interrupt(): void {
    if (!this.isRunning) return;
    for (const call of this.open) this.#add(toolError(call, interrupted));
    this.open = [];
    this.#next = this.#stale = this.#written = undefined;
    this.#become('paused');
    this.#add(interruption);
    this.#apply();
  }

  /** Nothing happens any more after the step that runs. */
  close(): IsDone {
    return this.#afterStep(() => {
      this.status = 'deleting';
      this.#next = undefined;
    });
  }

  /** The approval that forks begin with. */
  get created(): DemoApproval {
    return this.#options.approval;
  }

  ask(change: Partial<DemoApproval>): void {
    this.approval = { ...this.approval, ...change };
    if (change.policy) this.#add(becomes('confirmation_policy', change.policy));
    if (change.analyzer) this.#add(becomes('security_analyzer', change.analyzer));
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
    for (let first = this.#operations.shift(); first; first = this.#operations.shift()) first();
  }

  /** Asks the model what to do. */
  #ask(): void {
    const [step = lastStep, ...rest] = this.steps;
    const { takes, does } = step;
    const words = does.kind === 'says' ? does.words : does.kind === 'calls' ? does.thought : '';
    // A model thinks before it writes.
    const writes = Math.min(takes, writingMs(words));
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
          this.#tellStats();
          this.#execute(notAsked);
          return;
        }
    }
    this.#tellStats();
    this.#apply();
  }

  #remember(events: number): void {
    for (let count = 1; count <= events; count += 2) {
      const commands = [terminal(`echo ${count}`, { output: `${count}` })];
      for (const call of this.#call(`Step ${count}.`, commands)) this.#add(observation(call));
    }
  }

  #finishWith(message: string): void {
    for (const call of this.#call(undefined, [finish(message)])) this.#add(observation(call));
    this.#become('finished');
  }

  /** The actions of one step. An unknown tool has failed already. */
  #call(thought: string | undefined, calls: readonly ToolCall[]): readonly Called[] {
    const stepId = this.#stepId();
    return calls.flatMap((call, index) => {
      const called = {
        id: '',
        callId: `call_${this.#options.dice.hex('calls', 6)}_${this.events.length}`,
        call,
      };
      const id = this.#add(action(stepId, index === 0 ? thought : undefined, called));
      if (call.action) return { ...called, id };
      this.#add(toolError(called, call.output));
      return [];
    });
  }

  #stepId(): string {
    return `answer-${this.#options.dice.hex('steps', 6)}-${this.events.length}`;
  }

  /** One action after the other, and then the next step. */
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
