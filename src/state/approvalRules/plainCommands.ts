/** Reads command lines that do nothing but run programs with plain words. */

/** Ends a command. Longer ones come first. */
const separator = /&&|\|\||[;|&\n]/y;
const blanks = /[ \t]+/y;
/**
 * A word without anything that a shell may replace, redirect or execute, quoted
 * in part or as a whole.
 */
const plainWord =
  /(?:[A-Za-z0-9_@%+=:,./-]|'[^'\p{Cc}]*'|"[^"$`\\!\p{Cc}]*")+/uy;

/**
 * Splits a line into its commands, each a list of unquoted words. Returns
 * `undefined` for a line with any other syntax of a shell.
 */
export function plainCommands(
  line: string,
): readonly (readonly string[])[] | undefined {
  const commands: (readonly string[])[] = [];
  let words: string[] = [];
  let at = 0;
  let needsMore = false;
  const skip = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const text = pattern.exec(line)?.[0];
    at += text?.length ?? 0;
    return text;
  };
  while (at < line.length) {
    skip(blanks);
    if (at === line.length) break;
    const end = skip(separator);
    if (end !== undefined) {
      if (words.length === 0) return undefined;
      needsMore = end.startsWith('&&') || end.startsWith('|');
      commands.push(words);
      words = [];
      continue;
    }
    const word = skip(plainWord);
    if (word === undefined) return undefined;
    words.push(word.replace(/'([^']*)'|"([^"]*)"/g, '$1$2'));
  }
  if (words.length > 0) commands.push(words);
  else if (needsMore) return undefined;
  return commands.length > 0 ? commands : undefined;
}
