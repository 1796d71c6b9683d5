/** The command line of `mcp add`, read and written: one grammar for the terminal, for copying and for pasting. */
import { UserError } from '../base/errors.ts';
import { nearest } from '../base/near.ts';
import { Secret } from '../base/secret.ts';
import { isMethod, maskArguments, maskText, maskUrl, shellWord } from './mask.ts';
import type { LocalServer, RemoteServer, Server, Transport } from './server.ts';

/** A command line that does not say what to do. The message is a sentence, and repeats nothing that may be secret. */
export class UsageError extends UserError {}

/** Whether an option stands alone, takes a value, or takes one each of the times it is given. */
export type OptionKind = 'flag' | 'value' | 'values';

export type Options = ReadonlyMap<string, OptionKind>;

export interface Scanned {
  readonly flags: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** What is no option, before `--`. */
  readonly operands: readonly string[];
  /** What follows `--`; undefined where there is none. */
  readonly rest: readonly string[] | undefined;
}

/** Sorts arguments. `advice` may know more about an option that there is not, after these operands. */
export function scan(
  args: readonly string[],
  options: Options,
  advice: (operands: readonly string[]) => string = () => '',
): Scanned {
  const separator = args.indexOf('--');
  const words = separator < 0 ? [...args] : args.slice(0, separator);
  const flags = new Set<string>();
  const values = new Map<string, string[]>();
  const operands: string[] = [];
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    // Dashes that a text program has made of two hyphens are meant as such.
    if (!/^[-–—]./.test(word)) {
      operands.push(word);
      continue;
    }
    const cut = word.indexOf('=');
    const option = cut < 0 ? word : word.slice(0, cut);
    const given = cut < 0 ? undefined : word.slice(cut + 1);
    const kind = options.get(option);
    if (kind === undefined) throw new UsageError(unknownOption(option, options) + advice(operands));
    if (kind === 'flag') {
      if (given !== undefined) throw new UsageError(`${option} takes no value.`);
      flags.add(option);
      continue;
    }
    const before = values.get(option) ?? [];
    if (kind === 'value' && before.length > 0) throw new UsageError(`${option} is given twice.`);
    values.set(option, [...before, given ?? valueOf(option, words.shift())]);
  }
  return { flags, values, operands, rest: separator < 0 ? undefined : args.slice(separator + 1) };
}

function valueOf(option: string, word: string | undefined): string {
  if (word === undefined) throw new UsageError(`${option} needs a value.`);
  if (!word.startsWith('-')) return word;
  throw new UsageError(`${option} needs a value. One that begins with "-" is written ${option}=VALUE.`);
}

/** Says that there is no such option, and which may be meant. */
export function unknownOption(option: string, options: Options): string {
  const names = [...options.keys()];
  const letter = /^-([a-z])$/i.exec(option)?.[1]?.toLowerCase();
  const near =
    letter === undefined
      ? nearest(option.replace(/^[-–—]+/, '--'), names)
      : names.filter((name) => name.startsWith(`--${letter}`));
  // After one hyphen, what follows the letter may be a value.
  const shown = /^-[^-]{2,}/.test(option) && near.length === 0 ? `${option.slice(0, 2)}…` : option;
  return `There is no option ${shown}.${didYouMean(near)}`;
}

export function didYouMean(near: readonly string[]): string {
  return near.length === 0 ? '' : ` Did you mean ${near.join(' or ')}?`;
}

/** A server as a command line adds it. */
export interface Addition {
  readonly name: string;
  readonly server: Server;
  readonly enabled: boolean;
}

/** The options of `mcp add`. */
export const addOptions: Options = new Map([
  ['--transport', 'value'],
  ['--header', 'values'],
  ['--env', 'values'],
  ['--auth', 'value'],
  ['--enabled', 'flag'],
  ['--disabled', 'flag'],
]);

/** What follows `mcp add`. Throws a UsageError. */
export function parseAdd(args: readonly string[]): Addition {
  return readAdd(scan(args, addOptions, adviceOnArguments));
}

/** An option behind the command is most likely the command's. */
export function adviceOnArguments(operands: readonly string[]): string {
  return operands.length < 2 ? '' : ' Arguments of the command follow "--".';
}

