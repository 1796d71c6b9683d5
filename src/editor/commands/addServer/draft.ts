/** A server that is being entered: what is known of it, what is wrong with it, and what is asked next. Imports no editor. */
import { t, words } from '../../../base/l10n.ts';
import { maskText } from '../../../base/maskText.ts';
import { maskUrl } from '../../../base/maskUrl.ts';
import { plainText } from '../../../base/plainText.ts';
import { Secret } from '../../../base/secret.ts';
import { maskArguments } from '../../../mcp/mask.ts';
import { isPlaceholder } from '../../../mcp/placeholders.ts';
import type { Server, Transport } from '../../../mcp/server.ts';
import {
  isHeaderName,
  isHeaderValue,
  isSameHeader,
  isVariableName,
  isVariableValue,
  schemeOf,
  urlFault,
} from '../../../mcp/serverRules.ts';
import { splitWords } from '../../../mcp/shellWords.ts';
import { valueWords } from '../../words/valueWords.ts';

export interface ServerDraft {
  /** The service that gets it; undefined for the file. */
  readonly service: string | undefined;
  transport: Transport | undefined;
  name: string;
  /** As it was typed, for a shell of this platform. */
  commandLine: string;
  url: string;
  env: Map<string, Secret>;
  headers: Map<string, Secret>;
  /** The variable or header that is being typed. */
  typing: { name: string; value: Secret };
  authentication: 'none' | 'header' | 'oauth';
  authorization: Secret;
  enabled: boolean;
  /** The question that was asked last. */
  at: DraftStep;
}

export type DraftStep =
  'transport' | 'name' | 'target' | 'values' | 'authentication' | 'authorization' | 'enabled' | 'preview';

export function emptyServerDraft(service?: string): ServerDraft {
  return {
    service,
    transport: undefined,
    name: '',
    commandLine: '',
    url: '',
    env: new Map(),
    headers: new Map(),
    typing: { name: '', value: new Secret('') },
    authentication: 'none',
    authorization: new Secret(''),
    enabled: true,
    at: 'transport',
  };
}

/** Every question there may be, in its order. */
export const allSteps: readonly DraftStep[] = [
  'transport',
  'name',
  'target',
  'values',
  'authentication',
  'authorization',
  'enabled',
  'preview',
];

/** Those that this server needs, as far as it is known. */
export function stepsOf({ transport, authentication }: ServerDraft): readonly DraftStep[] {
  const local = transport === 'stdio';
  const skipped = new Set<DraftStep>([
    ...(local ? (['authentication', 'authorization'] as const) : []),
    ...(authentication === 'header' ? [] : (['authorization'] as const)),
  ]);
  return allSteps.filter((step) => !skipped.has(step));
}

export function serverOfDraft(draft: ServerDraft, windows = process.platform === 'win32'): Server {
  const { transport, url, headers, authentication, authorization, env, commandLine } = draft;
  if (transport === 'http' || transport === 'sse') {
    const own = authentication === 'header' ? { Authorization: authorization } : {};
    const all = [...headers, ...Object.entries(own)];
    return {
      transport,
      url: url.trim(),
      headers: new Map(all.map(([name, value]) => [name, new Secret(value.reveal().trim())])),
      ...(authentication === 'oauth' && { auth: new Secret('oauth') }),
    };
  }
  const [command = '', ...args] = splitWords(commandLine, { windows }).words;
  return { transport: 'stdio', command, args, env: new Map(env) };
}

export function nameProblem(typed: string, taken: ReadonlySet<string>): string | undefined {
  const name = typed.trim();
  if (name === '') return t('Type a name for the server.');
  if (plainText(name, name.length + 1) !== name) {
    return t('The name has invisible characters or several spaces in a row. Remove them.');
  }
  if (!taken.has(name)) return undefined;
  return t('There is already a server with this name. “{0}” is free.', freeName(name, taken));
}

/** The name, or the next one like it. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  const [, stem = name, number = '1'] = /^(.+)-(\d{1,9})$/s.exec(name) ?? [];
  let free = name;
  for (let next = Number(number) + 1; taken.has(free); next++) free = `${stem}-${next}`;
  return free;
}

export function urlProblem(typed: string): string | undefined {
  const url = typed.trim();
  if (url === '') return t('Type the URL of the server, such as https://example.com/mcp.');
  switch (urlFault(url)) {
    case 'spaces':
      return t('A URL cannot contain spaces.');
    case 'noScheme':
      return t('A URL begins with https://, or http:// on this machine.');
    case 'otherScheme':
      return t('MCP servers are reached over https:// or http://.');
    case 'invalid':
      return t('This is not a valid URL.');
    case undefined:
      return undefined;
  }
}

/** What may be meant otherwise. */
export function urlRemark(typed: string, transport: Transport | undefined): string | undefined {
  const url = typed.trim();
  if (urlProblem(url) !== undefined) return undefined;
  const { username, password, pathname } = new URL(url);
  if (username !== '' || password !== '')
    return t('The user name and the password in it will be stored with the server.');
  if (transport === 'http' && /\/sse\/?$/.test(pathname)) {
    return t('A URL that ends with /sse usually means server-sent events. Go back to choose that.');
  }
  return undefined;
}

