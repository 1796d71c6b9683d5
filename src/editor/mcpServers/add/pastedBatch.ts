/** The servers of a text that was pasted, while what is missing of them is asked for. Imports no editor. */
import { t } from '../../../base/l10n.ts';
import { plainText } from '../../../base/plainText.ts';
import type { Secret } from '../../../base/secret.ts';
import type { Change } from '../../../mcp/edit/wantedChange.ts';
import { targetText } from '../../../mcp/format/mask.ts';
import { fillPlaceholder } from '../../../mcp/pasted/serverPlaceholders.ts';
import type { PastedServer, PastedPlaceholder } from '../../../mcp/pasted/pastedServer.ts';
import type { Server } from '../../../mcp/format/server.ts';
import { hasSpaces, isHeaderValue, isVariableValue } from '../../../mcp/format/serverRules.ts';
import { freeName } from './serverDraft.ts';

/** What to do with a server whose name is taken. */
export type NameResolution = 'rename' | 'replace' | 'skip';

export interface BatchItem {
  readonly pasted: PastedServer;
  /** Whether the person wants it at all. */
  chosen: boolean;
  /** Empty until it is known. */
  name: string;
  resolution: NameResolution | undefined;
  /** The name in place of one that is taken. */
  rename: string;
  readonly answers: Map<PastedPlaceholder, Secret>;
}

export interface PastedBatch {
  readonly items: readonly BatchItem[];
  /** Sentences about what was not understood. */
  readonly problems: readonly string[];
  readonly source: 'clipboard' | 'typed';
  /** Which question was asked last. */
  at: number;
}

/** The batch of a flow that was given up. */
export interface UnfinishedBatch {
  batch?: PastedBatch | undefined;
}

export function batchItem(pasted: PastedServer): BatchItem {
  return {
    pasted,
    chosen: true,
    name: pasted.name ?? '',
    resolution: undefined,
    rename: '',
    answers: new Map(),
  };
}

/** Whether anything has been answered about it. */
export function isTouched({ pasted, chosen, name, resolution, answers }: BatchItem): boolean {
  return !chosen || name !== (pasted.name ?? '') || resolution !== undefined || answers.size > 0;
}

/** The names that servers before this one in the text will have. */
export function namesBefore(item: BatchItem, items: readonly BatchItem[]): ReadonlySet<string> {
  return new Set(items.slice(0, items.indexOf(item)).filter(isAdded).map(finalName));
}

export function isAdded({ chosen, resolution }: BatchItem): boolean {
  return chosen && resolution !== 'skip';
}

export function finalName({ name, rename, resolution }: BatchItem): string {
  return resolution === 'rename' ? rename : name;
}

/** A name for one that has none, or none of its own. */
export function nameSuggestion(item: BatchItem, taken: ReadonlySet<string>): string {
  return freeName(item.name || item.pasted.suggestedName, taken);
}

export function serverOfItem({ pasted, answers }: BatchItem): Server {
  return [...answers]
    .filter(([, answer]) => answer.reveal() !== '')
    .reduce(
      (server, [placeholder, answer]) => fillPlaceholder(server, placeholder, answer.reveal()),
      pasted.server,
    );
}

/** What was answered unseen. */
export function secretsOf(items: readonly BatchItem[]): Secret[] {
  return items.flatMap(({ answers }) =>
    [...answers].flatMap(([placeholder, answer]) => (isHidden(placeholder) ? [answer] : [])),
  );
}

export function changesOf(items: readonly BatchItem[]): Change[] {
  return items.filter(isAdded).map((item) => ({
    do: item.resolution === 'replace' ? 'replace' : 'add',
    name: finalName(item),
    server: serverOfItem(item),
    enabled: item.pasted.enabled,
    extra: item.pasted.extra,
  }));
}

/** A server of the text in a list: what it is, what is still asked for, and what is not as it was in the text. */
export function itemWords({ pasted }: BatchItem): { label: string; description: string; detail: string } {
  const { name, suggestedName, server, placeholders } = pasted;
  const asked = [
    ...(name === undefined ? [t('its name')] : []),
    ...new Set(placeholders.map(({ text }) => plainText(text, 40))),
  ];
  const sentences = [
    ...(asked.length > 0 ? [t('Asked for next: {0}.', asked.join(', '))] : []),
    ...pasted.notes,
  ];
  const facts = [
    ...(pasted.isGuess ? [t('a guess')] : []),
    server.transport,
    plainText(targetText(server), 100),
    ...(pasted.enabled ? [] : [t('disabled')]),
  ];
  return {
    label: name ?? t('{0} (suggested)', suggestedName),
    description: facts.join(' · '),
    detail: sentences.join(' '),
  };
}

/** The question before, and the message once they are in the file. */
export function actionWords(items: readonly BatchItem[], isDone: boolean): string {
  const added = items.filter(isAdded);
  const replaced = added.filter(({ resolution }) => resolution === 'replace');
  const fresh = added.filter(({ resolution }) => resolution !== 'replace');
  const [news, olds] = [namesOf(fresh), namesOf(replaced)];
  if (replaced.length === 0) return isDone ? t('Added {0}', news) : t('Add {0}', news);
  if (fresh.length === 0) return isDone ? t('Replaced {0}', olds) : t('Replace {0}', olds);
  return isDone ? t('Added {0} and replaced {1}', news, olds) : t('Add {0} and replace {1}', news, olds);
}

function namesOf(items: readonly BatchItem[]): string {
  const [one] = items;
  return items.length === 1 && one
    ? t('“{0}”', plainText(finalName(one), 80))
    : t('{0} MCP servers', items.length);
}

/** The message once they are in the file. */
export function batchMessage(items: readonly BatchItem[]): string {
  const added = items.filter(isAdded);
  const left = added.flatMap(({ pasted, answers }) =>
    pasted.placeholders.filter((each) => (answers.get(each)?.reveal() ?? '') === ''),
  );
  const sentences = [
    ...(left.length === 1 ? [t('One value still needs to be filled in.')] : []),
    ...(left.length > 1 ? [t('{0} values still need to be filled in.', left.length)] : []),
    ...new Set(added.flatMap(({ pasted }) => pasted.notes)),
  ];
  return [`${actionWords(items, true)}.`, ...sentences].join(' ');
}

/** Where a placeholder is, in words. */
export function placeholderWords({ place }: PastedPlaceholder): string {
  switch (place.in) {
    case 'env':
      return t('the variable {0}', plainText(place.name, 60));
    case 'header':
      return t('the header {0}', plainText(place.name, 60));
    case 'argument':
      return t('argument {0}', place.index + 1);
    case 'command':
      return t('the command');
    case 'url':
      return t('the URL');
    case 'auth':
      return t('the authentication');
  }
}

/** A path is not a secret, and is hard to type unseen. */
export function isHidden({ text }: PastedPlaceholder): boolean {
  return !/[\\/]/.test(text);
}

/** What an answer would break. Never repeats it. */
export function answerProblem({ place }: PastedPlaceholder, answer: string): string | undefined {
  const isAllowed = place.in === 'env' ? isVariableValue(answer) : isHeaderValue(answer);
  if (!isAllowed) return t('The value has a line break or another control character.');
  if (place.in === 'url' && hasSpaces(answer)) return t('A URL cannot contain spaces.');
  return undefined;
}
