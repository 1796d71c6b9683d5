/** Fix All: everything that is certain, and nothing else. */
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

/**
 * Whether after the edits there still is, to the byte and in its place, every member that they do not touch, and every
 * comment. The servers may have come from the root into `mcpServers`.
 */
export function keepsTheRest(before: string, edits: readonly Edit[], after: string): boolean {
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
  // What is new in between is passed over.
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
    // What is renamed, replaced or removed as a whole is what the fixes mean.
    if (!inner || !touching.every(isInside)) return true;
    return follows(({ name, value }) => {
      const others = name === member.name ? objectOf(value)?.members : undefined;
      return others !== undefined && keepsMembers(inner, touching, others);
    });
  });
}

/** A piece of a text: one that was in it from the beginning, and where, or one that has come. */
interface Piece {
  readonly text: string;
  readonly from?: number;
}

/** Edits in several rounds, each of the text after the one before, as edits of the text as it was first. */
export class Rounds {
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
        // What it takes of the pieces after this one.
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
