/** Wrappers of a command line: shells, `env`, containers, quotes in quotes. */

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
}

/** The words of the command, and the variables that are set for it. */
export type Wrapper = (
  words: readonly string[],
  variables: readonly string[],
) => Command;

/** A word as a POSIX shell, cmd and PowerShell take it. */
const posix = (word: string) =>
  /^[\w@%+=:,./-]+$/.test(word)
    ? word
    : `'${word.replaceAll("'", String.raw`'\''`)}'`;
const cmd = (word: string) =>
  /^[\w@%+=:,./-]+$/.test(word)
    ? word
    : `"${word.replaceAll('"', String.raw`\"`)}"`;
const powerShell = (word: string) =>
  /^[\w=:./-]+$/.test(word) ? word : `'${word.replaceAll("'", "''")}'`;

export const posixLine: (
  words: readonly string[],
  variables?: readonly string[],
) => string = (words, variables = []) =>
  [
    ...variables.map((pair) =>
      pair.replace(/=(.*)$/s, (_, value: string) => `=${posix(value)}`),
    ),
    ...words.map(posix),
  ].join(' ');

const cmdLine: typeof posixLine = (words, variables = []) =>
  [...variables.map((pair) => `set "${pair}" &&`), ...words.map(cmd)].join(' ');

const powerShellLine: typeof posixLine = (words, variables = []) =>
  [
    ...variables.map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return `$env:${name} = ${powerShell(value.join('=')).replace(/^(?!')(.*)$/s, "'$1'")};`;
    }),
    ...words.map(powerShell),
  ].join(' ');

/** Quotes only the value: `API_KEY="two words"`. */
const lateQuotes: typeof posixLine = (words, variables = []) =>
  [...variables, ...words]
    .map((word) => {
      const [, name = '', value = word] = /^([-/\w.]+=)(.*)$/s.exec(word) ?? [];
      const isPlain = /^[\w@%+=:,./-]*$/.test(value);
      return (
        name +
        (isPlain ? value : `"${value.replace(/[\\"$`]/g, String.raw`\$&`)}"`)
      );
    })
    .join(' ');

const call = (command: string, ...args: readonly string[]): Command => ({
  command,
  args,
});

/** Sets variables by `env`, because no shell does. */
const plain: Wrapper = (words, variables) =>
  variables.length > 0
    ? call('env', ...variables, ...words)
    : call(words[0] ?? '', ...words.slice(1));

export const wrappers: readonly Wrapper[] = [
  plain,
  (words, variables) => call('env', ...variables, ...words),
  (words, variables) => call('sudo', '-E', 'env', ...variables, ...words),
  (words, variables) => call('sh', '-c', posixLine(words, variables)),
  (words, variables) => call('bash', '-lc', posixLine(words, variables)),
  (words, variables) =>
    call(
      '/bin/zsh',
      '-ic',
      `cd "$HOME/work" && exec ${posixLine(words, variables)}`,
    ),
  (words, variables) =>
    call(
      'bash',
      '-c',
      `${variables.map((pair) => `export ${posix(pair)}; `).join('')}${posixLine(words)}`,
    ),
  (words, variables) => call('sh', '-c', lateQuotes(words, variables)),
  (words, variables) => call(lateQuotes(words, variables)),
  (words, variables) =>
    call('sh', '-c', `env ${posixLine(words, variables)} 2>/dev/null`),
  (words, variables) =>
    call('sh', '-c', posixLine(['bash', '-lc', posixLine(words, variables)])),
  (words, variables) =>
    call(
      'sh',
      '-c',
      `"${posixLine(words, variables).replace(/[\\"$`]/g, String.raw`\$&`)}"`,
    ),
  (words, variables) =>
    call(
      'bash',
      '-c',
      posixLine(words, variables).replaceAll(' --', ' \\\n  --'),
    ),
  (words, variables) => call(posixLine(words, variables)),
  (words, variables) =>
    call('ssh', '-T', 'host.example', posixLine(words, variables)),
  (words, variables) =>
    call('wsl', '-e', 'bash', '-lc', posixLine(words, variables)),
  (words, variables) =>
    call(
      'docker',
      'exec',
      '-i',
      'box',
      'sh',
      '-c',
      posixLine(words, variables),
    ),
  (words, variables) => call('npx', '-c', posixLine(words, variables)),
  (words, variables) =>
    call(
      'docker',
      'run',
      '-i',
      '--rm',
      ...variables.flatMap((pair) => ['-e', pair]),
      'ghcr.io/acme/server:1.2',
      ...words,
    ),
  (words, variables) =>
    variables.length > 0
      ? call('cmd', '/c', cmdLine(words, variables))
      : call('cmd', '/c', ...words),
  (words, variables) => call('cmd', '/c', cmdLine(words, variables)),
  (words, variables) =>
    call('cmd.exe', '/s', '/c', `"${cmdLine(words, variables)}"`),
  (words, variables) =>
    call(
      'powershell',
      '-NoProfile',
      '-Command',
      powerShellLine(words, variables),
    ),
  (words, variables) =>
    call('pwsh', '-c', `& { ${powerShellLine(words, variables)} }`),
  (words, variables) =>
    call('wrapper', '--server', JSON.stringify({ ...plain(words, variables) })),
  (words, variables) =>
    call(
      'wrapper',
      `--json=${JSON.stringify(JSON.stringify(plain(words, variables)))}`,
    ),
  (words, variables) =>
    call(
      'sh',
      '-c',
      `wrapper ${posix(JSON.stringify(plain(words, variables)))}`,
    ),
  (words, variables) => {
    const { command, args } = plain(words, variables);
    return call(
      'node',
      '-e',
      `require("child_process").spawn(${JSON.stringify(command)}, ${JSON.stringify(args)})`,
    );
  },
  (words, variables) => {
    const { command, args } = plain(words, variables);
    const list = [command, ...args].map(
      (word) => `'${word.replace(/[\\']/g, String.raw`\$&`)}'`,
    );
    return call(
      'python3',
      '-c',
      `import subprocess; subprocess.run([${list.join(', ')}])`,
    );
  },
];
