/** Describes the actions of agents in one line. */
import { t, words } from '../../../base/l10n.ts';
import { parseExactly } from '../../../service/exactJson.ts';
import type { ActionEvent } from '../../../service/events.ts';
import type { ActionIcon, ActionState, Phrase } from '../../../protocol/drawn.ts';
import type { Outcome } from '../../../state/transcript/transcriptEntry.ts';

/** The fields that describe an action. */
export type NamedAction = Pick<ActionEvent, 'toolName' | 'actionKind' | 'arguments'>;

type Verb = 'run' | 'edit' | 'create' | 'read' | 'search' | 'browse' | 'think' | 'tasks' | 'finish' | 'tool';

const sentences: Readonly<Record<`${Verb}.${'did' | 'does' | 'wants' | 'wanted'}`, string>> = words({
  'run.did': 'Ran {0}',
  'run.does': 'Is running {0}',
  'run.wants': 'Wants to run {0}',
  'run.wanted': 'Wanted to run {0}',
  'edit.did': 'Edited {0}',
  'edit.does': 'Is editing {0}',
  'edit.wants': 'Wants to edit {0}',
  'edit.wanted': 'Wanted to edit {0}',
  'create.did': 'Created {0}',
  'create.does': 'Is creating {0}',
  'create.wants': 'Wants to create {0}',
  'create.wanted': 'Wanted to create {0}',
  'read.did': 'Read {0}',
  'read.does': 'Is reading {0}',
  'read.wants': 'Wants to read {0}',
  'read.wanted': 'Wanted to read {0}',
  'search.did': 'Searched for {0}',
  'search.does': 'Is searching for {0}',
  'search.wants': 'Wants to search for {0}',
  'search.wanted': 'Wanted to search for {0}',
  'browse.did': 'Opened {0}',
  'browse.does': 'Is opening {0}',
  'browse.wants': 'Wants to open {0}',
  'browse.wanted': 'Wanted to open {0}',
  'think.did': 'Thought',
  'think.does': 'Is thinking',
  'think.wants': 'Wants to think',
  'think.wanted': 'Wanted to think',
  'tasks.did': 'Updated its list of tasks',
  'tasks.does': 'Is updating its list of tasks',
  'tasks.wants': 'Wants to update its list of tasks',
  'tasks.wanted': 'Wanted to update its list of tasks',
  'finish.did': 'Finished',
  'finish.does': 'Is finishing',
  'finish.wants': 'Wants to finish',
  'finish.wanted': 'Wanted to finish',
  'tool.did': 'Used {0}',
  'tool.does': 'Is using {0}',
  'tool.wants': 'Wants to use {0}',
  'tool.wanted': 'Wanted to use {0}',
});

/** Headings of waiting actions. */
const headings: Readonly<Record<Verb, string>> = words({
  run: 'Run a command',
  edit: 'Edit a file',
  create: 'Create a file',
  read: 'Read a file',
  search: 'Search',
  browse: 'Open an address',
  think: 'Think',
  tasks: 'Update the list of tasks',
  finish: 'Finish',
  tool: 'Use {0}',
});

const icons: Readonly<Record<Verb, ActionIcon>> = {
  run: 'terminal',
  edit: 'edit',
  create: 'edit',
  read: 'read',
  search: 'read',
  browse: 'browse',
  think: 'think',
  tasks: 'tasks',
  finish: 'tasks',
  tool: 'tool',
};

/** The default inputs of terminal commands. */
export const terminalDefaults: Readonly<Record<string, unknown>> = {
  is_input: false,
  reset: false,
  timeout: null,
};

/** The arguments as an object; `undefined` if they are not one. */
export function inputOf({ arguments: all }: NamedAction): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = parseExactly(all);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** The verb for each kind of action, and the inputs that may name its object. */
const verbsAndInputs = {
  terminal: ['run', 'command'],
  fileEditor: ['edit', 'path'],
  edit: ['edit', 'file_path', 'path', 'abs_path'],
  read: ['read', 'file_path', 'path', 'abs_path'],
  browserNavigate: ['browse', 'url'],
  glob: ['search', 'pattern', 'query'],
  grep: ['search', 'pattern', 'query'],
  think: ['think'],
  taskTracker: ['tasks'],
  finish: ['finish'],
} as const satisfies Readonly<Record<string, readonly [verb: Verb, ...inputs: string[]]>>;

type Kind = keyof typeof verbsAndInputs;

function verbAndObject(action: NamedAction): { readonly verb: Verb; readonly to: string } {
  const kind = kindOf(action);
  const tool = { verb: 'tool', to: action.toolName ?? action.actionKind ?? t('an unnamed tool') } as const;
  if (!kind) return tool;
  const input = inputOf(action);
  const [verb, ...names] = verbsAndInputs[kind];
  const to = names.map((name) => input?.[name]).find((value) => typeof value === 'string');
  if (names.length > 0 && to === undefined) return tool;
  return { verb: kind === 'fileEditor' ? editVerb(input?.command) : verb, to: to ?? '' };
}

