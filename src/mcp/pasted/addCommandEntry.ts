/** The words of `mcp add` of any program: sorts its options tolerantly, and makes an entry of them. */
import { t } from '../../base/l10n.ts';
import { namedTransport } from '../dialects/dialects.ts';
import { isPlaceholder } from '../format/placeholders.ts';
import { schemeOf } from '../format/serverRules.ts';
import { argumentsIn, pairsIn } from './lists.ts';
import type { PastedEntry } from './pastedServer.ts';
import { notTakenOver } from './sentences.ts';
import type { Value } from '../text/values.ts';

type Test = (value: string) => boolean;

interface AddOption {
  readonly key: string;
  /** Tests a possible value. Left out for an option without a value. */
  readonly value?: Test;
  /** The same test after a command, which has options of its own. */
  readonly inCommand?: Test;
}

const option = (key: string, names: readonly string[], rest: Omit<AddOption, 'key'> = {}) =>
  names.map((name): [string, AddOption] => [name, { key, ...rest }]);

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
  ...option('transport', ['-t', '--transport', '--type'], { value: transport, inCommand: transport }),
  ...option('scope', ['-s', '--scope'], {
    value: like(/^[^-]/),
    inCommand: like(/^(?:local|user|project|global|workspace)$/i),
  }),
  ...option('env', ['-e', '--env'], { value: variable, inCommand: variable }),
  // Any next word is its value, never the name or target.
  ...option('header', ['-H', '--header', '--headers'], {
    value: any,
    inCommand: like(/^[^\s:=-][^\s:=]*\s*:/),
  }),
  ...['name', 'command', 'auth', 'url', 'bearer-token-env-var', 'description', 'cwd'].flatMap((name) =>
    option(name, [`--${name}`], { value: any }),
  ),
  ...option('auth', ['--bearer-token'], { value: any }),
  ...option('args', ['--args', '--arg'], { value: any }),
  ...option('timeout', ['--timeout'], { value: like(/^\d{1,9}$/) }),
  ...[
    ...['include-tools', 'exclude-tools', 'tools', 'client-id', 'callback-port', 'oauth-client-id'],
    ...['agent', 'agents', 'client', 'profile', 'config', 'env-file', 'connect-timeout', 'startup-timeout'],
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
 * Takes the next word, joined with the words after it for `NAME value`, as in Crush, and for a header without quotes.
 */
function valueIn(queue: string[], option: string): string | undefined {
  const [value = '', next = '', last = ''] = [queue.at(-1), queue.at(-2), queue.at(-3)];
  const isOpen = /^[A-Za-z][\w-]*:$/.test(value) && /^(?:-H|--headers?)$/.test(option);
  const isName = /^[A-Za-z][\w-]*$/.test(value) && /^--(?:header|env)$/.test(option);
  if (!(isOpen || isName) || next === '' || next.startsWith('-') || isAddress(next)) return queue.at(-1);
  const isScheme = isOpen && /^(?:Bearer|Basic|Token)$/i.test(next) && last !== '' && !last.startsWith('-');
  const sign = isOpen ? ' ' : option === '--env' ? '=' : ': ';
  queue.splice(isScheme ? -3 : -2, isScheme ? 3 : 2, `${value}${sign}${next}${isScheme ? ` ${last}` : ''}`);
  return queue.at(-1);
}

/** Their own options have these names too. */
const containerPrograms = /^(?:docker|podman|nerdctl)(?:\.exe)?$/;

function isAddress(text: string | undefined): boolean {
  return text !== undefined && schemeOf(text) !== undefined;
}

export function sortWords(words: readonly string[]): SortedWords {
  const separator = words.indexOf('--');
  // Reversed, because taking from the front of a long list is slow.
  const queue = (separator < 0 ? words : words.slice(0, separator)).toReversed();
  const values = new Map<string, string[]>();
  const operands: string[] = [];
  const lost: string[] = [];
  const give = (key: string, value: string) => {
    const before = values.get(key);
    if (before) before.push(value);
    else values.set(key, [value]);
  };

  for (let word = queue.pop(); word !== undefined; word = queue.pop()) {
    const [, name = '', given] = /^(--?[\w-]+)(?:=([^]*))?$/.exec(word.replace(/^[–—]/, '--')) ?? [];
    const found = options.get(name);
    const target = operands[values.has('name') ? 0 : 1];
    // After a command, only the options that can be told from its own.
    const inCommand = separator < 0 && target !== undefined && !isAddress(target);
    const isValue = inCommand ? found?.inCommand : found?.value;
    if (name === '' || (inCommand && (!isValue || containerPrograms.test(target)))) {
      operands.push(word);
      continue;
    }
    if (found && !found.value) {
      give(
        found.key,
        given ?? (/^(?:true|false)$/.test(queue.at(-1) ?? '') ? queue.splice(-1).join('') : ''),
      );
      continue;
    }
    const value = given ?? valueIn(queue, name);
    if (value === undefined || !found || !isValue?.(value)) {
      (inCommand ? operands : lost).push(inCommand ? word : name);
      continue;
    }
    if (given === undefined) queue.pop();
    if (found.key === 'lost' || (found.key === 'header' && !header(value))) lost.push(name);
    else give(found.key, value);
    // One option can be followed by several variables, or by all arguments.
    const goesOn: Test =
      found.key === 'env'
        ? like(/^[A-Za-z_]\w*=/)
        : name === '--args'
          ? (next) => !options.has(next.replace(/=[^]*$/, ''))
          : () => false;
    for (let next = queue.at(-1); next !== undefined && goesOn(next); next = queue.at(-1)) {
      give(found.key, next);
      queue.pop();
    }
  }
  return { values, operands, rest: separator < 0 ? [] : words.slice(separator + 1), lost };
}

const standIn = /^(?:<[^<>]+>|\.{3}|…|(?:SERVER[-_]?)?NAME|URL|COMMAND|CMD|TARGET)$/;
const optional = /^\[(?:-.*|(?:options|flags|args?|arguments|command)\]|.*(?:\.{3}|…)\])$/i;

