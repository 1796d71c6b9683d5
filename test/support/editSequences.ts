import fc from 'fast-check';
import { drawText, Tape } from './configTexts.ts';
import { changed, drawChange, type Editor } from './editOracle.ts';

/** Applies several changes in a row to random texts. */
export function editSequences(edit: Editor): fc.IProperty<[Uint8Array]> {
  return fc.property(
    fc.uint8Array({ minLength: 8, maxLength: 800, size: 'max' }),
    (bytes) => {
      const tape = new Tape(bytes);
      const count = 1 + tape.below(6);
      let text = tape.once(20)
        ? tape.pick(['', '\uFEFF', ' \r\n'])
        : drawText(tape);
      for (let i = 0; i < count; i++)
        text = changed(edit, text, drawChange(tape, text));
    },
  );
}
