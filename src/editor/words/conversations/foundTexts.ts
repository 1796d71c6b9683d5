/** What an entry says, for whoever looks for words in it. */
import type { Block, DrawnEntry } from '../../../protocol/drawn.ts';
import type { TranscriptEntry } from '../../../state/transcript/transcriptEntry.ts';
import { detailsOf, drawnEntries } from './eventWords.ts';

interface Texts {
  /** In lower case. */
  readonly shown: string;
  readonly details: string;
}

/** Entries are replaced when they change. */
const known = new WeakMap<TranscriptEntry, Texts>();

export function textsOf(entry: TranscriptEntry): Texts {
  const texts = known.get(entry) ?? {
    shown: drawnEntries(entry, { now: 0, confirmation: undefined })
      .map(shownText)
      .join('\n')
      .toLocaleLowerCase(),
    details: detailsOf(entry).map(blockText).join('\n').toLocaleLowerCase(),
  };
  known.set(entry, texts);
  return texts;
}

/** The part that is read while it is closed. */
export function shownText(drawn: DrawnEntry): string {
  if (drawn.kind === 'message' || drawn.kind === 'error') return drawn.text;
  return drawn.line
    .map((part) => (typeof part === 'string' ? part : 'code' in part ? part.code : part.text))
    .join('');
}

export function blockText(block: Block): string {
  switch (block.kind) {
    case 'note':
    case 'leftOut':
      return block.text;
    case 'change':
      return `${block.label}\n${block.before}\n${block.after}`;
    case 'picture':
      return block.label;
    case 'code':
    case 'output':
    case 'prose':
      return `${block.label}\n${block.text}`;
  }
}
