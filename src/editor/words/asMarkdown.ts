/** What happened, as Markdown that can be pasted elsewhere. */
import { t } from '../../base/l10n.ts';
import type { Block, DrawnEntry, Phrase } from '../../protocol/drawn.ts';
import { visibleText } from '../../protocol/visible.ts';
import type { TranscriptEntry } from '../../state/transcriptEntry.ts';
import { type DrawingContext, detailsOf, drawnEntries } from './eventWords.ts';
import { inertMarkdown } from './inertMarkdown.ts';

/** All of them, with what was done in one line each. */
export function asMarkdown(
  title: string,
  entries: readonly TranscriptEntry[],
  circumstances: DrawingContext,
): string {
  const parts = entries.flatMap((entry) => drawnEntries(entry, circumstances)).map(entryText);
  return inertMarkdown(`${[`# ${title.replaceAll('\n', ' ')}`, ...parts].join('\n\n')}\n`);
}

/** One of them, whole. */
export function entryAsMarkdown(entry: TranscriptEntry, circumstances: DrawingContext): string {
  const parts = drawnEntries(entry, circumstances).map(entryText);
  const all = [...parts, ...detailsOf(entry).map(blockText)].filter((part) => part !== '');
  return inertMarkdown(`${all.join('\n\n')}\n`);
}

function entryText(drawn: DrawnEntry): string {
  switch (drawn.kind) {
    case 'message':
      return `**${[drawn.name, drawn.time].filter(Boolean).join(', ')}**\n\n${drawn.text}`;
    case 'action':
      return `- ${phraseText(drawn.line)}`;
    case 'error':
      return drawn.text;
    case 'line':
    case 'other':
      return `*${phraseText(drawn.line)}*`;
  }
}

function phraseText(phrase: Phrase): string {
  return phrase
    .map((part) => (typeof part === 'string' ? part : 'code' in part ? inCode(part.code) : part.text))
    .join('');
}

function blockText(block: Block): string {
  switch (block.kind) {
    case 'note':
    case 'leftOut':
      return block.text;
    case 'prose':
      return [block.label, block.text].filter(Boolean).join('\n\n');
    case 'code':
    case 'output':
      return [block.label, fenced(block.text)].filter(Boolean).join('\n\n');
    case 'change':
      return [block.label, t('Before:'), fenced(block.before), t('After:'), fenced(block.after)].join('\n\n');
    case 'picture':
      return t('Picture');
  }
}

/** With more marks than there are in it. */
function inCode(given: string): string {
  const text = visibleText(given, 'code');
  const marks = '`'.repeat(longestRun(text) + 1);
  const blank = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${marks}${blank}${text}${blank}${marks}`;
}

function fenced(text: string): string {
  const marks = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${marks}\n${text}\n${marks}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}
