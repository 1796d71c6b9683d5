/** The tools of the agents: the form, duration and result of their calls. */

export type ModelRating = 'UNKNOWN' | 'LOW' | 'MEDIUM' | 'HIGH';

export interface ToolCall {
  readonly tool: string;
  /** The input from the model. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly risk: ModelRating;
  /** Milliseconds. */
  readonly takes: number;
  /** Undefined if there is no such tool. */
  readonly action: Readonly<Record<string, unknown>> | undefined;
  readonly output: string;
  readonly isError: boolean;
  /** The rest of what is observed, with its kind. */
  readonly observation: Readonly<Record<string, unknown>>;
}

interface Circumstances {
  readonly risk?: ModelRating;
  readonly takes?: number;
}

export function terminal(
  command: string,
  {
    output = '',
    exitCode = 0,
    risk = 'LOW',
    takes,
  }: Circumstances & { output?: string; exitCode?: number } = {},
): ToolCall {
  const sleeps = /\bsleep (\d+)/.exec(command)?.[1];
  return {
    tool: 'terminal',
    input: { command },
    risk,
    takes: takes ?? 200 + 1_000 * Number(sleeps ?? 0),
    action: { command, is_input: false, reset: false, kind: 'TerminalAction' },
    output,
    isError: false,
    observation: {
      command,
      exit_code: exitCode,
      timeout: false,
      kind: 'TerminalObservation',
    },
  };
}

export function createFile(
  path: string,
  content: string,
  circumstances: Circumstances = {},
): ToolCall {
  const input = { command: 'create', path, file_text: content };
  const contents = { prev_exist: false, new_content: content };
  return edited(
    input,
    `File created successfully at: ${path}`,
    contents,
    circumstances,
  );
}

export function replaceInFile(
  path: string,
  [old, changed]: readonly [string, string],
  {
    above = '',
    below = '',
    ...circumstances
  }: Circumstances & { above?: string; below?: string } = {},
): ToolCall {
  const input = {
    command: 'str_replace',
    path,
    old_str: old,
    new_str: changed,
  };
  // A real service sends the whole file, too.
  const contents = {
    prev_exist: true,
    old_content: above + old + below,
    new_content: above + changed + below,
  };
  return edited(
    input,
    `The file ${path} has been edited.`,
    contents,
    circumstances,
  );
}

function edited(
  input: {
    readonly command: string;
    readonly path: string;
    readonly [more: string]: string;
  },
  output: string,
  contents: object,
  { risk = 'LOW', takes = 50 }: Circumstances,
): ToolCall {
  const action = { ...input, kind: 'FileEditorAction' };
  const { command, path } = input;
  const observation = {
    command,
    path,
    ...contents,
    kind: 'FileEditorObservation',
  };
  return {
    tool: 'file_editor',
    input,
    risk,
    takes,
    action,
    output,
    isError: false,
    observation,
  };
}

export function think(thought: string): ToolCall {
  return otherTool(
    'think',
    { thought },
    'Your thought has been logged.',
    'Think',
  );
}

export function finish(message: string): ToolCall {
  return otherTool('finish', { message }, message, 'Finish');
}

export interface PlannedTask {
  readonly title: string;
  readonly notes: string;
  readonly status: 'todo' | 'in_progress' | 'done';
}

export function planTasks(task_list: readonly PlannedTask[]): ToolCall {
  const input = { command: 'plan', task_list };
  const call = otherTool(
    'task_tracker',
    input,
    'Task list has been updated.',
    'TaskTracker',
  );
  return { ...call, observation: { ...call.observation, ...input } };
}

export function otherTool(
  tool: string,
  input: ToolCall['input'],
  output: string,
  kind: string,
): ToolCall {
  return {
    tool,
    input,
    risk: 'LOW',
    takes: 0,
    action: { ...input, kind: `${kind}Action` },
    output,
    isError: false,
    observation: { kind: `${kind}Observation` },
  };
}
