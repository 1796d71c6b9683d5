/** Fix All: applies all certain fixes, and nothing else. */
import type { Edit } from 'jsonc-parser';
import { t } from '../../base/l10n.ts';
import { isAtRoot, outline, type Outline } from '../format/outline.ts';
import { findProblems } from './findProblems.ts';
import type { Fix, Problem } from './problem.ts';
import { type Member, memberText, objectOf } from '../text/nodes.ts';
import { Refusal } from '../text/refusal.ts';
import { editsInOrder, withEdits } from '../text/withEdits.ts';

interface FixedText {
  readonly text: string;
  /** Edits of the old text; empty without certain fixes. */
  readonly edits: readonly Edit[];
}

/** Fixes that touch each other take turns. */
const mostRounds = 100;

/** Throws a Refusal if the fixes never end, or change anything else. */
export function fixAll(text: string, find: (text: string) => readonly Problem[] = findProblems): FixedText {
  const rounds = new EditRounds(text);
  let now = text;
  for (let round = 0; ; round++) {
    const edits = choose(find(now));
    if (edits.length === 0) break;
    const after = withEdits(now, edits);
    if (round === mostRounds || !keepsUntouched(now, edits, after)) throw unproven();
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

function choose(problems: readonly Problem[]): Edit[] {
  const first = certain(problems.filter(({ code }) => code === 'trailingComma' || code === 'byteOrderMark'));
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
  return problems.flatMap(({ fixes }) => fixes().find((fix) => fix.certain) ?? []);
}

function startOf({ edits }: Pick<Fix, 'edits'>): number {
  return Math.min(...edits.map(({ offset }) => offset));
}

/**
 * True if all comments and untouched members are still there, byte for byte and in order. The servers may have moved
 * from the root into `mcpServers`.
 */
export function keepsUntouched(before: string, edits: readonly Edit[], after: string): boolean {
  const old = outline(before);
  let now: Outline;
  try {
    now = outline(after);
  } catch {
    return false;
  }
  if (commentsOf(old) !== commentsOf(now) || old.blank !== now.blank) return false;
  if (old.blank) return true;
  const container = isAtRoot(old) ? now.servers : now.root;
  return container !== undefined && keepsMembers(old.root.members, edits, container.members);
}

function commentsOf({ text, comments }: Outline): string {
  return comments.map(({ start, end }) => text.slice(start, end)).join('\n');
}

function keepsMembers(before: readonly Member[], edits: readonly Edit[], after: readonly Member[]): boolean {
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
      ({ offset, length }) => offset < member.end && member.start < offset + length,
    );
    if (touching.length === 0) return follows((other) => memberText(member) === memberText(other));
    const inner = objectOf(member.value)?.members;
    const isInside = ({ offset, length }: Edit) =>
      member.value.start < offset && offset + length < member.end;
    // The fixes meant to rename, replace or remove it.
    if (!inner || !touching.every(isInside)) return true;
    return follows(({ name, value }) => {
      const others = name === member.name ? objectOf(value)?.members : undefined;
      return others !== undefined && keepsMembers(inner, touching, others);
    });
  });
}

/** A piece of a text: an old one with its offset, or a new one. */
interface Piece {
  readonly text: string;
  readonly from?: number;
}

/** Combines rounds of edits, each of the text after the one before, into edits of the first text. */
export class EditRounds {
  readonly #length: number;
  #pieces: readonly Piece[];

  constructor(text: string) {
    this.#length = text.length;
    this.#pieces = [{ text, from: 0 }];
  }

  apply(edits: readonly Edit[]): void {
    const ordered = editsInOrder(edits);
    const pieces: Piece[] = [];
    let start = 0;
    for (const piece of this.#pieces) {
      const end = start + piece.text.length;
      let at = start;
      while (ordered[0] && ordered[0].offset < end) {
        const { offset, length, content } = ordered[0];
        pieces.push(part(piece, at - start, offset - start), { text: content });
        at = Math.min(end, offset + length);
        ordered.shift();
        // The rest of the edit is in later pieces.
        if (offset + length > end)
          ordered.unshift({ offset: end, length: offset + length - end, content: '' });
      }
      pieces.push(part(piece, at - start, piece.text.length));
      start = end;
    }
    pieces.push(...ordered.map(({ content }) => ({ text: content })));
    this.#pieces = pieces.filter(({ text }) => text !== '');
  }

  get edits(): Edit[] {
    const edits: Edit[] = [];
    let reached = 0;
    let content = '';
    for (const { text, from } of [...this.#pieces, { text: '', from: this.#length }]) {
      if (from === undefined) content += text;
      else {
        if (content !== '' || from > reached)
          edits.push({ offset: reached, length: from - reached, content });
        reached = from + text.length;
        content = '';
      }
    }
    return edits;
  }
}

function part({ text, from }: Piece, start: number, end: number): Piece {
  const piece = { text: text.slice(start, end) };
  return from === undefined ? piece : { ...piece, from: from + start };
}
