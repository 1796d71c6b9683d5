/** Takes a command line apart: variables, launcher, program and arguments. */
import { t } from '../../base/l10n.ts';
import { isLine, splitLine } from '../cli/shellWords.ts';
import type { Fields, Value } from '../text/values.ts';

type LaunchKind = 'package' | 'container' | 'program';

export interface LaunchLine {
  readonly words: readonly string[];
  readonly variables: ReadonlyMap<string, string>;
  /** The first program without its folder. */
  readonly launcher: string;
  /** `undefined` if that program itself is launched. */
  readonly kind: LaunchKind | undefined;
  readonly subject: string;
  /** The next word other than an option. */
  readonly then: string;
}

/** Launching words without options. */
const launching: readonly (readonly [LaunchKind, RegExp])[] = [
  [
    'package',
    /^(?:npx|bunx|pnpx|uvx|dnx|jbang|(?:pnpm|yarn) dlx|npm (?:exec|x)|bun x|uv tool run|pipx run)(?= |$)/,
  ],
  ['package', /^dotnet tool exec(?:ute)?(?= |$)/],
  ['container', /^(?:docker(?: container)?|podman|nerdctl) run(?= |$)/],
  [
    'program',
    /^(?:(?:deno|bun|dotnet)(?: run)?|(?:uv|poetry|pdm|hatch|go|cargo) run|(?:pnpm|yarn) exec)(?= |$)/,
  ],
  ['program', /^(?:node|python3?|py|java|php|ruby)(?= |$)/],
];

export const takesValue: ReadonlySet<string> = new Set([
  '--directory',
  '--project',
  '--from',
  '--with',
  '--with-requirements',
  '--python',
  '--package',
  '-p',
  '--index',
  '--index-url',
  '--default-index',
  '--extra-index-url',
  '--source',
  '--env-file',
  '--env',
  '-e',
  '--volume',
  '-v',
  '--mount',
  '--name',
  '--network',
  '--net',
  '--workdir',
  '-w',
  '--user',
  '-u',
  '--platform',
  '--entrypoint',
  '--add-host',
  '--publish',
  '--label',
  '--spec',
  '--pull',
  '--group',
]);

export function readLaunch(line: readonly string[]): LaunchLine {
  const { words: all, variables } = withoutVariables(line);
  const words = withoutCmd(all) ?? all;
  const plain = words.filter(
    (word, i) => !word.startsWith('-') && !takesValue.has(words[i - 1] ?? ''),
  );
  const launcher = baseName(plain[0] ?? '');
  const start = [launcher, ...plain.slice(1, 3)].join(' ');
  const [kind, pattern] =
    launching.find(([, regExp]) => regExp.test(start)) ?? [];
  const count = pattern?.exec(start)?.[0].split(' ').length ?? 0;
  const [subject = '', then = ''] = plain.slice(count);
  return {
    words,
    variables,
    launcher,
    kind,
    subject: kind ? subject : launcher,
    then,
  };
}

/**
 * Splits off variables before a command: `KEY=value npx ...`, `cmd /c "set
 * KEY=value && npx ..."`.
 */
export function withoutVariables(
  words: readonly string[],
): Pick<LaunchLine, 'words' | 'variables'> {
  const inner = withoutCmd(words) ?? [];
  const separator = inner[0] === 'set' ? inner.indexOf('&&') : -1;
  if (separator > 0)
    return {
      words: inner.slice(separator + 1),
      variables: assignmentsIn([inner.slice(1, separator).join(' ')]),
    };
  const start = words[0] === 'env' ? 1 : 0;
  const end = words.findIndex(
    (word, i) => i >= start && !/^[A-Za-z_]\w*=/.test(word),
  );
  return {
    words: words.slice(Math.max(end, 0)),
    variables: assignmentsIn(words.slice(start, Math.max(end, start))),
  };
}

export function assignmentsIn(
  texts: readonly string[],
): ReadonlyMap<string, string> {
  return new Map(
    texts.map((text) => [
      text.replace(/=[^]*$/, ''),
      text.slice(text.indexOf('=') + 1),
    ]),
  );
}

export function isPath(program: string): boolean {
  return /^(?:\.{1,2}|~|[A-Za-z]:|\/[^/]+)[\\/]/.test(program);
}

/** Drops folders and Windows extensions. */
function baseName(path: string): string {
  return path
    .replace(/^.*[\\/](?=[^\\/])/, '')
    .replace(/\.(?:exe|cmd|bat)$/i, '');
}

/** Keeps `cmd /c` only on Windows. */
export function readProgram(
  command: Value | undefined,
  args: Value | undefined,
  onWindows: boolean,
) {
  const notes: string[] = [];
  const allWords = [
    ...itemsOf(command, notes),
    ...(typeof args === 'string' ? split(args) : itemsOf(args, notes)),
  ];
  const [first = '', ...restWords] = allWords;
  // A program with separate arguments may have blanks in its name.
  const isWhole = restWords.length === 0 && isLine(first);
  if (isWhole)
    notes.push(
      t('The command line is split into a command and its arguments.'),
    );
  const words = isWhole ? split(first) : allWords;
  const inner = onWindows ? undefined : withoutCmd(words);
  if (inner)
    notes.push(t('"cmd /c" is left out, because it works on Windows only.'));
  const [program, ...rest] = inner ?? words;
  const fields: Fields = new Map<string, Value>(
    Object.entries({ command: program ?? null, args: rest }),
  );
  return { program: fields, notes };
}

/** A quote without an end leaves one word. */
function split(line: string): readonly string[] {
  return splitLine(line) ?? [line];
}

function itemsOf(value: Value | undefined, notes: string[]): string[] {
  const items: readonly Value[] = Array.isArray(value)
    ? (value as readonly Value[])
    : [value ?? null];
  const texts = items.flatMap((item) =>
    item === null || typeof item === 'object' ? [] : [String(item)],
  );
  if (value !== undefined && texts.length < items.length) {
    notes.push(t('Arguments that are not text are left out.'));
  }
  return texts;
}

function withoutCmd([command = '', ...args]: readonly string[]):
  readonly string[] | undefined {
  if (!/(?:^|[\\/])cmd(?:\.exe)?$/i.test(command)) return undefined;
  const at = args.findIndex((arg) => /^\/{1,2}c$/i.test(arg));
  const inner = args.slice(at + 1);
  if (
    at < 0 ||
    inner.length === 0 ||
    !args.slice(0, at).every((arg) => /^\/{1,2}[a-z]/i.test(arg))
  ) {
    return undefined;
  }
  return inner.length === 1 ? split(inner.join('')) : inner;
}
