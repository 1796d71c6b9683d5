import assert from 'node:assert/strict';
import {
  type ShownServer,
  showServer,
} from '../../../../src/mcp/format/mask.ts';
import { readPasted } from '../../../../src/mcp/pasted/readPasted.ts';
import {
  type PastedServer,
  type PastedPlaceholder,
  PasteRefusal,
} from '../../../../src/mcp/pasted/pastedServer.ts';

/** All that is found in a text, as plain data with the secrets in it. */
export function paste(text: string) {
  const { servers, problems } = readPasted(text);
  return problems.length === 0
    ? servers.map(plain)
    : { servers: servers.map(plain), problems };
}

export function refused(text: string): string {
  try {
    readPasted(text);
  } catch (error) {
    if (error instanceof PasteRefusal) return `${error.kind}: ${error.message}`;
    throw error;
  }
  throw new Error('It was read.');
}

export interface Plain {
  readonly name: string | undefined;
  readonly suggestedName: string;
  readonly server: ShownServer;
  readonly enabled: boolean;
  readonly isGuess: boolean;
  readonly extra: Readonly<Record<string, unknown>>;
  readonly placeholders: readonly PastedPlaceholder[];
  readonly notes: readonly string[];
}

function plain({ extra, server, ...others }: PastedServer): Plain {
  return {
    ...others,
    extra: Object.fromEntries(extra),
    server: showServer(server, true),
  };
}

type Rest = Partial<
  Pick<
    Plain,
    'suggestedName' | 'enabled' | 'isGuess' | 'extra' | 'placeholders' | 'notes'
  >
>;

/** Counts the servers in a text of more parts than are read. */
export function countOfTooMany(text: string): number {
  const { servers, problems } = readPasted(text);
  assert.deepEqual(problems, [
    'Only the first 100 parts of each kind are read.',
  ]);
  return servers.length;
}

/** A program that is to be found. */
export function local(
  name: string | undefined,
  line: readonly string[],
  {
    env = {},
    ...rest
  }: Rest & { readonly env?: Readonly<Record<string, string>> } = {},
): Plain {
  const [command = '', ...args] = line;
  return expected(name, { transport: 'stdio', command, args, env }, rest);
}

/** A URL that is to be found. */
export function remote(
  name: string | undefined,
  url: string,
  {
    transport = 'http',
    headers = {},
    auth = null,
    ...rest
  }: Rest & {
    readonly transport?: 'http' | 'sse';
    readonly headers?: Readonly<Record<string, string>>;
    readonly auth?: string | null;
  } = {},
): Plain {
  return expected(name, { transport, url, headers, auth }, rest);
}

function expected(
  name: string | undefined,
  server: ShownServer,
  rest: Rest,
): Plain {
  return {
    name,
    suggestedName: name ?? '',
    server,
    enabled: true,
    isGuess: false,
    extra: {},
    placeholders: [],
    notes: [],
    ...rest,
  };
}

export function inEnv(
  name: string,
  text: string,
  description?: string,
): PastedPlaceholder {
  return { place: { in: 'env', name }, text, description };
}

export function inHeader(
  name: string,
  text: string,
  description?: string,
): PastedPlaceholder {
  return { place: { in: 'header', name }, text, description };
}

/** The note about variables that are looked up. */
export const fromEnvironment = (names: string) =>
  `Agents take ${names} from their environment.`;

export const noServer = /^nothing: No MCP server was found in this text\./;

export const noVariables =
  'Only variables that are written as ${NAME} are looked up, so enter the values of the others.';
