/** The past of the first agents: their stories, as steps that took their time. */
import type { Phase } from '../life.ts';
import type { Story } from '../stories.ts';
import type { ExecutionStatus } from '../wireTypes.ts';
import { callingStep, finishingStep, type ScriptStep } from './script.ts';
import { elsewhere, type Work } from './work.ts';

/** The usual time for a step, in milliseconds. */
const usual = 70_000;

/** The shortest time for a step, in milliseconds. */
const least = 15_000;

/** Milliseconds since the result of the step before. */
const justBefore = 5_000;

/** Milliseconds until the last words. */
const concludes = 20_000;

/** The states of agents that do not come to their last step. */
const stopped: ReadonlySet<ExecutionStatus> = new Set(['paused', 'stuck', 'deleting']);

export interface Staging {
  readonly story: Story;
  /** Its times are those of the clock. */
  readonly phase: Phase;
  readonly createdAt: number;
  readonly now: number;
}

/** Lets work that has not begun yet be in this phase. */
export function stage(work: Work, { story, phase, createdAt, now }: Staging): void {
  const count = story.steps.length + 1;
  const isRunning = phase.execution === 'running';
  // The steps fit between its creation and now.
  const soonest = Math.min(createdAt + count * least, now);
  const end = Math.max(isRunning ? phase.until : phase.since, soonest, createdAt + 1);
  // One that runs has its last two steps before it.
  const [past, until] = isRunning ? [Math.max(1, count - 2), now - justBefore] : [count, end];
  const begin = Math.max(createdAt, until - past * usual);
  const pastPace = Math.floor((until - begin) / past);
  const nextPace = Math.floor((end - until) / Math.max(1, count - past));
  let acted = 0;
  const steps = story.steps.map((step, index): ScriptStep => {
    const takes = Math.max(1, (index < past ? pastPace : nextPace) - acted);
    acted = step.calls.reduce((sum, call) => sum + call.takes, 0);
    return callingStep(step, takes);
  });
  work.advance(begin);
  work.begin();
  work.send(story.message, false, elsewhere);
  const [last, ...more] = ending(story, isRunning ? phase.next : phase.execution);
  const rest = Math.max(1, (count > past ? nextPace : pastPace) - acted);
  work.follow([...steps, { ...last, takes: stopped.has(phase.execution) ? 2 * rest : rest }, ...more]);
  work.run(elsewhere);
  work.advance(isRunning ? begin : end);
  if (!isRunning && work.status !== phase.execution) work.end(phase.execution, end);
}

/** The last steps: it asks, fails, or has finished. */
function ending({ wants, done }: Story, execution: ExecutionStatus): readonly [ScriptStep, ...ScriptStep[]] {
  const finishes = finishingStep(done, concludes);
  const [first, ...others] = wants.map((step) => callingStep(step, concludes));
  if (execution === 'error') return [{ takes: concludes, does: { kind: 'fails' } }];
  if (execution !== 'waiting_for_confirmation' || !first) return [finishes];
  return [first, ...others, finishes];
}
