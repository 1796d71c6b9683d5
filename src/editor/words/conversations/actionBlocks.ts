/** All of what an agent does or wants to do, and what came of it. */
import { t } from '../../../base/l10n.ts';
import type { Block, DrawnAction } from '../../../protocol/drawn.ts';
import { escaped } from '../../../service/escaped.ts';
import type { Outcome } from '../../../state/transcript/transcriptEntry.ts';
import type { WaitingAction } from '../../../state/transcript/waiting.ts';
import { type NamedAction, actionHeading, inputOf, kindOf } from './actionWords.ts';

/** What it is given, whole. Values that say nothing are left out only where we know that they say nothing. */
export function inputBlocks(action: NamedAction): readonly Block[] {
  const input = inputOf(action);
  if (!input) return [{ kind: 'code', label: t('Input'), text: action.arguments }];
  const { drawn, rest } = known(action, input);
  const others = Object.fromEntries(Object.entries(input).filter(([name]) => rest(name)));
  if (Object.keys(others).length === 0) return drawn;
  const label = drawn.length === 0 ? t('Input') : t('Other input');
  return [...drawn, { kind: 'code', label, text: escaped(others) }];
}

interface Known {
  readonly drawn: readonly Block[];
  /** Whether a value is not drawn by then. */
  readonly rest: (name: string) => boolean;
}

function known(action: NamedAction, input: Readonly<Record<string, unknown>>): Known {
  const text = (name: string) => (typeof input[name] === 'string' ? input[name] : undefined);
  const says = (name: string, silent: readonly unknown[]) => !silent.includes(input[name]);
  const nothing: Known = { drawn: [], rest: () => true };
  switch (kindOf(action)) {
    case 'terminal': {
      const command = text('command');
      if (command === undefined) return nothing;
      return {
        drawn: [{ kind: 'code', label: t('Command'), text: command }],
        rest: (name) =>
          name === 'is_input' || name === 'reset'
            ? says(name, [false])
            : name === 'timeout'
              ? says(name, [null])
              : name !== 'command',
      };
    }
    case 'fileEditor':
      return edit(text, says) ?? nothing;
    case 'think':
    case 'finish': {
      const name = kindOf(action) === 'think' ? 'thought' : 'message';
      const words = text(name);
      if (words === undefined) return nothing;
      return { drawn: [{ kind: 'prose', label: '', text: words }], rest: (other) => other !== name };
    }
    case 'browserNavigate':
    case 'edit':
    case 'read':
    case 'glob':
    case 'grep':
    case 'taskTracker':
    case undefined:
      return nothing;
  }
}

const editFields = ['command', 'path', 'file_text', 'old_str', 'new_str'];

function edit(
  text: (name: string) => string | undefined,
  says: (name: string, silent: readonly unknown[]) => boolean,
): Known | undefined {
  const [command, path, content] = [text('command'), text('path'), text('file_text')];
  const [old, changed] = [text('old_str'), text('new_str')];
  if (path === undefined) return undefined;
  const drawn: Block[] =
    command === 'create' && content !== undefined
      ? [{ kind: 'code', label: t('Content'), text: content }]
      : command === 'str_replace' && old !== undefined
        ? [{ kind: 'change', label: t('Replacement'), before: old, after: changed ?? '' }]
        : [];
  const isDrawn = (name: string) =>
    (name === 'file_text' && command === 'create') ||
    ((name === 'old_str' || name === 'new_str') && command === 'str_replace' && old !== undefined);
  return {
    drawn: [{ kind: 'code', label: t('File'), text: path }, ...drawn],
    rest: (name) => {
      if (name === 'path') return false;
      // What it does with the file is said by the rest of what is drawn.
      if (name === 'command') return drawn.length === 0;
      if (isDrawn(name)) return false;
      return editFields.includes(name) || name === 'insert_line' || name === 'view_range'
        ? says(name, [null])
        : true;
    },
  };
}

export function outcomeBlocks(outcome: Outcome | undefined): readonly Block[] {
  if (!outcome) return [{ kind: 'note', text: t('No result yet.') }];
  if (outcome.kind === 'rejection') {
    return outcome.reason === undefined
      ? [{ kind: 'note', text: t('It was rejected.') }]
      : [{ kind: 'prose', label: t('Rejected because'), text: outcome.reason }];
  }
  if (outcome.kind === 'error') return [{ kind: 'output', label: t('Error'), text: outcome.text }];
  const { change, text, images, isError, leftOut } = outcome;
  const blocks: Block[] = [];
  if (change) {
    const { path, before = '', after = '' } = change;
    blocks.push({ kind: 'change', label: path, before, after });
  } else if (text !== '') blocks.push({ kind: 'output', label: isError ? t('Error') : t('Output'), text });
  for (const picture of images) blocks.push({ kind: 'picture', label: '', picture });
  if (leftOut !== undefined) blocks.push({ kind: 'leftOut', text: leftOutWords(leftOut) });
  if (blocks.length === 0) blocks.push({ kind: 'note', text: t('There was no output.') });
  return blocks;
}

export function leftOutWords(count: number): string {
  return t('{0} characters are left out here.', count);
}

/** An action that waits, all of it. */
export function waitingAction(action: WaitingAction): DrawnAction {
  const { risk, toolName } = action;
  // Where the agent says nothing about it, the service says what it does, in its own way.
  const summary = action.summary?.startsWith(`${toolName ?? ''}: {`) ? undefined : action.summary;
  return {
    line: actionHeading(action),
    ...(risk === undefined || risk === 'unknown'
      ? {}
      : { risk: { text: riskWord(risk), isHigh: risk === 'high' } }),
    ...(summary === undefined ? {} : { summary: t('What the agent says about it: {0}', summary) }),
    blocks: inputBlocks(action),
  };
}

function riskWord(risk: string): string {
  switch (risk) {
    case 'low':
      return t('Low risk');
    case 'medium':
      return t('Medium risk');
    case 'high':
      return t('High risk');
    default:
      return t('Risk: {0}', risk);
  }
}
