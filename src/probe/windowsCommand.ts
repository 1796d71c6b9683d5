/** Command lines for Windows, where scripts need the command processor. */

export interface StartedAs {
  readonly file: string;
  readonly args: readonly string[];
  /** The arguments are a command line that is passed on as it is. */
  readonly verbatim: boolean;
}

/** Batch files are run by the command processor, with each argument arriving there as it is. */
export function windowsCommand(
  file: string,
  args: readonly string[],
  commandProcessor = 'cmd.exe',
): StartedAs {
  if (!/\.(?:cmd|bat)$/i.test(file)) return { file, args, verbatim: false };
  // The launchers that npm writes pass their arguments through a second command processor.
  const passes = /[\\/]node_modules[\\/]\.bin[\\/][^\\/]+\.cmd$/i.test(file) ? 2 : 1;
  const line = [escaped(file), ...args.map((arg) => escapedArgument(arg, passes))].join(' ');
  return { file: commandProcessor, args: ['/d', '/s', '/c', `"${line}"`], verbatim: true };
}

/** Escapes the signs that the command processor acts upon, also inside quotes. */
function escaped(text: string): string {
  return text.replace(/[()\][%!^"`<>&|;, *?]/g, '^$&');
}

function escapedArgument(arg: string, passes: number): string {
  // Backslashes before a quote are doubled, as programs read them, and line breaks would end the command.
  let text = `"${arg
    .replace(/[\r\n]+/g, ' ')
    .replace(/(\\*)"/g, '$1$1\\"')
    .replace(/(\\+)$/, '$1$1')}"`;
  for (let pass = 0; pass < passes; pass++) text = escaped(text);
  return text;
}
