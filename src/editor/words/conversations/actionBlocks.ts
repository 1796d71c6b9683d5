import { t } from '../../../base/l10n.ts';
import { present } from '../../../base/parts.ts';
import type { DetailBlock, DrawnAction } from '../../../protocol/drawn.ts';
import { escaped } from '../../../service/records/escaped.ts';
import type { Risk } from '../../../service/model/events.ts';
import type { Outcome } from '../../../state/transcript/transcriptEntry.ts';
import type { WaitingAction } from '../../../state/transcript/waiting.ts';
import {
  type NamedAction,
  actionHeading,
  inputOf,
  kindOf,
  terminalDefaults,
} from './actionWords.ts';

/**
 * The inputs of an action. Leaves out only values that are known to be
 * defaults.
 */
export function inputBlocks(action: NamedAction): readonly DetailBlock[] {
  const input = inputOf(action);
  if (!input)
    return [{ kind: 'code', label: t('Input'), text: action.arguments }];
  const { drawn, blockNames, defaults } = knownInputs(action, input);
  const otherInputs = Object.entries(input).filter(
    ([name, value]) =>
      !blockNames.includes(name) &&
      !(Object.hasOwn(defaults, name) && defaults[name] === value),
  );
  if (otherInputs.length === 0) return drawn;
  const label = drawn.length === 0 ? t('Input') : t('Other input');
  return [
    ...drawn,
    { kind: 'code', label, text: escaped(Object.fromEntries(otherInputs)) },
  ];
}

interface KnownInputs {
  readonly drawn: readonly DetailBlock[];
  /** Names of the inputs that the blocks show. */
  readonly blockNames: readonly string[];
  readonly defaults: Readonly<Record<string, unknown>>;
}

const nothingKnown: KnownInputs = { drawn: [], blockNames: [], defaults: {} };

function knownInputs(
  action: NamedAction,
  input: Readonly<Record<string, unknown>>,
): KnownInputs {
  const text = (name: string) =>
    typeof input[name] === 'string' ? input[name] : undefined;
  const kind = kindOf(action);
  if (kind === 'terminal') {
    const command = text('command');
    if (command === undefined) return nothingKnown;
    const drawn: readonly DetailBlock[] = [
      { kind: 'code', label: t('Command'), text: command },
    ];
    return { drawn, blockNames: ['command'], defaults: terminalDefaults };
  }
  if (kind === 'think' || kind === 'finish') {
    const name = kind === 'think' ? 'thought' : 'message';
    const words = text(name);
    if (words === undefined) return nothingKnown;
    return {
      drawn: [{ kind: 'prose', label: '', text: words }],
      blockNames: [name],
      defaults: {},
    };
  }
  return kind === 'fileEditor' ? fileEditorInputs(text) : nothingKnown;
}

function fileEditorInputs(
  text: (name: string) => string | undefined,
): KnownInputs {
  const path = text('path');
  if (path === undefined) return nothingKnown;
  const file: DetailBlock = { kind: 'code', label: t('File'), text: path };
  const defaults = {
    file_text: null,
    old_str: null,
    new_str: null,
    insert_line: null,
    view_range: null,
  };
  const command = text('command');
  const content = text('file_text');
  const before = text('old_str');
  const after = text('new_str');
  if (command === 'create' && content !== undefined) {
    const drawn: readonly DetailBlock[] = [
      file,
      { kind: 'code', label: t('Content'), text: content },
    ];
    return { drawn, blockNames: ['path', 'command', 'file_text'], defaults };
  }
  if (command === 'str_replace' && before !== undefined) {
    const change = {
      kind: 'change',
      label: t('Replacement'),
      before,
      after: after ?? '',
    } as const;
    const blockNames = present(
      'path',
      'command',
      'old_str',
      after !== undefined && 'new_str',
    );
    return { drawn: [file, change], blockNames, defaults };
  }
  return { drawn: [file], blockNames: ['path'], defaults };
}

export function outcomeBlocks(
  outcome: Outcome | undefined,
): readonly DetailBlock[] {
  if (!outcome) return [{ kind: 'note', text: t('No result yet.') }];
  if (outcome.kind === 'rejection') {
    return outcome.reason === undefined
      ? [{ kind: 'note', text: t('Rejected.') }]
      : [
          {
            kind: 'prose',
            label: t('Reason for rejection'),
            text: outcome.reason,
          },
        ];
  }
  if (outcome.kind === 'error')
    return [{ kind: 'output', label: t('Error'), text: outcome.text }];
  const { change, text, images, isError, leftOut } = outcome;
  const blocks: DetailBlock[] = [];
  if (change) {
    const { path, before = '', after = '' } = change;
    blocks.push({ kind: 'change', label: path, before, after });
  } else if (text !== '')
    blocks.push({
      kind: 'output',
      label: isError ? t('Error') : t('Output'),
      text,
    });
  for (const picture of images)
    blocks.push({ kind: 'picture', label: '', picture });
  blocks.push(...leftOutBlocks(leftOut));
  if (blocks.length === 0)
    blocks.push({ kind: 'note', text: t('There was no output.') });
  return blocks;
}

export function leftOutBlocks(
  count: number | undefined,
): readonly DetailBlock[] {
  return count === undefined
    ? []
    : [{ kind: 'leftOut', text: leftOutWords(count) }];
}

export function leftOutWords(count: number): string {
  return t('{0} characters are left out.', count);
}

export function waitingAction(action: WaitingAction): DrawnAction {
  const { toolName } = action;
  const rated = action.rated === 'unknown' ? undefined : action.rated;
  const risk = rated ?? action.risk;
  // The service repeats the tool and its input if the agent gives no summary.
  const summary = action.summary?.startsWith(`${toolName ?? ''}: {`)
    ? undefined
    : action.summary;
  return {
    line: actionHeading(action),
    ...(risk === undefined || risk === 'unknown'
      ? {}
      : {
          risk: {
            text: riskWords(rated, action.risk),
            isHigh: risk === 'high',
          },
        }),
    ...(summary === undefined
      ? {}
      : { summary: t('Summary by the agent: {0}', summary) }),
    blocks: inputBlocks(action),
  };
}

/** The service asks because of its own rating, so that comes first. */
function riskWords(rated: Risk | undefined, risk: Risk = 'unknown'): string {
  if (rated === undefined || rated === risk) return riskWord(risk);
  return risk === 'unknown'
    ? t('{0}, by the rules of the service', riskWord(rated))
    : t(
        '{0}, by the rules of the service. The model says: {1}',
        riskWord(rated),
        riskWord(risk),
      );
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
