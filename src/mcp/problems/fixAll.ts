/** Fix All: applies all certain fixes, and nothing else. */
import type { Edit } from 'jsonc-parser';
import { t } from '../../base/l10n.ts';
import { isAtRoot, outline, type Outline } from '../format/outline.ts';
import { findProblems } from './findProblems.ts';
import type { Fix, Problem } from './problem.ts';
import { type Member, objectOf, rawOf } from '../text/nodes.ts';
import { Refusal } from '../text/refusal.ts';
import { withEdits } from '../text/withEdits.ts';

/** Fixes that touch each other take turns. */
const maxRounds = 100;

/**
 * Returns the fixed text. Throws a Refusal if the fixes never end, or change
 * anything else.
 */
export function fixAll(
  text: string,
  find: (text: string) => readonly Problem[] = findProblems,
): string {
  let now = text;
  for (let round = 0; ; round++) {
    const edits = choose(find(now));
    if (edits.length === 0) break;
    const before = now;
    now = withEdits(before, edits);
    if (round === maxRounds || !keepsUntouched(before, edits, now))
      throw unproven();
  }
  return now;
}

function unproven(): Refusal {
  return new Refusal(
    'unproven',
    t(
      'Nothing was fixed, because something else would have changed too. Fix the problems one by one, and please report this.',
    ),
  );
}

function choose(problems: readonly Problem[]): Edit[] {
  const first = certain(
    problems.filter(
      ({ code }) => code === 'trailingComma' || code === 'byteOrderMark',
    ),
  );
  // Trailing commas go first, because they determine the place of insertions.
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
  return problems.flatMap(
    ({ fixes }) => fixes().find((fix) => fix.certain) ?? [],
  );
}

function startOf({ edits }: Pick<Fix, 'edits'>): number {
  return Math.min(...edits.map(({ offset }) => offset));
}

/**
 * True if all comments and untouched members are still there, byte for byte and
 * in order. The servers may have moved from the root into `mcpServers`.
 */
export function keepsUntouched(
  before: string,
  edits: readonly Edit[],
  after: string,
): boolean {
  const old = outline(before);
  let now: Outline;
  try {
    now = outline(after);
  } catch {
    return false;
  }
  if (commentsOf(old) !== commentsOf(now) || old.blank !== now.blank)
    return false;
  if (old.blank) return true;
  const container = isAtRoot(old) ? now.servers : now.root;
  return (
    container !== undefined &&
    keepsMembers(old.root.members, edits, container.members)
  );
}

function commentsOf({ text, comments }: Outline): string {
  return comments.map(({ start, end }) => text.slice(start, end)).join('\n');
}

function keepsMembers(
  before: readonly Member[],
  edits: readonly Edit[],
  after: readonly Member[],
): boolean {
  let at = 0;
  // Skips new members.
  const follows = (isIt: (member: Member) => boolean) => {
    while (at < after.length) {
      const member = after[at++];
      if (member && isIt(member)) return true;
    }
    return false;
  };
  return before.every((member) => {
    const touching = edits.filter(
      ({ offset, length }) =>
        offset < member.end && member.start < offset + length,
    );
    if (touching.length === 0)
      return follows((other) => rawOf(member) === rawOf(other));
    const inner = objectOf(member.value)?.members;
    const isInside = ({ offset, length }: Edit) =>
      member.value.start < offset && offset + length < member.end;
    // Fixes may rename, replace or remove the whole member.
    if (!inner || !touching.every(isInside)) return true;
    return follows(({ name, value }) => {
      const members =
        name === member.name ? objectOf(value)?.members : undefined;
      return members !== undefined && keepsMembers(inner, touching, members);
    });
  });
}