export function commandLineProblem(line: string, windows = process.platform === 'win32'): string | undefined {
  const {
    words: [command = ''],
    unfinished,
  } = splitWords(line, { windows });
  if (unfinished !== undefined) {
    return t('The quote {0} at character {1} is not closed.', line.charAt(unfinished), unfinished + 1);
  }
  if (command.trim() === '') return t('Type the command that starts the server, with its arguments.');
  if (/^https?$/.test(schemeOf(command) ?? '')) {
    return t('This is a URL. Go back to choose HTTP or server-sent events, or begin with a command.');
  }
  if (command === '$' || command === '>') return t('Leave out the {0} of the prompt.', command);
  if (/^[A-Za-z_]\w*=/.test(command))
    return t('Begin with the command. Variables are asked for in the next step.');
  return undefined;
}

/** How a command line is understood. */
export function commandRemark(line: string, windows = process.platform === 'win32'): string | undefined {
  if (commandLineProblem(line, windows) !== undefined) return undefined;
  const [command = '', ...args] = splitWords(line, { windows }).words;
  const shell = args.find((arg) => /^(?:&&?|\|\|?|;|[<>]{1,2}|\$\w+|\$\{\w+\})$/.test(arg));
  return [
    commandWords(plainText(maskText(command), 60), maskArguments(command, args)),
    ...(shell === undefined ? [] : [t('No shell reads it, so {0} is an ordinary argument.', shell)]),
  ].join(' ');
}

function commandWords(command: string, args: readonly string[]): string {
  const most = 12;
  const list = args
    .slice(0, most)
    .map((arg) => t('“{0}”', plainText(arg, 60)))
    .join(', ');
  if (args.length === 0) return t('Command “{0}” with no arguments.', command);
  if (args.length === 1) return t('Command “{0}” with the argument {1}.', command, list);
  if (args.length <= most) return t('Command “{0}” with {1} arguments: {2}.', command, args.length, list);
  const more = args.length - most;
  return t('Command “{0}” with {1} arguments: {2}, and {3} more.', command, args.length, list, more);
}

export function valuesOf(draft: ServerDraft): Map<string, Secret> {
  return draft.transport === 'stdio' ? draft.env : draft.headers;
}

export function valueNameProblem(draft: ServerDraft, typed: string): string | undefined {
  const said = valueWords(draft);
  const name = typed.trim();
  const local = draft.transport === 'stdio';
  if (name === '') return said.typeName();
  if (name.includes(local ? '=' : ':'))
    return t('Type only the name. The value is asked for next, and hidden.');
  if (local && !isVariableName(name)) return t('A variable name cannot contain spaces.');
  if (!local && !isHeaderName(name)) {
    return t('A header name can contain only letters, digits, hyphens and a few other characters.');
  }
  const same = (other: string) => (local ? other === name : isSameHeader(other, name));
  if (!local && same('authorization')) return t('The Authorization header is asked for in the next step.');
  if (![...valuesOf(draft).keys()].some(same)) return undefined;
  return said.sameName();
}

/** Never repeats the value. */
export function valueProblem(draft: Pick<ServerDraft, 'transport'>, value: string): string | undefined {
  if (draft.transport === 'stdio') {
    return isVariableValue(value) ? undefined : t('The value has a NUL character.');
  }
  if (value.trim() === '') return t('Type the value of the header.');
  return isHeaderValue(value) ? undefined : t('The value has a line break or another control character.');
}

/** Never repeats the value. */
export function valueRemark(value: string): string | undefined {
  return isPlaceholder(value) ? t('This looks like a placeholder, not a real value.') : undefined;
}

export function authorizationRemark(value: string): string | undefined {
  if (value.trim() === '' || /^[\w-]+\s+\S/.test(value.trim())) return valueRemark(value);
  return t('There is no word before the token. Most servers expect “Bearer”, a space and the token.');
}

export const transportWords: Readonly<Record<Transport, string>> = words({
  stdio: 'Local Program',
  http: 'HTTP',
  sse: 'Server-Sent Events',
});

/** What was entered, in a line. */
export function summary({ name, transport, url, commandLine }: ServerDraft): string {
  const command = splitWords(commandLine).words[0];
  const target = transport === 'stdio' ? command && maskText(command) : url && maskUrl(url);
  const parts = [name.trim() || t('no name yet'), transport && transportWords[transport], target];
  return plainText(parts.filter(Boolean).join(' · '), 120);
}
