/** What the agents do: a script takes the place of a model. */
import { called, createFile, terminal, type ToolCall } from './demoTools.ts';

/** What comes of asking the model once. */
export interface ScriptStep {
  /** Milliseconds that the model needs. */
  readonly takes: number;
  readonly does:
    | { readonly kind: 'calls'; readonly thought: string; readonly calls: readonly ToolCall[] }
    | { readonly kind: 'says'; readonly words: string }
    | { readonly kind: 'finishes'; readonly message: string }
    /** So many events have happened before, all at once. */
    | { readonly kind: 'remembers'; readonly events: number }
    | { readonly kind: 'fails' };
}

const quick = 150;
/** How long a model writes at a letter. */
const perLetter = 5;
const most = 20_000;

/** What follows when a script is at its end. */
export const lastStep: ScriptStep = { takes: quick, does: { kind: 'finishes', message: 'Done.' } };

/**
 * What a message leads to. Each line `call: TOOL {"json": …}` is a step with that call, or with several where ` ;; ` parts
 * them; a line `say: TEXT` is a plain answer. `history: COUNT` is as many events that have happened before, and `flood: COUNT`
 * as many commands, one after the other at once. Everything else is answered by saying that this is a demo.
 */
export function scriptFor(message: string, isFirst: boolean): readonly ScriptStep[] {
  const lines = [...message.matchAll(/^(call|say|history|flood): (.+)$/gm)];
  if (lines.length === 0) return isFirst ? example : [says(notAgain)];
  return lines.flatMap(([, what, rest = '']): ScriptStep | readonly ScriptStep[] => {
    if (what === 'say') return says(rest);
    const count = Math.min(Number.parseInt(rest, 10) || 0, most);
    if (what === 'history') return { takes: quick, does: { kind: 'remembers', events: count } };
    if (what === 'flood') {
      const one = (number: number) => terminal(`echo ${number}`, { output: `${number}`, takes: 1 });
      return Array.from({ length: count }, (_, index) => calls('', [one(index + 1)], 1));
    }
    const all = rest.split(' ;; ').map(readCall);
    const [first] = all;
    return first?.tool === 'finish'
      ? { takes: quick, does: { kind: 'finishes', message: first.output } }
      : calls('Doing that now.', all, quick);
  });
}

function readCall(line: string): ToolCall {
  const [, tool = '', json = '{}'] = /^(\S+) ?(.*)$/s.exec(line) ?? [];
  try {
    return called(tool, JSON.parse(json) as ToolCall['input']);
  } catch {
    return called(tool, {});
  }
}

function calls(thought: string, all: readonly ToolCall[], takes: number): ScriptStep {
  return { takes, does: { kind: 'calls', thought, calls: all } };
}

function says(words: string): ScriptStep {
  return { takes: quick + perLetter * words.length, does: { kind: 'says', words } };
}

const notAgain =
  "This is still the demo, so I can't help with that. Connect to a server of your own, and a real agent will answer you.";

/** Looks, edits, and then wants to do something that it must ask for. */
const example: readonly ScriptStep[] = [
  calls(
    "This is a demo. I won't really do that, but here is how it looks. First, an agent looks around.",
    [terminal('ls', { output: 'README.md\nsrc\ntest' })],
    2_000,
  ),
  calls(
    'Then it edits files. In a Git repository, Show Changes lists them.',
    [createFile('demo.md', '# Demo\n\nAn agent of the demo wrote this file.\n', { takes: 300 })],
    4_000,
  ),
  calls(
    'After a change, it usually runs the tests.',
    [terminal('npm test', { output: ' 42 passing (3s)', takes: 3_000 })],
    3_000,
  ),
  calls(
    'Some commands need your OK. Nothing is really pushed here, whatever you answer.',
    [
      terminal('git push origin HEAD', {
        output: 'Everything up-to-date',
        risk: 'HIGH',
        takes: 3_000,
      }),
    ],
    3_000,
  ),
  {
    takes: 2_000,
    does: {
      kind: 'finishes',
      message:
        'That was the demo: nothing you asked for was done. Connect to a server of your own to work with a real agent.',
    },
  },
];
