/**
 * A server with its references to variables replaced, as the agent starts or
 * reaches it. It has secrets as plain text.
 */
import { isOpen } from '../base/masks/secretNames.ts';
import { maskText } from '../base/masks/maskText.ts';
import { maskUrl } from '../base/masks/maskUrl.ts';
import { mask, Secret } from '../base/secret.ts';
import { ArgumentMasker } from '../mcp/format/mask.ts';
import type { Server } from '../mcp/format/server.ts';
import { referencesIn } from '../mcp/format/variables.ts';
import { ProbeError } from './serverConnection.ts';

export interface ResolvedProgram {
  readonly transport: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface ResolvedAddress {
  readonly transport: 'http' | 'sse';
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly auth: string | undefined;
}

export interface Resolved {
  readonly server: ResolvedProgram | ResolvedAddress;
  readonly cwd: string | undefined;
  /** Values to mask, wherever the server repeats them. */
  readonly secrets: readonly Secret[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Throws a ProbeError that names the variables that are not set and have no
 * default.
 */
export function resolve(
  server: Server,
  cwd: string | undefined,
  environment: Environment,
): Resolved {
  const missing = new Set<string>();
  const secrets: string[] = [];
  const replaced = (text: string, isScript = false): string => {
    let result = '';
    let done = 0;
    for (const { name, hasDefault, start, end } of referencesIn(text)) {
      const value =
        environment[name] ??
        (hasDefault ? text.slice(start + name.length + 4, end - 1) : undefined);
      // The shell replaces the rest of its script.
      if (value === undefined && !isScript) missing.add(name);
      if (value !== undefined) secrets.push(...secretsIn(name, value));
      result += text.slice(done, start) + (value ?? text.slice(start, end));
      done = end;
    }
    return result + text.slice(done);
  };
  const named = (values: ReadonlyMap<string, Secret>): [string, string][] =>
    [...values].map(([name, secret]) => {
      const pair: [string, string] = [
        replaced(name),
        replaced(secret.reveal()),
      ];
      secrets.push(...secretsIn(...pair));
      return pair;
    });
  const resolved = ((): Resolved['server'] => {
    if (server.transport === 'stdio') {
      const args = server.args.map((arg, at) =>
        replaced(arg, isShellScript.test(server.args[at - 1] ?? '')),
      );
      const command = replaced(server.command);
      const masker = new ArgumentMasker(command);
      for (const arg of args) secrets.push(...covered(arg, masker.mask(arg)));
      return {
        transport: 'stdio',
        command,
        args,
        env: Object.fromEntries(named(server.env)),
      };
    }
    const url = replaced(server.url);
    secrets.push(...covered(url, maskUrl(url)));
    const auth = server.auth && replaced(server.auth.reveal());
    if (auth !== undefined && auth !== 'oauth') secrets.push(auth);
    const headers = named(server.headers);
    return {
      transport: server.transport,
      url,
      headers,
      auth,
    };
  })();
  const folder = cwd === undefined ? undefined : replaced(cwd);
  if (missing.size > 0)
    throw new ProbeError({ reason: 'variableMissing', names: [...missing] });
  return {
    server: resolved,
    cwd: folder,
    // Short secrets would match everywhere.
    secrets: [...new Set(secrets)]
      .filter(({ length }) => length > 3)
      .map((secret) => new Secret(secret)),
  };
}

const isShellScript = /^-[a-z]*c$/;

/** The secrets in a value: for "Bearer abc", both it and "abc". */
function secretsIn(name: string, value: string): string[] {
  if (isOpen(name, value)) return covered(value, maskText(value));
  const key = /^(?:bearer|basic|token)\s+(\S.*)$/i.exec(value)?.[1];
  return key === undefined ? [value] : [value, key];
}

/**
 * The parts of a text that its masked form covers, and the passwords of logins
 * among them.
 */
function covered(text: string, masked: string): string[] {
  if (masked === text) return [];
  const parts = masked
    .split(mask)
    .map((part) => part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  const pieces = new RegExp(`^${parts.join('(.*?)')}$`, 's')
    .exec(text)
    ?.slice(1) ?? [text];
  return pieces.flatMap((part) => {
    const password = /^[^:]*:(.+)$/s.exec(part)?.[1];
    const all = password === undefined ? [part] : [part, password];
    return all.flatMap((secret) => [secret, decoded(secret)]);
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
