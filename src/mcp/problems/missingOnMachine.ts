/**
 * Commands and variables that may be missing on this machine. Only a host can
 * look for them.
 */
import { t } from '../../base/l10n.ts';
import { isLine } from '../cli/shellWords.ts';
import { entriesIn, quotedName } from '../format/document.ts';
import type { Entry } from '../format/entry.ts';
import { outline } from '../format/outline.ts';
import { isPlaceholder } from '../format/placeholders.ts';
import { hasReference, referencesIn } from '../format/variables.ts';
import { createProblem, type Problem } from './problem.ts';
import { type Node, rawOf, type Span, stringOf } from '../text/nodes.ts';
import { Refusal } from '../text/refusal.ts';

/** A command, with its place in the text. */
interface CommandToFind extends Span {
  readonly command: string;
  readonly serverName: string;
}

/** The commands of the enabled servers; none for an unreadable text. */
export function commandsToFind(text: string): CommandToFind[] {
  return usableEntries(text).flatMap((entry) => {
    const field =
      entry.kind === 'local' ? entry.keys.get('command') : undefined;
    const command = stringOf(field?.value);
    if (!field || command === undefined || command.trim() === '') return [];
    // checkLineCommand reports a line.
    if (isPlaceholder(command) || hasReference(command) || isLine(command))
      return [];
    const { start, end } = field.value;
    return [{ command, serverName: entry.name, start, end }];
  });
}

export function missingCommandProblem({
  serverName,
  start,
  end,
}: CommandToFind): Problem {
  const message = t(
    'The command of {0} was not found on this machine. Install it, or enter its full path.',
    quotedName(serverName),
  );
  return createProblem('commandNotFound', { start, end }, message);
}

function usableEntries(text: string): Entry[] {
  try {
    return entriesIn(outline(text)).filter(({ enabled }) => enabled);
  } catch (error) {
    if (error instanceof Refusal) return [];
    throw error;
  }
}

interface VariableToFind extends Span {
  readonly variable: string;
}

/**
 * The variables without a default in the enabled servers; none for an
 * unreadable text.
 */
export function variablesToFind(text: string): VariableToFind[] {
  return text.includes('${') ? usableEntries(text).flatMap(variablesOf) : [];
}

export function variableProblem({ start, end }: VariableToFind): Problem {
  const message = t(
    'This variable is not set here. The agent may run elsewhere, or have a secret of this name.',
  );
  return createProblem('variableNotSet', { start, end }, message);
}

function variablesOf(entry: Entry): VariableToFind[] {
  const own = new Set(entry.record('env')?.members.map(({ name }) => name));
  return [...entry.keys].flatMap(([key, { value }]) =>
    stringsIn(value).flatMap((node) =>
      referencesIn(rawOf(node))
        // Some programs replace variables in their arguments themselves.
        .filter(
          ({ name, hasDefault }) =>
            !hasDefault && !(key === 'args' && own.has(name)),
        )
        .map(({ name, start, end }) => ({
          variable: name,
          start: node.start + start,
          end: node.start + end,
        })),
    ),
  );
}

function stringsIn(node: Node): Node[] {
  if (node.type === 'object')
    return node.members.flatMap(({ value }) => stringsIn(value));
  if (node.type === 'array') return node.items.flatMap(stringsIn);
  return node.type === 'string' ? [node] : [];
}
