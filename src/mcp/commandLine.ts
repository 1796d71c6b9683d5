/** The command line of `mcp add`, read and written: one grammar for the terminal, for copying and for pasting. */
import { t } from '../base/l10n.ts';
import { nearest } from '../base/near.ts';
import { maskText } from '../base/maskText.ts';
import { maskUrl } from '../base/maskUrl.ts';
import { Secret } from '../base/secret.ts';
import { namedTransport } from './dialects.ts';
import { isMethod, maskArguments, shellWord } from './mask.ts';
import { didYouMean, type OptionKinds, type Scanned, UsageError } from './options.ts';
import type { LocalServer, RemoteServer, Server, Transport } from './server.ts';
import {
  isHeaderName,
  isHeaderValue,
  isSameHeader,
  isVariableName,
  isVariableValue,
  urlFault,
} from './serverRules.ts';

/** A server as a command line adds it. */
export interface Addition {
  readonly name: string;
  readonly server: Server;
  readonly enabled: boolean;
}

/** The options of `mcp add`. */
export const addOptions: OptionKinds = new Map([
  ['--transport', 'value'],
  ['--header', 'values'],
  ['--env', 'values'],
  ['--auth', 'value'],
  ['--enabled', 'flag'],
  ['--disabled', 'flag'],
]);

/** An option after the command is most likely the command's. */
export function adviceOnArguments(operands: readonly string[], rest: readonly string[]): string {
  if (startsBare(operands)) return ` ${nameForCommand([...operands, ...rest])}`;
  return operands.length < 2 ? '' : ` ${t('Put the arguments of the command after "--".')}`;
}

/** What the arguments of `mcp add` ask for. Throws a UsageError. */
export function readAdd(scanned: Scanned): Addition {
  const { flags, values, operands } = scanned;
  const [name, target] = operands;
  refuseBare(operands, values.has('--transport'));
  const transport = readTransport(values.get('--transport')?.[0], target);
  if (flags.has('--enabled') && flags.has('--disabled')) {
    throw new UsageError(t('Use either --enabled or --disabled, not both.'));
  }
  refuseForeign(transport, scanned);
  if (name === undefined) throw new UsageError(t('The name of the server is missing: {0}', form(transport)));
  if (target === undefined) throw new UsageError(missingTarget(transport, scanned));
  const server = transport === 'stdio' ? readLocal(target, scanned) : readRemote(transport, target, scanned);
  return { name, server, enabled: !flags.has('--disabled') };
}

/** What starts other people's programs, which nobody calls a server. */
const launcher = /^(?:npx|bunx|pnpx|uvx|uv|dnx|pipx|docker|podman|node|deno|bun|python3?|java|dotnet)$/;

/** Refuses what instructions have for servers without names: a URL, or the command line of a program. */
function refuseBare(operands: readonly string[], hasTransport: boolean): void {
  const [first = '', ...others] = operands;
  if (isUrl(first) && others.length === 0) {
    const example = [...command, 'http', maskUrl(first)].map(shellWord).join(' ');
    throw new UsageError(t('This URL needs a name before it: {0}', example));
  }
  const words = others.length > 0 ? operands : first.split(/\s+/);
  if (!hasTransport && words.length > 1 && startsBare(words)) throw new UsageError(nameForCommand(words));
}

function startsBare([first = '', second = '']: readonly string[]): boolean {
  return launcher.test(first) && !launcher.test(second);
}

const command = ['switchboard', 'mcp', 'add', 'NAME', '--transport'];

function nameForCommand([program = '', ...args]: readonly string[]): string {
  const example = [...command, 'stdio', program, '--', ...maskArguments(program, args)]
    .map(shellWord)
    .join(' ');
  return t('This command needs a name before it: {0}', example);
}

const transports: readonly Transport[] = ['http', 'sse', 'stdio'];

function readTransport(given: string | undefined, target: string | undefined): Transport {
  const transport = transports.find((each) => each === given);
  if (transport) return transport;
  if (given !== undefined) {
    const meant = namedTransport(given);
    throw new UsageError(
      t('--transport must be http, sse or stdio.') + didYouMean(meant ? [meant] : nearest(given, transports)),
    );
  }
  const choice =
    target === undefined
      ? t('Use --transport http, sse or stdio.')
      : isUrl(target)
        ? t('For a URL, use --transport http, or sse for an older server.')
        : t('Use --transport stdio for a command, and http or sse for a URL.');
  throw new UsageError(`${t('--transport is missing.')} ${choice}`);
}

/** Refuses options of the other kind of server. */
function refuseForeign(transport: Transport, { values, rest = [] }: Scanned): void {
  if (transport === 'stdio') {
    for (const option of ['--header', '--auth']) {
      if (!values.has(option)) continue;
      throw new UsageError(
        t('{0} is for http and sse. A stdio server gets its credentials with --env KEY=value.', option),
      );
    }
    return;
  }
  if (values.has('--env')) {
    throw new UsageError(
      t(
        '--env is for stdio. A server over {0} gets its credentials with --header "Key: value" or --auth.',
        transport,
      ),
    );
  }
  if (rest.length > 0) {
    throw new UsageError(
      t('Arguments after "--" are for a command, and a server over {0} has none.', transport),
    );
  }
}

