/** A script takes the place of a model. */
import { readStory, type Story, type StoryStep } from '../stories.ts';
import { planTasks, type ToolCall } from './demoTools.ts';

/** The outcome of asking the model once. */
export interface ScriptStep {
  /** Milliseconds that the model needs. */
  readonly takes: number;
  readonly does:
    | { readonly kind: 'calls'; readonly thought: string; readonly calls: readonly ToolCall[] }
    | { readonly kind: 'says'; readonly words: string }
    | { readonly kind: 'finishes'; readonly message: string }
    /** This many events have happened before, all at once. */
    | { readonly kind: 'remembers'; readonly events: number }
    | { readonly kind: 'fails' };
}

/** Decides how the agent answers a message. */
export type AgentScript = (message: string, isFirst: boolean) => readonly ScriptStep[];

const msPerLetter = 5;

/** The step after the end of a script. */
export const lastStep: ScriptStep = { takes: 150, does: { kind: 'finishes', message: 'Done.' } };

/** Answers the first message with an example, and the others by saying that this is a demo. */
export const scriptOfDemo: AgentScript = (_, isFirst) =>
  isFirst ? stepsOf(planned, 3_000) : [sayingStep(notAgain)];

export function stepsOf({ steps, wants, done }: Story, takes: number): readonly ScriptStep[] {
  return [...[...steps, ...wants].map((step) => callingStep(step, takes)), finishingStep(done, takes)];
}

export function callingStep({ thought, calls }: StoryStep, takes: number): ScriptStep {
  return { takes, does: { kind: 'calls', thought, calls } };
}

export function finishingStep(message: string, takes: number): ScriptStep {
  return { takes, does: { kind: 'finishes', message } };
}

export function sayingStep(words: string): ScriptStep {
  return { takes: 150 + msPerLetter * words.length, does: { kind: 'says', words } };
}

const notAgain =
  "This is still the demo, so I can't help with that. Connect to a server of your own, and a real agent will answer you.";

/** Looks around, edits, and then asks for an approval. */
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

const tasks = ['Look around', 'Write demo.md', 'Run the tests', 'Push the change'];

const planned: Story = {
  ...example,
  steps: example.steps.map((step, index) => ({ ...step, calls: [planTasks(tasks, index), ...step.calls] })),
};
