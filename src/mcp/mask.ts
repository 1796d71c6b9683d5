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

/** Whether this names a way of signing in, and is no bearer token. */
export function isMethod(auth: Secret): boolean {
  return auth.reveal() === 'oauth';
}

/** The text as one word of a POSIX shell. Characters that a terminal acts upon are spelled out. */
export function shellWord(text: string): string {
  // Most words; the other patterns take a while to be made ready.
  if (/^[\w@%+:,./-]+$/.test(text)) return text;
  if (controls.test(text)) return `$'${text.replace(/[\\']/g, '\\$&').replace(controlRuns, octal)}'`;
  if (text !== '' && !/[\s|&;<>()$`\\"'*?[\]#~!{}^]|^=/.test(text)) return text;
  return `'${text.replaceAll("'", "'\\''")}'`;
}

const controls = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const controlRuns = new RegExp(controls.source, 'gu');

function octal(text: string): string {
  const bytes = [...new TextEncoder().encode(text)];
  return bytes.map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}

/** The URL without user and password, values of the query, fragment, and what looks like a token in its path. */
export function maskUrl(url: string, cover = mask): string {
  return url.replace(
    /^((?:[a-z][a-z\d+.-]*:)?[/\\]+)?([^/\\?#]*@)?([^?#]*)(\?[^#]*)?(#.*)?$/is,
    (_, scheme: Part, user: Part, path: string, query: Part, fragment: Part) =>
      [
        scheme,
        user && `${cover}@`,
        maskTokens(path.replace(/[^/\\]*:[^/\\]*@/g, `${cover}@`), cover),
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

/** Names of variables, options and headers whose values are secrets, as far as their ends tell. */
const sensitive =
  '(?:(?<!max[-_]?)token|tkn|secret|password|passwd|passphrase|pwd|pass|key|auth|authorization|credential|cookie|signature|sig|bearer|pat|jwt)s?';

const assignments = new RegExp(
  String.raw`(${sensitive}["']?\s*[=:]\s*)("(?:[^"\\]|\\.)*"|'[^']*'|(?:(?:Bearer|Basic|Token)\s+)?\S+)`,
  'gis',
);

/** Longer texts are not looked into: that would take long, and whoever reads them finds nothing in them. */
const longest = 4000;

/** Any text, with the secrets that can be told from others masked. */
export function maskText(text: string, cover = mask): string {
  if (text.length > longest) return cover;
  // Most words: too short for a token, and without a name before a value.
  if (/^[\w@./-]{0,8}$/.test(text)) return text;
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
const pairOption = /^(?:-e|--env|-H|--headers?)$/;

/** The arguments of a program, with the secrets in them masked. */
export function maskArguments(args: readonly string[], cover = mask): string[] {
  return args.map((arg, index) => {
    const before = args[index - 1] ?? '';
    const isOption = /^(?:-\w|--[a-z][\w-]*(?:=.*)?)$/is.test(arg);
    if (!isOption && secretOption.test(before)) return arg && cover;
    if (!isOption && pairOption.test(before)) return maskPair(arg, cover);
    const [, name = '', value = ''] = /^(--?[\w.-]+)=(.*)$/s.exec(arg) ?? [];
    if (secretOption.test(name) || /^-e[A-Z_]/.test(name)) return `${name}=${value && cover}`;
    if (pairOption.test(name)) return `${name}=${maskPair(value, cover)}`;
    return maskText(arg, cover);
  });
}

/** `KEY=value` or `Key: value` without its value. */
function maskPair(pair: string, cover: string): string {
  const start = /^[^=:]*(?:=|:\s*)/.exec(pair)?.[0];
  if (start === undefined) return maskText(pair, cover);
  return start.length < pair.length ? start + cover : start;
}
