/**
 * Reads and writes the command line of `mcp add`: one grammar for the terminal,
 * copying and pasting.
 */
import { t } from '../../base/l10n.ts';
import { nearestNames } from '../../base/near.ts';
import { maskText } from '../../base/masks/maskText.ts';
import { maskUrl } from '../../base/masks/maskUrl.ts';
import { present } from '../../base/parts.ts';
import { Secret } from '../../base/secret.ts';
import { namedTransport } from '../dialects/dialects.ts';
import { isSignInMethod, maskArguments, shellWord } from '../format/mask.ts';
import {
  didYouMean,
  type OptionKinds,
  type SortedArguments,
  UsageError,
} from './options.ts';
import { isLine, splitLine } from './shellWords.ts';
import type { LocalServer, RemoteServer, Server } from '../format/server.ts';
import type { Transport } from '../dialects/ownKeys.ts';
import {
  isHeaderName,
  isHeaderValue,
  isSameHeader,
  isVariableName,
  isVariableValue,
  urlFault,
} from '../format/serverRules.ts';

export interface AddedServer {
  readonly name: string;
  readonly server: Server;
  readonly enabled: boolean;
}

export const addOptions: OptionKinds = new Map([
  ['--transport', 'value'],
  ['--header', 'values'],
  ['--env', 'values'],
  ['--auth', 'value'],
  ['--enabled', 'flag'],
  ['--disabled', 'flag'],
]);

/** Throws a UsageError. */
export function readAdd(scanned: SortedArguments): AddedServer {
  const incomplete = adviceOnMissing(scanned);
  if (incomplete !== undefined) throw new UsageError(incomplete);
  const { flags, values, operands } = scanned;
  const [name, target] = operands;
  const transport = readTransport(values.get('--transport')?.[0], name);
  if (flags.has('--enabled') && flags.has('--disabled')) {
    throw new UsageError(t('Use either --enabled or --disabled, not both.'));
  }
  refuseForeign(transport, scanned);
  if (name === undefined)
    throw new UsageError(
      t('The name of the server is missing: {0}', form(transport)),
    );
  if (target === undefined) throw new UsageError(missingTarget(transport));
  const server =
    transport === 'stdio'
      ? readLocal(target, scanned)
      : readRemote(transport, target, scanned);
  return { name, server, enabled: !flags.has('--disabled') };
}

/** Programs that start other programs, and unlikely names of servers. */
const launcher =
  /^(?:npx|bunx|pnpx|uvx|uv|dnx|pipx|docker|podman|node|deno|bun|python3?|java|dotnet)$/;

/**
 * Explains an option of the server's command without "--" before it. A later
 * `--transport stdio` is ours.
 */
export function adviceOnOption(
  before: SortedArguments,
  words: readonly string[],
): string | undefined {
  const at = words.indexOf('--transport');
  if (words[at + 1] !== 'stdio' || before.values.has('--transport'))
    return adviceOnMissing(before, words);
  const values = new Map([
    ...before.values,
    ['--transport', ['stdio']],
  ] as const);
  return adviceOnMissing({ ...before, values }, words.toSpliced(at, 2));
}

/**
 * Names everything missing, with the command to run; `undefined` if nothing is
 * missing, or too little is there. `options`: words from the first option of
 * the server's command on.
 */
function adviceOnMissing(
  scanned: SortedArguments,
  options: readonly string[] = [],
): string | undefined {
  const { values, operands } = scanned;
  const transport = values.get('--transport')?.[0];
  const words =
    operands.length === 1 && options.length === 0
      ? String(operands[0]).split(/\s+/)
      : operands;
  const isNameless =
    lacksName([...words, ...options]) &&
    (transport === undefined || operands.length === 1);
  const [name, target, ...more] = isNameless ? ['NAME', ...words] : operands;
  if (name === undefined) return undefined;
  const missing = isNameless ? [t('a name')] : [];
  const server = { name, more, options, transport, missing };
  return target !== undefined && isUrl(target)
    ? adviceOnUrl(scanned, target, server)
    : adviceOnCommand(scanned, target, server);
}

interface MeantServer {
  readonly name: string;
  /** Words after the URL or command. */
  readonly more: readonly string[];
  /** Words from the first option of the server's command on. */
  readonly options: readonly string[];
  readonly transport: string | undefined;
  readonly missing: readonly string[];
}