/** Recognizes a usage line such as `[options] <name> <commandOrUrl> [args...]`. */
export function isUsage(words: readonly string[], { name = '', fields }: PastedEntry): boolean {
  const target = fields.get('url') ?? fields.get('command') ?? name;
  if (words.some((word) => optional.test(word))) return true;
  return standIn.test(name) && typeof target === 'string' && standIn.test(target);
}

/** `isNamed`: the first of several words is the name. */
export function entryOfAdd(sorted: SortedWords, isNamed: boolean): PastedEntry {
  const { values, lost } = sorted;
  const one = (key: string) => values.get(key)?.[0];
  const before = isNamed ? nameBefore(sorted) : undefined;
  const [first, ...args] = targetOf(sorted, before === undefined ? 0 : 1, isNamed);
  const transport = one('transport');
  const isRemote =
    isAddress(first) ||
    (transport !== undefined && transport.toLowerCase() !== 'stdio') ||
    (first !== undefined && /\b(?:url|endpoint)\b/i.test(first.replaceAll('_', ' ')) && isPlaceholder(first));

  const fields = new Map<string, Value>();
  if (first !== undefined) fields.set(isRemote ? 'url' : 'command', first);
  if (!isRemote) fields.set('args', args);
  if (transport !== undefined && isRemote) fields.set('transport', transport);
  // Programs with an option for the command take several variables in one text.
  const separator = values.has('command') ? /,(?=[A-Z_][A-Z\d_]*=)/ : undefined;
  fields.set('env', pairsIn('env', values.get('env') ?? [], separator));
  fields.set('headers', pairsIn('headers', values.get('header') ?? []));
  // A method other than a token needs only headers.
  const auth = one('auth') ?? '';
  fields.set('auth', /^(?:header|bearer|basic|none|token)$/i.test(auth) ? null : auth);
  for (const key of ['description', 'cwd', 'bearer_token_env_var']) {
    fields.set(key, one(key.replaceAll('_', '-')) ?? null);
  }
  if (values.has('timeout')) fields.set('timeout', Number(one('timeout')));
  fields.set('disabled', (one('disabled') ?? 'false') !== 'false' || one('enabled') === 'false');

  const notes = notTakenOver([...(values.has('scope') ? ['--scope'] : []), ...lost]);
  if (isRemote && args.length > 0) notes.push(t('Anything after the URL is left out.'));
  return { name: one('name') ?? before, fields, inputs: new Map(), notes };
}

function targetOf(
  { values, operands, rest }: SortedWords,
  from: number,
  isNamed: boolean,
): readonly string[] {
  const stated = values.get('url')?.[0] ?? values.get('command')?.[0];
  const following = [...argumentsIn(values.get('args') ?? []), ...[...operands, ...rest].slice(from)];
  if (stated !== undefined) return [stated, ...following];
  // Without an expected name, one npm package is enough.
  const [first = '', ...more] = following;
  const isPackage = !isNamed && more.length === 0 && /^@?[\w.-]+(?:\/[\w.-]+)?(?:@[\w.-]+)?$/.test(first);
  return isPackage ? ['npx', '-y', first] : following;
}

/** The first word, unless it is the target. */
function nameBefore({ values, operands, rest }: SortedWords): string | undefined {
  if (values.has('name')) return undefined;
  if (values.has('url') || values.has('command')) return operands[0];
  const [first, second] = [...operands, ...rest];
  // A lone URL has no name. After "--", a command may have none, alone or before options.
  const isTarget =
    operands.length === 0 ? (second ?? '-').startsWith('-') : second === undefined && isAddress(first);
  return isTarget ? undefined : first;
}
