import { type Fields, type Server, writeServer } from './server.ts';

/** A change of mcp.json that somebody wants. */
export type Change =
  | (Written & { readonly do: 'add' })
  | { readonly do: 'enable' | 'disable' | 'remove'; readonly name: string }
  | { readonly do: 'rename'; readonly name: string; readonly to: string }
  /** Writes another entry in its place, whatever the old one says. */
  | (Written & { readonly do: 'replace' })
  /** Puts servers that are at the root into `mcpServers`. */
  | { readonly do: 'wrap' };

/** A server that is written as a whole. */
export interface Written {
  readonly name: string;
  readonly server: Server;
  /** True where nothing else is said. */
  readonly enabled?: boolean;
  /** Further fields of the entry. */
  readonly extra?: Fields;
}

export function fieldsOf({ server, enabled = true, extra }: Written): Fields {
  return writeServer(server, enabled, extra);
}
