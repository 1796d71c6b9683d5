import { nearestNames } from '../base/near.ts';
import { addOptions, adviceOnOption } from '../mcp/cli/commandLine.ts';
import {
  didYouMean,
  type OptionKinds,
  sortArguments,
  type SortedArguments,
  UsageError,
  unknownOption,
} from '../mcp/cli/options.ts';

const commands = [
  'list',
  'get',
  'add',
  'remove',
  'enable',
  'disable',
  'tools',
  'check',
] as const;
type Command = (typeof commands)[number];

/** The subject of help: the program, its MCP commands, or one of them. */
export type HelpTopic = 'switchboard' | 'mcp' | Command;

export type Invocation =
  | {
      readonly do: 'help';
      readonly topic: HelpTopic;
      readonly isRequested: boolean;
    }
  | { readonly do: 'version' }
  | ({ readonly do: 'check'; readonly scanned: SortedArguments } & Common)
  | ({
      readonly do: Exclude<Command, 'check'>;
      readonly scanned: SortedArguments;
    } & Common);

interface Common {
  readonly file: string | undefined;
  readonly json: boolean;
  /** True to show secrets, in commands that show servers. */
  readonly reveal: boolean;
}

const common: OptionKinds = new Map([
  ['--file', 'value'],
  ['--json', 'flag'],
  ['--help', 'flag'],
  ['-h', 'flag'],
]);
const showing: OptionKinds = new Map([...common, ['--reveal', 'flag']]);
const program: OptionKinds = new Map([...common, ['--version', 'flag']]);

const options: Readonly<Record<Command, OptionKinds>> = {
  list: showing,
  get: showing,
  add: new Map([...addOptions, ...common]),
  remove: common,
  enable: common,
  disable: common,
  tools: new Map([...common, ['--enable', 'values'], ['--disable', 'values']]),
  check: new Map([...common, ['--run', 'value'], ['--yes', 'flag']]),
};

/** Throws a UsageError. */
export function readInvocation(args: readonly string[]): Invocation {
  const { topic, rest, unknown } = readTopic(args);
  const head = beforeSeparator(rest);
  if (head.includes('--help') || head.includes('-h'))
    return { do: 'help', topic, isRequested: true };
  if (unknown !== undefined) throw unknown;
  if (topic === 'switchboard' || topic === 'mcp') {
    const { flags } = sortArguments(rest, program);
    return flags.has('--version')
      ? { do: 'version' }
      : { do: 'help', topic, isRequested: false };
  }
  const scanned = sortArguments(
    rest,
    options[topic],
    topic === 'add' ? adviceOnOption : undefined,
  );
  return {
    do: topic,
    scanned,
    file: scanned.values.get('--file')?.[0],
    json: scanned.flags.has('--json'),
    reveal: scanned.flags.has('--reveal'),
  };
}

/** True to answer with JSON, even if other arguments are wrong. */
export function wantsJson(args: readonly string[]): boolean {
  return beforeSeparator(args).includes('--json');
}

/**
 * Finds the command. Common options may come before its words, and `help`
 * before or between them.
 */
export function readTopic(args: readonly string[]) {
  const words = [...args];
  const rest: string[] = [];
  let topic: HelpTopic = 'switchboard';
  const result = (unknown?: string) => ({
    topic,
    rest: [...rest, ...words],
    unknown: unknown === undefined ? undefined : new UsageError(unknown),
  });
  for (;;) {
    const word = words[0];
    if (word === undefined || word === '--') return result();
    if (word.startsWith('-')) {
      const [name = ''] = word.split('=', 1);
      if (!program.has(name)) return result(unknownOption(name, program));
      rest.push(...words.splice(0, word === '--file' ? 2 : 1));
      continue;
    }
    if (word === 'help') {
      rest.unshift('--help');
    } else if (topic === 'switchboard') {
      if (word !== 'mcp') return result(noProgram(word));
      topic = 'mcp';
    } else {
      const command = commands.find((candidate) => candidate === word);
      if (!command) return result(noCommand(word));
      topic = command;
      words.shift();
      return result();
    }
    words.shift();
  }
}

function noProgram(word: string): string {
  const command = commands.find((candidate) => candidate === word);
  const near = command
    ? [`switchboard mcp ${command}`]
    : nearestNames(word, ['mcp']).map(() => 'switchboard mcp');
  return `There is no command "${word}".${didYouMean(near)}`;
}

function noCommand(word: string): string {
  const near = nearestNames(word, commands);
  const advice =
    near.length > 0 ? didYouMean(near) : ` There are ${commands.join(', ')}.`;
  return `There is no command "mcp ${word}".${advice}`;
}

function beforeSeparator(args: readonly string[]): readonly string[] {
  const separator = args.indexOf('--');
  return separator < 0 ? args : args.slice(0, separator);
}

/** Throws a UsageError unless there is exactly one name. */
export function requireName(
  command: Command,
  { operands, rest = [] }: SortedArguments,
): string {
  const names = [...operands, ...rest];
  const [name] = names;
  const form = `switchboard mcp ${command} NAME`;
  if (name === undefined)
    throw new UsageError(`The name of the server is missing: ${form}`);
  if (names.length === 1) return name;
  throw new UsageError(
    `${command} takes one name. A name with spaces needs quotes: ${form}`,
  );
}

/** Throws a UsageError for a name. */
export function rejectName(
  command: Command,
  { operands, rest = [] }: SortedArguments,
): void {
  if (operands.length + rest.length === 0) return;
  throw new UsageError(
    `${command} takes no name. To show the details of one server: switchboard mcp get NAME`,
  );
}