/** What the arguments of `mcp add` ask for. Throws a UsageError. */
export function readAdd(scanned: Scanned): Addition {
  const { flags, values, operands } = scanned;
  const [name, target] = operands;
  const transport = readTransport(values.get('--transport')?.[0], target);
  if (flags.has('--enabled') && flags.has('--disabled')) {
    throw new UsageError('--enabled and --disabled exclude each other. Give one of them.');
  }
  refuseForeign(transport, scanned);
  if (name === undefined) throw new UsageError(`The name of the server is missing: ${form(transport)}`);
  if (target === undefined) throw new UsageError(missingTarget(transport, scanned));
  const server = transport === 'stdio' ? readLocal(target, scanned) : readRemote(transport, target, scanned);
  return { name, server, enabled: !flags.has('--disabled') };
}

const transports: readonly Transport[] = ['http', 'sse', 'stdio'];

function readTransport(given: string | undefined, target: string | undefined): Transport {
  const transport = transports.find((each) => each === given);
  if (transport) return transport;
  if (given !== undefined) {
    const near = didYouMean(nearest(given, transports));
    throw new UsageError(`--transport takes http, sse or stdio, and nothing else.${near}`);
  }
  const choice =
    target === undefined
      ? 'Give --transport http, sse or stdio.'
      : isUrl(target)
        ? 'For a URL give --transport http, or sse for an older server.'
        : 'For a command give --transport stdio, for a URL http or sse.';
  throw new UsageError(`--transport is missing. ${choice}`);
}

/** Refuses options of the other kind of server. */
function refuseForeign(transport: Transport, { values, rest = [] }: Scanned): void {
  if (transport === 'stdio') {
    for (const option of ['--header', '--auth']) {
      if (!values.has(option)) continue;
      throw new UsageError(
        `${option} is for http and sse. A stdio server gets its credentials with --env KEY=value.`,
      );
    }
    return;
  }
  if (values.has('--env')) {
    throw new UsageError(
      `--env is for stdio. A server over ${transport} gets its credentials with --header "Key: value" or --auth.`,
    );
  }
  if (rest.length > 0) {
    throw new UsageError(
      `What follows "--" are arguments of a command, and a server over ${transport} has none.`,
    );
  }
}

function form(transport: Transport): string {
  return transport === 'stdio'
    ? 'switchboard mcp add NAME --transport stdio COMMAND [-- ARGUMENTS...]'
    : `switchboard mcp add NAME --transport ${transport} URL`;
}

function missingTarget(transport: Transport, { rest = [] }: Scanned): string {
  if (transport !== 'stdio') return `The URL of the server is missing: ${form(transport)}`;
  return rest.length === 0
    ? `The command of the server is missing: ${form(transport)}`
    : `The command stands before "--", and only its arguments behind: ${form(transport)}`;
}

function readLocal(command: string, { values, operands, rest = [] }: Scanned): LocalServer {
  const env = new Map<string, Secret>();
  for (const [index, pair] of (values.get('--env') ?? []).entries()) {
    const cut = pair.indexOf('=');
    const which = ordinal(index, '--env');
    if (cut < 0) throw new UsageError(`${which} has no "=". It is written --env KEY=value.`);
    const key = pair.slice(0, cut);
    if (!/^\S+$/.test(key)) {
      throw new UsageError(
        `${which} has no name of a variable before its "=". It is written --env KEY=value.`,
      );
    }
    if (env.has(key)) throw new UsageError(`${which} gives ${key} a second time.`);
    env.set(key, new Secret(pair.slice(cut + 1)));
  }
  if (operands.length > 2) {
    throw new UsageError(
      `There is more than a name and a command. Arguments of the command follow "--": ${form('stdio')}`,
    );
  }
  if (command.trim() === '') throw new UsageError('The command of the server is empty.');
  if (isUrl(command)) {
    throw new UsageError('The target is a URL, and no command. For a URL give --transport http or sse.');
  }
  return { transport: 'stdio', command, args: [...rest], env };
}

