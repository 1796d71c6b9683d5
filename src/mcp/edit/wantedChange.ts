import type { Fields } from '../text/values.ts';
import { type Server, writeServer } from '../format/server.ts';

/** A change of mcp.json that somebody wants. */
export type Change =
  | (Written & { readonly do: 'add' })
  | { readonly do: 'enable' | 'disable'; readonly name: string }
  | { readonly do: 'remove'; readonly name: string }
  | SwitchTools
  | SetUrl
  | { readonly do: 'rename'; readonly name: string; readonly to: string }
  /** Writes another entry in its place, whatever the old one says. */
  | (Written & { readonly do: 'replace' })
  /** Puts servers that are at the root into `mcpServers`. */
  | { readonly do: 'wrap' };

/** Lets agents get these tools of a server, and no longer get those. One that is in both lists is switched off. */
export interface SwitchTools {
  readonly do: 'tools';
  readonly name: string;
  readonly on: readonly string[];
  readonly off: readonly string[];
}

/** Has a server be at another address. */
interface SetUrl {
  readonly do: 'url';
  readonly name: string;
  readonly url: string;
}

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
