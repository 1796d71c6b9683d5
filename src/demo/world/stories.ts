/**
 * Stories of agents, written down as a short text and read into the steps that
 * the demo performs.
 */
import {
  createFile,
  replaceInFile,
  terminal,
  think,
  type ToolCall,
} from './demoTools.ts';

export interface Story {
  /** The first message of the user. */
  readonly message: string;
  readonly steps: readonly StoryStep[];
  /** The steps of which the first needs approval. */
  readonly wants: readonly StoryStep[];
  readonly done: string;
}

export interface StoryStep {
  readonly thought: string;
  readonly calls: readonly ToolCall[];
}

/**
 * Reads the message of the user and the marked parts after it: `* ` a step, `!
 * ` a step that needs an approval because its commands are risky, `= ` the last
 * words. In a step, `$ ` begins a command, `> ` its further lines, and its
 * output follows. `@ ` begins a file, whose lines follow as in a diff. A step
 * without commands and files is only a thought. Paths are relative to the
 * folder of the work.
 */
export function readStory(text: string): Story {
  const [message = '', ...parts] = text.split(/\n(?=[*!=] )/);
  const steps = parts.filter((part) => !part.startsWith('='));
  const firstAsked = steps.findIndex((part) => part.startsWith('!'));
  const askedAt = firstAsked < 0 ? steps.length : firstAsked;
  return {
    message,
    steps: steps.slice(0, askedAt).map(readStep),
    wants: steps.slice(askedAt).map(readStep),
    done: parts
      .filter((part) => part.startsWith('='))
      .map((part) => part.slice(2))
      .join('\n'),
  };
}

function readStep(part: string): StoryStep {
  const needsApproval = part.startsWith('!');
  const [thought = '', ...calls] = part.slice(2).split(/\n(?=[$@] )/);
  if (calls.length === 0) return { thought: '', calls: [think(thought)] };
  return {
    thought,
    calls: calls.map((call) => {
      const [name = '', ...lines] = call.slice(2).split('\n');
      if (call.startsWith('@'))
        return readFile(name, lines, {
          risk: 'LOW',
          takes: needsApproval ? 1_000 : 300,
        });
      const takes = needsApproval && calls.length === 1 ? 6_000 : 2_000;
      return readCommand(name, lines, {
        risk: needsApproval ? 'HIGH' : 'LOW',
        takes,
      });
    }),
  };
}

type Circumstances = Required<Pick<ToolCall, 'risk' | 'takes'>>;

function readCommand(
  first: string,
  lines: readonly string[],
  circumstances: Circumstances,
): ToolCall {
  const more = lines
    .filter((line) => line.startsWith('> '))
    .map((line) => `\n${line.slice(2)}`);
  const exitCode = Number(
    /^\(exit code (\d+)\)$/.exec(lines.at(-1) ?? '')?.[1] ?? 0,
  );
  const output = lines
    .slice(more.length, exitCode === 0 ? undefined : -1)
    .join('\n');
  return terminal(first + more.join(''), {
    output,
    exitCode,
    ...circumstances,
  });
}

/** A file that has only added lines is new. */
function readFile(
  path: string,
  lines: readonly string[],
  circumstances: Circumstances,
): ToolCall {
  const textOf = (part: readonly string[]) =>
    part.map((line) => `${line.slice(1)}\n`).join('');
  if (lines.every((line) => line.startsWith('+')))
    return createFile(path, textOf(lines), circumstances);
  const isChanged = (line: string) => /^[-+]/.test(line);
  const first = lines.findIndex(isChanged);
  const end = lines.findLastIndex(isChanged) + 1;
  const without = (mark: string) =>
    textOf(
      lines.slice(first, end).filter((line) => !line.startsWith(mark)),
    ).slice(0, -1);
  return replaceInFile(path, [without('+'), without('-')], {
    above: textOf(lines.slice(0, first)),
    below: `\n${textOf(lines.slice(end))}`,
    ...circumstances,
  });
}
