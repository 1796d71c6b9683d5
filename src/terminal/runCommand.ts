/**
 * Runs a command. Code for reading is loaded at once, other code on first use.
 */
import { reason, UserError } from '../base/errors.ts';
import { plainText } from '../base/plainText.ts';
import { redact } from '../base/masks/redact.ts';
import { configFilePath } from '../files/configPath.ts';
import { readConfig } from '../files/read.ts';
import { readAdd } from '../mcp/cli/commandLine.ts';
import { UsageError } from '../mcp/cli/options.ts';
import { Refusal } from '../mcp/text/refusal.ts';
import {
  type CommandContext,
  type TerminalHost,
  OutputError,
  unwrittenExitCode,
} from './host.ts';
import {
  type Invocation,
  readInvocation,
  readTopic,
  rejectName,
  requireName,
  wantsJson,
} from './invocation.ts';
import { coloursOf, printJson } from './output.ts';
import { getCommand, listCommand } from './showServers.ts';

/**
 * Resolves to the exit code: 0 done, 1 refused or failed, 2 wrong usage, 3 done
 * but the answer could not be written.
 */
export async function runCommand(host: TerminalHost): Promise<number> {
  let file: string | undefined;
  try {
    const invocation = readInvocation(host.args);
    if (invocation.do === 'version') {
      host.stdout.write(`${host.version()}\n`);
      return 0;
    }
    if (invocation.do === 'help') return await showHelp(host, invocation);
    if (invocation.do === 'check') return await checkFiles(host, invocation);
    file = pathOf(host, invocation.file);
    await perform(host, invocation, file);
    return 0;
  } catch (error) {
    return fail(host, await explainMissingFile(host, error, file), file);
  }
}

/** Replaces the error about a missing server if the whole file is missing. */
async function explainMissingFile(
  { disk }: TerminalHost,
  error: unknown,
  file: string | undefined,
): Promise<unknown> {
  if (
    !(error instanceof Refusal) ||
    error.kind !== 'noSuchServer' ||
    file === undefined
  )
    return error;
  if (await readConfig(file, { disk })) return error;
  return new Refusal(
    'noSuchServer',
    `There are no MCP servers: ${plainText(file, 1000)} does not exist.`,
  );
}

async function showHelp(
  { args, stdout, stderr }: TerminalHost,
  { topic, isRequested }: Extract<Invocation, { readonly do: 'help' }>,
): Promise<number> {
  if (!isRequested && wantsJson(args))
    throw new UsageError('The command is missing.');
  const { helpTexts } = await import('./otherBundle.ts');
  (isRequested ? stdout : stderr).write(helpTexts[topic]);
  return isRequested ? 0 : 2;
}

async function checkFiles(
  host: TerminalHost,
  { file, scanned, json }: Extract<Invocation, { readonly do: 'check' }>,
): Promise<number> {
  const { operands, rest = [] } = scanned;
  const named = [...operands, ...rest];
  const [name] = scanned.values.get('--run') ?? [];
  const yes = scanned.flags.has('--yes');
  if (name !== undefined) {
    if (named.length > 0)
      throw new UsageError(
        'check --run takes no files. Name the file with --file.',
      );
    const path = pathOf(host, file);
    const { checkRunCommand } = await import('./otherBundle.ts');
    try {
      return (await checkRunCommand({ host, file: path, json }, { name, yes }))
        ? 0
        : 1;
    } catch (error) {
      throw await explainMissingFile(host, error, path);
    }
  }
  if (yes)
    throw new UsageError(
      '--yes agrees to start a server: switchboard mcp check --run NAME --yes',
    );
  if (named.includes('')) throw new UsageError('The path of a file is empty.');
  const paths =
    file === undefined && named.length > 0 ? named : [file, ...named];
  const files = paths.map((path) => pathOf(host, path));
  const { checkCommand } = await import('./otherBundle.ts');
  return (await checkCommand(host, files, json)) ? 0 : 1;
}

type CommandInvocation = Exclude<
  Extract<Invocation, { readonly scanned: object }>,
  { readonly do: 'check' }
>;

async function perform(
  host: TerminalHost,
  invocation: CommandInvocation,
  file: string,
): Promise<void> {
  const { do: command, scanned, json, reveal } = invocation;
  const context: CommandContext = { host, file, json, reveal };
  if (command === 'list') {
    rejectName(command, scanned);
    await listCommand(context);
  } else if (command === 'get') {
    await getCommand(context, requireName(command, scanned));
  } else {
    const commands = await import('./otherBundle.ts');
    if (command === 'add') await commands.addCommand(context, readAdd(scanned));
    else if (command === 'tools')
      await commands.toolsCommand(
        context,
        requireName(command, scanned),
        scanned,
      );
    else
      await commands.changeServer(
        context,
        command,
        requireName(command, scanned),
      );
  }
}

function pathOf(
  { home, platform, env, workingFolder }: TerminalHost,
  path: string | undefined,
): string {
  if (path === '') throw new UsageError('--file needs a value.');
  return configFilePath({
    home,
    platform,
    environment: env,
    ...(path !== undefined && {
      option: { path, workingFolder: () => thereStill(workingFolder) },
    }),
  });
}

function thereStill(workingFolder: () => string): string {
  try {
    return workingFolder();
  } catch (cause) {
    throw new UserError(
      'The current folder no longer exists. Go to another folder, or give --file a full path.',
      { cause },
    );
  }
}

/**
 * Prints an error on standard error, and with --json on standard output too.
 */
function fail(
  host: TerminalHost,
  error: unknown,
  file: string | undefined,
): number {
  const isUsage = error instanceof UsageError;
  const position = error instanceof Refusal ? error.position : undefined;
  const message = messageOf(error);
  const place =
    position && file !== undefined ? `${plainText(file, 1000)}: ` : '';
  host.stderr.write(
    `${coloursOf(host.stderr, host).bad('Error:')} ${place}${message}\n`,
  );
  if (error instanceof OutputError) return unwrittenExitCode;
  if (isUsage) host.stderr.write(`See: ${helpCommand(host.args)}\n`);
  if (wantsJson(host.args)) {
    const { line, column } = position ?? {};
    const where = isUsage ? {} : { file, line, column };
    printFailure(host, { kind: kindOf(error), message, ...where });
  }
  return isUsage ? 2 : 1;
}

/** A failure to write is ignored: the error is on standard error already. */
function printFailure(host: TerminalHost, error: object): void {
  try {
    printJson(host, { error });
  } catch (failure) {
    if (!(failure instanceof OutputError)) throw failure;
  }
}

function helpCommand(args: readonly string[]): string {
  const { topic } = readTopic(args);
  if (topic === 'switchboard') return 'switchboard --help';
  return topic === 'mcp'
    ? 'switchboard mcp --help'
    : `switchboard mcp ${topic} --help`;
}

function kindOf(error: unknown): string {
  if (error instanceof UsageError) return 'usage';
  if (error instanceof Refusal) return error.kind;
  return error instanceof UserError ? 'failed' : 'defect';
}

function messageOf(error: unknown): string {
  if (error instanceof UserError) return plainText(error.message, 2000);
  const why = redact(reason(error));
  return plainText(
    `This should not have happened. It is a bug in switchboard: ${why}`,
    2000,
  );
}
