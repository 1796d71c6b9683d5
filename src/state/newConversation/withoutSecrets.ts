import { maskLines } from '../../base/masks/maskLines.ts';
import { maskText } from '../../base/masks/maskText.ts';
import { maskTokens } from '../../base/masks/maskTokens.ts';
import { mask } from '../../base/secret.ts';

export interface Cleaned {
  readonly text: string;
  /** Lines with secrets, counted from 1. */
  readonly lines: readonly number[];
}

/** The masker covers longer texts completely. */
const maxPieceLength = 3_000;

/** Languages in which an unquoted value is an expression. */
const code =
  /\.(?:[cm]?[jt]sx?|vue|svelte|py|rb|php|java|kts?|scala|groovy|go|rs|swift|dart|c|cc|cpp|h|hpp|cs|fs|lua|ex|exs|erl|hs|clj)$/i;

export function withoutSecrets(text: string, path: string): Cleaned {
  const lines = text.split('\n');
  const withoutKeys = text.replace(block, (match) =>
    match.replace(/[^\r\n]+/g, mask),
  );
  const withoutBlocks = maskLines(withoutKeys, mask).split('\n');
  const isCode = code.test(path);
  const cleaned = piecesOf(withoutBlocks).flatMap((piece) => cleanPiece(piece));
  const result = cleaned.map((line, at) => {
    const open = withoutBlocks[at] ?? '';
    return isCode && line !== open ? coverCode(open, line, text) : line;
  });
  return {
    text: result.join('\n'),
    lines: result.flatMap((line, at) => (line === lines[at] ? [] : [at + 1])),
  };
}

/** A PEM key. */
const block = /-----BEGIN [^]*?(?:-----END [^-\n]*-----|$)/g;

/**
 * Pieces that can be searched at once. A value may be on the line after its
 * name.
 */
function piecesOf(lines: readonly string[]): string[][] {
  const pieces: string[][] = [];
  let length = Infinity;
  for (const line of lines) {
    const piece = pieces.at(-1);
    const goesOn =
      /[:=(,\\]\s*$/.test(piece?.at(-1) ?? '') &&
      length + line.length <= maxPieceLength + 900;
    if (piece && (length + line.length <= maxPieceLength || goesOn))
      piece.push(line);
    else {
      pieces.push([line]);
      length = 0;
    }
    length += line.length + 1;
  }
  return pieces;
}

function cleanPiece(lines: readonly string[]): string[] {
  const masked = maskText(lines.join('\n'), mask).split('\n');
  if (masked.length === lines.length) return masked;
  // A multi-line value: the lines that differ.
  let before = 0;
  while (before < masked.length && masked[before] === lines[before]) before++;
  let after = 0;
  while (
    after < masked.length - before &&
    masked.at(-1 - after) === lines.at(-1 - after)
  )
    after++;
  return lines.map((line, at) => {
    if (at < before || at >= lines.length - after) return line;
    const alone = maskText(line, mask);
    return alone === line && line.trim() !== '' ? mask : alone;
  });
}

/** Keeps variables and calls in code: only literals are secrets. */
function coverCode(line: string, masked: string, text: string): string {
  let start = 0;
  while (start < masked.length && masked[start] === line[start]) start++;
  let end = 0;
  while (
    end < Math.min(line.length, masked.length) - start &&
    masked.at(-1 - end) === line.at(-1 - end)
  )
    end++;
  const before = line.slice(0, start);
  const hidden = line.slice(start, line.length - end);
  const isInComment = /\/\/|\/\*|^\s*\*|(?:^|\s)(?:#|--)/.test(before);
  const isInText = quotes.some((quote) => before.split(quote).length % 2 === 0);
  if (isInComment || isInText) return masked;
  // Only the keyword was masked.
  if (beforeValue.test(hidden))
    return /["'`]/.test(line.slice(start)) ? before + mask : line;
  const isInBrackets = /[:=]>?\s*[([{][^)\]}]*$/.test(before);
  return isExpression(hidden, text, isInBrackets) ? line : masked;
}

const quotes = ['"', "'", '`'];

const beforeValue = /^(?:await|new|typeof|yield|async|function|not)$/;

function isExpression(
  code: string,
  text: string,
  isInBrackets: boolean,
): boolean {
  if (/["'`]|:\/\//.test(code) || !/^[A-Za-z_$(!&*]/.test(code)) return false;
  if (maskTokens(code, mask) !== code) return false;
  if (isInBrackets && !/\d/.test(code)) return true;
  return (
    /[.([<|]/.test(code) || (!/\d/.test(code) && text.split(code).length > 2)
  );
}
