/**
 * Shows servers with every possible secret masked, in pieces as small as is
 * safe.
 */
import { isCodeVariable } from '../../base/masks/codeVariables.ts';
import {
  isOption,
  optionMasker,
  setMasker,
  valueMasker,
} from '../../base/masks/maskers.ts';
import { maskText } from '../../base/masks/maskText.ts';
import { maxMaskedLength, maskUrl } from '../../base/masks/maskUrl.ts';
import {
  maskPasswordArgument,
  passwordOptionAfter,
} from '../../base/masks/passwordOptions.ts';
import { mask, type Secret } from '../../base/secret.ts';
import { isSecretName } from '../../base/masks/secretNames.ts';
import type { LocalServer, RemoteServer, Server } from './server.ts';

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
  const value = (secret: Secret) =>
    reveal ? secret.reveal() : maskValue(secret);
  const variable = (secret: Secret, name: string) =>
    isCodeVariable(name) && !reveal ? maskText(secret.reveal()) : value(secret);
  if (server.transport === 'stdio') {
    const { transport, command, args, env } = server;
    return {
      transport,
      command: reveal ? command : maskText(command),
      args: reveal ? args : maskArguments(command, args),
      env: values(env, variable),
    };
  }
  const { transport, url, headers, auth } = server;
  const authText = auth && (isSignInMethod(auth) ? auth.reveal() : value(auth));
  return {
    transport,
    url: reveal ? url : maskUrl(url),
    headers: values(headers, value),
    auth: authText ?? null,
  };
}

function values(
  secrets: ReadonlyMap<string, Secret>,
  value: (secret: Secret, name: string) => string,
): Record<string, string> {
  return Object.fromEntries(
    [...secrets].map(([name, secret]) => [name, value(secret, name)]),
  );
}

/**
 * The variables that change what runs, as shell assignments:
 * `NODE_OPTIONS='--require ./a.js'`.
 */
export function codeAssignments(server: Server): string[] {
  const texts = showServer(server);
  if (texts.transport !== 'stdio') return [];
  return Object.entries(texts.env).flatMap(([name, value]) =>
    isCodeVariable(name) ? [`${name}=${shellWord(value)}`] : [],
  );
}

/**
 * All variables as shell assignments. A value is masked where its name or it
 * itself says that it is a secret.
 */
export function variableAssignments(server: Server): string[] {
  if (server.transport !== 'stdio') return [];
  return [...server.env].map(([name, secret]) => {
    const value = secret.reveal();
    const shownValue = isSecretName(name)
      ? (valueMasker(name)(value, mask) ?? value)
      : maskText(value);
    return `${name}=${shellWord(shownValue)}`;
  });
}

/** One line with the URL, or with the command and arguments as shell words. */
export function targetText(server: Server, reveal = false): string {
  const texts = showServer(server, reveal);
  return texts.transport === 'stdio'
    ? [texts.command, ...texts.args].map(shellWord).join(' ')
    : texts.url;
}

/**
 * A mask of fixed length; '' for an empty value, which explains why a server
 * fails.
 */
export function maskValue(secret: Secret): string {
  return secret.reveal() === '' ? '' : mask;
}

/** True for a way of signing in, false for a bearer token. */
export function isSignInMethod(auth: Secret): boolean {
  return auth.reveal() === 'oauth';
}

/**
 * Quotes a text as one word of a POSIX shell. Spells out characters that a
 * terminal acts on.
 */
export function shellWord(text: string): string {
  // Fast path. Every pattern looks for one character, because a text can be
  // very long.
  if (text !== '' && !/[^\w@%+:,./-]/.test(text)) return text;
  if (hasControls(text)) {
    return `$'${text.replace(/[\\']/g, '\\$&').replace(/[\p{Cc}\p{Cf}\p{DI}\p{Zl}\p{Zp}]/gu, spelled)}'`;
  }
  if (text !== '' && !/[\s|&;<>()$`\\"'*?[\]#~!{}^]|^=/.test(text)) return text;
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function hasControls(text: string): boolean {
  return /[^ -~]/.test(text) && /[\p{Cc}\p{Cf}\p{DI}\p{Zl}\p{Zp}]/u.test(text);
}

function spelled(text: string): string {
  const bytes = [...new TextEncoder().encode(text)];
  return bytes
    .map(
      (byte) => letters.get(byte) ?? `\\${byte.toString(8).padStart(3, '0')}`,
    )
    .join('');
}

const letters: ReadonlyMap<number, string> = new Map([
  [0x09, '\\t'],
  [0x0a, '\\n'],
  [0x0d, '\\r'],
]);

/**
 * Keeps a text for copying, except characters that act on a terminal or are
 * invisible.
 */
export function exactText(text: string): string {
  return hasControls(text) ? shellWord(text) : text;
}

/**
 * Characters searched for secrets in the arguments of one program; the rest is
 * masked.
 */
const maxTextLength = 40_000;

export function maskArguments(
  command: string,
  args: readonly string[],
  cover = mask,
): string[] {
  let room = maxTextLength;
  const masker = new ArgumentMasker(command, cover);
  return args.map((arg) => {
    room -= arg.length + 1;
    return room < 0 ? cover : masker.mask(arg);
  });
}

/**
 * Masks arguments one by one: an argument can be the value of the previous one.
 */
export class ArgumentMasker {
  readonly #cover: string;
  #before: string;
  #option: ReturnType<typeof passwordOptionAfter>;

  constructor(command: string, cover = mask) {
    this.#cover = cover;
    this.#before = command;
    this.#option = passwordOptionAfter(command, '', undefined);
  }

  mask(arg: string): string {
    const before = this.#before;
    const option = this.#option;
    const cover = this.#cover;
    this.#before = arg;
    this.#option = passwordOptionAfter(arg, before, option);
    if (arg.length > maxMaskedLength) return cover;
    return (
      maskPasswordArgument(arg, before, option, cover) ??
      maskOperand(arg, before, cover) ??
      maskAssignment(arg, before, cover) ??
      maskText(arg, cover)
    );
  }
}

function maskOperand(
  arg: string,
  before: string,
  cover: string,
): string | undefined {
  return !isOption(arg) ? optionMasker(before)?.(arg, cover) : undefined;
}

/**
 * Treats everything after the sign as the value. A name in capitals is a
 * variable, as for `env`.
 */
function maskAssignment(
  arg: string,
  before: string,
  cover: string,
): string | undefined {
  if (!/[=:]/.test(arg) || scriptOption.test(before)) return undefined;
  const start = /^[-/]*[\w.][\w.-]*(?:=|:\s*)/.exec(arg)?.[0];
  if (start === undefined) return undefined;
  const name = start.replace(/[=:]\s*/, '');
  const value = arg.slice(start.length);
  const isVariable = /^[A-Z_][A-Z\d_]*=/.test(start);
  // `--set=password=x` has another name in its value.
  const masked =
    setMasker(name, isVariable)?.(value, cover) ??
    (name.startsWith('-') ? maskAssignment(value, '', cover) : undefined);
  return masked === undefined ? undefined : start + masked;
}

/** Options before a command line for a shell. */
export const scriptOption = /^(?:-[a-z]*c|\/[ck]|-command)$/i;
