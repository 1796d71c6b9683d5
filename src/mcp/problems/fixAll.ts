/** Fix All: everything that is certain, and nothing else. */
import type { Edit } from 'jsonc-parser';
import { t } from '../../base/l10n.ts';
import { withEdits } from '../text/withEdits.ts';
import { Refusal } from '../text/refusal.ts';
import { keepsTheRest } from './fixAllProof.ts';
import type { Fix, Problem } from './problem.ts';
import { findProblems } from './findProblems.ts';
import { Rounds } from './rounds.ts';

interface FixedText {
  readonly text: string;
  /** Of the text as it was. Empty where there was nothing to fix. */
  readonly edits: readonly Edit[];
}

/** More rounds than any text needs: fixes that touch each other take turns. */
const mostRounds = 100;

/** Throws a Refusal where the fixes would not end, or change what they do not mean to. */
export function fixAll(text: string, find: (text: string) => readonly Problem[] = findProblems): FixedText {
  const rounds = new Rounds(text);
  let now = text;
  for (let round = 0; ; round++) {
    const edits = choose(find(now));
    if (edits.length === 0) break;
    const after = withEdits(now, edits);
    if (round === mostRounds || !keepsTheRest(now, edits, after)) throw unproven();
    rounds.apply(edits);
    now = after;
  }
  return { text: now, edits: rounds.edits };
}

function unproven(): Refusal {
  return new Refusal(
    'unproven',
    t(
      'Nothing was fixed, because something else would have changed too. Fix the problems one by one, and please report this.',
    ),
  );
}

/** The edits of certain fixes that do not touch each other. */
function choose(problems: readonly Problem[]): Edit[] {
  const first = certain(problems.filter(({ code }) => code === 'trailingComma' || code === 'byteOrderMark'));
  // Where what is added goes to depends on trailing commas, so they go first.
  const fixes = first.length > 0 ? first : certain(problems);
  const chosen: Edit[] = [];
  let reached = -1;
  for (const { edits } of fixes.sort((a, b) => startOf(a) - startOf(b))) {
    if (startOf({ edits }) <= reached) continue;
    chosen.push(...edits);
    reached = Math.max(...edits.map(({ offset, length }) => offset + length));
  }
  return chosen;
}

function certain(problems: readonly Problem[]): Pick<Fix, 'edits'>[] {
  return problems.flatMap(({ fixes }) => fixes.find((fix) => fix.certain) ?? []);
}

function startOf({ edits }: Pick<Fix, 'edits'>): number {
  return Math.min(...edits.map(({ offset }) => offset));
}
