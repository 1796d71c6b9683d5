/** Command lines for Windows, where scripts need the command processor. */

export interface StartedAs {
  readonly file: string;
  readonly args: readonly string[];
  /** The arguments are a command line that is passed on as it is. */
  readonly verbatim: boolean;
}

/**
 * Batch files are run by the command processor, with each argument arriving
 * there as it is.
 */
export function windowsCommand(
  file: string,
  args: readonly string[],
  commandProcessor = 'cmd.exe',
): StartedAs {
  if (!/\.(?:cmd|bat)$/i.test(file)) return { file, args, verbatim: false };
  const line = [escaped(file), ...args.map(escapedArgument)].join(' ');
  return {
    file: commandProcessor,
    args: ['/d', '/s', '/c', `"${line}"`],
    verbatim: true,
  };
}

/**
 * Escapes the signs that the command processor acts upon, also inside quotes.
 */
function escaped(text: string): string {
  return text.replace(/[()\][%!^"`<>&|;, *?]/g, '^$&');
}

/**
 * Escapes twice: batch files such as `npx.cmd` pass their arguments on with
 * `%*`, which is read again.
 */
function escapedArgument(arg: string): string {
  // Backslashes before a quote are doubled, as programs read them, and line
  // breaks would end the command.
  const text = `"${arg
    .replace(/[\r\n]+/g, ' ')
    .replace(/(\\*)"/g, '$1$1\\"')
    .replace(/(\\+)$/, '$1$1')}"`;
  return escaped(escaped(text));
}
