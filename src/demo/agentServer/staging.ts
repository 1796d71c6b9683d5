/** The past of the first agents: their stories, as steps that took their time. */
import type { Phase } from '../life.ts';
import type { Story } from '../stories.ts';
import { lastStep, type ScriptStep } from './script.ts';
import { replaceInFile, terminal, think, type ToolCall } from './demoTools.ts';
import { elsewhere, type Work } from './work.ts';

/** How long an agent usually is at a step, in milliseconds. */
const usual = 70_000;

/** At the end, some milliseconds for what is accepted, and until the last words. */
const [acts, concludes] = [6_000, 20_000];

export interface Staging {
  readonly story: Story;
  readonly folder: string;
  /** Its times are those of the clock. */
  readonly phase: Phase;
  readonly createdAt: number;
  readonly now: number;
  /** What it wants to do instead of what the story says, when it asks. */
  readonly asking: readonly ScriptStep[] | undefined;
}

/** Lets work that has not begun yet be in this phase. */
export function stage(work: Work, { story, folder, phase, createdAt, now, asking }: Staging): void {
  const before = stepsBefore(story, folder);
  const count = before.length + 1;
  const isRunning = phase.execution === 'running';
  const end = Math.max(isRunning ? phase.until : phase.since, createdAt + 1);
  const begin = Math.max(createdAt, Math.min(end - count * usual, now - 2 * usual));
  const pace = (end - begin) / count;
  let acted = 0;
  const steps = before.map(({ thought, call }): ScriptStep => {
    const takes = Math.max(1, pace - acted);
    acted = call.takes;
    return { takes, does: { kind: 'calls', thought, calls: [call] } };
  });
  work.advance(begin);
  work.begin();
  work.send(story.message, false, elsewhere);
  const [last = lastStep, ...more] = ending(story, isRunning ? phase.next : phase.execution, asking);
  work.follow([...steps, { ...last, takes: Math.max(1, pace - acted) }, ...more]);
  work.run(elsewhere);
  work.advance(isRunning ? begin : end);
  if (phase.execution === 'idle') work.end('idle', end);
}

/** The last steps: it asks, fails, or has finished. */
function ending(
  { wants, done }: Story,
  execution: Phase['execution'],
  asking: readonly ScriptStep[] | undefined,
): readonly ScriptStep[] {
  if (execution === 'error') return [{ takes: concludes, does: { kind: 'fails' } }];
  const finishes: ScriptStep = { takes: concludes, does: { kind: 'finishes', message: done } };
  if (execution !== 'waiting_for_confirmation') return [finishes];
  const { says, command, output } = wants;
  const call = terminal(command, { output, risk: 'HIGH', takes: acts });
  return [
    ...(asking ?? [{ takes: concludes, does: { kind: 'calls', thought: says, calls: [call] } }]),
    finishes,
  ];
}

function stepsBefore(
  { looks, tries, thinks, changes }: Story,
  folder: string,
): readonly { readonly thought: string; readonly call: ToolCall }[] {
  const { exitCode = 0 } = tries;
  return [
    { thought: looks.says, call: terminal(looks.command, { output: looks.output, takes: 400 }) },
    { thought: tries.says, call: terminal(tries.command, { output: tries.output, exitCode, takes: 4_000 }) },
    { thought: '', call: think(thinks) },
    {
      thought: changes.says,
      call: replaceInFile(`${folder}/${changes.path}`, changes.lines, { takes: 300 }),
    },
  ];
}