/** Kinds by the kind of the action, or by the name of its tool. */
const kindsByTool: Readonly<Record<string, Kind>> = {
  TerminalAction: 'terminal',
  ExecuteBashAction: 'terminal',
  FileEditorAction: 'fileEditor',
  StrReplaceEditorAction: 'fileEditor',
  BrowserNavigateAction: 'browserNavigate',
  GlobAction: 'glob',
  GrepAction: 'grep',
  ThinkAction: 'think',
  TaskTrackerAction: 'taskTracker',
  FinishAction: 'finish',
  'ACP:execute': 'terminal',
  'ACP:edit': 'edit',
  'ACP:read': 'read',
  'ACP:search': 'grep',
  'ACP:fetch': 'browserNavigate',
  'ACP:think': 'think',
  terminal: 'terminal',
  execute_bash: 'terminal',
  file_editor: 'fileEditor',
  str_replace_editor: 'fileEditor',
  browser_navigate: 'browserNavigate',
  glob: 'glob',
  grep: 'grep',
  think: 'think',
  task_tracker: 'taskTracker',
  finish: 'finish',
};

export function kindOf({ actionKind, toolName }: NamedAction): Kind | undefined {
  const name = actionKind ?? toolName ?? '';
  return Object.hasOwn(kindsByTool, name) ? kindsByTool[name] : undefined;
}

function editVerb(command: unknown): Verb {
  return command === 'view' ? 'read' : command === 'create' ? 'create' : 'edit';
}

export function iconOf(action: NamedAction): ActionIcon {
  return icons[verbAndObject(action).verb];
}

export function actionHeading(action: NamedAction): Phrase {
  const { verb, to } = verbAndObject(action);
  return fillPhrase(headings[verb], firstLine(to));
}

/** The line of an action, with its result and duration, if known. File names are relative to `folder`. */
export function actionLine(
  action: NamedAction,
  state: ActionState,
  outcome: Outcome | undefined,
  seconds: number | undefined,
  folder?: string,
): Phrase {
  const { verb, to } = verbAndObject(action);
  const isFile = verb === 'edit' || verb === 'create' || verb === 'read';
  const tense =
    state === 'waiting' ? 'wants' : state === 'running' ? 'does' : state === 'rejected' ? 'wanted' : 'did';
  const name = firstLine(isFile ? below(folder, to) : to);
  return [...fillPhrase(sentences[`${verb}.${tense}`], name), ...whatBecame(state, outcome, seconds)];
}

function below(folder: string | undefined, path: string): string {
  const start = folder === undefined ? '' : `${folder.replace(/\/$/, '')}/`;
  return start.length > 1 && path.startsWith(start) && path.length > start.length
    ? path.slice(start.length)
    : path;
}

function whatBecame(state: ActionState, outcome: Outcome | undefined, seconds: number | undefined): Phrase {
  if (!outcome) return [];
  const parts: Phrase[] = [];
  if (outcome.kind === 'rejection') {
    const { reason } = outcome;
    parts.push(
      reason === undefined ? [t('rejected')] : fillPhrase(t('rejected: {0}'), { text: firstLine(reason) }),
    );
  } else if (outcome.kind === 'error')
    parts.push(fillPhrase(t('failed: {0}'), { text: firstLine(outcome.text) }));
  else if (isUnfinished(outcome)) parts.push([t('not finished')]);
  else if (outcome.exitCode !== undefined) parts.push([t('exit code {0}', outcome.exitCode)]);
  else if (state === 'failed') parts.push([t('failed')]);
  if (seconds !== undefined) parts.push([durationWord(seconds)]);
  return parts.flatMap((part) => [', ', ...part]);
}

/** Exit code -1 means that a command still runs, or could not start because another one does. */
export function isUnfinished(outcome: Outcome): boolean {
  return outcome.kind === 'result' && outcome.exitCode === -1;
}

function durationWord(seconds: number): string {
  return seconds < 60 ? t('{0} s', seconds) : t('{0} min {1} s', Math.floor(seconds / 60), seconds % 60);
}

/** Fills the places of a sentence with foreign text. */
export function fillPhrase(
  sentence: string,
  ...values: readonly (string | { readonly text: string })[]
): Phrase {
  return sentence.split(/(\{\d\})/).flatMap((part): Phrase => {
    const index = /^\{(\d)\}$/.exec(part)?.[1];
    const value = index === undefined ? undefined : values[Number(index)];
    if (value !== undefined) return [typeof value === 'string' ? { code: value } : value];
    return part === '' ? [] : [part];
  });
}

export function plainPhrase(phrase: Phrase, inCode: (code: string) => string = (code) => code): string {
  return phrase
    .map((part) => (typeof part === 'string' ? part : 'code' in part ? inCode(part.code) : part.text))
    .join('');
}

const maxLineLength = 200;

/** Cuts text to one line, with an ellipsis. */
export function firstLine(text: string): string {
  const [line = '', ...others] = text.trim().split(/\r?\n/);
  const characters = Array.from(line.slice(0, 2 * maxLineLength));
  const isCut = characters.length > maxLineLength || line.length > 2 * maxLineLength;
  const shown = isCut ? characters.slice(0, maxLineLength).join('') : line;
  return isCut || others.length > 0 ? `${shown} …` : shown;
}
