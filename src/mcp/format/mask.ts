/** How a server is shown to people: everything that is or may be a secret masked, in pieces as small as is safe. */
import { isCodeVariable } from '../../base/codeVariables.ts';
import { isOption, optionMasker, setMasker } from '../../base/maskers.ts';
import { maskText } from '../../base/maskText.ts';
import { maxMaskedLength, maskUrl } from '../../base/maskUrl.ts';
import { maskPasswordArgument, passwordOptionAfter } from '../../base/passwordOptions.ts';
import { mask, type Secret } from '../../base/secret.ts';
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
  return {
    transport,
    url: reveal ? url : maskUrl(url),
    headers: values(headers, value),
    auth: auth ? (isMethod(auth) ? auth.reveal() : value(auth)) : null,
  };
}

function values(
  secrets: ReadonlyMap<string, Secret>,
  value: (secret: Secret, name: string) => string,
): Record<string, string> {
  return Object.fromEntries([...secrets].map(([name, secret]) => [name, value(secret, name)]));
}

/** The variables that change what runs, as a shell sets them: `NODE_OPTIONS='--require ./a.js'`. */
export function codeAssignments(server: Server): string[] {
  const shown = showServer(server);
  if (shown.transport !== 'stdio') return [];
  return Object.entries(shown.env).flatMap(([name, value]) =>
    isCodeVariable(name) ? [`${name}=${shellWord(value)}`] : [],
  );
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
  // Most words; the other patterns take a while to prepare. All look for one sign only, because a text can be very long.
  if (text !== '' && !/[^\w@%+:,./-]/.test(text)) return text;
  if (hasControls(text)) {
    return `$'${text.replace(/[\\']/g, '\\$&').replace(/[\p{Cc}\p{Cf}\p{DI}\p{Zl}\p{Zp}]/gu, spelled)}'`;
  }
  if (text !== '' && !/[\s|&;<>()$`\\"'*?[\]#~!{}^]|^=/.test(text)) return text;
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Printable ASCII is looked at first, because a pattern with \p takes long to set up. */
function hasControls(text: string): boolean {
  return /[^ -~]/.test(text) && /[\p{Cc}\p{Cf}\p{DI}\p{Zl}\p{Zp}]/u.test(text);
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

/** More text than this in the arguments of one program is not searched. Nobody reads it. */
const mostText = 40_000;

/** The arguments of a program, with the secrets in them masked. */
export function maskArguments(command: string, args: readonly string[], cover = mask): string[] {
  let room = mostText;
  const masker = new ArgumentMasker(command, cover);
  return args.map((arg) => {
    room -= arg.length + 1;
    return room < 0 ? cover : masker.mask(arg);
  });
}

/** Masks the arguments of a program one by one: one can be the value of the one before it. */
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
    const [before, option, cover] = [this.#before, this.#option, this.#cover];
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

function maskOperand(arg: string, before: string, cover: string): string | undefined {
  return !isOption(arg) ? optionMasker(before)?.(arg, cover) : undefined;
}

/** Everything after the sign is the value, with its blanks. A name in capitals is a variable's, as `env` takes it. */
function maskAssignment(arg: string, before: string, cover: string): string | undefined {
  // Most have no sign, and the other patterns take a while to prepare.
  if (!/[=:]/.test(arg) || isScript.test(before)) return undefined;
  const start = /^[-/]*[\w.][\w.-]*(?:=|:\s*)/.exec(arg)?.[0];
  if (start === undefined) return undefined;
  const name = start.replace(/[=:]\s*/, '');
  const value = arg.slice(start.length);
  const isVariable = /^[A-Z_][A-Z\d_]*=/.test(start);
  // `--set=password=x` has a name in its value.
  const masked =
    setMasker(name, isVariable)?.(value, cover) ??
    (name.startsWith('-') ? maskAssignment(value, '', cover) : undefined);
  return masked === undefined ? undefined : start + masked;
}

/** The option before a command line for a shell: `-lc`, `/c` and `-Command`. */
const isScript = /^(?:-[a-z]*c|\/[ck]|-command)$/i;
