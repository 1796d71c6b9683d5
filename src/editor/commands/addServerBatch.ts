/** The servers of a text that was pasted, while what is missing of them is asked for. Imports no editor. */
import { plainText } from '../../base/plainText.ts';
import type { Secret } from '../../base/secret.ts';
import type { Change } from '../../mcp/edit.ts';
import { targetText } from '../../mcp/mask.ts';
import { fillPlaceholder } from '../../mcp/pasted/placeholders.ts';
import type { PastedServer, Placeholder } from '../../mcp/pasted/types.ts';
import type { Server } from '../../mcp/server.ts';
import { freeName } from './addServerDraft.ts';

/** What is done with a server whose name is taken. */
export type Resolution = 'rename' | 'replace' | 'skip';

export interface Item {
  readonly pasted: PastedServer;
  /** Whether the person wants it at all. */
  chosen: boolean;
  /** Empty until it is known. */
  name: string;
  resolution: Resolution | undefined;
  /** The name in place of one that is taken. */
  rename: string;
  readonly answers: Map<Placeholder, Secret>;
}

export interface Batch {
  readonly items: readonly Item[];
  /** Sentences about what was not understood. */
  readonly problems: readonly string[];
  readonly source: 'clipboard' | 'typed';
  /** Which question was asked last. */
  at: number;
}

export function itemOf(pasted: PastedServer): Item {
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
export function isTouched({ pasted, chosen, name, resolution, answers }: Item): boolean {
  return !chosen || name !== (pasted.name ?? '') || resolution !== undefined || answers.size > 0;
}

/** The names that servers before this one in the text will have. */
export function namesBefore(item: Item, items: readonly Item[]): ReadonlySet<string> {
  return new Set(items.slice(0, items.indexOf(item)).filter(isAdded).map(finalName));
}

export function isAdded({ chosen, resolution }: Item): boolean {
  return chosen && resolution !== 'skip';
}

export function finalName({ name, rename, resolution }: Item): string {
  return resolution === 'rename' ? rename : name;
}

/** A name for one that has none, or none of its own. */
export function suggestionFor(item: Item, taken: ReadonlySet<string>): string {
  return freeName(item.name || item.pasted.suggestedName, taken);
}

export function serverOfItem({ pasted, answers }: Item): Server {
  return [...answers]
    .filter(([, answer]) => answer.reveal() !== '')
    .reduce(
      (server, [placeholder, answer]) => fillPlaceholder(server, placeholder, answer.reveal()),
      pasted.server,
    );
}

/** What was answered unseen. */
export function secretsOf(items: readonly Item[]): Secret[] {
  return items.flatMap(({ answers }) =>
    [...answers].flatMap(([placeholder, answer]) => (isHidden(placeholder) ? [answer] : [])),
  );
}

export function changesOf(items: readonly Item[]): Change[] {
  return items.filter(isAdded).map((item) => ({
    do: item.resolution === 'replace' ? 'replace' : 'add',
    name: finalName(item),
    server: serverOfItem(item),
    enabled: item.pasted.enabled,
    extra: item.pasted.extra,
  }));
}

/** A server of the text in a list: what it is, what is still asked for, and what is not as it was in the text. */
export function itemWords({ pasted }: Item): { label: string; description: string; detail: string } {
  const { name, suggestedName, server, placeholders } = pasted;
  const asked = [
    ...(name === undefined ? ['its name'] : []),
    ...new Set(placeholders.map(({ text }) => plainText(text, 40))),
  ];
  const sentences = [
    ...(asked.length > 0 ? [`Asked for next: ${asked.join(', ')}.`] : []),
    ...losses(pasted),
  ];
  return {
    label: name ?? `${suggestedName} (suggested)`,
    description: `${server.transport} · ${plainText(targetText(server), 100)}${pasted.enabled ? '' : ' · disabled'}`,
    detail: sentences.join(' '),
  };
}

/** Sentences about what is not as it was in the text. */
export function losses({ notes }: PastedServer): readonly string[] {
  return notes;
}

/** What is asked before, and said once they are in the file: `Add`, `Replace` and `Added`, `Replaced`. */
export function actionWords(items: readonly Item[], isDone: boolean): string {
  const added = items.filter(isAdded);
  const [replacing, adding] = [true, false].map((does) =>
    added.filter(({ resolution }) => (resolution === 'replace') === does),
  );
  const phrases = [
    [isDone ? 'added' : 'add', adding ?? []] as const,
    [isDone ? 'replaced' : 'replace', replacing ?? []] as const,
  ].flatMap(([verb, some]) => (some.length > 0 ? [`${verb} ${namesOf(some)}`] : []));
  const words = phrases.join(' and ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function namesOf(items: readonly Item[]): string {
  const [one] = items;
  return items.length === 1 && one ? `“${plainText(finalName(one), 80)}”` : `${items.length} MCP servers`;
}

/** What is said once they are in the file. */
export function doneWords(items: readonly Item[]): string {
  const added = items.filter(isAdded);
  const left = added.flatMap(({ pasted, answers }) =>
    pasted.placeholders.filter((each) => (answers.get(each)?.reveal() ?? '') === ''),
  );
  const sentences = [
    ...(left.length > 0
      ? [`${left.length === 1 ? 'One value is' : `${left.length} values are`} still to be filled in.`]
      : []),
    ...new Set(added.flatMap(({ pasted }) => losses(pasted))),
  ];
  return [`${actionWords(items, true)}.`, ...sentences].join(' ');
}

/** Where a placeholder stands, in words. */
export function placeWords({ place }: Placeholder): string {
  switch (place.in) {
    case 'env':
      return `the variable ${plainText(place.name, 60)}`;
    case 'header':
      return `the header ${plainText(place.name, 60)}`;
    case 'argument':
      return `argument ${place.index + 1}`;
    case 'command':
      return 'the command';
    case 'url':
      return 'the URL';
    case 'auth':
      return 'the authentication';
  }
}

/** A path is no secret, and is hard to type unseen. */
export function isHidden({ text }: Placeholder): boolean {
  return !/[\\/]/.test(text);
}

/** What an answer would break. Never repeats it. */
export function answerProblem({ place }: Placeholder, answer: string): string | undefined {
  if (/[^\t\P{Cc}]/u.test(answer)) return 'The value has a line break or another control character.';
  if (place.in === 'url' && /\s/.test(answer)) return 'A URL has no spaces in it.';
  return undefined;
}
