import { plural, t } from '../../../base/l10n.ts';
import { joinParts, present } from '../../../base/parts.ts';
import type {
  ActionState,
  DetailBlock,
  DrawnEntry,
  Phrase,
} from '../../../protocol/drawn.ts';
import type { Time } from '../../../service/model/entities.ts';
import type { EventPicture } from '../../../service/model/events.ts';
import type {
  TranscriptEntry,
  LineEntry,
} from '../../../state/transcript/transcriptEntry.ts';
import {
  inputBlocks,
  leftOutBlocks,
  leftOutWords,
  outcomeBlocks,
} from './actionBlocks.ts';
import { actionLine, isUnfinished } from './actionSentences.ts';
import {
  firstLine,
  iconOf,
  inputOf,
  kindOf,
  fillPhrase,
  plainPhrase,
} from './actionWords.ts';
import { executionWord } from '../stateWords.ts';
import { clockTime } from '../times.ts';

type ActionEntry = Extract<TranscriptEntry, { kind: 'action' }>;

export interface DrawingContext {
  readonly now: Time;
  /** The working folder of the agent. File names are relative to it. */
  readonly folder?: string | undefined;
  /** True for a message that the agent reads only after an answer. */
  readonly isQueued?: boolean;
  /** The rule of the user that accepted an action. */
  readonly ruleOf?: (actionId: string) => string | undefined;
  readonly canSwitchModel?: boolean;
}

/**
 * Draws the thoughts before an action, and the reasoning before a message, as
 * separate entries.
 */
export function drawnEntries(
  entry: TranscriptEntry,
  circumstances: DrawingContext,
): readonly DrawnEntry[] {
  if (hasReasoning(entry)) {
    const line = [entry.isStreaming === true ? t('Thinking') : t('Thought')];
    const time = timeOf(entry.at, circumstances);
    const thinking = {
      id: reasoningId(entry.id),
      time,
      kind: 'line',
      line,
      hasDetails: true,
    } as const;
    return [thinking, drawnEntry(entry, circumstances)];
  }
  if (entry.kind !== 'action' || entry.action.thought.trim() === '')
    return [drawnEntry(entry, circumstances)];
  return [
    {
      ...message(
        thoughtId(entry.id),
        entry.action.thought,
        undefined,
        circumstances,
      ),
      isThought: true,
    },
    drawnEntry(entry, circumstances),
  ];
}

/** The ids of all parts that an entry may have on the page. */
export function drawnIds(id: string): readonly string[] {
  return [thoughtId(id), reasoningId(id), id];
}

export function lastEventOf(entry: TranscriptEntry): string {
  return entry.kind === 'action' && entry.outcome?.kind === 'result'
    ? entry.outcome.id
    : entry.id;
}

export function openingId(entry: TranscriptEntry): string {
  return hasReasoning(entry) ? reasoningId(entry.id) : entry.id;
}

function hasReasoning(
  entry: TranscriptEntry,
): entry is Extract<TranscriptEntry, { kind: 'message' }> {
  return (
    entry.kind === 'message' &&
    entry.reasoning !== undefined &&
    entry.reasoning.trim() !== ''
  );
}

function reasoningId(id: string): string {
  return `${id}#reasoning`;
}

function thoughtId(id: string): string {
  return `${id}#thought`;
}