function adviceOnUrl(
  scanned: SortedArguments,
  url: string,
  { name, more, options, transport, missing }: MeantServer,
): string | undefined {
  if (transport === 'stdio' || options.length > 0) return undefined;
  return adviceText(
    present(
      ...missing,
      transport === undefined && t('--transport http or sse'),
    ),
    scanned,
    transport ?? 'http',
    [name, url, ...more],
    scanned.rest,
  );
}

function adviceOnCommand(
  scanned: SortedArguments,
  target: string | undefined,
  { name, more, options, transport, missing }: MeantServer,
): string | undefined {
  if (transport !== undefined && transport !== 'stdio') return undefined;
  const isWholeLine =
    transport === undefined &&
    more.length === 0 &&
    target !== undefined &&
    isLine(target);
  const targetWords = target === undefined ? [] : [target];
  const start = isWholeLine ? splitLine(target) : targetWords;
  if (!start) return undefined;
  const before = [...start, ...more, ...options];
  const [command, ...args] = [...before, ...(scanned.rest ?? [])];
  if (command === undefined || command.startsWith('-')) return undefined;
  return adviceText(
    present(
      ...missing,
      transport === undefined && t('--transport stdio'),
      before.length === 0 && t('the command before "--"'),
      before.length > 1 && t('"--" before the arguments'),
    ),
    scanned,
    'stdio',
    [name, command],
    args,
  );
}

/**
 * True if the words begin with a URL or a command, as in instructions for
 * servers without names.
 */
function lacksName([first = '', second]: readonly string[]): boolean {
  return second === undefined
    ? isUrl(first)
    : launcher.test(first) && !launcher.test(second);
}

function adviceText(
  missing: readonly string[],
  { flags, values }: SortedArguments,
  transport: string,
  operands: readonly string[],
  rest: readonly string[] | undefined,
): string | undefined {
  if (missing.length === 0) return undefined;
  const addition = readAdd({
    flags,
    values: new Map([...values, ['--transport', [transport]]]),
    operands,
    rest,
  });
  return t(
    'Missing: {0}. Run: {1}',
    missing.join(', '),
    formatAdd(addition, values.get('--file')?.[0]),
  );
}

const transports: readonly Transport[] = ['http', 'sse', 'stdio'];

function readTransport(
  word: string | undefined,
  name: string | undefined,
): Transport {
  const transport = transports.find((candidate) => candidate === word);
  if (transport) return transport;
  if (word !== undefined) {
    const meant = namedTransport(word);
    throw new UsageError(
      t('--transport must be http, sse or stdio.') +
        didYouMean(meant ? [meant] : nearestNames(word, transports)),
    );
  }
  throw new UsageError(
    name === undefined
      ? t('The name, --transport, and the command or URL are missing.')
      : t('--transport and the command or URL are missing.'),
  );
}

