/** Copies entries as Markdown that is safe to paste elsewhere. */
import { randomUUID } from 'node:crypto';
import { t } from '../../../base/l10n.ts';
import type { DetailBlock, DrawnEntry } from '../../../protocol/drawn.ts';
import { visibleText } from '../../../protocol/visible.ts';
import type { TranscriptEntry } from '../../../state/transcript/transcriptEntry.ts';
import { type DrawingContext, detailsOf, drawnEntries } from './eventWords.ts';
import { plainPhrase } from './actionWords.ts';
import { inertMarkdown } from '../inertMarkdown.ts';

/** Copies a conversation. Each action is one line, which opens to its output and its changes. */
export function asMarkdown(
  title: string,
  entries: readonly TranscriptEntry[],
  circumstances: DrawingContext,
): string {
  // Random marks that no text contains, because all HTML is escaped.
  const [begin, end] = [randomUUID(), randomUUID()];
  const parts = entries.flatMap((entry) => {
    const texts = drawnEntries(entry, circumstances).map(entryText);
    const details = entry.kind === 'action' ? detailsText(entry) : '';
    return details === '' ? texts : [...texts, begin, details, end];
  });
  return inertMarkdown(`${[`# ${title.replaceAll('\n', ' ')}`, ...parts].join('\n\n')}\n`)
    .replaceAll(begin, `<details><summary>${t('Details')}</summary>`)
    .replaceAll(end, '</details>');
}

/** Copies one entry with its details. */
export function entryAsMarkdown(entry: TranscriptEntry, circumstances: DrawingContext): string {
  const parts = drawnEntries(entry, circumstances).map(entryText);
  const all = [...parts, detailsText(entry)].filter((part) => part !== '');
  return inertMarkdown(`${all.join('\n\n')}\n`);
}

function detailsText(entry: TranscriptEntry): string {
  return detailsOf(entry)
    .map(blockText)
    .filter((part) => part !== '')
    .join('\n\n');
}

function entryText(drawn: DrawnEntry): string {
  switch (drawn.kind) {
    case 'message':
      return `**${[drawn.name, drawn.time].filter(Boolean).join(', ')}**\n\n${drawn.text}`;
    case 'action':
      return `- ${plainPhrase(drawn.line, inCode)}`;
    case 'error':
      return plainPhrase(drawn.line);
    case 'line':
    case 'other':
      return `*${plainPhrase(drawn.line, inCode)}*`;
  }
}

function blockText(block: DetailBlock): string {
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

/** Uses more backticks than the text contains. */
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
