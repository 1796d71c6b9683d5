/** The inputs and the result of an action, as blocks. */
import { t } from '../../../base/l10n.ts';
import type { Block, DrawnAction } from '../../../protocol/drawn.ts';
import { escaped } from '../../../service/escaped.ts';
import type { Outcome } from '../../../state/transcript/transcriptEntry.ts';
import type { WaitingAction } from '../../../state/transcript/waiting.ts';
import { type NamedAction, actionHeading, inputOf, kindOf } from './actionWords.ts';

/** The inputs of an action. Leaves out only values that are known to be defaults. */
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
  /** True for inputs that `drawn` does not show. */
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
      // The other blocks show what the command does.
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
  blocks.push(...leftOutBlocks(leftOut));
  if (blocks.length === 0) blocks.push({ kind: 'note', text: t('There was no output.') });
  return blocks;
}

export function leftOutBlocks(count: number | undefined): readonly Block[] {
  return count === undefined ? [] : [{ kind: 'leftOut', text: leftOutWords(count) }];
}

export function leftOutWords(count: number): string {
  return t('{0} characters are left out here.', count);
}

/** Draws a waiting action in full. */
export function waitingAction(action: WaitingAction): DrawnAction {
  const { risk, toolName } = action;
  // Without a summary of the agent, the service repeats the tool and its input.
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
