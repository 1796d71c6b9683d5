/** Commands that cannot be found. Only a host can look for them. */
import { t } from '../../base/l10n.ts';
import { entriesIn, quoted } from '../format/document.ts';
import { outline } from '../format/outline.ts';
import { isPlaceholder } from '../format/placeholders.ts';
import { Refusal } from '../text/refusal.ts';
import { hasReference } from '../format/variables.ts';
import { isLine } from '../cli/shellWords.ts';
import { problem, type Problem } from './problem.ts';
import type { Entry } from '../format/entry.ts';
import { stringOf } from '../text/nodes.ts';

interface CommandToFind {
  readonly command: string;
  readonly serverName: string;
  /** Where the command is in the text. */
  readonly start: number;
  readonly end: number;
}

/** The commands of the servers that count and are enabled. None for a text that cannot be read. */
export function commandsToFind(text: string): CommandToFind[] {
  return usableEntries(text).flatMap((entry) => {
    const field = entry.kind === 'local' ? entry.keys.get('command') : undefined;
    const command = stringOf(field?.value);
    if (!field || command === undefined || command.trim() === '') return [];
    // Of a line the first word is the program, but that is not what is said yet.
    if (isPlaceholder(command) || hasReference(command) || isLine(command)) return [];
    const { start, end } = field.value;
    return [{ command, serverName: entry.name, start, end }];
  });
}

/** The problem of a command that was not found. */
export function missingCommandProblem({ serverName, start, end }: CommandToFind): Problem {
  const message = t(
    'The command of {0} was not found on this machine. Install it, or enter its full path.',
    quoted(serverName),
  );
  return problem('commandNotFound', { start, end }, message);
}

/** The servers that count and are enabled; none of a text that cannot be read. */
export function usableEntries(text: string): Entry[] {
  try {
    return entriesIn(outline(text)).filter(({ enabled }) => enabled);
  } catch (error) {
    if (error instanceof Refusal) return [];
    throw error;
  }
}
