/** How a server is shown to people: everything that is or may be a secret masked, in pieces as small as is safe. */
import { mask, type Secret } from '../base/secret.ts';
import type { LocalServer, RemoteServer, Server } from './server.ts';

/** A server as plain data for people and programs; always with the same keys. */
export type ShownServer =
  | {
      readonly transport: LocalServer['transport'];
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    }
  | {
      readonly transport: RemoteServer['transport'];
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly auth: string | null;
    };

export function showServer(server: Server, reveal = false): ShownServer {
  const value = (secret: Secret) => (reveal ? secret.reveal() : maskValue(secret));
  if (server.transport === 'stdio') {
    const { transport, command, args, env } = server;
    return {
      transport,
      command: reveal ? command : maskText(command),
      args: reveal ? args : maskArguments(args),
      env: values(env, value),
    };
  }
  const { transport, url, headers, auth } = server;
  return {
    transport,
    url: reveal ? url : maskUrl(url),
    headers: values(headers, value),
    auth: auth ? (isMethod(auth) ? auth.reveal() : value(auth)) : null,
  };
}

function values(
  secrets: ReadonlyMap<string, Secret>,
  value: (secret: Secret) => string,
): Record<string, string> {
  return Object.fromEntries([...secrets].map(([name, secret]) => [name, value(secret)]));
}

/** What a server is reached by, in one line: its URL, or its command with the arguments as a shell takes them. */
export function targetText(server: Server, reveal = false): string {
  const shown = showServer(server, reveal);
  return shown.transport === 'stdio' ? [shown.command, ...shown.args].map(shellWord).join(' ') : shown.url;
}

/** A mask of fixed length, but that a value is empty is shown: it is why a server does not work. */
export function maskValue(secret: Secret): string {
  return secret.reveal() === '' ? '' : mask;
}

/** Whether this names a way of signing in, rather than being a bearer token. */
export function isMethod(auth: Secret): boolean {
  return auth.reveal() === 'oauth';
}

