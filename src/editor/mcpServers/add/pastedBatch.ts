/**
 * Pasted servers while their missing parts are asked for. Does not import
 * vscode.
 */
import { t } from '../../../base/l10n.ts';
import { plainText } from '../../../base/plainText.ts';
import type { Secret } from '../../../base/secret.ts';
import { joinParts, present } from '../../../base/parts.ts';
import type { Change } from '../../../mcp/edit/wantedChange.ts';
import { targetText } from '../../../mcp/format/mask.ts';
import { fillPlaceholder } from '../../../mcp/pasted/serverPlaceholders.ts';
import type {
  PastedServer,
  PastedPlaceholder,
} from '../../../mcp/pasted/pastedServer.ts';
import type { Server } from '../../../mcp/format/server.ts';
import {
  hasSpaces,
  isHeaderValue,
  isVariableValue,
} from '../../../mcp/format/serverRules.ts';
import { freeName, type ServerDraft } from './serverDraft.ts';

export type NameResolution = 'rename' | 'replace' | 'skip';

export interface BatchItem {
  readonly pasted: PastedServer;
  chosen: boolean;
  name: string;
  resolution: NameResolution | undefined;
  /** The new name if the name is taken. */
  rename: string;
  readonly answers: Map<PastedPlaceholder, Secret>;
}

export interface PastedBatch {
  readonly items: readonly BatchItem[];
  /** Sentences about parts that were not understood. */
  readonly problems: readonly string[];
  readonly source: 'clipboard' | 'typed';
  at: number;
}

/**
 * Answers of flows that were given up. They may hold secrets and are kept only
 * in this window.
 */
export interface UnfinishedFlows {
  server?: ServerDraft | undefined;
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

export function isTouched({
  pasted,
  chosen,
  name,
  resolution,
  answers,
}: BatchItem): boolean {
  return (
    !chosen ||
    name !== (pasted.name ?? '') ||
    resolution !== undefined ||
    answers.size > 0
  );
}

/** The names of earlier servers in the text. */
export function namesBefore(
  item: BatchItem,
  items: readonly BatchItem[],
): ReadonlySet<string> {
  return new Set(
    items.slice(0, items.indexOf(item)).filter(isAdded).map(finalName),
  );
}

export function isAdded({ chosen, resolution }: BatchItem): boolean {
  return chosen && resolution !== 'skip';
}

export function finalName({ name, rename, resolution }: BatchItem): string {
  return resolution === 'rename' ? rename : name;
}

export function nameSuggestion(
  item: BatchItem,
  taken: ReadonlySet<string>,
): string {
  return freeName(item.name || item.pasted.suggestedName, taken);
}

export function serverOfItem({ pasted, answers }: BatchItem): Server {
  return [...answers]
    .filter(([, answer]) => answer.reveal() !== '')
    .reduce(
      (server, [placeholder, answer]) =>
        fillPlaceholder(server, placeholder, answer.reveal()),
      pasted.server,
    );
}

export function secretsOf(items: readonly BatchItem[]): Secret[] {
  return items.flatMap(({ answers }) =>
    [...answers].flatMap(([placeholder, answer]) =>
      isHidden(placeholder) ? [answer] : [],
    ),
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

export function itemWords({ pasted }: BatchItem): {
  label: string;
  description: string;
  detail: string;
} {
  const { name, suggestedName, server, placeholders } = pasted;
  const missingParts = present(
    name === undefined && t('its name'),
    ...new Set(placeholders.map(({ text }) => plainText(text, 40))),
  );
  const detail = joinParts(
    ' ',
    missingParts.length > 0 &&
      t('You are asked next for: {0}.', missingParts.join(', ')),
    ...pasted.notes,
  );
  const description = joinParts(
    ' · ',
    pasted.isGuess && t('a guess'),
    server.transport,
    plainText(targetText(server), 100),
    !pasted.enabled && t('disabled'),
  );
  return {
    label: name ?? t('{0} (suggested)', suggestedName),
    description,
    detail,
  };
}

/** Describes the action before it is done, or its result. */
export function actionWords(
  items: readonly BatchItem[],
  isDone: boolean,
): string {
  const added = items.filter(isAdded);
  const replaced = added.filter(({ resolution }) => resolution === 'replace');
  const newItems = added.filter(({ resolution }) => resolution !== 'replace');
  const newNames = namesOf(newItems);
  const replacedNames = namesOf(replaced);
  if (replaced.length === 0)
    return isDone ? t('Added {0}', newNames) : t('Add {0}', newNames);
  if (newItems.length === 0)
    return isDone
      ? t('Replaced {0}', replacedNames)
      : t('Replace {0}', replacedNames);
  return isDone
    ? t('Added {0} and replaced {1}', newNames, replacedNames)
    : t('Add {0} and replace {1}', newNames, replacedNames);
}

function namesOf(items: readonly BatchItem[]): string {
  const [one] = items;
  return items.length === 1 && one
    ? t('“{0}”', plainText(finalName(one), 80))
    : t('{0} MCP servers', items.length);
}

export function batchMessage(items: readonly BatchItem[]): string {
  const added = items.filter(isAdded);
  const left = added.flatMap(({ pasted, answers }) =>
    pasted.placeholders.filter(
      (placeholder) => (answers.get(placeholder)?.reveal() ?? '') === '',
    ),
  );
  return joinParts(
    ' ',
    `${actionWords(items, true)}.`,
    left.length === 1 && t('One value still needs to be filled in.'),
    left.length > 1 && t('{0} values still need to be filled in.', left.length),
    ...new Set(added.flatMap(({ pasted }) => pasted.notes)),
  );
}

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

/** Paths are not secret, and hard to type unseen. */
export function isHidden({ text }: PastedPlaceholder): boolean {
  return !/[\\/]/.test(text);
}

/** Never quotes the answer. */
export function answerProblem(
  { place }: PastedPlaceholder,
  answer: string,
): string | undefined {
  const isAllowed =
    place.in === 'env' ? isVariableValue(answer) : isHeaderValue(answer);
  if (!isAllowed)
    return t('The value has a line break or another control character.');
  if (place.in === 'url' && hasSpaces(answer))
    return t('A URL cannot contain spaces.');
  return undefined;
}
