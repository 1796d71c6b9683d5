/** A server that is being entered: what is known of it, what is wrong with it, and what is asked next. Imports no editor. */
import { plainText } from '../../base/plainText.ts';
import { Secret } from '../../base/secret.ts';
import { maskArguments, maskText, maskUrl } from '../../mcp/mask.ts';
import { isPlaceholder } from '../../mcp/placeholders.ts';
import type { Server, Transport } from '../../mcp/server.ts';
import { splitWords } from '../../mcp/shellWords.ts';

export interface Draft {
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
  at: Step;
}

export type Step =
  'transport' | 'name' | 'target' | 'values' | 'authentication' | 'authorization' | 'enabled' | 'preview';

export function emptyDraft(): Draft {
  return {
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
export const allSteps: readonly Step[] = [
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
export function stepsOf({ transport, authentication }: Draft): readonly Step[] {
  const local = transport === 'stdio';
  const skipped = new Set<Step>([
    ...(local ? (['authentication', 'authorization'] as const) : []),
    ...(authentication === 'header' ? [] : (['authorization'] as const)),
  ]);
  return allSteps.filter((step) => !skipped.has(step));
}

export function serverOf(draft: Draft, windows = process.platform === 'win32'): Server {
  const { transport, url, headers, authentication, authorization, env, commandLine } = draft;
  if (transport === 'http' || transport === 'sse') {
    const all = new Map([...headers].map(([name, value]) => [name, new Secret(value.reveal().trim())]));
    if (authentication === 'header') all.set('Authorization', new Secret(authorization.reveal().trim()));
    return {
      transport,
      url: url.trim(),
      headers: all,
      ...(authentication === 'oauth' && { auth: new Secret('oauth') }),
    };
  }
  const [command = '', ...args] = splitWords(commandLine, { windows }).words;
  return { transport: 'stdio', command, args, env: new Map(env) };
}

export function nameProblem(typed: string, taken: ReadonlySet<string>): string | undefined {
  const name = typed.trim();
  if (name === '') return 'Type a name for the server.';
  if (plainText(name, name.length + 1) !== name) {
    return 'The name has characters that cannot be seen, or several spaces in a row. Leave them out.';
  }
  if (!taken.has(name)) return undefined;
  return `There is a server of this name already. “${freeName(name, taken)}” is free.`;
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
  if (url === '') return 'Type the URL of the server, such as https://example.com/mcp.';
  if (/[\s\p{Cc}]/u.test(url)) return 'A URL has no spaces in it.';
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(url)) return 'A URL begins with https://, or http:// on this machine.';
  if (!/^https?:/i.test(url)) return 'MCP servers are reached over https:// or http://.';
  return URL.canParse(url) ? undefined : 'This is no URL that anything can be reached at.';
}

/** What may be meant otherwise. */
export function urlRemark(typed: string, transport: Transport | undefined): string | undefined {
  const url = typed.trim();
  if (urlProblem(url) !== undefined) return undefined;
  const { username, password, pathname } = new URL(url);
  if (username !== '' || password !== '') return 'The user and the password in it will stand in the file.';
  if (transport === 'http' && /\/sse\/?$/.test(pathname)) {
    return 'A URL that ends with /sse is mostly one of server-sent events. Go back to choose that.';
  }
  return undefined;
}

export function commandProblem(line: string, windows = process.platform === 'win32'): string | undefined {
  const { words, unfinished } = splitWords(line, { windows });
  if (unfinished !== undefined) {
    return `The quote ${line.charAt(unfinished)} at character ${unfinished + 1} is not closed.`;
  }
  const [command = ''] = words;
  if (command.trim() === '') return 'Type the command that starts the server, with its arguments.';
  if (/^https?:\/\//i.test(command)) {
    return 'This is a URL. Go back to choose HTTP or server-sent events, or begin with a command.';
  }
  if (command === '$' || command === '>') return `Leave out the ${command} of the prompt.`;
  if (/^[A-Za-z_]\w*=/.test(command))
    return 'Begin with the command. Variables are asked for in the next step.';
  return undefined;
}

/** How a command line is understood. */
export function commandRemark(line: string, windows = process.platform === 'win32'): string | undefined {
  if (commandProblem(line, windows) !== undefined) return undefined;
  const [command = '', ...args] = splitWords(line, { windows }).words;
  const shown = maskArguments(args).map((arg) => `“${plainText(arg, 60)}”`);
  const most = 12;
  const more = shown.length > most ? `, and ${shown.length - most} more` : '';
  const list = `${shown.slice(0, most).join(', ')}${more}`;
  const count = args.length === 1 ? 'the argument' : `${args.length} arguments:`;
  const shell = args.find((arg) => /^(?:&&?|\|\|?|;|[<>]{1,2}|\$\w+|\$\{\w+\})$/.test(arg));
  const warning = shell === undefined ? '' : ` No shell reads it, so ${shell} is an argument like others.`;
  return `Command “${plainText(maskText(command), 60)}” with ${args.length === 0 ? 'no arguments' : `${count} ${list}`}.${warning}`;
}

/** What the values of a server are called: headers of a remote one, variables of a local program. */
export function valueWords({ transport }: Pick<Draft, 'transport'>) {
  return transport === 'stdio'
    ? { one: 'variable', One: 'Variable', many: 'variables', Many: 'Variables', example: 'API_KEY' }
    : { one: 'header', One: 'Header', many: 'headers', Many: 'Headers', example: 'X-API-Key' };
}

export function valuesOf(draft: Draft): Map<string, Secret> {
  return draft.transport === 'stdio' ? draft.env : draft.headers;
}

export function valueNameProblem(draft: Draft, typed: string): string | undefined {
  const { one, example } = valueWords(draft);
  const name = typed.trim();
  const local = draft.transport === 'stdio';
  if (name === '') return `Type the name of the ${one}, such as ${example}.`;
  if (name.includes(local ? '=' : ':')) return 'Type only the name. The value is asked for next, and hidden.';
  if (local && /[\s\p{Cc}]/u.test(name)) return 'The name of a variable has no spaces.';
  // Names are tokens: RFC 9110, 5.1.
  if (!local && !/^[!#$%&'*+.^`|~\w-]+$/.test(name)) {
    return 'The name of a header has only letters, digits, hyphens and a few other signs.';
  }
  const same = (other: string) => (local ? other === name : other.toLowerCase() === name.toLowerCase());
  if (!local && same('Authorization')) return 'The Authorization header is asked for in the next step.';
  if (![...valuesOf(draft).keys()].some(same)) return undefined;
  return `There is a ${one} of this name already. Go back to change or remove it.`;
}

/** Never repeats the value. */
export function valueProblem(draft: Pick<Draft, 'transport'>, value: string): string | undefined {
  if (draft.transport === 'stdio') {
    return value.includes('\0') ? 'The value has a character that no variable can have.' : undefined;
  }
  if (value.trim() === '') return 'Type the value of the header.';
  return /[^\t\P{Cc}]/u.test(value) ? 'The value has a line break or another control character.' : undefined;
}

/** Never repeats the value. */
export function valueRemark(value: string): string | undefined {
  return isPlaceholder(value) ? 'This looks like a placeholder, not like a value.' : undefined;
}

export function authorizationRemark(value: string): string | undefined {
  if (value.trim() === '' || /^[\w-]+\s+\S/.test(value.trim())) return valueRemark(value);
  return 'There is no word before the token. Most servers expect “Bearer”, a space and the token.';
}

export const transportWords: Readonly<Record<Transport, string>> = {
  stdio: 'Local Program',
  http: 'HTTP',
  sse: 'Server-Sent Events',
};

/** What was entered, in a line. */
export function summary({ name, transport, url, commandLine }: Draft): string {
  const command = splitWords(commandLine).words[0];
  const target = transport === 'stdio' ? command && maskText(command) : url && maskUrl(url);
  const parts = [name.trim() || 'no name yet', transport && transportWords[transport], target];
  return plainText(parts.filter(Boolean).join(' · '), 120);
}