function readRemote(
  transport: RemoteServer['transport'],
  url: string,
  { values, operands }: Scanned,
): RemoteServer {
  const headers = new Map<string, Secret>();
  const seen = new Set<string>();
  for (const [index, header] of (values.get('--header') ?? []).entries()) {
    const cut = header.indexOf(':');
    const which = ordinal(index, '--header');
    if (cut < 0) throw new UsageError(`${which} has no colon. It is written --header "Key: value".`);
    const name = header.slice(0, cut).trim();
    const value = header.slice(cut + 1).trim();
    // Names are tokens: RFC 9110, 5.1.
    if (!/^[!#$%&'*+.^`|~\w-]+$/.test(name)) {
      throw new UsageError(
        `${which} has no name of a header before its colon. It is written --header "Key: value".`,
      );
    }
    if (/[^\t\P{Cc}]/u.test(value)) {
      throw new UsageError(`${which} has a line break or another control character in its value.`);
    }
    if (seen.has(name.toLowerCase())) throw new UsageError(`${which} gives ${name} a second time.`);
    seen.add(name.toLowerCase());
    headers.set(name, new Secret(value));
  }
  if (operands.length > 2) {
    throw new UsageError(
      'There is more than a name and a URL. What has spaces needs quotes: --header "Key: value".',
    );
  }
  if (!isUrl(url)) throw new UsageError(noUrl(url));
  const auth = values.get('--auth')?.[0];
  return { transport, url, headers, ...(auth !== undefined && { auth: readAuth(auth) }) };
}

function ordinal(index: number, option: string): string {
  return index === 0 ? option : `${option} number ${index + 1}`;
}

function isUrl(text: string): boolean {
  return /^https?:\/\/[^\s\p{Cc}]+$/iu.test(text) && URL.canParse(text);
}

function noUrl(target: string): string {
  const address = `https://${target}`;
  const hint = /^[\w-]+(?:\.[\w-]+)+(?:[:/]|$)|^localhost\b/.test(target) && isUrl(address);
  const example = hint ? maskUrl(address) : 'https://example.com/mcp';
  return `The target is no URL with http or https. It is written like ${example}`;
}

/** A method, or a bearer token. */
function readAuth(given: string): Secret {
  const auth = new Secret(given);
  if (isMethod(auth)) return auth;
  const isSlip = given.length < 8 && nearest(given, ['oauth']).length > 0;
  if (!isSlip && !/^(?:|bearer|basic|none|token)$/i.test(given.trim())) return auth;
  throw new UsageError(
    '--auth takes oauth, or a bearer token itself.' + (isSlip ? didYouMean(['oauth']) : ''),
  );
}

/**
 * The command that adds this server, for a POSIX shell, with a placeholder such as `<API_KEY>` for each secret. A name
 * or a command that begins with a hyphen has no such command, and reads as an option.
 */
export function formatAdd({ name, server, enabled }: Addition): string {
  const words = ['switchboard', 'mcp', 'add', name, '--transport', server.transport];
  if (server.transport === 'stdio') {
    for (const [key, value] of server.env)
      words.push(...option('--env', `${key}=${placeholder(key, value)}`));
  } else {
    for (const [key, value] of server.headers) {
      const [scheme] = /^(?:Bearer|Basic) (?=.)/i.exec(value.reveal()) ?? [''];
      words.push(
        ...option('--header', `${key}: ${scheme}${placeholder(scheme ? `${scheme}token` : key, value)}`),
      );
    }
    const { auth } = server;
    if (auth)
      words.push(...option('--auth', isMethod(auth) ? auth.reveal() : placeholder('bearer token', auth)));
  }
  if (!enabled) words.push('--disabled');
  if (server.transport === 'stdio') {
    words.push(maskText(server.command, secret));
    if (server.args.length > 0) words.push('--', ...maskArguments(server.args, secret));
  } else {
    words.push(maskUrl(server.url, secret));
  }
  return words.map(shellWord).join(' ');
}

const secret = '<SECRET>';

function placeholder(name: string, value: Secret): string {
  return value.reveal() === '' ? '' : `<${name.toUpperCase().replace(/[^\p{L}\p{N}]+/gu, '_')}>`;
}

function option(name: string, value: string): string[] {
  return value.startsWith('-') ? [`${name}=${value}`] : [name, value];
}
