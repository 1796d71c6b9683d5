/** Variables that are not set. Only a host knows the environment. */
import { t } from '../../base/l10n.ts';
import type { Entry } from '../format/entry.ts';
import { type Node, rawOf, type Span } from '../text/nodes.ts';
import { referencesIn } from '../format/variables.ts';
import { usableEntries } from './missingCommands.ts';
import { problem, type Problem } from './problem.ts';

interface VariableToFind extends Span {
  readonly variable: string;
}

/** The variables without a default in the servers that count and are enabled. None for a text that cannot be read. */
export function variablesToFind(text: string): VariableToFind[] {
  return text.includes('${') ? usableEntries(text).flatMap(variablesOf) : [];
}

/** The problem of a variable that is not set. */
export function variableProblem({ start, end }: VariableToFind): Problem {
  const message = t(
    'This variable is not set here. The agent may run elsewhere, or have a secret of this name.',
  );
  return problem('variableNotSet', { start, end }, message);
}

function variablesOf(entry: Entry): VariableToFind[] {
  const own = new Set(entry.record('env')?.members.map(({ name }) => name));
  return [...entry.keys].flatMap(([key, { value }]) =>
    stringsIn(value).flatMap((node) =>
      referencesIn(rawOf(node))
        // Some programs replace variables in their arguments themselves, from their own environment.
        .filter(({ name, hasDefault }) => !hasDefault && !(key === 'args' && own.has(name)))
        .map(({ name, start, end }) => ({
          variable: name,
          start: node.start + start,
          end: node.start + end,
        })),
    ),
  );
}

function stringsIn(node: Node): Node[] {
  if (node.type === 'object') return node.members.flatMap(({ value }) => stringsIn(value));
  if (node.type === 'array') return node.items.flatMap(stringsIn);
  return node.type === 'string' ? [node] : [];
}
