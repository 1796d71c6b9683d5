/** Markdown that is safe to paste: every character is visible, and nothing loads or runs. */
import MarkdownIt from 'markdown-it';
import { visibleText } from '../../protocol/visible.ts';

/** Escapes pictures and HTML outside code, and spells invisible characters. A picture becomes a link. */
export function inertMarkdown(text: string): string {
  const lines = visibleText(text, 'prose').split('\n');
  const isDone = lines.map(() => false);
  const replace = ([begin, end]: readonly [number, number], made: (text: string) => string) => {
    if (isDone[begin] !== false) return;
    for (const [index, line] of made(lines.slice(begin, end).join('\n')).split('\n').entries()) {
      lines[begin + index] = line;
      isDone[begin + index] = true;
    }
  };
  // Parses blocks only. Escaped HTML begins none.
  const reader = new MarkdownIt({ html: false });
  reader.core.ruler.enableOnly(['normalize', 'block']);
  for (const { type, map } of reader.parse(lines.join('\n'), {})) {
    if (!map) continue;
    if (type === 'fence' || type === 'code_block') replace(map, (code) => visibleText(code, 'code'));
    else if (type === 'tr_open') replace(map, cells);
    else if (type === 'inline') replace(map, escapeAroundCode);
  }
  return lines.map((line, index) => (isDone[index] ? line : escapeAll(line))).join('\n');
}

/** Matches the start of a picture or of HTML, and text that must stay unchanged: escapes, code and addresses. */
const special = /\\[^]|(`+)(?!`)[^]*?[^`]\1(?!`)|`+|<[a-z][a-z\d+.-]+:[^\s<>]*>|!(?=\[)|<(?=[a-z/!?])/gi;

function escapeAroundCode(text: string): string {
  return text.replace(special, (found) => {
    // A line that starts like HTML would end the code.
    if (found.startsWith('`') && found.includes('\n')) return escapeAll(found);
    return found === '!' || found === '<' ? `\\${found}` : found;
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
  return text.replace(/\\[^]|!(?=\[)|<(?=[a-z/!?])/gi, (found) =>
    found.startsWith('\\') ? found : `\\${found}`,
  );
}
