/**
 * Reads commands that add a server: `mcp add` and `mcp add-json` of any
 * program, `mcp set` of OpenClaw, `--add-mcp` of VS Code, `add-mcp`, and
 * extensions of Goose.
 */
import { t } from '../../base/l10n.ts';
import { splitWords } from '../cli/shellWords.ts';
import { namedTransport } from '../dialects/dialects.ts';
import { isPlaceholder } from '../format/placeholders.ts';
import { schemeOf } from '../format/serverRules.ts';
import type { Fields, Value } from '../text/values.ts';
import { Refusal } from '../text/refusal.ts';
import { findEntries } from './findEntries.ts';
import { readObject } from './json.ts';
import { argumentsIn, pairsIn } from './lists.ts';
import type { PastedEntry, PasteFindings } from './pastedServer.ts';
import { notTakenOver, readParts } from './sentences.ts';
import { withoutVariables } from './launchers.ts';

const command =
  /(?<![\w-])(?:mcp(?:[ \t]|[\\`^]\n)+(?:add(?:-json)?|set)(?=\s)|--add-mcp(?=[\s=])|--with-(?:\w+-)*extension(?=[\s=])|(?<=\b(?:npx|bunx|dlx)[ \t]+(?:-y[ \t]+|--yes[ \t]+)?)add-mcp(?:@[\w.-]+)?(?=\s))/g;

/** Returns the text with blanks in place of the commands. */
export function readCommandsIn(text: string, findings: PasteFindings): string {
  return readParts(text, command, findings.problems, ({ index }) => {
    const { words, unfinished, end } = wordsAt(text, index);
    if (unfinished === undefined) readCommand(words, findings);
    else {
      const what = t('the quote that opens here has no end.');
      findings.problems.push(
        new Refusal('syntax', what, text, unfinished).message,
      );
    }
    return [end, 1];
  });
}

function wordsAt(text: string, from: number) {
  const before = text.slice(text.lastIndexOf('\n', from) + 1, from);
  const newline = text.indexOf('\n', from);
  const line = text.slice(from, newline < 0 ? text.length : newline);
  // A command within a sentence is between backticks.
  const inCode = before.split('`').length % 2 === 0;
  const tick = inCode ? line.indexOf('`') : -1;
  const windows =
    /^\s*(?:PS )?[A-Za-z]:\\[^>]*>/.test(before) ||
    /[\s"'=][A-Za-z]:\\|[`^]$|\{[`"]"|\$env:/.test(line);
  return splitWords(tick < 0 ? text : text.slice(0, from + tick), {
    from,
    oneCommand: true,
    windows,
  });
}

function readCommand(words: readonly string[], findings: PasteFindings): void {
  const [first = '', second = '', ...restWords] = words;
  const cut = first.indexOf('=');
  const argument = cut < 0 ? second : first.slice(cut + 1);
  if (first.startsWith('--add-mcp')) readAddMcp(argument, findings);
  else if (first.startsWith('--with-')) readExtension(argument, findings);
  else if (first.startsWith('add-mcp'))
    readAdd([second, ...restWords], findings, false);
  else if (second === 'add') readAdd(restWords, findings, true);
  else readAddJson(second, restWords, findings);
}

function readAddMcp(json: string, { entries, problems }: PasteFindings): void {
  const root = readShellJson(json);
  if (root instanceof Refusal) {
    problems.push(t('The JSON of --add-mcp cannot be read. {0}', root.message));
  } else for (const entry of findEntries(root, 'servers')) entries.push(entry);
}

function readAddJson(
  command: string,
  words: readonly string[],
  { entries, problems }: PasteFindings,
) {
  const { operands, lost, values } = sortWords(words);
  const [name, json = ''] = operands;
  if (command === 'set' && !json.startsWith('{')) return;
  const notes = notTakenOver([
    ...(values.has('scope') ? ['--scope'] : []),
    ...lost,
  ]);
  const fields = readShellJson(json);
  if (!(fields instanceof Refusal)) entries.push({ name, fields, notes });
  else if (!isUsage(words, { name, fields: new Map([['command', json]]) }))
    problems.push(
      t('The JSON of mcp add-json cannot be read. {0}', fields.message),
    );
}

function readAdd(
  words: readonly string[],
  { entries }: PasteFindings,
  isNamed: boolean,
): void {
  const entry = entryOfAdd(sortWords(words), isNamed);
  if (!isUsage(words, entry)) entries.push(entry);
}

function readExtension(line: string, { entries }: PasteFindings): void {
  const { words, variables } = withoutVariables(
    splitWords(line, { noComments: true }).words,
  );
  const target = variables.size > 0 ? words.join(' ') : line;
  const isUrl = /^https?:/i.test(target);
  const fields = new Map<string, Value>([
    [isUrl ? 'url' : 'command', target],
    ['env', variables],
  ]);
  entries.push({ name: undefined, fields });
}

/**
 * Reads JSON, also with backslashes before quotes or with three quotes for one,
 * as PowerShell and cmd need them.
 */
function readShellJson(json: string): Fields | Refusal {
  // PowerShell: @' starts a text and '@ ends it.
  const text = json.replace(/^@\s*(\{[^]*\})\s*@$/, '$1');
  const fields = readObject(text);
  const [, quote] = /^\s*\{\s*(\\"|""")/.exec(text) ?? [];
  if (!(fields instanceof Refusal) || quote === undefined) return fields;
  return readObject(text.replaceAll(quote, '"'));
}

type Test = (value: string) => boolean;

interface AddOption {
  readonly key: string;
  /** Tests a possible value. Left out for an option without a value. */
  readonly value?: Test;
  /** The same test after a command, which has options of its own. */
  readonly inCommand?: Test;
}

const option = (
  key: string,
  names: readonly string[],
  rest: Omit<AddOption, 'key'> = {},
) => names.map((name): [string, AddOption] => [name, { key, ...rest }]);

const like =
  (pattern: RegExp): Test =>
  (value) =>
    pattern.test(value);
const any = like(/^/);
const transport: Test = (value) => namedTransport(value) !== undefined;
const variable = like(/^[^\s=-][^\s=]*=|^\{/);
/** A header with ":", with "=" as in Amp, or as JSON. */
const header = like(/^[^\s:=-][^\s:=]*\s*[:=]|^\{/);

const options: ReadonlyMap<string, AddOption> = new Map([
  ...option('transport', ['-t', '--transport', '--type'], {
    value: transport,
    inCommand: transport,
  }),
  ...option('scope', ['-s', '--scope'], {
    value: like(/^[^-]/),
    inCommand: like(/^(?:local|user|project|global|workspace)$/i),
  }),
  ...option('env', ['-e', '--env'], { value: variable, inCommand: variable }),
  // Any word after it is its value, never the name or target.
  ...option('header', ['-H', '--header', '--headers'], {
    value: any,
    inCommand: like(/^[^\s:=-][^\s:=]*\s*:/),
  }),
  ...[
    'name',
    'command',
    'auth',
    'url',
    'bearer-token-env-var',
    'description',
    'cwd',
  ].flatMap((name) => option(name, [`--${name}`], { value: any })),
  ...option('auth', ['--bearer-token'], { value: any }),
  ...option('args', ['--args', '--arg'], { value: any }),
  ...option('timeout', ['--timeout'], { value: like(/^\d{1,9}$/) }),
  ...[
    'include-tools',
    'exclude-tools',
    'tools',
    'client-id',
    'callback-port',
    'oauth-client-id',
    'agent',
    'agents',
    'client',
    'profile',
    'config',
    'env-file',
    'connect-timeout',
    'startup-timeout',
  ].flatMap((name) => option('lost', [`--${name}`], { value: any })),
  ...['enabled', 'disabled'].flatMap((name) => option(name, [`--${name}`])),
]);

interface SortedWords {
  /** Values by our names of the options; '' or `false` for a flag. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly operands: readonly string[];
  readonly rest: readonly string[];
  readonly lost: readonly string[];
}

/**
 * Takes the next word, joined with the words after it for `NAME value`, as in
 * Crush, and for a header without quotes.
 */
function valueIn(queue: string[], option: string): string | undefined {
  const value = queue.at(-1) ?? '';
  const next = queue.at(-2) ?? '';
  const last = queue.at(-3) ?? '';
  const isOpen =
    /^[A-Za-z][\w-]*:$/.test(value) && /^(?:-H|--headers?)$/.test(option);
  const isName =
    /^[A-Za-z][\w-]*$/.test(value) && /^--(?:header|env)$/.test(option);
  if (
    !(isOpen || isName) ||
    next === '' ||
    next.startsWith('-') ||
    isAddress(next)
  )
    return queue.at(-1);
  const isScheme =
    isOpen &&
    /^(?:Bearer|Basic|Token)$/i.test(next) &&
    last !== '' &&
    !last.startsWith('-');
  const nameSign = option === '--env' ? '=' : ': ';
  const sign = isOpen ? ' ' : nameSign;
  queue.splice(
    isScheme ? -3 : -2,
    isScheme ? 3 : 2,
    `${value}${sign}${next}${isScheme ? ` ${last}` : ''}`,
  );
  return queue.at(-1);
}

/** Programs whose own options have the same names. */
const containerPrograms = /^(?:docker|podman|nerdctl)(?:\.exe)?$/;

function isAddress(text: string | undefined): boolean {
  return text !== undefined && schemeOf(text) !== undefined;
}

function sortWords(words: readonly string[]): SortedWords {
  const separator = words.indexOf('--');
  const hasSeparator = separator >= 0;
  const { values, operands, lost } = new WordSorter(
    hasSeparator ? words.slice(0, separator) : words,
    hasSeparator,
  );
  const rest = hasSeparator ? words.slice(separator + 1) : [];
  return { values, operands, rest, lost };
}

class WordSorter {
  readonly values = new Map<string, string[]>();
  readonly operands: string[] = [];
  readonly lost: string[] = [];
  /** Reversed, because taking from the front of a long list is slow. */
  readonly #queue: string[];
  readonly #hasSeparator: boolean;

  constructor(words: readonly string[], hasSeparator: boolean) {
    this.#queue = words.toReversed();
    this.#hasSeparator = hasSeparator;
    for (let word = this.#queue.pop(); word !== undefined;) {
      this.#sort(word);
      word = this.#queue.pop();
    }
  }

  #sort(word: string): void {
    const [, name = '', inlineValue] =
      /^(--?[\w-]+)(?:=([^]*))?$/.exec(word.replace(/^[–—]/, '--')) ?? [];
    const addOption = options.get(name);
    const command = this.#command;
    // Options after a command count only if they differ from its own.
    const isValue =
      command === undefined ? addOption?.value : addOption?.inCommand;
    const isOfCommand =
      command !== undefined && (!isValue || containerPrograms.test(command));
    if (name === '' || isOfCommand) {
      this.operands.push(word);
      return;
    }
    if (addOption && !addOption.value) {
      this.#give(addOption.key, inlineValue ?? this.#takeBoolean());
      return;
    }
    const value = inlineValue ?? valueIn(this.#queue, name);
    if (value === undefined || !addOption || !isValue?.(value)) {
      if (command === undefined) this.lost.push(name);
      else this.operands.push(word);
      return;
    }
    if (inlineValue === undefined) this.#queue.pop();
    const { key } = addOption;
    const isLost = key === 'lost' || (key === 'header' && !header(value));
    if (isLost) this.lost.push(name);
    else this.#give(key, value);
    this.#takeMoreValues(key, name);
  }

  /** The command that the words before have begun. */
  get #command(): string | undefined {
    const target = this.operands[this.values.has('name') ? 0 : 1];
    return this.#hasSeparator || isAddress(target) ? undefined : target;
  }

  #give(key: string, value: string): void {
    const before = this.values.get(key);
    if (before) before.push(value);
    else this.values.set(key, [value]);
  }

  #takeBoolean(): string {
    return /^(?:true|false)$/.test(this.#queue.at(-1) ?? '')
      ? this.#queue.splice(-1).join('')
      : '';
  }

  /** Takes several variables after one option, or all arguments. */
  #takeMoreValues(key: string, name: string): void {
    const goesOn: Test = (next) =>
      key === 'env'
        ? /^[A-Za-z_]\w*=/.test(next)
        : name === '--args' && !options.has(next.replace(/=[^]*$/, ''));
    for (
      let next = this.#queue.at(-1);
      next !== undefined && goesOn(next);
      next = this.#queue.at(-1)
    ) {
      this.#give(key, next);
      this.#queue.pop();
    }
  }
}

const standIn =
  /^(?:<[^<>]+>|\.{3}|…|(?:SERVER[-_]?)?NAME|URL|COMMAND|CMD|TARGET)$/;
const optional =
  /^\[(?:-.*|(?:options|flags|args?|arguments|command)\]|.*(?:\.{3}|…)\])$/i;

/**
 * Recognizes a usage line such as `[options] <name> <commandOrUrl> [args...]`.
 */
function isUsage(
  words: readonly string[],
  { name = '', fields }: PastedEntry,
): boolean {
  const target = fields.get('url') ?? fields.get('command') ?? name;
  if (words.some((word) => optional.test(word))) return true;
  return (
    standIn.test(name) && typeof target === 'string' && standIn.test(target)
  );
}

/** `isNamed`: the first of several words is the name. */
function entryOfAdd(sorted: SortedWords, isNamed: boolean): PastedEntry {
  const { values, lost } = sorted;
  const before = isNamed ? nameBefore(sorted) : undefined;
  const [first, ...args] = targetOf(
    sorted,
    before === undefined ? 0 : 1,
    isNamed,
  );
  const transport = values.get('transport')?.[0];
  const isRemote = isRemoteTarget(first, transport);
  const target = new Map<string, Value>();
  if (first !== undefined) target.set(isRemote ? 'url' : 'command', first);
  if (!isRemote) target.set('args', args);
  if (transport !== undefined && isRemote) target.set('transport', transport);
  const fields = new Map([...target, ...fieldsOfOptions(values)]);
  const notes = notTakenOver([
    ...(values.has('scope') ? ['--scope'] : []),
    ...lost,
  ]);
  if (isRemote && args.length > 0)
    notes.push(t('Anything after the URL is left out.'));
  return { name: values.get('name')?.[0] ?? before, fields, notes };
}

function isRemoteTarget(
  target: string | undefined,
  transport: string | undefined,
): boolean {
  return (
    isAddress(target) ||
    (transport !== undefined && transport.toLowerCase() !== 'stdio') ||
    (target !== undefined &&
      /\b(?:url|endpoint)\b/i.test(target.replaceAll('_', ' ')) &&
      isPlaceholder(target))
  );
}

function fieldsOfOptions(
  values: SortedWords['values'],
): ReadonlyMap<string, Value> {
  const one = (key: string) => values.get(key)?.[0];
  const fields = new Map<string, Value>();
  // Programs with an option for the command take several variables in one text.
  const separator = values.has('command') ? /,(?=[A-Z_][A-Z\d_]*=)/ : undefined;
  fields.set('env', pairsIn('env', values.get('env') ?? [], separator));
  fields.set('headers', pairsIn('headers', values.get('header') ?? []));
  // A method other than a token needs only headers.
  const auth = one('auth') ?? '';
  fields.set(
    'auth',
    /^(?:header|bearer|basic|none|token)$/i.test(auth) ? null : auth,
  );
  for (const key of ['description', 'cwd', 'bearer_token_env_var']) {
    fields.set(key, one(key.replaceAll('_', '-')) ?? null);
  }
  if (values.has('timeout')) fields.set('timeout', Number(one('timeout')));
  fields.set(
    'disabled',
    (one('disabled') ?? 'false') !== 'false' || one('enabled') === 'false',
  );
  return fields;
}

function targetOf(
  { values, operands, rest }: SortedWords,
  from: number,
  isNamed: boolean,
): readonly string[] {
  const stated = values.get('url')?.[0] ?? values.get('command')?.[0];
  const following = [
    ...argumentsIn(values.get('args') ?? []),
    ...[...operands, ...rest].slice(from),
  ];
  if (stated !== undefined) return [stated, ...following];
  // One npm package is enough if no name is expected.
  const [first = '', ...more] = following;
  const isPackage =
    !isNamed &&
    more.length === 0 &&
    /^@?[\w.-]+(?:\/[\w.-]+)?(?:@[\w.-]+)?$/.test(first);
  return isPackage ? ['npx', '-y', first] : following;
}

/** The first word, unless it is the target. */
function nameBefore({
  values,
  operands,
  rest,
}: SortedWords): string | undefined {
  if (values.has('name')) return undefined;
  if (values.has('url') || values.has('command')) return operands[0];
  const [first, second] = [...operands, ...rest];
  // A lone URL has no name. After "--", a command may have none, alone or
  // before options.
  const isTarget =
    operands.length === 0
      ? (second ?? '-').startsWith('-')
      : second === undefined && isAddress(first);
  return isTarget ? undefined : first;
}
