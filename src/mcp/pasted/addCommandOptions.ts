/** The options of `mcp add` in all the programs that have it, sorted out in one tolerant way. */
import { namedTransport } from '../dialects/dialects.ts';
import { schemeOf } from '../format/serverRules.ts';

type Test = (value: string) => boolean;

interface AddOption {
  /** What it is called here. */
  readonly key: string;
  /** Whether this can be its value; left out where the option takes none. Anything else that follows is not. */
  readonly value?: Test;
  /** The same after a command, where most options are the command's. */
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
/** A header as everybody writes it, as Amp does, or all in JSON. */
const header = like(/^[^\s:=-][^\s:=]*\s*[:=]|^\{/);

const options: ReadonlyMap<string, AddOption> = new Map([
  ...option('transport', ['-t', '--transport', '--type'], { value: transport, inCommand: transport }),
  ...option('scope', ['-s', '--scope'], {
    value: like(/^[^-]/),
    inCommand: like(/^(?:local|user|project|global|workspace)$/i),
  }),
  ...option('env', ['-e', '--env'], { value: variable, inCommand: variable }),
  // Whatever follows is its value, as in the programs themselves, and never the name or the target.
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

export interface SortedWords {
  /** The values of the options, by what they are called here. Of a flag the value is empty, or `false`. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** The words that are not options: the name, the target, and arguments. */
  readonly operands: readonly string[];
  readonly rest: readonly string[];
  /** Options that mean nothing here. */
  readonly lost: readonly string[];
}

/**
 * The next word, or several in one: a header or a variable whose name and value are two words, as in Crush, and a header
 * that somebody left without quotes.
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

/** Their own options have the same names. */
const containerPrograms = /^(?:docker|podman|nerdctl)(?:\.exe)?$/;

export function isAddress(text: string | undefined): boolean {
  return text !== undefined && schemeOf(text) !== undefined;
}

export function sortWords(words: readonly string[]): SortedWords {
  const separator = words.indexOf('--');
  // From its end, because taking from the front of a long list takes long.
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
    // Nothing but the command's own arguments, unless it can be told from them.
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
    // Several variables can follow one option, and all the arguments.
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
