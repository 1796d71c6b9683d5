/**
 * Options whose name says nothing, because they have a password only at certain
 * programs: `mysql -pX`.
 */
import { isOption } from './maskers.ts';
import { isOpenValue } from './secretNames.ts';
import { valueAt } from './valueAt.ts';

interface PasswordOption {
  readonly programs: string;
  readonly option: string;
  /** True if a word after the option is no password: `mysql -p database`. */
  readonly isJoined?: true;
}

const table: readonly PasswordOption[] = [
  {
    programs: String.raw`(?:mysql|mariadb)(?:-?\w+)?`,
    option: '-p',
    isJoined: true,
  },
  { programs: 'sshpass', option: '-p' },
  { programs: '(?:redis|valkey|keydb)-cli', option: '-a' },
  {
    programs: String.raw`mongo(?:sh|dump|restore|export|import)?`,
    option: '-p',
  },
  { programs: 'sqlcmd|bcp|tsql', option: '-P' },
  { programs: 'mosquitto_(?:pub|sub)|zip|unzip', option: '-P' },
  {
    programs: String.raw`ldap(?:search|modify|add|delete|whoami)`,
    option: '-w',
  },
  { programs: '7z[azr]?', option: '-p', isJoined: true },
  {
    programs: String.raw`(?:docker|podman|nerdctl|buildah|skopeo|oras|helm|registry|az|cf|oc)[\s"',]+login`,
    option: '-p',
  },
];

const program = new RegExp(
  String.raw`(?<![\w.-])(?:${table.map(({ programs }) => `(${programs})`).join('|')})(?:\.exe)?(?=[\\"'${'`'}]{0,15}(?:[\s,]|$))`,
);
/** A program, an option, or the end of a command. */
const part = new RegExp(
  String.raw`${program.source}|(?<=[\s"'${'`'},[])-[a-zA-Z]|(?<!\\\r?)\n|[;&|]`,
  'g',
);

function optionOf(match: RegExpExecArray): PasswordOption | undefined {
  return table.find((_, at) => match[at + 1] !== undefined);
}

/** The text of any commands with these passwords masked. */
export function maskPasswordOptions(text: string, cover: string): string {
  if (!program.test(text)) return text;
  let current: PasswordOption | undefined;
  let output = '';
  let done = 0;
  for (;;) {
    const match = part.exec(text);
    if (!match) break;
    const [sign] = match;
    if (!sign.startsWith('-')) {
      current = optionOf(match);
      continue;
    }
    if (sign !== current?.option) continue;
    const { start, from } = valueStart(text, match.index, current);
    if (start === undefined) continue;
    const { value, end } = valueAt(text, start, { from, extent: 'word' });
    if (!isPassword(value, cover)) continue;
    output += text.slice(done, start) + cover;
    done = part.lastIndex = end;
  }
  part.lastIndex = 0;
  return output + text.slice(done);
}

const blanks = /(?:[\\"'`]{0,15}(?:[\s,]|\\\r?\n)+|=)/y;

function valueStart(
  text: string,
  at: number,
  { option, isJoined }: PasswordOption,
): { readonly start: number | undefined; readonly from: number } {
  const end = at + option.length;
  blanks.lastIndex = end;
  const between = blanks.exec(text)?.[0];
  if (between === undefined) {
    const isEnd = /[\])}]/.test(text.charAt(end));
    return { start: isEnd ? undefined : end, from: at - 1 };
  }
  const start = isJoined ? undefined : end + between.length;
  return { start, from: start ?? 0 };
}

function isPassword(value: string, cover: string): boolean {
  return (
    value !== '' &&
    !value.startsWith(cover) &&
    !isOption(value) &&
    !isOpenValue(value)
  );
}

/**
 * The option that has a password after these words; `current` is the one after
 * those before the last.
 */
export function passwordOptionAfter(
  word: string,
  before: string,
  current: PasswordOption | undefined,
): PasswordOption | undefined {
  if (word.length > 300) return current;
  const name = word.slice(
    Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1,
  );
  const words = name === 'login' ? [before, name].join(' ') : name;
  const match = program.exec(words);
  return match?.[0].length === words.length ? optionOf(match) : current;
}

/** An argument with its password masked; undefined if it has none. */
export function maskPasswordArgument(
  arg: string,
  before: string,
  current: PasswordOption | undefined,
  cover: string,
): string | undefined {
  if (!current) return undefined;
  const { option, isJoined } = current;
  if (!isJoined && before === option && isPassword(arg, cover)) return cover;
  const joined = arg.startsWith(option) ? arg.slice(option.length) : '';
  return isPassword(joined, cover) ? option + cover : undefined;
}
