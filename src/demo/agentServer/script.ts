/** Scripts in place of a model. */
import { readStory, type Story, type StoryStep } from '../world/stories.ts';
import type { WireAgentEvent } from '../wire/wireTypes.ts';
import {
  type PlannedTask,
  planTasks,
  type ToolCall,
} from '../world/demoTools.ts';

/** The model's answer to one request. */
export interface ScriptStep {
  /** Milliseconds that the model needs. */
  readonly takes: number;
  readonly does:
    | {
        readonly kind: 'calls';
        readonly thought: string;
        readonly calls: readonly ToolCall[];
      }
    | { readonly kind: 'says'; readonly words: string }
    | { readonly kind: 'finishes'; readonly message: string }
    /** Adds this many earlier events at once. */
    | { readonly kind: 'remembers'; readonly events: number }
    | { readonly kind: 'fails' };
}

/** Decides how the agent answers a message, given the events before it. */
export type AgentScript = (
  message: string,
  before: readonly WireAgentEvent[],
) => readonly ScriptStep[];

/** Milliseconds until a model writes its first word. */
const firstWordMs = 600;

const msPerLetter = 5;

const finishingMs = 900;

/**
 * Milliseconds in which a model writes these words: about 30 words per second.
 */
export function writingMs(words: string): number {
  return msPerLetter * words.length;
}

function answerMs(words: string): number {
  return firstWordMs + writingMs(words);
}

/** The step after the end of a script. */
export const lastStep: ScriptStep = {
  takes: 150,
  does: { kind: 'finishes', message: 'Done.' },
};

/**
 * Answers the first message with an example, and the others by saying that this
 * is a demo.
 */
export const scriptOfDemo: AgentScript = (_, before) =>
  before.some(({ kind }) => kind === 'MessageEvent')
    ? [...planSteps(tasksLeftOpen(before)), sayingStep(notAgain)]
    : [
        ...stepsOf(planned).slice(0, -1),
        ...planSteps(tasksAfter(tasks.length)),
        finishingStep(planned.done),
      ];

function stepsOf({ steps, wants, done }: Story): readonly ScriptStep[] {
  return [
    ...[...steps, ...wants].map((step) => callingStep(step)),
    finishingStep(done),
  ];
}

export function callingStep(
  { thought, calls }: StoryStep,
  takes = answerMs(thought),
): ScriptStep {
  return { takes, does: { kind: 'calls', thought, calls } };
}

/** The message arrives at once, like the input of a tool. */
export function finishingStep(
  message: string,
  takes = finishingMs,
): ScriptStep {
  return { takes, does: { kind: 'finishes', message } };
}

export function sayingStep(words: string, takes = answerMs(words)): ScriptStep {
  return { takes, does: { kind: 'says', words } };
}

/** Makes a step that only updates the tasks, if there are any. */
function planSteps(plan: readonly PlannedTask[]): readonly ScriptStep[] {
  return plan.length > 0
    ? [callingStep({ thought: '', calls: [planTasks(plan)] })]
    : [];
}

/**
 * Returns the done tasks if the last plan has open ones, which an agent drops
 * before it ends.
 */
function tasksLeftOpen(
  events: readonly WireAgentEvent[],
): readonly PlannedTask[] {
  const plan = events
    .map((event) => (event as { readonly observation?: Observed }).observation)
    .findLast((observation) => observation?.task_list)?.task_list;
  const done = (plan ?? []).filter(({ status }) => status === 'done');
  return done.length === plan?.length ? [] : done;
}

interface Observed {
  readonly task_list?: readonly PlannedTask[];
}

const notAgain =
  "This is still the demo, so I can't help with that. Connect to a server of your own, and a real agent will answer you.";

/** The example reads, edits, and then asks for approval. */
const example = readStory(`
* This is a demo. I won't really do that, but here is how it looks. First, an agent looks around.
$ ls
README.md
src
test
* Then it edits files. In a Git repository, Show Changes lists them.
@ demo.md
+# Demo
+
+An agent of the demo wrote this file.
* After a change, it usually runs the tests.
$ npm test
 42 passing (3s)
! Some commands need your OK. Nothing is really pushed here, whatever you answer.
$ git push origin HEAD
Everything up-to-date
= That was the demo: nothing you asked for was done. Connect to a server of your own to work with a real agent.`);

const tasks = [
  'Look around',
  'Write demo.md',
  'Run the tests',
  'Push the change',
];

function tasksAfter(done: number): readonly PlannedTask[] {
  return tasks.map((title, index) => {
    if (index < done) return { title, notes: '', status: 'done' };
    return {
      title,
      notes: '',
      status: index === done ? 'in_progress' : 'todo',
    };
  });
}

const planned: Story = {
  ...example,
  steps: [
    ...example.steps.map((step, index) => ({
      ...step,
      calls: [planTasks(tasksAfter(index)), ...step.calls],
    })),
    { thought: '', calls: [planTasks(tasksAfter(example.steps.length))] },
  ],
};
