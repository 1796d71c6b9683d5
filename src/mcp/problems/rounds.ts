import type { Edit } from 'jsonc-parser';
import { editsInOrder } from '../text/withEdits.ts';

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