function form(transport: Transport): string {
  return transport === 'stdio'
    ? t('switchboard mcp add NAME --transport stdio COMMAND [-- ARGUMENTS...]')
    : t('switchboard mcp add NAME --transport {0} URL', transport);
}

function missingTarget(transport: Transport, { rest = [] }: Scanned): string {
  if (transport !== 'stdio') return t('The URL of the server is missing: {0}', form(transport));
  return rest.length === 0
    ? t('The command of the server is missing: {0}', form(transport))
    : t('Put the command before "--", and only its arguments after it: {0}', form(transport));
}

function readLocal(command: string, { values, operands, rest = [] }: Scanned): LocalServer {
  const env = new Map<string, Secret>();
  for (const [index, pair] of (values.get('--env') ?? []).entries()) {
    const cut = pair.indexOf('=');
    const which = ordinal(index, '--env');
    if (cut < 0) throw new UsageError(t('{0} has no "=". Write it as --env KEY=value.', which));
    const key = pair.slice(0, cut);
    const value = pair.slice(cut + 1);
    if (!isVariableName(key)) {
      throw new UsageError(
        t('{0} has no valid variable name before the "=". Write it as --env KEY=value.', which),
      );
    }
    if (!isVariableValue(value)) throw new UsageError(t('{0} has a NUL character in its value.', which));
    if (env.has(key)) throw new UsageError(t('{0} gives {1} a second time.', which, key));
    env.set(key, new Secret(value));
  }
  if (operands.length > 2) {
    throw new UsageError(
      t(
        'There is more than a name and a command. Put the arguments of the command after "--": {0}',
        form('stdio'),
      ),
    );
  }
  if (command.trim() === '') throw new UsageError(t('The command of the server is empty.'));
  if (isUrl(command)) {
    throw new UsageError(t('The target is a URL, not a command. For a URL, use --transport http or sse.'));
  }
  return { transport: 'stdio', command, args: [...rest], env };
}

function readRemote(
  transport: RemoteServer['transport'],
  url: string,
  { values, operands }: Scanned,
): RemoteServer {
  const headers = new Map<string, Secret>();
  for (const [index, header] of (values.get('--header') ?? []).entries()) {
    const cut = header.indexOf(':');
    const which = ordinal(index, '--header');
    if (cut < 0) throw new UsageError(t('{0} has no colon. Write it as --header "Key: value".', which));
    const name = header.slice(0, cut).trim();
    const value = header.slice(cut + 1).trim();
    if (!isHeaderName(name)) {
      throw new UsageError(
        t('{0} has no valid header name before the colon. Write it as --header "Key: value".', which),
      );
    }
    if (!isHeaderValue(value)) {
      throw new UsageError(t('{0} has a line break or another control character in its value.', which));
    }
    if ([...headers.keys()].some((other) => isSameHeader(other, name))) {
      throw new UsageError(t('{0} gives {1} a second time.', which, name));
    }
    headers.set(name, new Secret(value));
  }
  if (operands.length > 2) {
    throw new UsageError(
      t(
        'There is more than a name and a URL. Put quotes around anything with spaces: --header "Key: value".',
      ),
    );
  }
  if (!isUrl(url)) throw new UsageError(noUrl(url));
  const auth = values.get('--auth')?.[0];
  return { transport, url, headers, ...(auth !== undefined && { auth: readAuth(auth) }) };
}

function ordinal(index: number, option: string): string {
  return index === 0 ? option : t('{0} number {1}', option, index + 1);
}

function isUrl(text: string): boolean {
  return urlFault(text) === undefined;
}

function noUrl(target: string): string {
  const address = `https://${target}`;
  const hint = /^[\w-]+(?:\.[\w-]+)+(?:[:/]|$)|^localhost\b/.test(target) && isUrl(address);
  const example = hint ? maskUrl(address) : 'https://example.com/mcp';
  return t('The target is not an http or https URL. Write it like {0}', example);
}

/** A method, or a bearer token. */
function readAuth(given: string): Secret {
  const auth = new Secret(given);
  if (isMethod(auth)) return auth;
  const isSlip = given.length < 8 && nearest(given, ['oauth']).length > 0;
  if (!isSlip && !/^(?:|bearer|basic|none|token)$/i.test(given.trim())) return auth;
  throw new UsageError(
    t('--auth takes oauth or the bearer token itself.') + (isSlip ? didYouMean(['oauth']) : ''),
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
      words.push(...option('--auth', isMethod(auth) ? auth.reveal() : placeholder('bearer_token', auth)));
  }
  if (!enabled) words.push('--disabled');
  if (server.transport === 'stdio') {
    words.push(maskText(server.command, secret));
    if (server.args.length > 0) words.push('--', ...maskArguments(server.command, server.args, secret));
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
