/** Splits a command line into words. Nothing is expanded or run. */

interface ShellWords {
  readonly words: readonly string[];
  /**
   * Offset of a quote that never closes. The last word is all text after it.
   */
  readonly unfinished: number | undefined;
  readonly end: number;
}

interface SplitOptions {
  readonly from?: number;
  /** True to stop at the end of a command: a line break, or an operator. */
  readonly oneCommand?: boolean;
  /**
   * True if a backslash is part of a path, and a backtick or caret escapes, as
   * in PowerShell and cmd.
   */
  readonly windows?: boolean;
  /** True if a number sign starts no comment. */
  readonly noComments?: boolean;
}

/** A command substitution such as `$(cat token)`, nested at most once. */
const run = String.raw`\$\((?:[^()\n]|\([^()\n]{0,200}\)){0,500}\)`;
/** Each pattern matches something at any offset. */
const posix = new RegExp(
  [
    String.raw`(?<join>\\\r?\n)|(?<space>[^\S\n]+|\n)|'(?<single>[^']*)'|\$'(?<ansi>[^'\\]*(?:\\[^][^'\\]*)*)'`,
    String.raw`"(?<double>[^"\\$]*(?:(?:\\[^]|${run}|\$(?!\())[^"\\$]*)*)"`,
    String.raw`"(?<loose>[^"\\]*(?:\\[^][^"\\]*)*)"`,
    String.raw`\\(?<escaped>[^])|(?<open>['"])|(?<plain>${run}|[^\s'"\\$]+|[\\$])`,
  ].join('|'),
  'y',
);
const windows =
  /(?<join>[`^]\r?\n)|(?<space>[^\S\n]+|\n)|'(?<single>[^']*(?:''[^']*)*)'|"(?<double>[^"\\`]*(?:(?:[\\`][^]|"")[^"\\`]*)*)"|(?<open>['"])|(?<plain>[^\s'"`^]+|[`^])/y;

type Piece = Readonly<
  Partial<
    Record<
      | 'join'
      | 'space'
      | 'single'
      | 'ansi'
      | 'double'
      | 'loose'
      | 'escaped'
      | 'open'
      | 'plain',
      string
    >
  >
>;

/** A bare word that ends a command, and the part of it before the operator. */
const operator = /^(?:&&?|\|\|?|;|([^]+);)$/;

/**
 * Splits as a POSIX shell does: quotes, backslashes, continued lines and
 * comments. `$NAME`, `*` and `&` are ordinary characters.
 */
export function splitWords(
  text: string,
  options: SplitOptions = {},
): ShellWords {
  const pattern = options.windows ? windows : posix;
  const words: string[] = [];
  let word: string | undefined;
  let quoted = false;
  let at = options.from ?? 0;
  /** Ends a word. Returns true if the command ends with it. */
  const finish = () => {
    const closing =
      options.oneCommand && !quoted ? operator.exec(word ?? '') : null;
    const last = closing ? closing[1] : word;
    if (last !== undefined) words.push(last);
    word = undefined;
    quoted = false;
    return closing !== null;
  };
  while (at < text.length) {
    if (word === undefined && text[at] === '#' && !options.noComments) {
      at = lineEnd(text, at);
      continue;
    }
    pattern.lastIndex = at;
    const [all, piece] = match(pattern, text);
    if (piece.space !== undefined) {
      if (finish() || (options.oneCommand && piece.space === '\n')) break;
    } else if (piece.open !== undefined) {
      return {
        words: [...words, (word ?? '') + text.slice(at + 1)],
        unfinished: at,
        end: text.length,
      };
    } else if (piece.join === undefined) {
      quoted ||= piece.plain === undefined;
      word = (word ?? '') + said(piece, options);
    }
    at += all.length;
  }
  finish();
  return { words, unfinished: undefined, end: at };
}

/**
 * True for a command with arguments: it has spaces other than those of a path.
 */
export function isLine(command: string): boolean {
  return (
    /^[\w.@-]+\s+\S/.test(command) &&
    !/^[^\\/]*\.(?:exe|com|cmd|bat)$/i.test(command)
  );
}

/**
 * Splits a line from a configuration; `undefined` for a quote without an end.
 */
export function splitLine(line: string): readonly string[] | undefined {
  const isWindows = /(?:^|[\s"'=])[A-Za-z]:\\/.test(line);
  const { words, unfinished } = splitWords(line, {
    windows: isWindows,
    noComments: true,
  });
  return unfinished === undefined ? words : undefined;
}

function match(pattern: RegExp, text: string): [all: string, piece: Piece] {
  const { 0: all, groups } = pattern.exec(text) as unknown as {
    readonly 0: string;
    readonly groups: Piece;
  };
  return [all, groups];
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

function said(
  { single, ansi, double, loose, escaped, plain }: Piece,
  options: SplitOptions,
): string {
  if (ansi !== undefined) return unescape(ansi);
  const quoted = double ?? loose;
  if (options.windows) {
    const inside = quoted?.replace(
      /\\"|""|`([^])/g,
      (_, sign: string | undefined) => sign ?? '"',
    );
    return [single?.replaceAll("''", "'"), inside, plain].join('');
  }
  if (quoted === undefined) return [single, escaped, plain].join('');
  return quoted.replace(
    /\\(?:\r?\n|([$`"\\]))/g,
    (_, sign: string | undefined) => sign ?? '',
  );
}

const letters: ReadonlyMap<string, string> = new Map([
  ...Object.entries({
    a: '\x07',
    b: '\b',
    e: '\x1B',
    f: '\f',
    n: '\n',
    r: '\r',
    t: '\t',
    v: '\v',
  }),
  ...Object.entries({ '\\': '\\', "'": "'", '"': '"', '?': '?' }),
]);

/** Reads the content of `$'...'`. Adjacent bytes are UTF-8. */
function unescape(text: string): string {
  return text.replace(
    /((?:\\[0-7]{1,3}|\\x[\da-fA-F]{1,2})+)|\\u([\da-fA-F]{1,4})|\\([^])/g,
    (all: string, ...[bytes, unit, letter = '']: string[]) => {
      if (bytes !== undefined) return fromBytes(bytes);
      if (unit !== undefined) return String.fromCharCode(parseInt(unit, 16));
      return letters.get(letter) ?? all;
    },
  );
}

function fromBytes(escapes: string): string {
  const bytes = escapes
    .slice(1)
    .split('\\')
    .map((byte) =>
      byte.startsWith('x') ? parseInt(byte.slice(1), 16) : parseInt(byte, 8),
    );
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(
    Uint8Array.from(bytes),
  );
}
