/** What is wrong with the text of mcp.json, and how to fix it. Runs at every key that is typed. */
import { t } from '../../base/l10n.ts';
import { outline, type Outline } from '../format/outline.ts';
import { allLevels } from '../text/reader.ts';
import { Refusal, type RefusalKind } from '../text/refusal.ts';
import type { ProblemCode } from './codes.ts';
import { checkContainers } from './containers.ts';
import { checkServerEntries } from './checkServerEntries.ts';
import { replaceSpan } from './fixes.ts';
import { checkStrictness } from './strictness.ts';
import { problem, type Problem, Review } from './problem.ts';

export type { ProblemCode, Severity } from './codes.ts';
export type { Fix, Problem, Related } from './problem.ts';

/** In the order of the text. For a text that cannot be read, the one reason. */
export function findProblems(text: string): Problem[] {
  const found = read(text);
  if ('code' in found) return [found];
  const review = new Review(found);
  checkStrictness(review);
  if (!found.blank) {
    checkContainers(review);
    if (found.servers) checkServerEntries(review, found.servers);
  }
  return review.problems.sort((a, b) => a.start - b.start);
}

function read(text: string): Outline | Problem {
  try {
    return outline(text, allLevels);
  } catch (error) {
    if (error instanceof Refusal) return refused(error, text);
    throw error;
  }
}

function refused({ kind, what, position }: Refusal, text: string): Problem {
  const codes: Partial<Record<RefusalKind, ProblemCode>> = {
    syntax: 'syntax',
    wrongType: 'wrongType',
    tooDeep: 'tooDeep',
  };
  const offset = position?.offset ?? 0;
  const start = Math.max(0, Math.min(offset, text.length - 1));
  // What the editor shows at a place does not need to name it.
  const message = what.charAt(0).toUpperCase() + what.slice(1);
  const isNull = kind === 'wrongType' && text.startsWith('null', offset);
  const end = Math.min(start + (isNull ? 4 : 1), text.length);
  const edits = [replaceSpan({ start, end }, '{}')];
  return problem(codes[kind] ?? 'tooBig', { start, end }, message, {
    fixes: () => (isNull ? [{ title: t('Change to {0}', '{}'), edits, certain: false }] : []),
  });
}
