/** Stories of agents, written down as a short text and read into the steps that the demo performs. */
import { createFile, replaceInFile, terminal, think, type ToolCall } from './agentServer/demoTools.ts';

export interface Story {
  /** The first message of the user. */
  readonly message: string;
  readonly steps: readonly StoryStep[];
  /** Steps that need an approval, one after the other. */
  readonly wants: readonly StoryStep[];
  readonly done: string;
}

export interface StoryStep {
  readonly thought: string;
  readonly calls: readonly ToolCall[];
}

/**
 * Reads the message of the user and the marked parts after it: `* ` a step, `! ` a step that needs an approval, `= ` the
 * last words. In a step, `$ ` begins a command, `> ` its further lines, and its output follows. `@ ` begins a file, whose
 * lines follow as in a diff. A step without commands and files is only a thought. Paths are relative to the folder of the
 * work.
 */
export function readStory(text: string): Story {
  const [message = '', ...parts] = text.split(/\n(?=[*!=] )/);
  const marked = (mark: string) => parts.filter((part) => part.startsWith(mark)).map((part) => part.slice(2));
  return {
    message,
    steps: marked('*').map((part) => readStep(part, false)),
    wants: marked('!').map((part) => readStep(part, true)),
    done: marked('=').join('\n'),
  };
}

function readStep(part: string, needsApproval: boolean): StoryStep {
  const [thought = '', ...calls] = part.split(/\n(?=[$@] )/);
  if (calls.length === 0) return { thought: '', calls: [think(thought)] };
  const risk = needsApproval ? 'HIGH' : 'LOW';
  return {
    thought,
    calls: calls.map((call) => {
      const [name = '', ...lines] = call.slice(2).split('\n');
      if (call.startsWith('@')) return readFile(name, lines, { risk, takes: needsApproval ? 1_000 : 300 });
      return readCommand(name, lines, { risk, takes: needsApproval && calls.length === 1 ? 6_000 : 2_000 });
    }),
  };
}

type Circumstances = Required<Pick<ToolCall, 'risk' | 'takes'>>;

function readCommand(first: string, lines: readonly string[], circumstances: Circumstances): ToolCall {
  const more = lines.filter((line) => line.startsWith('> ')).map((line) => `\n${line.slice(2)}`);
  const exitCode = Number(/^\(exit code (\d+)\)$/.exec(lines.at(-1) ?? '')?.[1] ?? 0);
  const output = lines.slice(more.length, exitCode === 0 ? undefined : -1).join('\n');
  return terminal(first + more.join(''), { output, exitCode, ...circumstances });
}

/** A file with added lines only is a new one. */
function readFile(path: string, lines: readonly string[], circumstances: Circumstances): ToolCall {
  const textOf = (part: readonly string[]) => part.map((line) => `${line.slice(1)}\n`).join('');
  if (lines.every((line) => line.startsWith('+'))) return createFile(path, textOf(lines), circumstances);
  const isChanged = (line: string) => /^[-+]/.test(line);
  const marked = (mark: string) => textOf(lines.filter((line) => line.startsWith(mark))).slice(0, -1);
  return replaceInFile(path, [marked('-'), marked('+')], {
    above: textOf(lines.slice(0, lines.findIndex(isChanged))),
    below: `\n${textOf(lines.slice(lines.findLastIndex(isChanged) + 1))}`,
    ...circumstances,
  });
}
