/** Copies entries as Markdown that is safe to paste elsewhere. */
import { randomUUID } from 'node:crypto';
import MarkdownIt from 'markdown-it';
import { t } from '../../../base/l10n.ts';
import { joinParts } from '../../../base/parts.ts';
import type { DetailBlock, DrawnEntry } from '../../../protocol/drawn.ts';
import { visibleText } from '../../../protocol/visible.ts';
import { fenced, longestBackticks } from '../../../service/model/newMessage.ts';
import type { TranscriptEntry } from '../../../state/transcript/transcriptEntry.ts';
import { type DrawingContext, detailsOf, drawnEntries } from './eventWords.ts';
import { plainPhrase } from './actionWords.ts';

let reader: ReturnType<typeof makeReader> | undefined;

function blocksOf(text: string) {
  reader ??= makeReader();
  return reader.parse(text, {});
}

/** Parses blocks only. Escaped HTML begins none. */
function makeReader() {
  const reader = new MarkdownIt({ html: false });
  reader.core.ruler.enableOnly(['normalize', 'block']);
  return reader;
}

/**
 * Copies a conversation. Each action is one line, which opens to its output and
 * its changes.
 */
export function asMarkdown(
  title: string,
  entries: readonly TranscriptEntry[],
  circumstances: DrawingContext,
): string {
  // Random marks that no text contains, because all HTML is escaped.
  const begin = randomUUID();
  const end = randomUUID();
  const parts = entries.flatMap((entry) => {
    const texts = drawnEntries(entry, circumstances).map(entryText);
    const details = entry.kind === 'action' ? detailsText(entry) : '';
    return details === '' ? texts : [...texts, begin, details, end];
  });
  return inertMarkdown(
    `${[`# ${title.replaceAll('\n', ' ')}`, ...parts].join('\n\n')}\n`,
  )
    .replaceAll(begin, `<details><summary>${t('Details')}</summary>`)
    .replaceAll(end, '</details>');
}

export function entryAsMarkdown(
  entry: TranscriptEntry,
  circumstances: DrawingContext,
): string {
  const all = [
    ...drawnEntries(entry, circumstances).map(entryText),
    detailsText(entry),
  ].filter((part) => part !== '');
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
      return joinParts(
        '\n\n',
        `**${joinParts(', ', drawn.name, drawn.time)}**`,
        closed(drawn.text),
        ...drawn.pictures.map(() => t('Picture')),
        drawn.leftOut,
      );
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
      return joinParts('\n\n', block.label, closed(block.text));
    case 'code':
    case 'output':
      return joinParts('\n\n', block.label, fenced(block.text));
    case 'change':
      return [
        block.label,
        t('Before:'),
        fenced(block.before),
        t('After:'),
        fenced(block.after),
      ].join('\n\n');
    case 'picture':
      return t('Picture');
  }
}

/** Ends an open code block, which would contain everything after the text. */
function closed(text: string): string {
  const last = blocksOf(`${text}\n\nend`).at(-1);
  return last?.type === 'fence' ? `${text}\n${last.markup}` : text;
}

/** Uses more backticks than the text contains. */
function inCode(code: string): string {
  const text = visibleText(code, 'code');
  const marks = '`'.repeat(longestBackticks(text) + 1);
  const blank = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${marks}${blank}${text}${blank}${marks}`;
}

/**
 * Makes Markdown safe to paste: every character is visible, and nothing loads
 * or runs. Escapes pictures and HTML outside code. A picture becomes a link.
 */
export function inertMarkdown(text: string): string {
  const lines = visibleText(text, 'prose').split('\n');
  const isDone = lines.map(() => false);
  const replace = (
    [begin, end]: readonly [number, number],
    render: (text: string) => string,
  ) => {
    if (isDone[begin] !== false) return;
    for (const [index, line] of render(lines.slice(begin, end).join('\n'))
      .split('\n')
      .entries()) {
      lines[begin + index] = line;
      isDone[begin + index] = true;
    }
  };
  for (const { type, map } of blocksOf(lines.join('\n'))) {
    if (!map) continue;
    if (type === 'fence' || type === 'code_block')
      replace(map, (code) => visibleText(code, 'code'));
    else if (type === 'tr_open') replace(map, cells);
    else if (type === 'inline') replace(map, escapeAroundCode);
  }
  return lines
    .map((line, index) => (isDone[index] ? line : escapeAll(line)))
    .join('\n');
}

/**
 * Matches the start of a picture or of HTML, and text that must stay unchanged:
 * escapes, code and addresses.
 */
const special =
  /\\[^]|(`+)(?!`)[^]*?[^`]\1(?!`)|`+|<[a-z][a-z\d+.-]+:[^\s<>]*>|!(?=\[)|<(?=[a-z/!?])/gi;

function escapeAroundCode(text: string): string {
  return text.replace(special, (match) => {
    // A line that starts like HTML would end the code.
    if (match.startsWith('`') && match.includes('\n')) return escapeAll(match);
    return match === '!' || match === '<' ? `\\${match}` : match;
  });
}

/** Escapes each cell, because code cannot cross cells. */
function cells(row: string): string {
  return row
    .split(/(?<!\\)\|/)
    .map(escapeAroundCode)
    .join('|');
}

function escapeAll(text: string): string {
  return text.replace(/\\[^]|!(?=\[)|<(?=[a-z/!?])/gi, (match) =>
    match.startsWith('\\') ? match : `\\${match}`,
  );
}
