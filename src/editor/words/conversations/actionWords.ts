/** Names the actions of agents. Loaded with the first rows, which need it. */
import { t, words } from '../../../base/l10n.ts';
import { parseExactly } from '../../../service/http/exactJson.ts';
import type { ActionEvent } from '../../../service/model/events.ts';
import type { ActionIcon, Phrase } from '../../../protocol/drawn.ts';

/** The fields that describe an action. */
export type NamedAction = Pick<
  ActionEvent,
  'toolName' | 'actionKind' | 'arguments'
>;

type ActionVerb =
  | 'run'
  | 'edit'
  | 'create'
  | 'read'
  | 'search'
  | 'browse'
  | 'think'
  | 'tasks'
  | 'finish'
  | 'tool';

const headings = words({
  run: 'Run a command',
  edit: 'Edit a file',
  create: 'Create a file',
  read: 'Read a file',
  search: 'Search',
  browse: 'Open an address',
  think: 'Think',
  tasks: 'Update the task list',
  finish: 'Finish',
  tool: 'Use {0}',
});

const icons: Readonly<Record<ActionVerb, ActionIcon>> = {
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

export const terminalDefaults: Readonly<Record<string, unknown>> = {
  is_input: false,
  reset: false,
  timeout: null,
};

/** The arguments as an object; `undefined` if they are not one. */
export function inputOf({
  arguments: all,
}: NamedAction): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = parseExactly(all);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The verb for each kind of action, and the inputs that may name its object.
 */
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
} as const satisfies Readonly<
  Record<string, readonly [verb: ActionVerb, ...inputs: string[]]>
>;

type Kind = keyof typeof verbsAndInputs;

/** The verb, and the file, command or tool that it is about. */
export function verbAndObject(action: NamedAction): {
  readonly verb: ActionVerb;
  readonly to: string;
} {
  const kind = kindOf(action);
  const tool = {
    verb: 'tool',
    to: action.toolName ?? action.actionKind ?? t('an unnamed tool'),
  } as const;
  if (!kind) return tool;
  const input = inputOf(action);
  const [verb, ...names] = verbsAndInputs[kind];
  const to = names
    .map((name) => input?.[name])
    .find((value) => typeof value === 'string');
  if (names.length > 0 && to === undefined) return tool;
  return {
    verb: kind === 'fileEditor' ? editVerb(input?.command) : verb,
    to: to ?? '',
  };
}

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

export function kindOf({
  actionKind,
  toolName,
}: NamedAction): Kind | undefined {
  const name = actionKind ?? toolName ?? '';
  return Object.hasOwn(kindsByTool, name) ? kindsByTool[name] : undefined;
}

function editVerb(command: unknown): ActionVerb {
  if (command === 'view') return 'read';
  return command === 'create' ? 'create' : 'edit';
}

export function iconOf(action: NamedAction): ActionIcon {
  return icons[verbAndObject(action).verb];
}

export function actionHeading(action: NamedAction): Phrase {
  const { verb, to } = verbAndObject(action);
  return fillPhrase(headings[verb], firstLine(to));
}

export function fillPhrase(
  sentence: string,
  ...values: readonly (string | { readonly text: string })[]
): Phrase {
  return sentence.split(/(\{\d\})/).flatMap((part): Phrase => {
    const index = /^\{(\d)\}$/.exec(part)?.[1];
    const value = index === undefined ? undefined : values[Number(index)];
    if (value !== undefined)
      return [typeof value === 'string' ? { code: value } : value];
    return part === '' ? [] : [part];
  });
}

export function plainPhrase(
  phrase: Phrase,
  inCode: (code: string) => string = (code) => code,
): string {
  return phrase
    .map((part) => {
      if (typeof part === 'string') return part;
      return 'code' in part ? inCode(part.code) : part.text;
    })
    .join('');
}

const maxLineLength = 200;

/** Cuts text to one line, with an ellipsis. */
export function firstLine(text: string): string {
  const [line = '', ...restLines] = text.trim().split(/\r?\n/);
  const characters = Array.from(line.slice(0, 2 * maxLineLength));
  const isCut =
    characters.length > maxLineLength || line.length > 2 * maxLineLength;
  const visibleLine = isCut
    ? characters.slice(0, maxLineLength).join('')
    : line;
  return isCut || restLines.length > 0 ? `${visibleLine} …` : visibleLine;
}
