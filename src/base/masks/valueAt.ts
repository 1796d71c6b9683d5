/**
 * Finds the end of a value after its name: in a command line, in JSON however
 * often escaped, in a sentence.
 */

interface FoundValue {
  /** The value without its quotes. */
  readonly value: string;
  readonly end: number;
}

/**
 * The end of a value without quotes: the next blank, the next semicolon, or the
 * end of the line.
 */
export type Extent = 'word' | 'field' | 'line';

interface Around {
  /**
   * Start of a quote before the name. It can close after the value, as in
   * `'Cookie: a=b'`.
   */
  readonly from: number;
  readonly extent: Extent;
}

/**
 * Signs that take away the meaning of the quote after them: in shells, JSON and
 * code, and on Windows.
 */
const quote = String.raw`([\\^${'`'}]{0,15})("{2,}(?=[^\s"',;:)\]}])|["'${'`'}])`;

/** A quote that does not close goes as far as the text. */
const quoted = new RegExp(
  String.raw`${quote}([^]*?)(?:(?<![\\^${'`'}])\1\2|$)`,
  'y',
);

/**
 * Quotes within quotes, as shells write them: `'it'\''s'`, `'it'"'"'s'` and
 * `'it''s'`.
 */
const singleQuoted = /'((?:[^']+|'\\+''|'"'"'|''(?![\s,;:)\]}]|$))*)(?:'|$)/y;

/** Signs and letters of a quote in code and in shells: `f"…"`, `$'…'`. */
const quotePrefix = /(?:[$@]{1,2}|[bfru]|[bf]r|r[bf])(?=["'])/iy;

/** The text joined to a quoted part without a blank. */
const joined = /[\\'"]*[\w$+/=.%@!#*~^-]\S*/y;

/**
 * Signs that close what is around a value, and that end a sentence, are left.
 */
const bare = new RegExp(
  [
    String.raw`(?:(?:[\w-]+[:=]\s*)?(?:bearer|basic|token|digest)\s+)?`,
    String.raw`(?:(?:(?:\$\([^()]*\)|\$\{\{?[^{}]*\}?\}|\{\{[^{}]*\}\}|\{env:\w+\}|<<?[^<>]*>>?)[:@/.-]?)+`,
    String.raw`(?:\S*[^\s"'${'`'})\]},;\\])?|\S*[^\s"'${'`'})\]},;\\]|\S+)`,
  ].join(''),
  'iy',
);

const extents: Readonly<Record<Extent, RegExp>> = {
  word: bare,
  field: /[^;"'`\n]*/y,
  line: /.*/y,
};

/** The value that begins here. */
export function valueAt(
  text: string,
  at: number,
  { from, extent }: Around,
): FoundValue {
  const quotes = quotedWordAt(text, at);
  if (quotes) return quotes;
  const around = quotedWordAt(text, from);
  if (around && around.end > at) {
    let { end } = around;
    while (/[\\^`"']/.test(text.charAt(end - 1))) end--;
    return { value: text.slice(at, end), end };
  }
  const prefix = match(quotePrefix, text, at)?.[0];
  const prefixed = prefix && quotedWordAt(text, at + prefix.length);
  if (prefixed) return prefixed;
  const value = match(extents[extent], text, at)?.[0] ?? '';
  return { value, end: at + value.length };
}

export function isQuoteAt(text: string, at: number): boolean {
  return quotedAt(text, at) !== undefined;
}

export function quotedAt(text: string, at: number): FoundValue | undefined {
  const groups = match(singleQuoted, text, at) ?? match(quoted, text, at);
  return groups
    ? { value: groups[3] ?? groups[1] ?? '', end: at + groups[0].length }
    : undefined;
}

/** A quoted value with the text joined to it. */
function quotedWordAt(text: string, at: number): FoundValue | undefined {
  const quote = quotedAt(text, at);
  if (!quote) return undefined;
  const more = match(joined, text, quote.end)?.[0] ?? '';
  return { value: quote.value + more, end: quote.end + more.length };
}

function match(
  pattern: RegExp,
  text: string,
  at: number,
): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