function drawnEntry(
  entry: TranscriptEntry,
  circumstances: DrawingContext,
): DrawnEntry {
  const { id } = entry;
  const time = timeOf(entry.at, circumstances);
  switch (entry.kind) {
    case 'message': {
      const { text, images, isStreaming = false, leftOut, role } = entry;
      const { by, name } = authorOf(role);
      return {
        ...message(id, text, entry.at, circumstances),
        ...(circumstances.isQueued === true && {
          time: t('Queued until you answer'),
        }),
        ...(!isStreaming && by !== 'other' && { canFork: true }),
        by,
        name,
        pictures: images,
        isStreaming,
        ...(leftOut === undefined ? {} : { leftOut: leftOutWords(leftOut) }),
      };
    }
    case 'action':
      return finalWords(entry, circumstances) ?? action(entry, circumstances);
    case 'error':
      return {
        id,
        time,
        kind: 'error',
        line: fillPhrase(t('Error: {0}'), { text: entry.text }),
        hasDetails: entry.leftOut !== undefined,
        ...(entry.isAboutModel &&
          circumstances.canSwitchModel && { canChooseModel: true }),
      };
    case 'line':
      return {
        id,
        time,
        kind: 'line',
        line: lineWords(entry),
        hasDetails:
          entry.what === 'hook' ||
          (entry.what === 'condensed' && entry.summary !== undefined),
      };
    case 'other':
      return {
        id,
        time,
        kind: 'other',
        line: otherWords(entry.eventKind),
        hasDetails: true,
      };
  }
}

function authorOf(role: string | undefined): {
  readonly by: 'person' | 'agent' | 'other';
  readonly name: string;
} {
  if (role === 'user') return { by: 'person', name: t('You') };
  if (role === 'assistant') return { by: 'agent', name: t('Agent') };
  return { by: 'other', name: role ?? t('Message') };
}

/**
 * Notes that a copy does not keep linked pictures; undefined if there are none.
 */
export function linkedPicturesNote(
  images: readonly EventPicture[],
): string | undefined {
  const count = images.filter((image) => 'address' in image).length;
  if (count === 0) return undefined;
  return plural(
    count,
    'The message links to a picture, which is not kept.',
    'The message links to {0} pictures, which are not kept.',
  );
}

function otherWords(eventKind: string | undefined): Phrase {
  return eventKind === 'SystemPromptEvent'
    ? [t('System prompt')]
    : fillPhrase(t('Other event: {0}'), eventKind ?? t('unknown kind'));
}

function message(
  id: string,
  text: string,
  at: Time | undefined,
  circumstances: DrawingContext,
): DrawnEntry & { readonly kind: 'message' } {
  return {
    id,
    time: timeOf(at, circumstances),
    kind: 'message',
    by: 'agent',
    name: t('Agent'),
    text,
    pictures: [],
    isStreaming: false,
  };
}

/** Draws the final answer of an agent as a message. */
function finalWords(
  entry: ActionEntry,
  circumstances: DrawingContext,
): DrawnEntry | undefined {
  const { action, isWaiting, outcome, id, at } = entry;
  if (kindOf(action) !== 'finish' || isWaiting || outcome?.kind === 'rejection')
    return undefined;
  const words = inputOf(action)?.message;
  if (typeof words !== 'string') return undefined;
  return {
    ...message(id, words, at, circumstances),
    ...(outcome && { canFork: true }),
  };
}

function action(entry: ActionEntry, circumstances: DrawingContext): DrawnEntry {
  const { id, at, outcome } = entry;
  const state = stateOf(entry);
  return {
    id,
    time: timeOf(at, circumstances),
    kind: 'action',
    line: actionLine(
      entry.action,
      state,
      outcome,
      secondsOf(entry),
      circumstances.folder,
    ),
    hasDetails: true,
    state,
    icon: iconOf(entry.action),
    step: entry.action.stepId,
    rule: circumstances.ruleOf?.(entry.action.id),
  };
}

function stateOf({ isWaiting, outcome }: ActionEntry): ActionState {
  if (isWaiting) return 'waiting';
  if (!outcome) return 'running';
  if (outcome.kind === 'rejection') return 'rejected';
  if (outcome.kind === 'error')
    return isStopped(outcome.text) ? 'stopped' : 'failed';
  if (isUnfinished(outcome)) return 'done';
  return outcome.isError || (outcome.exitCode ?? 0) !== 0 ? 'failed' : 'done';
}

/**
 * True for the error that an Agent Server reports of a command that a user
 * stopped.
 */
function isStopped(error: string): boolean {
  return /^Tool call interrupted before completion\b/.test(error);
}

function secondsOf({ startedAt, outcome }: ActionEntry): number | undefined {
  if (
    startedAt === undefined ||
    outcome?.kind !== 'result' ||
    outcome.at === undefined
  )
    return undefined;
  const seconds = Math.round((outcome.at - startedAt) / 1_000);
  return seconds >= 1 ? seconds : undefined;
}

