/**
 * The meaning of a server to the program, for comparison with its own words.
 */
import { Secret } from '../../src/base/secret.ts';
import type { Fields, Value } from '../../src/mcp/text/values.ts';
import type { Server } from '../../src/mcp/format/server.ts';
import type { ReadServer } from './program.ts';

/** The essential fields of a server. Unset and empty ones are left out. */
export interface Meaning {
  readonly transport: 'stdio' | 'http' | 'sse';
  readonly enabled: boolean;
  readonly fields: Readonly<Record<string, unknown>>;
}

const transports: Readonly<Record<string, Meaning['transport']>> = {
  StdioTransport: 'stdio',
  StreamableHttpTransport: 'http',
  SSETransport: 'sse',
};

/** Reads the words of the program. */
export function meaningOf({ transport, enabled, fields }: ReadServer): Meaning {
  const is = transports[transport];
  if (is === undefined)
    throw new Error(`The program has no transport: ${transport}`);
  return {
    transport: is,
    enabled,
    fields: said({ ...fields, transport: null, enabled: null }),
  };
}

export function meaningsOf(
  servers: Readonly<Record<string, ReadServer>>,
): Record<string, Meaning> {
  return Object.fromEntries(
    Object.entries(servers).map(([name, server]) => [name, meaningOf(server)]),
  );
}

/** Reads our words. */
export function ourMeaning(
  server: Server,
  enabled: boolean,
  extra: Fields = new Map(),
): Meaning {
  const { transport, ...rest } = server;
  return {
    transport,
    enabled,
    fields: said({ ...rest, ...(plain(extra) as object) }),
  };
}

function said({
  max_sse_event_size: size,
  ...others
}: Readonly<Record<string, unknown>>): Record<string, unknown> {
  // The program writes its default into every remote server.
  const fields = {
    ...others,
    max_sse_event_size: size === 1_048_576 ? null : size,
  };
  const all = Object.entries(fields).map(
    ([name, value]) => [name, plain(value)] as const,
  );
  return Object.fromEntries(
    all.filter(
      ([, value]) =>
        value !== null &&
        value !== undefined &&
        JSON.stringify(value) !== '{}' &&
        JSON.stringify(value) !== '[]',
    ),
  );
}

function plain(value: unknown): unknown {
  if (value instanceof Secret) return value.reveal();
  if (value instanceof Map) {
    return Object.fromEntries(
      [...(value as ReadonlyMap<string, Value>)].map(([name, item]) => [
        name,
        plain(item),
      ]),
    );
  }
  return value;
}