/** The text as one word of a POSIX shell. Characters that a terminal acts upon are spelled out. */
export function shellWord(text: string): string {
  // Most words; the other patterns take a while to prepare.
  if (/^[\w@%+:,./-]+$/.test(text)) return text;
  if (hasControls(text)) {
    return `$'${text.replace(/[\\']/g, '\\$&').replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, spelled)}'`;
  }
  if (text !== '' && !/[\s|&;<>()$`\\"'*?[\]#~!{}^]|^=/.test(text)) return text;
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Printable ASCII is looked at first, because a pattern with \p takes long to set up. */
function hasControls(text: string): boolean {
  return !/^[ -~]*$/.test(text) && /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text);
}

function spelled(text: string): string {
  const bytes = [...new TextEncoder().encode(text)];
  return bytes.map((byte) => letters.get(byte) ?? `\\${byte.toString(8).padStart(3, '0')}`).join('');
}

const letters: ReadonlyMap<number, string> = new Map([
  [0x09, '\\t'],
  [0x0a, '\\n'],
  [0x0d, '\\r'],
]);

/** The text as it is, to be copied; but with characters that act upon a terminal or cannot be seen, as shellWord has it. */
export function exactText(text: string): string {
  return hasControls(text) ? shellWord(text) : text;
}

/** Names of variables, options and headers whose values are secrets, as far as their ends tell. */
const sensitive =
  '(?:(?<!max[-_]?)token|tkn|secret|password|passwd|passphrase|pwd|pass|key|auth|authorization|credential|cookie|signature|sig|bearer|pat|jwt)s?(?:[-_]?\\d+)?';

const parameters = new RegExp(String.raw`(${sensitive}=)[^/\\;]+`, 'gi');

/**
 * A password can have in it what ends the host: where a colon is followed by something else than a port, all before the
 * last @ belongs to it, but for one in a query.
 */
const url =
  /^((?:[a-z][a-z\d+.-]*:)?[/\\]+)?([^/\\?#]*@|[^/\\?#:@[\]]*:(?!\d*[/\\?#])(?:(?!\?[\w.-]+=).){0,4000}@)?([^?#]*)(\?[^#]*)?(#.*)?$/is;

/** The URL without user and password, values of the query, fragment, and what looks like a secret in its path. */
export function maskUrl(text: string, cover = mask): string {
  return text.replace(url, (_, scheme: Part, user: Part, path: string, query: Part, fragment: Part) =>
    [
      scheme,
      user && `${cover}@`,
      maskTokens(
        path
          .replace(/(?<![^/\\])[^/\\:]*:[^/\\]*@/g, `${cover}@`)
          .replace(parameters, (_, name: string) => name + cover),
        cover,
      ),
      query?.replace(
        /([?&;])([^=&;]*)(=?)([^&;]*)/g,
        (_, separator: string, name: string, equals: string, value: string) =>
          `${separator}${equals ? name : name && cover}${equals}${value && cover}`,
      ),
      fragment?.replace(/(?<=#).+/s, cover),
    ].join(''),
  );
}

type Part = string | undefined;

const assignments = new RegExp(
  String.raw`(${sensitive}["']?\s*[=:]\s*)("(?:[^"\\]|\\.)*"|'[^']*'|(?:(?:Bearer|Basic|Token)\s+)?\S+)`,
  'gis',
);

/** What a database is reached by: `Server=h;Password=a b;Database=c`. A value goes as far as the next semicolon. */
const connection = /^(?:jdbc:[^\s;?#]*|[\w .-]+=[^;]*)(?:;[\w\s.-]+=[^;]*)+;?\s*$/;
const connectionSecret = new RegExp(String.raw`^(.*${sensitive}\s*=\s*)(?=\S).*$`, 'is');

/** Longer texts are not searched: that would take long, and nobody reads them. */
const longest = 4000;

/** Any text, with the secrets that can be told from others masked. */
export function maskText(text: string, cover = mask): string {
  if (text.length > longest) return cover;
  // Most words: too short for a token, and without a name before a value.
  if (/^[\w@./-]{0,8}$/.test(text)) return text;
  if (connection.test(text)) {
    const parts = text.split(';').map((part) => {
      const [, name] = connectionSecret.exec(part) ?? [];
      return name === undefined ? maskText(part, cover) : name + cover;
    });
    return parts.join(';');
  }
  const known = text
    .replace(/-----BEGIN .*?(?:-----END [^-]*-----|$)/gs, cover)
    .replace(/[a-z][a-z\d+.-]*:\/\/\S+/gi, (url) => maskUrl(url, cover))
    .replace(/((?:authorization|cookie)["']?\s*:\s*)\S.*/gi, (_, name: string) => name + cover)
    .replace(assignments, (_, name: string) => name + cover)
    .replace(/\b(Bearer|Basic)\s+[^\s•<]\S*/gi, (_, scheme: string) => `${scheme} ${cover}`);
  return maskTokens(known, cover);
}

/** What services begin their keys with. */
const issued =
  /(?<![A-Za-z\d])(?:(?:sk-|[spr]k_(?:live|test)_|gh[opsur]_|github_pat_|glpat-|xox[a-z]-|xapp-|npm_|hf_|AIza|ya29\.|eyJ|SG\.|lin_api_|ntn_|dop_v1_|tvly-|gsk_|pplx-|figd_|shpat_|dckr_pat_|whsec_)[\w.~+/-]{6,}=*|(?:AKIA|ASIA)[A-Z\d]{12,})/g;

/** Words that nobody made up: those that services issue, and long ones that look random. */
function maskTokens(text: string, cover: string): string {
  return text
    .replace(issued, cover)
    .replace(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi, cover)
    .replace(/[\w+-]{20,}=*/g, (word) => (looksRandom(word) ? cover : word));
}

/** Where letters and digits, small letters and capitals take turns more often than in names. */
function looksRandom(word: string): boolean {
  const turns = word.match(/\d(?=[A-Za-z])|[A-Za-z](?=\d)|[a-z](?=[A-Z])/g) ?? [];
  return /\d/.test(word) && (turns.length >= word.length / 5 || !/[A-Za-z]/.test(word));
}

const secretOption = new RegExp(`^--?[\\w.-]*${sensitive}$`, 'i');

/** Whether the value of this option is a secret. The shortest is `-key`; most arguments need no look at the long pattern. */
function isSecretOption(text: string): boolean {
  return text.startsWith('-') && text.length > 3 && secretOption.test(text);
}

const pairOptions: ReadonlySet<string> = new Set(['-e', '--env', '-H', '--header', '--headers']);
const loginOptions: ReadonlySet<string> = new Set(['-u', '-U', '--user', '--proxy-user']);

/** The arguments of a program, with the secrets in them masked. */
export function maskArguments(args: readonly string[], cover = mask): string[] {
  return args.map((arg, index) => {
    const before = args[index - 1] ?? '';
    if (before.startsWith('-') && !isOption(arg)) {
      if (isSecretOption(before)) return arg && cover;
      if (pairOptions.has(before)) return maskPair(arg, cover);
      if (loginOptions.has(before)) return maskLogin(arg, cover);
    }
    if (arg.startsWith('-') && arg.includes('=')) {
      const [, name = '', value = ''] = /^(--?[\w.-]+)=(.*)$/s.exec(arg) ?? [];
      if (isSecretOption(name) || /^-e[A-Z_]/.test(name)) return `${name}=${value && cover}`;
      if (pairOptions.has(name)) return `${name}=${maskPair(value, cover)}`;
      if (loginOptions.has(name)) return `${name}=${maskLogin(value, cover)}`;
    }
    return maskText(arg, cover);
  });
}

function isOption(arg: string): boolean {
  return arg.startsWith('-') && /^(?:-\w|--[a-z][\w-]*(?:=.*)?)$/is.test(arg);
}

/** `KEY=value` or `Key: value` without its value. */
function maskPair(pair: string, cover: string): string {
  const start = /^[^=:]*(?:=|:\s*)/.exec(pair)?.[0];
  if (start === undefined) return maskText(pair, cover);
  return start.length < pair.length ? start + cover : start;
}

/** `user:password` without the password. What else such options have is left: ids of users and groups, and addresses. */
function maskLogin(login: string, cover: string): string {
  const isOther = /^(?:\d+:|(\w+):\1$|localhost:\d+$|\$|[a-z]:\\|[^:]*:\/\/)/i.test(login);
  const [, user] = /^([^:]+:)./s.exec(login) ?? [];
  return isOther || user === undefined ? maskText(login, cover) : maskText(user, cover) + cover;
}