function lineWords(line: LineEntry): Phrase {
  switch (line.what) {
    case 'paused':
      return [t('Paused')];
    case 'interrupted':
      return [t('Stopped')];
    case 'condensed':
      return [t('Compacted {0} earlier events', line.forgotten)];
    case 'state':
      return [
        line.execution === 'stuck'
          ? stuckWords()
          : executionWord(line.execution),
      ];
    case 'hook':
      return hookWords(line);
  }
}

function stuckWords(): string {
  return t(
    'Stuck: the agent kept repeating the same step. Tell it what to do differently.',
  );
}

function hookWords({
  hook,
  outcome,
  reason,
}: Extract<LineEntry, { what: 'hook' }>): Phrase {
  const name = hook ?? t('no name');
  if (outcome === 'done') return fillPhrase(t('The hook {0} ran'), name);
  if (outcome === 'failed') return fillPhrase(t('The hook {0} failed'), name);
  return reason === undefined
    ? fillPhrase(t('Blocked by the hook {0}'), name)
    : fillPhrase(t('Blocked by the hook {0}: {1}'), name, {
        text: firstLine(reason),
      });
}

function hookBlocks({
  command,
  reason,
  text,
}: Extract<LineEntry, { what: 'hook' }>): readonly DetailBlock[] {
  return present(
    command !== undefined && {
      kind: 'code',
      label: t('Command'),
      text: command,
    },
    reason !== undefined && { kind: 'prose', label: t('Reason'), text: reason },
    text !== '' && { kind: 'output', label: t('Output'), text },
  );
}

export function detailsOf(entry: TranscriptEntry): readonly DetailBlock[] {
  switch (entry.kind) {
    case 'action': {
      const { action, outcome, leftOut } = entry;
      const isChange =
        outcome?.kind === 'result' && outcome.change !== undefined;
      return [
        ...thinking(action.reasoning),
        // The change contains the input.
        ...(isChange ? [] : inputBlocks(action)),
        ...leftOutBlocks(leftOut),
        ...outcomeBlocks(outcome),
      ];
    }
    case 'other':
      return [
        { kind: 'code', label: '', text: entry.json },
        ...leftOutBlocks(entry.leftOut),
      ];
    case 'line':
      return [...lineBlocks(entry), ...leftOutBlocks(entry.leftOut)];
    case 'message':
      return thinking(entry.reasoning);
    case 'error':
      return leftOutBlocks(entry.leftOut);
  }
}

function lineBlocks(line: LineEntry): readonly DetailBlock[] {
  if (line.what === 'hook') return hookBlocks(line);
  return line.what === 'condensed' && line.summary !== undefined
    ? [{ kind: 'prose', label: '', text: line.summary }]
    : [];
}

function thinking(reasoning: string | undefined): readonly DetailBlock[] {
  return reasoning === undefined
    ? []
    : [{ kind: 'prose', label: t('Reasoning'), text: reasoning }];
}

function timeOf(
  at: Time | undefined,
  { now }: DrawingContext,
): string | undefined {
  return at === undefined ? undefined : clockTime(at, now);
}

/**
 * The texts of an entry in lower case: what each part on the page shows while
 * it is closed, and the details.
 */
export function searchableText(entry: TranscriptEntry) {
  const parts = drawnEntries(entry, { now: 0 }).map((drawn) => ({
    id: drawn.id,
    text: shownText(drawn).toLocaleLowerCase(),
  }));
  const details = detailsOf(entry).map((block) =>
    block.kind === 'change'
      ? [block.label, block.before, block.after].join('\n')
      : joinParts(
          '\n',
          'label' in block && block.label,
          'text' in block && block.text,
        ),
  );
  return { parts, details: details.join('\n').toLocaleLowerCase() };
}

export function shownText(drawn: DrawnEntry): string {
  return drawn.kind === 'message' ? drawn.text : plainPhrase(drawn.line);
}