function refuseForeign(
  transport: Transport,
  { values, rest = [] }: SortedArguments,
): void {
  if (transport === 'stdio') {
    for (const option of ['--header', '--auth']) {
      if (!values.has(option)) continue;
      throw new UsageError(
        t(
          '{0} is for http and sse. A stdio server gets its credentials with --env KEY=value.',
          option,
        ),
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
      t(
        'Arguments after "--" are for a command, and a server over {0} has none.',
        transport,
      ),
    );
  }
}

function form(transport: Transport): string {
  return transport === 'stdio'
    ? t('switchboard mcp add NAME --transport stdio COMMAND [-- ARGUMENTS...]')
    : t('switchboard mcp add NAME --transport {0} URL', transport);
}

function missingTarget(transport: Transport): string {
  return transport === 'stdio'
    ? t('The command of the server is missing: {0}', form(transport))
    : t('The URL of the server is missing: {0}', form(transport));
}

function readLocal(
  command: string,
  { values, rest = [] }: SortedArguments,
): LocalServer {
  const env = new Map<string, Secret>();
  for (const [index, pair] of (values.get('--env') ?? []).entries()) {
    const cut = pair.indexOf('=');
    const which = ordinal(index, '--env');
    if (cut < 0)
      throw new UsageError(
        t('{0} has no "=". Write it as --env KEY=value.', which),
      );
    const key = pair.slice(0, cut);
    const value = pair.slice(cut + 1);
    if (!isVariableName(key)) {
      throw new UsageError(
        t(
          '{0} has no valid variable name before the "=". Write it as --env KEY=value.',
          which,
        ),
      );
    }
    if (!isVariableValue(value))
      throw new UsageError(t('{0} has a NUL character in its value.', which));
    if (env.has(key))
      throw new UsageError(t('{0} gives {1} a second time.', which, key));
    env.set(key, new Secret(value));
  }
  if (command.trim() === '')
    throw new UsageError(t('The command of the server is empty.'));
  if (isUrl(command)) {
    throw new UsageError(
      t(
        'The target is a URL, not a command. For a URL, use --transport http or sse.',
      ),
    );
  }
  return { transport: 'stdio', command, args: [...rest], env };
}

function readRemote(
  transport: RemoteServer['transport'],
  url: string,
  { values, operands }: SortedArguments,
): RemoteServer {
  const headers = new Map<string, Secret>();
  for (const [index, header] of (values.get('--header') ?? []).entries()) {
    const cut = header.indexOf(':');
    const which = ordinal(index, '--header');
    if (cut < 0)
      throw new UsageError(
        t('{0} has no colon. Write it as --header "Key: value".', which),
      );
    const name = header.slice(0, cut).trim();
    const value = header.slice(cut + 1).trim();
    if (!isHeaderName(name)) {
      throw new UsageError(
        t(
          '{0} has no valid header name before the colon. Write it as --header "Key: value".',
          which,
        ),
      );
    }
    if (!isHeaderValue(value)) {
      throw new UsageError(
        t(
          '{0} has a line break or another control character in its value.',
          which,
        ),
      );
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
  return {
    transport,
    url,
    headers,
    ...(auth !== undefined && { auth: readAuth(auth) }),
  };
}

function ordinal(index: number, option: string): string {
  return index === 0 ? option : t('{0} number {1}', option, index + 1);
}

function isUrl(text: string): boolean {
  return urlFault(text) === undefined;
}

function noUrl(target: string): string {
  const address = `https://${target}`;
  const hint =
    /^[\w-]+(?:\.[\w-]+)+(?:[:/]|$)|^localhost\b/.test(target) &&
    isUrl(address);
  const example = hint ? maskUrl(address) : 'https://example.com/mcp';
  return t(
    'The target is not an http or https URL. Write it like {0}',
    example,
  );
}

function readAuth(text: string): Secret {
  const auth = new Secret(text);
  if (isSignInMethod(auth)) return auth;
  const isSlip = text.length < 8 && nearestNames(text, ['oauth']).length > 0;
  if (!isSlip && !/^(?:|bearer|basic|none|token)$/i.test(text.trim()))
    return auth;
  throw new UsageError(
    t('--auth takes oauth or the bearer token itself.') +
      (isSlip ? didYouMean(['oauth']) : ''),
  );
}

/**
 * The command that adds a server, for a POSIX shell, with a placeholder such as
 * `<API_KEY>` for each secret. A name or command that begins with a hyphen
 * reads as an option.
 */
export function formatAdd(
  { name, server, enabled }: AddedServer,
  file?: string,
): string {
  const words = [
    'switchboard',
    'mcp',
    'add',
    name,
    '--transport',
    server.transport,
  ];
  if (server.transport === 'stdio') {
    for (const [key, value] of server.env)
      words.push(...option('--env', `${key}=${placeholder(key, value)}`));
  } else {
    for (const [key, value] of server.headers) {
      const [scheme] = /^(?:Bearer|Basic) (?=.)/i.exec(value.reveal()) ?? [''];
      words.push(
        ...option(
          '--header',
          `${key}: ${scheme}${placeholder(scheme ? `${scheme}token` : key, value)}`,
        ),
      );
    }
    const { auth } = server;
    if (auth)
      words.push(
        ...option(
          '--auth',
          isSignInMethod(auth)
            ? auth.reveal()
            : placeholder('bearer_token', auth),
        ),
      );
  }
  if (!enabled) words.push('--disabled');
  if (file !== undefined) words.push(...option('--file', file));
  if (server.transport === 'stdio') {
    words.push(maskText(server.command, secret));
    if (server.args.length > 0)
      words.push('--', ...maskArguments(server.command, server.args, secret));
  } else {
    words.push(maskUrl(server.url, secret));
  }
  return words.map(shellWord).join(' ');
}

const secret = '<SECRET>';

function placeholder(name: string, value: Secret): string {
  return value.reveal() === ''
    ? ''
    : `<${name.toUpperCase().replace(/[^\p{L}\p{N}]+/gu, '_')}>`;
}

function option(name: string, value: string): string[] {
  return value.startsWith('-') ? [`${name}=${value}`] : [name, value];
}
