/**
 * Describes an action and its result in one line, for pages, notices and
 * copies.
 */
import { t, words } from '../../../base/l10n.ts';
import type { ActionState, Phrase } from '../../../protocol/drawn.ts';
import type { Outcome } from '../../../state/transcript/transcriptEntry.ts';
import {
  fillPhrase,
  firstLine,
  type NamedAction,
  verbAndObject,
} from './actionWords.ts';

const sentences = words({
  'run.did': 'Ran {0}',
  'run.does': 'Running {0}',
  'run.wants': 'Wants to run {0}',
  'run.wanted': 'Wanted to run {0}',
  'edit.did': 'Edited {0}',
  'edit.does': 'Editing {0}',
  'edit.wants': 'Wants to edit {0}',
  'edit.wanted': 'Wanted to edit {0}',
  'create.did': 'Created {0}',
  'create.does': 'Creating {0}',
  'create.wants': 'Wants to create {0}',
  'create.wanted': 'Wanted to create {0}',
  'read.did': 'Read {0}',
  'read.does': 'Reading {0}',
  'read.wants': 'Wants to read {0}',
  'read.wanted': 'Wanted to read {0}',
  'search.did': 'Searched for {0}',
  'search.does': 'Searching for {0}',
  'search.wants': 'Wants to search for {0}',
  'search.wanted': 'Wanted to search for {0}',
  'browse.did': 'Opened {0}',
  'browse.does': 'Opening {0}',
  'browse.wants': 'Wants to open {0}',
  'browse.wanted': 'Wanted to open {0}',
  'think.did': 'Thought',
  'think.does': 'Thinking',
  'think.wants': 'Wants to think',
  'think.wanted': 'Wanted to think',
  'tasks.did': 'Updated the task list',
  'tasks.does': 'Updating the task list',
  'tasks.wants': 'Wants to update the task list',
  'tasks.wanted': 'Wanted to update the task list',
  'finish.did': 'Finished',
  'finish.does': 'Finishing',
  'finish.wants': 'Wants to finish',
  'finish.wanted': 'Wanted to finish',
  'tool.did': 'Used {0}',
  'tool.does': 'Using {0}',
  'tool.wants': 'Wants to use {0}',
  'tool.wanted': 'Wanted to use {0}',
});

function tenseOf(state: ActionState) {
  switch (state) {
    case 'waiting':
      return 'wants';
    case 'running':
      return 'does';
    case 'rejected':
      return 'wanted';
    case 'done':
    case 'failed':
    case 'stopped':
      return 'did';
  }
}

/**
 * The line of an action, with its result and duration, if known. File names are
 * relative to `folder`.
 */
export function actionLine(
  action: NamedAction,
  state: ActionState,
  outcome: Outcome | undefined,
  seconds: number | undefined,
  folder?: string,
): Phrase {
  const { verb, to } = verbAndObject(action);
  const isFile = verb === 'edit' || verb === 'create' || verb === 'read';
  const name = firstLine(isFile ? below(folder, to) : to);
  return [
    ...fillPhrase(sentences[`${verb}.${tenseOf(state)}`], name),
    ...whatBecame(state, outcome, seconds),
  ];
}

function below(folder: string | undefined, path: string): string {
  const start = folder === undefined ? '' : `${folder.replace(/\/$/, '')}/`;
  return start.length > 1 &&
    path.startsWith(start) &&
    path.length > start.length
    ? path.slice(start.length)
    : path;
}

function whatBecame(
  state: ActionState,
  outcome: Outcome | undefined,
  seconds: number | undefined,
): Phrase {
  if (!outcome) return [];
  const parts: Phrase[] = [];
  if (outcome.kind === 'rejection') {
    const { reason } = outcome;
    parts.push(
      reason === undefined
        ? [t('rejected')]
        : fillPhrase(t('rejected: {0}'), { text: firstLine(reason) }),
    );
  } else if (state === 'stopped') parts.push([t('stopped')]);
  else if (outcome.kind === 'error')
    parts.push(fillPhrase(t('failed: {0}'), { text: firstLine(outcome.text) }));
  else if (isUnfinished(outcome)) parts.push([t('not finished')]);
  else if (outcome.exitCode !== undefined)
    parts.push([t('exit code {0}', outcome.exitCode)]);
  else if (state === 'failed') parts.push([t('failed')]);
  if (seconds !== undefined) parts.push([durationWord(seconds)]);
  return parts.flatMap((part) => [', ', ...part]);
}

/**
 * Exit code -1 means that a command still runs, or could not start because
 * another one does.
 */
export function isUnfinished(outcome: Outcome): boolean {
  return outcome.kind === 'result' && outcome.exitCode === -1;
}

function durationWord(seconds: number): string {
  return seconds < 60
    ? t('{0} s', seconds)
    : t('{0} min {1} s', Math.floor(seconds / 60), seconds % 60);
}
